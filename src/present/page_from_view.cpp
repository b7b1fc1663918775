#include "present/page_from_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <system_error>

#include "app_state/training_view.h"
#include "core/error.h"
#include "core/explain.h"
#include "figure/labels.h"
#include "io/files/file.h"
#include "io/studies/document_change.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "present/page/page_document.h"
#include "views/explanation_view.h"
#include "views/export/export_arguments.h"
#include "views/panels_view.h"
#include "views/saved_view.h"

namespace headlight {
namespace {

bool are_of_one_kind(const Document& a, const Document& b) {
    return a.study.index() == b.study.index() && are_same(a.weights, b.weights);
}

/// Returns the ready study that this one was made from: the same one, or one with its weights.
const ReadyStudy* origin_among_ready(const Document& document) {
    static const std::map<std::uint64_t, const ReadyStudy*> by_weights = [] {
        std::map<std::uint64_t, const ReadyStudy*> found;
        for (const ReadyStudy& ready : ready_studies())
            if (!ready.weights.empty() && !ready.is_left_out)
                found.emplace(ready.make().weights->checksum, &ready);
        return found;
    }();
    if (!document.weights) return nullptr;
    const auto found = by_weights.find(document.weights->checksum);
    return found == by_weights.end() ? nullptr : found->second;
}

std::string unused_name(const Lecture& lecture) {
    std::string name;
    for (int n = 1; name.empty() || lecture.studies.contains(name); ++n)
        name = fmt::format("study-{}", n);
    return name;
}

/// Returns the name of the file as seen from the lecture's folder.
std::string name_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
    std::error_code ignored;
    const auto near = std::filesystem::relative(file, folder, ignored);
    return (ignored || near.empty() || folder.empty() ? file : near).string();
}

/// Adds the directive that makes `after` from `before`, in words where words suffice: another text,
/// otherwise a change.
void add_change(Directives& directives, const Document& before, const Document& after) {
    if (before == after) return;
    if (before.sentence() && after.sentence() && !after.sentence()->text.empty()) {
        Document with_text = before;
        set_text(with_text, after.sentence()->text);
        if (with_text == after) {
            const std::string& text = after.sentence()->text;
            for (std::size_t at = 0; at <= text.size();) {
                const std::size_t end = std::min(text.find('\n', at), text.size());
                directives.push_back({"text", text.substr(at, end - at)});
                at = end + 1;
            }
            return;
        }
    }
    if (auto change = change_directive(before, after)) directives.push_back(*std::move(change));
}

/// Puts a study inside the lecture and returns its name. The same study is there once.
std::string name_inside(const Document& document, const PagePlace& place, Lecture& lecture) {
    if (document.weights && !document.weights->is_inside)
        throw Error("lecture",
                    "save the study first: its weights are too large to be kept inside "
                    "the lecture");
    std::string text = write_study(document, {.folder = place.folder});
    if (!text.ends_with('\n')) text += '\n';
    const auto same = std::ranges::find_if(
        lecture.studies, [&](const auto& inside) { return inside.second == text; });
    const std::string name = same == lecture.studies.end() ? unused_name(lecture) : same->first;
    lecture.studies[name] = std::move(text);
    return name;
}

/// Names the study itself, so that the page stays what it is when others are moved.
void add_study(Directives& directives, const Document& document, const PagePlace& place,
               Lecture& lecture) {
    if (const ReadyStudy* ready = origin_among_ready(document)) {
        directives.push_back({"study", ready->name});
        return add_change(directives, ready->make(), document);
    }
    directives.push_back({"study", place.file.empty() ? name_inside(document, place, lecture)
                                                      : name_from(place.folder, place.file)});
}

/// Returns the name of B, where it has other weights or is of another kind.
std::string name_of_other(const Scene& scene, const OtherStudy& other, const PagePlace& place,
                          Lecture& lecture) {
    const Document& b = *scene.comparison->document;
    if (const ReadyStudy* ready = origin_among_ready(b)) {
        const Document made = ready->make();
        if (made == b) return ready->name;
        const bool is_one_kind = made.study.index() == scene.document.study.index();
        if (is_one_kind && with_network_of(scene.document, made) == b)
            return "network " + std::string(ready->name);
    }
    if (!other.file.empty() && b == other.document) return name_from(place.folder, other.file);
    return name_inside(b, {.folder = place.folder}, lecture);
}

/// Returns the value of `with` for a comparison with another study.
std::string other_words(const Scene& scene, const OtherStudy& other, const PagePlace& place,
                        Lecture& lecture) {
    const Document& b = *scene.comparison->document;
    if (!are_of_one_kind(scene.document, b)) return name_of_other(scene, other, place, lecture);
    Directives change;
    add_change(change, scene.document, b);
    if (change.size() == 1) return fmt::format("{} {}", change.front().key, change.front().value);
    const auto whole = change_directive(scene.document, b);
    if (!whole) throw Error("lecture", "A and B are the same study: there is nothing to compare");
    return "change " + whole->value;
}

/// Puts the table inside the lecture and returns its name, which is like this one.
std::string curve_inside(const std::string& name, const std::string& table, Lecture& lecture) {
    std::string free = name;
    for (int n = 2; lecture.curves.contains(free) && lecture.curves[free] != table; ++n)
        free = fmt::format("{}-{}", name, n);
    lecture.curves[free] = table;
    return free;
}

}  // namespace

