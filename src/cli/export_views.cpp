#include "cli/export_views.h"

#include <algorithm>
#include <utility>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "model/evaluate.h"
#include "scene/export/export_work.h"
#include "scene/options/kept_view.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// True for views that say what they need, which may be little of a large network. The arithmetic
/// of a cell also reads the terms that the cell was made of.
bool says_needs(ViewId view) {
    return view_of(view).needs && view != ViewId::Explanation;
}

/// Returns the state; on the picture of a graph a row is a node.
ViewState state_in(const ExportStudy& options) {
    ViewState state = options.state;
    if (chosen_view(options) == ViewId::Graph) state.rows_are_nodes = true;
    return state;
}

/// Returns the needs of the view for each matrix that is named, else for the chosen one. The page
/// has no values yet.
Watched watched_for(const Workspace& space, const ExportStudy& options) {
    const std::vector<std::string>& named = options.choice.matrices;
    const ViewId view = chosen_view(options);
    if (!says_needs(view))
        return {.everything = view != ViewId::Matrix || named.empty(), .globs = named};
    Watched watched{.everything = false, .globs = {"probs"}};
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const auto add = [&](const Tensor& tensor) {
        Selection selection = space.selection;
        apply_view(selection, {*space.page, tensor}, space.components, state_in(options),
                   [](const std::string&) {});
        watched.globs.push_back(tensor.path());
        for (std::string& glob : view_of(view).needs(scene.with(selection, scene.theme)))
            watched.globs.push_back(std::move(glob));
    };
    if (named.empty())
        add(space.page->at(space.selection.chosen));
    else
        for (const TensorId id : tensors_matching(*space.page, named)) add((*space.page)[id]);
    if (view == ViewId::Heads && !options.state.with.empty())
        watched.globs.emplace_back("*.pattern");
    return watched;
}

/// Starts the comparison with the other study, as the window would.
void start_comparison(Workspace& space, const ExportStudy& options, const Streams& streams) {
    space.comparison.show = options.state.sides;
    space.comparison.start(
        named_other(space.session.document(), *space.whole, options.state,
                    [&](const std::string& file) { return open_study(file, streams); }));
}

/// Opens the page's parts, and the one that is asked for.
void open_parts(Workspace& space, const ExportStudy& options) {
    space.selection = {};
    space.components = make_components(*space.page);
    space.selection.sentence = static_cast<int>(options.sentence.value_or(1) - 1);
    open_part(space.selection, *space.page, space.components, options.state);
}

}  // namespace

std::string view_words() {
    return joined(all_views(), "|", &ViewEntry::word);
}

bool is_view_word(const std::string& text) {
    return find_view(text) != nullptr;
}

ViewId chosen_view(const ExportStudy& options) {
    if (options.choice.film.is_walk()) return ViewId::Step;
    if (!options.what && !options.state.panels.empty()) return ViewId::Panels;
    if (!options.what) return options.state.with.empty() ? ViewId::Matrix : ViewId::Compared;
    const ViewEntry* named = find_view(*options.what);
    if (!named) throw unknown_view("--what", *options.what);
    if (named->id == ViewId::Compared && options.state.with.empty())
        throw Error("--what", "give the other side of the comparison: --with");
    return named->id;
}

bool shows_kept_view(const ExportStudy& options) {
    const ViewState& state = options.state;
    const bool says_what = options.what || !options.choice.matrices.empty() || options.sentence ||
                           options.choice.film.is_on() || !state.part.empty() ||
                           !state.held.empty() || !state.with.empty() || !state.heads.empty() ||
                           !state.panels.empty() || !state.rows.empty() || !state.columns.empty() ||
                           !state.zoom.is_whole();
    return !says_what && exporter_for(options.output).kind == ExportKind::Picture;
}

ExportStudy with_kept_view(const ExportStudy& options, const ViewWords& view) {
    ExportStudy seen = options;
    for (const ViewWord& word : view) {
        if (std::ranges::count(options.given, "--" + word.name) > 0) continue;
        if (word.name == "what" && is_view_word(word.value))
            seen.what = word.value;
        else if (word.name == "tensor")
            seen.choice.matrices = {word.value};
        else if (word.name == "sentence")
            seen.sentence = sentence_from(word.value, kMaxWords) + 1;
        else
            take_view_word(seen.state, word);
    }
    return seen;
}

ExportStudy with_named_panels(const ExportStudy& options) {
    ExportStudy named = options;
    if (exporter_for(options.output).kind != ExportKind::Picture) named.state.panels.clear();
    const bool are_panels = options.what && chosen_view(options) == ViewId::Panels;
    if (are_panels && options.state.panels.empty())
        named.state.panels = std::exchange(named.choice.matrices, {});
    return named;
}

void look_at(Workspace& space, const ExportStudy& options, const Streams& streams) {
    const ViewId view = chosen_view(options);
    const Document& document = space.session.document();
    const std::optional<Index> first =
        view == ViewId::Matrix ? std::nullopt : std::optional<Index>(1);
    const auto take = [&](Trace whole) {
        space.whole = std::make_shared<const Trace>(std::move(whole));
        space.page = std::make_shared<const Trace>(
            sentence_page(*space.whole, options.sentence ? options.sentence : first));
    };
    if (says_needs(view) || !options.state.with.empty()) {
        take(Trace(plan(document)));
        open_parts(space, options);
    }
    if (!options.state.with.empty()) start_comparison(space, options, streams);
    if (space.comparison.other<OtherHead>())
        space.watched = {.everything = true, .globs = {}};  // of another part, perhaps
    else
        space.watched = watched_for(space, options);
    take(evaluate_study(document, space.watched, streams));
    open_parts(space, options);
}

void choose(Workspace& space, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams) {
    apply_view(space.selection, {*space.page, tensor}, space.components, state_in(options),
               notes_to(streams));
    if (options.state.with.empty()) return;
    space.comparison.follow(space, space.watched);
    space.comparison.wait();
    space.comparison.follow(space, space.watched);
}

}  // namespace headlight
