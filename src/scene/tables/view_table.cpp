#include "scene/tables/view_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/analyses/composition.h"
#include "core/error.h"
#include "model/vocabulary.h"
#include "paint/number_format.h"
#include "scene/figures/compared_sides.h"
#include "scene/figures/readout_view.h"
#include "scene/figures/sweep_figure.h"
#include "scene/readout/readout_words.h"
#include "scene/tables/heads_table.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns the numbers that the view of logits shows for one side. B's words are others, so its
/// columns have plain names.
Table of_logits(const Scene& scene, ViewId view, AskedLogits::Heads heads) {
    const LogitView readout = make_readout(scene);
    AskedLogits asked{scene.document, scene.trace, readout.question};
    asked.heads = heads;
    if (view == ViewId::Attribution) return attribution_table(asked);
    const bool is_named = !scene.selection.looks.readout.word.empty() && readout.problem.empty();
    if ((view == ViewId::Lens && readout.unranked.empty()) || is_named)
        asked.word = AskedLogits::Word::Named;
    asked.n_words = view == ViewId::Lens ? most_likely_words(readout) : readout.next.size();
    return view == ViewId::Lens ? lens_table(asked) : next_words_table(asked);
}

/// Puts the rows of B after those of A, each with its side.
Table joined(Table a, const Table& b) {
    std::vector<std::string> sides(a.n_rows(), side_text(ComparedSide::A));
    sides.resize(sides.size() + b.n_rows(), side_text(ComparedSide::B));
    for (std::size_t k = 0; k < a.columns.size(); ++k)
        std::visit(
            [&](auto& cells) {
                const auto& more = std::get<std::decay_t<decltype(cells)>>(b.columns[k].cells);
                cells.insert(cells.end(), more.begin(), more.end());
            },
            a.columns[k].cells);
    a.columns.insert(a.columns.begin(), TableColumn{"side", std::move(sides)});
    ++a.n_labels;
    return a;
}

ViewTable of_logits_of_sides(const Scene& scene, ViewId view) {
    const std::vector<ComparedSide> sides = sides_without_difference(scene, HasHeads::All);
    using Heads = AskedLogits::Heads;
    if (sides.size() < 2) return {of_logits(scene, view, Heads::Asked), ""};
    const SceneOfB b(scene);
    if (!has_readout(b.scene().trace))
        return {of_logits(scene, view, Heads::Asked), "B names no words and is left out"};
    Table of_a = of_logits(scene, view, Heads::Plain),
          of_b = of_logits(b.scene(), view, Heads::Plain);
    if (of_a.columns.size() != of_b.columns.size())
        throw Error("export", "the tables of A and B have other columns; export one at a time");
    of_a.caption = fmt::format("A: {}; B: {}", of_a.caption, of_b.caption);
    const std::string path = logits_path();
    const std::string others = other_words_text({scene.trace, scene.trace.at(path)},
                                                {b.scene().trace, b.scene().trace.at(path)});
    if (!others.empty()) of_a.caption += "; B reads " + others;
    return {joined(std::move(of_a), of_b), ""};
}

std::string note_of(const HeadsTable& made) {
    std::string note;
    if (!made.left_out.empty()) note = "left out: " + made.left_out.front();
    if (made.left_out.size() > 1) note += fmt::format(" and {} more", made.left_out.size() - 1);
    for (const std::string& line : made.notes) append_part(note, "; ", line);
    return note;
}

}  // namespace

ViewTable heads_numbers(const Scene& scene) {
    const bool is_seen = scene.selection.view == ViewId::Heads;
    const HeadsList list = is_seen ? scene.selection.listed_heads : HeadsList{};
    const bool is_compared = sides_of(scene, HasHeads::All).size() > 1 ||
                             sides_of(scene, HasHeads::All).front() == ComparedSide::Difference;
    if (!is_compared) {
        HeadsTable made = heads_table(scene.trace, scene.components, list);
        std::string note = note_of(made);
        return {std::move(made.table), std::move(note)};
    }
    const Document* other = scene.comparison->document();
    const bool has_several = has_several_sentences(scene.document) ||
                             (other && has_several_sentences(*other)) ||
                             scene.comparison->other<OtherSentence>();
    HeadsTable made = compared_heads_table(
        {scene.trace, *scene.comparison->trace(), has_several ? WithMetrics::No : WithMetrics::Yes},
        scene.components, list);
    std::string note = note_of(made);
    return {std::move(made.table), std::move(note)};
}

