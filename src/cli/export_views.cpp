#include "cli/export_views.h"

#include <algorithm>
#include <utility>

#include "cli/open_study.h"
#include "core/analyses/head_metrics.h"
#include "core/analyses/readout.h"
#include "core/error.h"
#include "io/exporters.h"
#include "model/evaluate.h"
#include "scene/figures/listed_heads.h"
#include "scene/options/choose_shown.h"
#include "scene/options/kept_view.h"
#include "text/words.h"

namespace headlight {
namespace {

const NamedFigure* find_view(const std::string& word) {
    const auto at = std::ranges::find(named_views(), word, &NamedFigure::word);
    return at == named_views().end() ? nullptr : &*at;
}

Watched watched_for(const Document& document, const ExportStudy& options) {
    const FigureOf view = chosen_view(options);
    if (view == FigureOf::Matrix)
        return {.everything = options.choice.matrices.empty(), .globs = options.choice.matrices};
    if (view == FigureOf::Panels && !options.shown.panels.empty()) {
        Watched watched{.everything = false, .globs = options.shown.panels};
        const std::vector<std::string>& chosen = options.choice.matrices;
        watched.globs.insert(watched.globs.end(), chosen.begin(), chosen.end());
        return watched;
    }
    if (view == FigureOf::Heads) return {.everything = false, .globs = head_globs(*plan(document))};
    if (view == FigureOf::Readout) return {.everything = false, .globs = {logits_path()}};
    if (view == FigureOf::Image) return {.everything = false, .globs = {"*.pattern", "probs"}};
    return {.everything = true, .globs = {}};
}

/// What it is compared with, as the window would.
void compare(Workspace& space, const ExportStudy& options, const Streams& streams) {
    const ShownOptions& shown = options.shown;
    const Watched watched = chosen_view(options) == FigureOf::Readout
                                ? watched_for(space.session.document(), options)
                                : Watched{.everything = true, .globs = {}};
    Comparison& comparison = space.comparison;
    comparison.show = shown.sides;
    comparison.start(
        other_shown(space.session.document(), *space.whole, shown,
                    [&](const std::string& file) { return open_study(file, streams); }));
    comparison.follow(space, watched);
    comparison.wait();
    comparison.follow(space, watched);
}

}  // namespace

std::string view_words() {
    std::string words;
    for (const NamedFigure& named : named_views())
        words += (words.empty() ? "" : "|") + std::string(named.word);
    return words;
}

bool is_view_word(const std::string& text) {
    return find_view(text) != nullptr;
}

FigureOf chosen_view(const ExportStudy& options) {
    if (options.choice.film.is_walk()) return FigureOf::Step;
    if (!options.what && !options.shown.panels.empty()) return FigureOf::Panels;
    if (!options.what) return options.shown.with ? FigureOf::Compared : FigureOf::Matrix;
    const NamedFigure* named = find_view(*options.what);
    if (!named) throw Error("--what", "there is no view '" + *options.what + "'");
    if (named->view == FigureOf::Compared && !options.shown.with)
        throw Error("--what", "give the other side of the comparison: --with");
    return named->view;
}

bool shows_kept_view(const ExportStudy& options) {
    const ShownOptions& shown = options.shown;
    const bool says_what = options.what || !options.choice.matrices.empty() || options.sentence ||
                           options.choice.film.is_on() || shown.component || shown.held ||
                           shown.with || !shown.heads.empty() || !shown.panels.empty() ||
                           !shown.rows.empty() || !shown.columns.empty() || !shown.view.is_whole();
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
            take_view_word(seen.shown, word);
    }
    return seen;
}

ExportStudy with_named_panels(const ExportStudy& options) {
    ExportStudy named = options;
    if (exporter_for(options.output).kind != ExportKind::Picture) named.shown.panels.clear();
    const bool are_panels = options.what && chosen_view(options) == FigureOf::Panels;
    if (are_panels && options.shown.panels.empty())
        named.shown.panels = std::exchange(named.choice.matrices, {});
    return named;
}

void look_at(Workspace& space, const ExportStudy& options, const Streams& streams) {
    const FigureOf view = chosen_view(options);
    const Document& document = space.session.document();
    space.whole = std::make_shared<const Trace>(
        evaluate_study(document, watched_for(document, options), streams));
    const std::optional<Index> first =
        view == FigureOf::Matrix ? std::nullopt : std::optional<Index>(1);
    space.page = std::make_shared<const Trace>(
        sentence_page(*space.whole, options.sentence ? options.sentence : first));
    space.components = make_components(*space.page);
    space.selection.sentence = static_cast<int>(options.sentence.value_or(1) - 1);
    open_shown(space.selection, *space.page, space.components, options.shown);
}

void choose(Workspace& space, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams) {
    choose_shown(space.selection, {*space.page, tensor}, space.components, options.shown,
                 notes_to(streams));
    if (options.shown.with) compare(space, options, streams);
}

}  // namespace headlight
