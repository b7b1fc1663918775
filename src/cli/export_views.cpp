#include "cli/export_views.h"

#include <algorithm>

#include "cli/open_study.h"
#include "cli/tensor_names.h"
#include "core/error.h"

namespace headlight {
namespace {

const NamedFigure* find_view(const std::string& word) {
    const auto at = std::ranges::find(named_views(), word, &NamedFigure::word);
    return at == named_views().end() ? nullptr : &*at;
}

/// A comparison is the window's alone.
bool is_offered(const NamedFigure& named) {
    return named.view != FigureOf::Compared;
}

Watched watched_for(const ExportStudy& options) {
    const FigureOf view = view_of(options);
    if (view == FigureOf::Matrix)
        return {.everything = options.tensors.empty(), .globs = options.tensors};
    if (view == FigureOf::Heads) return {.everything = false, .globs = {"*.pattern", "*.metrics"}};
    return {.everything = true, .globs = {}};
}

Pointed held_rows(const StudyScene& study, const Tensor& tensor, const ExportStudy& options,
                  const Streams& streams) {
    const AxisPlace place{tensor, tensor.rows, "row", "export"};
    std::vector<Index> rows;
    for (const std::string& row : options.rows)
        rows.push_back(index_named(study.trace, place, row, streams));
    Pointed pointed = point_at_item(rows.front(), tensor.rows.list);
    const AxisPlace columns{tensor, tensor.columns, "column", "export"};
    const bool is_edge = tensor.rows.kind == AxisKind::Edge;
    if (options.column || is_edge)
        pointed = point_at(
            study.trace, tensor, rows.front(),
            options.column ? index_named(study.trace, columns, *options.column, streams) : 0);
    pointed.focus.also.assign(rows.begin() + 1, rows.end());
    return pointed;
}

}  // namespace

std::string view_words() {
    std::string words;
    for (const NamedFigure& named : named_views())
        if (is_offered(named)) words += std::string(named.word) + "|";
    return words + kWindowWord;
}

bool is_view_word(const std::string& text) {
    const NamedFigure* named = find_view(text);
    return text == kWindowWord || (named && is_offered(*named));
}

FigureOf view_of(const ExportStudy& options) {
    if (options.film.is_walk()) return FigureOf::Step;
    if (!options.what) return FigureOf::Matrix;
    const NamedFigure* named = find_view(*options.what);
    if (!named) throw Error("--what", "there is no view '" + *options.what + "'");
    return named->view;
}

StudyScene look_at(Document document, const ExportStudy& options, const Streams& streams) {
    const FigureOf view = view_of(options);
    Trace trace = evaluate_study(document, watched_for(options), streams);
    const std::optional<Index> first =
        view == FigureOf::Matrix ? std::nullopt : std::optional<Index>(1);
    StudyScene study{std::move(document),
                     sentence_of(std::move(trace), options.sentence ? options.sentence : first),
                     {},
                     {}};
    study.parts = parts_of(study.trace);
    study.selection.sentence = static_cast<int>(options.sentence.value_or(1) - 1);
    study.selection.fit(study.trace, study.parts);
    if (options.part) {
        if (!find_part(study.parts, *options.part))
            throw Error("--part", "the study has no part '" + *options.part + "'; " +
                                      "`headlight list` prints the paths, which begin with parts");
        study.selection.choose_part(study.trace, study.parts, *options.part);
    }
    return study;
}

void choose(StudyScene& study, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams) {
    study.selection.choose_tensor(study.trace, study.parts, tensor.path);
    study.selection.scales.of(tensor.quantity) = options.picture;
    study.selection.views.set(tensor, options.view);
    if (options.rows.empty() && !options.column) return;
    if (options.rows.empty()) throw Error("--column", "say the row as well: --row");
    study.selection.keep_held(held_rows(study, tensor, options, streams));
}

}  // namespace headlight