template <ViewId view>
ViewTable logits_numbers(const Scene& scene) {
    return of_logits_of_sides(scene, view);
}
template ViewTable logits_numbers<ViewId::NextWords>(const Scene&);
template ViewTable logits_numbers<ViewId::Lens>(const Scene&);
template ViewTable logits_numbers<ViewId::Attribution>(const Scene&);

ViewTable sweep_numbers(const Scene& scene) {
    return {sweep_table(*scene.sweep), ""};
}

ViewTable composition_numbers(const Scene& scene) {
    return {composition_table(scene.trace), ""};
}

ViewId numbers_view(const Scene& scene, ViewId view) {
    if (view == ViewId::Readout)
        return is_shown(scene, ViewId::Sweep) ? ViewId::Sweep : ViewId::NextWords;
    return view_of(view).table ? view : ViewId::Matrix;
}

ViewTable view_table(const Scene& scene, ViewId view) {
    check_is_shown(scene, view);
    const auto table = view_of(view).table;
    if (!table) throw Error("export", "this view has no table");
    return table(scene);
}

std::string composition_caption(const Trace& trace) {
    const std::string equation = trace.at(composition_path(Composition::Value)).equation();
    const std::string folded = equation.substr(std::min(equation.find(';'), equation.size()));
    return fmt::format(
        "Frobenius norm of the product over the norms of both{}; random directions reach about {}",
        folded, format_value(static_cast<Scalar>(chance_of_composition(trace))));
}

Table composition_table(const Trace& trace) {
    const Tensor* by_value = trace.find(composition_path(Composition::Value));
    if (!by_value)
        throw Error("composition",
                    "the study has no heads of two layers that read one residual stream");
    if (!by_value->value)
        throw Error("composition", "the scores are being computed; try again in a moment");
    Table table{"composition", composition_caption(trace), {}, 2};
    const Index n_heads = by_value->settings().count;
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < by_value->rows().size; ++i)
        for (Index j = 0; j < (i / n_heads + 1) * n_heads; ++j) pairs.emplace_back(i, j);
    std::vector<std::string>& earlier = table.add_texts("earlier");
    for (const auto& [i, j] : pairs) earlier.push_back(axis_label(trace, by_value->columns(), j));
    std::vector<std::string>& later = table.add_texts("later");
    for (const auto& [i, j] : pairs) later.push_back(axis_label(trace, by_value->rows(), i));
    static constexpr const char* kInputs[] = {"Q", "K", "V"};
    for (int c = 0; c < kCompositions; ++c) {
        const Tensor* scores = trace.find(composition_path(static_cast<Composition>(c)));
        std::vector<double>& numbers = table.add_numbers(kInputs[c]);
        for (const auto& [i, j] : pairs)
            numbers.push_back(scores && scores->value ? static_cast<double>((*scores->value)(i, j))
                                                      : std::numeric_limits<double>::quiet_NaN());
    }
    return table;
}

Table sweep_table(const DoneSweep& sweep) {
    const SweepResult& result = sweep.result;
    Table table{"sweep", fmt::format("{}; {}", sweep_title(sweep), sweep.sentence), {}, 1};
    if (has_two_attentions(result) || result.over == SweepOver::Tokens) {
        table.add_texts("layer") = row_names(result);
    } else {
        std::vector<double>& layers = table.add_numbers("layer");
        for (const SweepRow& row : result.rows) layers.push_back(row.layer);
    }
    for (Index k = 0; k < result.change.cols(); ++k) {
        std::vector<double>& numbers =
            table.add_numbers(result.columns[static_cast<std::size_t>(k)]);
        for (Index l = 0; l < result.change.rows(); ++l)
            numbers.push_back(static_cast<double>(result.change(l, k)));
    }
    return table;
}

}  // namespace headlight
