#include "app_state/studies.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "learn/task.h"
#include "model/presets.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Returns the first of these ready studies whose weights are in the program; the last one needs
/// none.
Document first_made(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const ReadyStudy* ready = find_ready_study(name); !ready->is_left_out)
            return ready->make();
    throw Error("study", "there is none that needs no weights");
}

/// Makes the study that a workspace shows where nothing else is open in it.
Document built_in_study(WorkspaceKind kind) {
    switch (kind) {
        case WorkspaceKind::Alignment:
            return first_made({"translation", "lstm"});
        case WorkspaceKind::Graph:
            return first_made({"gat", "graph-layers"});
        case WorkspaceKind::Image:
            return first_made({"shapes", "image"});
        case WorkspaceKind::Train:
            return tasks().front().study(nullptr);
        default:
            return built_in_sentence();
    }
}

/// Returns the first words of a text, as many as name it.
std::string beginning_of_text(const std::string& text) {
    constexpr std::size_t kMostCodePoints = 40;
    return shorten(text.substr(0, text.find('\n')), kMostCodePoints);
}

bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    if (a.empty() || b.empty()) return false;
    return std::filesystem::absolute(a, ignored).lexically_normal() ==
               std::filesystem::absolute(b, ignored).lexically_normal() ||
           std::filesystem::equivalent(a, b, ignored);
}

/// Returns "a.headlight"; where several files have that name, with its folder: "one/a.headlight".
std::string file_name(const std::filesystem::path& file,
                      const std::vector<const NumberedStudy*>& among) {
    const auto count = std::ranges::count_if(among, [&](const NumberedStudy* other) {
        return other->space->file.filename() == file.filename();
    });
    const std::filesystem::path folder = file.parent_path().filename();
    return path_text(count > 1 && !folder.empty() ? folder / file.filename() : file.filename());
}

}  // namespace

Document first_study() {
    return first_made({kFirstStudy, "attention"});
}

std::string content_name(const Document& document) {
    std::string name;
    if (const SentenceStudy* study = document.sentence()) name = beginning_of_text(study->text);
    if (const AlignmentStudy* study = document.alignment()) name = beginning_of_text(study->source);
    if (const GraphStudy* study = document.graph()) name = beginning_of_text(study->graph.title);
    if (document.image()) return "Image";
    if (const RecordedStudy* study = document.recorded())
        return study->joined ? content_name(*study->joined) + ", words" : "Recording";
    return name.empty() ? "Untitled" : name;
}

Studies::Studies(std::function<void()> wake) : wake_(std::move(wake)) {
    for (std::size_t place = 0; place < kWorkspaces; ++place) {
        const auto kind = static_cast<WorkspaceKind>(place);
        add(kind, built_in_study(kind));
    }
}

void Studies::show_place(std::size_t place) {
    shown_kind_ = static_cast<WorkspaceKind>(std::min(place, kWorkspaces - 1));
}

void Studies::show_number(StudyNumber number) {
    shown_kind_ = find(number)->kind;
    shown_in_[place()] = number;
}

void Studies::turn(Turn to) {
    const std::vector<const NumberedStudy*> row = tabs(shown_kind_);
    const auto at = std::ranges::find(row, number(), &NumberedStudy::number) - row.begin();
    const auto n = static_cast<std::ptrdiff_t>(row.size());
    const std::ptrdiff_t next = (at + (to == Turn::Next ? 1 : n - 1)) % n;
    show_number(row[static_cast<std::size_t>(next)]->number);
}

const NumberedStudy* Studies::find(StudyNumber number) const {
    const auto at = std::ranges::find(open_, number, &NumberedStudy::number);
    return at == open_.end() ? nullptr : &*at;
}

std::vector<const NumberedStudy*> Studies::tabs(WorkspaceKind kind) const {
    std::vector<const NumberedStudy*> row;
    for (const NumberedStudy& study : open_)
        if (study.kind == kind) row.push_back(&study);
    return row;
}

StudyNumber Studies::unused_number(WorkspaceKind kind) const {
    if (!find(place_in_order(kind))) return place_in_order(kind);
    for (StudyNumber number = kWorkspaces; number < kMostOpenStudies; ++number)
        if (!find(number)) return number;
    throw Error("tabs", "too many studies are open; close one first");
}

