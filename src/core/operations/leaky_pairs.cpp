#include "core/operations/leaky_pairs.h"

#include <utility>

namespace headlight {

void pull_leaky_score(const RowView& a, Scalar slope, Scalar gradient, RowArray& x, Matrix& to_a) {
    // ∂a(d) += ∂s LeakyReLU(x(d)),  ∂x(d) = ∂s a(d) · (1 where x(d) > 0, else slope)
    to_a.col(0).array() += gradient * leaky(x, slope).transpose();
    for (Index d = 0; d < x.size(); ++d) x(d) = gradient * a(d) * (x(d) > 0 ? Scalar(1) : slope);
}

Explanation explain_leaky_score(const Call& call, std::span<const InputRow> rows, Scalar result) {
    constexpr std::size_t kWeights = 2;
    Explanation e{.rule = "Σ_d a(d) · LeakyReLU(H_{dst}(i,d) + H_{src}(j,d))",
                  .terms = {},
                  .sum = result,
                  .finish = {}};
    if (rows.size() > 2) e.rule.insert(e.rule.size() - 1, " + F(e,d)");
    for (Index d = 0; d < call[kWeights].rows(); ++d) {
        const Scalar a = call[kWeights](d, 0);
        Term term{.cells = {{kWeights, d, 0, a}}, .of_sum = "LeakyReLU"};
        Scalar x = 0;
        for (const InputRow& row : rows) {
            term.cells.push_back({row.input, row.row, d, call[row.input](row.row, d)});
            x += term.cells.back().value;
        }
        term.value = a * (x > 0 ? x : call.settings.scale * x);
        e.terms.push_back(std::move(term));
    }
    return e;
}

}  // namespace headlight
