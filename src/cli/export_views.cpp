#include "cli/export_views.h"

#include <algorithm>
#include <utility>

#include "cli/open_study.h"
#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/analyses/readout.h"
#include "core/error.h"
#include "io/exporters.h"
#include "model/evaluate.h"
#include "scene/export/export_work.h"
#include "scene/figures/listed_heads.h"
#include "scene/options/apply_view.h"
#include "scene/options/kept_view.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Views of one part, which need little of a large network.
bool is_of_part(ViewId view) {
    return view == ViewId::Words || view == ViewId::Graph || view == ViewId::Flow ||
           view == ViewId::Layer || view == ViewId::Compared;
}

/// On the picture of a graph a row is a node.
ViewState state_in(const ExportStudy& options) {
    ViewState state = options.state;
    if (chosen_view(options) == ViewId::Graph) state.rows_are = ViewState::RowsAre::Nodes;
    return state;
}

/// What such a view draws, of the parts of all matrices that are named. The page has no values yet.
Watched watched_in_parts(const Workspace& space, const ExportStudy& options) {
    Watched watched{.everything = false, .globs = {"probs"}};
    ExportChoice choice;
    choice.view = chosen_view(options);
    Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const auto add = [&](const Selection& selection) {
        const Scene shown{scene.document, scene.trace, scene.components, selection, scene.theme};
        for (std::string& glob : watched_for(shown, choice))
            watched.globs.push_back(std::move(glob));
    };
    if (options.choice.matrices.empty()) {
        add(space.selection);
        return watched;
    }
    for (const TensorId id : tensors_matching(*space.page, options.choice.matrices)) {
        Selection selection = space.selection;
        apply_view(selection, {*space.page, (*space.page)[id]}, space.components, state_in(options),
                   [](const std::string&) {});
        add(selection);
    }
    return watched;
}

Watched watched_for(const Document& document, const ExportStudy& options) {
    const ViewId view = chosen_view(options);
    if (view == ViewId::Matrix)
        return {.everything = options.choice.matrices.empty(), .globs = options.choice.matrices};
    if (view == ViewId::Panels && !options.state.panels.empty()) {
        Watched watched{.everything = false, .globs = options.state.panels};
        const std::vector<std::string>& chosen = options.choice.matrices;
        watched.globs.insert(watched.globs.end(), chosen.begin(), chosen.end());
        return watched;
    }
    if (view == ViewId::Heads) {
        Watched watched{.everything = false, .globs = head_globs(*plan(document))};
        if (!options.state.with.empty()) watched.globs.emplace_back("*.pattern");
        return watched;
    }
    if (view == ViewId::Composition)
        return {.everything = false, .globs = composition_paths(*plan(document))};
    if (view_of(view).shows_logits()) return {.everything = false, .globs = {logits_path()}};
    if (view == ViewId::Image) return {.everything = false, .globs = {"*.pattern", "probs"}};
    return {.everything = true, .globs = {}};
}

/// What it is compared with, as the window would.
void start_comparison(Workspace& space, const ExportStudy& options, const Streams& streams) {
    space.comparison.show = options.state.sides;
    space.comparison.start(
        named_other(space.session.document(), *space.whole, options.state,
                    [&](const std::string& file) { return open_study(file, streams); }));
}

/// The page's parts, and the one that is asked for.
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
    if (is_of_part(view) || !options.state.with.empty()) {
        take(Trace(plan(document)));
        open_parts(space, options);
    }
    if (!options.state.with.empty()) start_comparison(space, options, streams);
    if (space.comparison.other<OtherHead>())
        space.watched = {.everything = true, .globs = {}};  // of another part, perhaps
    else
        space.watched =
            is_of_part(view) ? watched_in_parts(space, options) : watched_for(document, options);
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