Workspace& Studies::add(WorkspaceKind kind, Document document) {
    const StudyNumber number = unused_number(kind);
    open_.push_back({number, kind, std::make_unique<Workspace>(std::move(document), wake_)});
    shown_in_[place_in_order(kind)] = number;
    return *open_.back().space;
}

Workspace& Studies::add(Document document) {
    const WorkspaceKind kind = workspace_for(document.study);
    Workspace& space = add(kind, std::move(document));
    shown_kind_ = kind;
    return space;
}

void Studies::add_copy() {
    const Workspace& from = shown();
    Workspace& copy = add(shown_kind_, from.session.document());
    copy.selection = from.selection;
    copy.is_new = from.is_new;
    if (!(from.session.document() == *from.saved)) copy.saved = from.saved;
}

void Studies::close(StudyNumber number) {
    const WorkspaceKind kind = find(number)->kind;
    const std::vector<const NumberedStudy*> row = tabs(kind);
    const auto at = std::ranges::find(row, number, &NumberedStudy::number);
    const StudyNumber neighbour = row.size() == 1       ? number
                                  : at + 1 == row.end() ? (*(at - 1))->number
                                                        : (*(at + 1))->number;
    const auto closed = std::ranges::find(open_, number, &NumberedStudy::number);
    closed_.push_back(std::move(closed->space));
    open_.erase(closed);
    StudyNumber& shown = shown_in_[place_in_order(kind)];
    if (neighbour == number)  // the last tab: the study that the program begins with
        add(kind, kind == WorkspaceKind::Sentence ? first_study() : built_in_study(kind));
    else if (shown == number)
        shown = neighbour;
}

const NumberedStudy* Studies::find_file(const std::filesystem::path& file) const {
    const auto at = std::ranges::find_if(open_, [&](const NumberedStudy& study) {
        return has_tabs(study.kind) && is_in_file(*study.space) &&
               are_one_file(study.space->file, file);
    });
    return at == open_.end() ? nullptr : &*at;
}

const NumberedStudy* Studies::find_changed(const std::set<StudyNumber>& besides) const {
    for (std::size_t place = 0; place < kWorkspaces; ++place)
        for (const NumberedStudy* study : tabs(static_cast<WorkspaceKind>(place)))
            if (is_kept(*study) && !besides.contains(study->number) && has_changes(*study->space))
                return study;
    return nullptr;
}

void Studies::follow_compared() {
    ComparisonRun& comparison = shown().comparison;
    const OtherStudy* other = comparison.now().other<OtherStudy>();
    const NumberedStudy* tab = other && other->tab ? find(*other->tab) : nullptr;
    if (tab) comparison.follow_tab(tab->space->session.document(), tab_name(*this, *tab));
}

std::vector<std::string> tab_names(const Studies& studies, WorkspaceKind kind) {
    const std::vector<const NumberedStudy*> row = studies.tabs(kind);
    std::vector<std::string> names;
    std::map<std::string, int> n_called;
    for (const NumberedStudy* study : row) {
        const Workspace& space = *study->space;
        std::string name = space.file.empty() ? content_name(space.session.document())
                                              : file_name(space.file, row);
        const int n = ++n_called[name];
        if (n > 1) name += fmt::format(" ({})", n);
        names.push_back(std::move(name));
    }
    return names;
}

std::string tab_name(const Studies& studies, const NumberedStudy& study) {
    const std::vector<const NumberedStudy*> row = studies.tabs(study.kind);
    const auto at = std::ranges::find(row, study.number, &NumberedStudy::number);
    return tab_names(studies, study.kind)[static_cast<std::size_t>(at - row.begin())];
}

std::vector<ComparisonChoice> comparison_choices(const Studies& studies) {
    std::vector<ComparisonChoice> choices = comparison_choices(studies.shown());
    const std::vector<const NumberedStudy*> row = studies.tabs(studies.kind());
    if (!has_tabs(studies.kind())) return choices;
    const std::vector<std::string> names = tab_names(studies, studies.kind());
    const Document& own = studies.shown().session.document();
    for (std::size_t k = 0; k < row.size(); ++k) {
        const Document& document = row[k]->space->session.document();
        if (row[k]->number == studies.number() || document.study.index() != own.study.index())
            continue;
        OtherStudy other{.name = names[k], .document = document, .tab = row[k]->number};
        choices.push_back(
            {ComparisonChoice::Kind::Tab, names[k], "open in another tab", std::move(other)});
    }
    return choices;
}

}  // namespace headlight
