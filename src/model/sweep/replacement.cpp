#include "model/sweep/replacement.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/evaluation/segment.h"
#include "core/numeric/generator.h"

namespace headlight {
namespace {

/// A whole number below n, the k-th of a draw.
std::size_t draw_below(const SeededNumbers& numbers, std::size_t n, int draw, std::size_t k) {
    const auto share = 0.5 * (1 + static_cast<double>(numbers.uniform(draw, Index(k), 1)));
    return std::min(n - 1, static_cast<std::size_t>(share * static_cast<double>(n)));
}

SeededNumbers numbers_for(const Trace& base, TensorId id, const Resampling& resampling) {
    return {resampling.seed, "resample " + base[id].path()};
}

/// The tensor's values in another trace.
Intervention taken_from(const Trace& other_trace, const Tensor& tensor) {
    const Tensor* other = other_trace.find(tensor.path());
    if (!other) throw Error("sweep", "there is no " + tensor.path() + " to patch from");
    if (other->rows().size != tensor.rows().size || other->columns().size != tensor.columns().size)
        throw Error("sweep", "the other text must have as many tokens: " + tensor.path() + " is " +
                                 shape_text(other->rows().size, other->columns().size) +
                                 " there, and " +
                                 shape_text(tensor.rows().size, tensor.columns().size) + " here");
    return intervene_on_all(*compute_value(other_trace, other_trace.id_at(tensor.path())));
}

Intervention resampled(const Trace& base, TensorId id, const Sweep& sweep, int draw) {
    const Resampling& resampling = sweep.settings.resampling;
    if (!sweep.from.empty()) {
        const SeededNumbers numbers = numbers_for(base, id, resampling);
        return taken_from(*sweep.from[draw_below(numbers, sweep.from.size(), draw, 0)], base[id]);
    }
    const std::vector<Index> rows = shuffled_rows(base, id, resampling, draw);
    const MatrixPtr values = compute_value(base, id);
    Matrix shuffled = *values;
    for (std::size_t i = 0; i < rows.size(); ++i)
        shuffled.row(static_cast<Index>(i)) = values->row(rows[i]);
    return intervene_on_all(shuffled);
}

}  // namespace

std::vector<Index> shuffled_rows(const Trace& base, TensorId id, const Resampling& resampling,
                                 int draw) {
    const Axis& axis = base[id].rows();
    std::vector<Index> rows(static_cast<std::size_t>(axis.size));
    std::iota(rows.begin(), rows.end(), Index(0));
    std::vector<Index> all = rows;
    const CountedRows counted = counted_rows(base, base[id]);
    const SeededNumbers numbers = numbers_for(base, id, resampling);
    const Index of_sentence = axis.size / axis.groups;
    for (Index begin = 0; begin < axis.size; begin += of_sentence) {
        std::vector<std::size_t> places;
        for (const Index i : counted ? *counted : all)
            if (i >= begin && i < begin + of_sentence)
                places.push_back(static_cast<std::size_t>(i));
        // One cycle through all places, so that none keeps its own.            [Sattolo 1986]
        for (std::size_t k = places.size(); k-- > 1;)
            std::swap(rows[places[k]], rows[places[draw_below(numbers, k, draw, places[k] + 1)]]);
    }
    return rows;
}

namespace {

/// Of what the study makes of it: a head that is switched off in the study has a mean of 0.
Intervention mean_of_rows(const Trace& base, TensorId id) {
    if (base[id].intervention.is_empty()) return {.cells = {}, .ablation = Ablation::Mean};
    Matrix mean = *compute_value(base, id);
    ablate_rows(Ablation::Mean, view(mean), counted_rows(base, base[id]));
    return intervene_on_all(mean);
}

}  // namespace

Intervention replacement_for(const Trace& base, TensorId id, const Sweep& sweep, int draw) {
    switch (sweep.settings.kind) {
        case SweepKind::Zero:
            return {.cells = {}, .ablation = Ablation::Zero};
        case SweepKind::Mean:
            return mean_of_rows(base, id);
        case SweepKind::Resample:
            return resampled(base, id, sweep, draw);
        case SweepKind::Patch:
            break;
    }
    if (sweep.from.size() != 1) throw Error("sweep", "there is no text to patch from");
    return taken_from(*sweep.from.front(), base[id]);
}

Intervention on_one_row(const Intervention& of_all, const Trace& base, TensorId id, Index row) {
    Matrix replaced = *compute_value(base, id);
    if (of_all.ablation != Ablation::None)
        ablate_rows(of_all.ablation, view(replaced), counted_rows(base, base[id]));
    std::vector<CellValue> cells;
    for (Index column = 0; column < replaced.cols(); ++column)
        cells.push_back({row, column, replaced(row, column)});
    for (const CellValue& cell : of_all.cells)
        if (cell.row == row) cells[static_cast<std::size_t>(cell.column)] = cell;
    return {.cells = std::move(cells)};
}

}  // namespace headlight
