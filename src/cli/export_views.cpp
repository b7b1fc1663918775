#include "cli/export_views.h"

#include <algorithm>

#include "cli/choose_shown.h"
#include "cli/open_study.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "model/evaluate.h"
#include "scene/figures/listed_heads.h"

namespace headlight {
namespace {

const NamedFigure* find_view(const std::string& word) {
    const auto at = std::ranges::find(named_views(), word, &NamedFigure::word);
    return at == named_views().end() ? nullptr : &*at;
}

Watched watched_for(const Document& document, const ExportStudy& options) {
    const FigureOf view = view_of(options);
    if (view == FigureOf::Matrix)
        return {.everything = options.choice.matrices.empty(), .globs = options.choice.matrices};
    if (view == FigureOf::Heads) return {.everything = false, .globs = head_globs(*plan(document))};
    return {.everything = true, .globs = {}};
}

/// What it is compared with, as the window would.
void compare(StudyScene& study, const ShownOptions& shown, const Streams& streams) {
    if (!study.session) study.session = std::make_unique<Session>(study.document);
    study.comparison = std::make_unique<Comparison>([] {});
    study.comparison->show = shown.sides;
    study.comparison->start(other_shown(study.document, *study.whole, shown, streams));
    const StudyA a{*study.session, study.document, study.whole,
                   study.page,     study.parts,    study.selection};
    const Watched everything{.everything = true, .globs = {}};
    study.comparison->follow(a, everything);
    study.comparison->wait();
    study.comparison->follow(a, everything);
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

FigureOf view_of(const ExportStudy& options) {
    if (options.choice.film.is_walk()) return FigureOf::Step;
    if (!options.what) return options.shown.with ? FigureOf::Compared : FigureOf::Matrix;
    const NamedFigure* named = find_view(*options.what);
    if (!named) throw Error("--what", "there is no view '" + *options.what + "'");
    if (named->view == FigureOf::Compared && !options.shown.with)
        throw Error("--what", "say what it is compared with: --with");
    return named->view;
}

StudyScene look_at(Document document, const ExportStudy& options, const Streams& streams) {
    const FigureOf view = view_of(options);
    const auto whole = std::make_shared<const Trace>(
        evaluate_study(document, watched_for(document, options), streams));
    const std::optional<Index> first =
        view == FigureOf::Matrix ? std::nullopt : std::optional<Index>(1);
    const auto page = std::make_shared<const Trace>(
        sentence_of(*whole, options.sentence ? options.sentence : first));
    StudyScene study{std::move(document), whole, page, parts_of(*page), {}, nullptr, nullptr};
    study.selection.sentence = static_cast<int>(options.sentence.value_or(1) - 1);
    open_shown(study.selection, *page, study.parts, options.shown);
    return study;
}

void choose(StudyScene& study, const Tensor& tensor, const ShownOptions& shown,
            const Streams& streams) {
    choose_shown(study.selection, {*study.page, tensor}, study.parts, shown, streams);
    if (shown.with) compare(study, shown, streams);
}

}  // namespace headlight
