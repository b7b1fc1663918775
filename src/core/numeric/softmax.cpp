#include "core/numeric/softmax.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/levels.h"

namespace headlight {

void softmax(std::span<const Scalar> s, std::span<Scalar> a) {
    softmax_rows(s.data(), a.data(), 1, static_cast<Index>(s.size()));
}

void softmax_rows(const Scalar* s, Scalar* a, Index n_rows, Index n) {
    kernels().softmax_rows(s, a, n_rows, n);
}

void softmax_lists(std::span<const Index> offsets, std::span<const ListScores> heads) {
    if (!offsets.empty())
        kernels().softmax_lists(offsets.data(), std::ssize(offsets) - 1, heads.data(),
                                std::ssize(heads));
}

SoftmaxTable softmax_table(const Explanation& explanation) {
    SoftmaxTable table;
    for (const Term& term : explanation.terms) table.max = std::max(table.max, term.cells[0].value);
    for (const Term& term : explanation.terms) {
        const CellRef& score = term.cells[0];
        const Scalar shifted = score.value == kMasked ? kMasked : score.value - table.max;
        table.entries.push_back({score, shifted, std::exp(shifted), 0});
        table.sum += table.entries.back().exp;
    }
    for (SoftmaxEntry& entry : table.entries)
        if (table.sum != 0) entry.weight = entry.exp / table.sum;
    return table;
}

Explanation explain_softmax(std::vector<CellRef> scores, std::size_t at, Scalar result) {
    Scalar max = kMasked;
    for (const CellRef& cell : scores) max = std::max(max, cell.value);
    const bool is_masked = max == kMasked;

    Explanation e;
    e.rule = "exp(S(i,j) − max) / Σ_j exp(S(i,j) − max)";
    for (const CellRef& cell : scores) {
        e.terms.push_back({{cell}, is_masked ? Scalar(0) : std::exp(cell.value - max)});
        e.sum += e.terms.back().value;
    }
    if (is_masked)
        e.finish = {{"every cell of the row is masked", 0}};
    else
        e.finish = {{"exp(S − max)", e.terms[at].value}, {"÷ Σ", result}};
    return e;
}

}  // namespace headlight