std::optional<Directive> change_directive(const Document& before, const Document& after) {
    if (before == after) return std::nullopt;
    std::string change = write_change(&before, after);
    std::ranges::replace(change, '\n', ' ');
    return Directive{"change", std::move(change)};
}

Directives directives_from_view(const Scene& scene, ViewId view, const PagePlace& place,
                                Lecture& lecture) {
    Directives directives;
    add_study(directives, scene.document, place, lecture);
    ExportChoice choice;
    choice.view = view;
    ViewWords words = export_words(scene, choice);
    // On the picture of a graph a row is a node, unless the page says otherwise.
    if (view == ViewId::Graph && find_word(words, "row") && !find_word(words, "held"))
        words.push_back({"held", scene.selection.chosen});
    for (const ViewWord& word : words) {
        const auto* other = word.name == "with" ? scene.comparison->other<OtherStudy>() : nullptr;
        directives.push_back(
            {word.name, other ? other_words(scene, *other, place, lecture) : word.value});
    }
    return directives;
}

namespace {

constexpr std::string_view kBatches = "batches", kHeldOut = "held-out";

}  // namespace

std::string curve_legend(const std::string& table) {
    const std::size_t dash = table.rfind('-');
    if (dash == std::string::npos) return table;
    const std::string_view number = std::string_view(table).substr(dash + 1);
    const bool is_numbered =
        !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    const std::string kept = table.substr(0, dash);
    return is_numbered && (kept == kBatches || kept == kHeldOut) ? kept : table;
}

Directives directives_from_training(const TrainingSnapshot& training, Lecture& lecture) {
    Directives directives;
    if (!training.curve.empty())
        directives.push_back(
            {"curve", curve_inside(std::string(kBatches), batches_log(training.curve), lecture)});
    if (!training.tests.empty())
        directives.push_back(
            {"curve", curve_inside(std::string(kHeldOut), tests_log(training.tests), lecture)});
    if (directives.empty())
        throw Error("lecture", "the training has no curve yet; let it make some steps");
    directives.push_back({"series", "accuracy"});  // the loss is in the tables, on another scale
    return directives;
}

namespace {

/// Returns "who · state · action" for panels of heads with names; "" for others.
std::string named_heads_title(const Scene& scene) {
    std::vector<std::string> names;
    for (const std::string& path : panel_paths(scene)) {
        const Tensor& tensor = scene.trace.at(path);
        if (!tensor.planned().head_name) return "";
        names.push_back(head_word(tensor));
    }
    return fmt::format("{}", fmt::join(names, " · "));
}

}  // namespace

std::string title_from_view(const Scene& scene, ViewId view) {
    if (view == ViewId::Panels)
        if (std::string title = named_heads_title(scene); !title.empty()) return title;
    if (view == ViewId::Compared)
        return fmt::format("{} and {}", scene.comparison->name_a, scene.comparison->name_b);
    const ViewEntry& named = view_of(view);
    const auto cell =
        view == ViewId::Explanation ? explained_cell(scene.trace, scene.selection) : std::nullopt;
    if (view != ViewId::Matrix && !cell) return named.title;
    const Tensor& tensor = scene.trace.at(cell ? cell->path : scene.selection.chosen);
    const std::string head = tensor.identity().head < 0 ? "" : " of head " + head_word(tensor);
    return (cell ? shown_cell_name(scene.trace, scene.trace.id_at(cell->path), cell->row,
                                   cell->column)
                 : tensor.symbol()) +
           head;
}

}  // namespace headlight
