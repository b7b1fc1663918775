#include "core/operation_cases.h"
#include "core/operations/normalizer_operations.h"
#include "core/studies.h"

namespace headlight {

void add_normalizer_cases(std::vector<OperationCase>& cases) {
    for (const Operation* normalizer : operations::normalizer_operations()) {
        const std::string name = normalizer->name;
        const OperationSettings settings{.count = 3};  // for top k
        cases.push_back({name, normalizer, {random_matrix(4, 6, 1)}, settings, 4, 6});
        cases.push_back({name + " 1 × 1", normalizer, {random_matrix(1, 1, 1)}, settings});
        cases.push_back({name + ", masked", normalizer, {masked_scores(6, 7)}, settings, 6, 7});
        cases.push_back(
            {name + ", close", normalizer, {random_matrix(3, 9, 2) * 0.2}, settings, 3, 9});
        cases.push_back(
            {name + ", large", normalizer, {random_matrix(2, 5, 3) * 40}, settings, 2, 5});
    }
}

}  // namespace headlight
