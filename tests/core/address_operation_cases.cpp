#include "core/operation_cases.h"
#include "core/operations/address_operations.h"
#include "core/studies.h"

namespace headlight {

void add_address_cases(std::vector<OperationCase>& cases) {
    for (const Operation* address : operations::address_operations()) {
        const std::string name = address->name;
        const OperationSettings settings{.count = 3};  // of top k
        cases.push_back({name, address, {random_matrix(4, 6, 1)}, settings, 4, 6});
        cases.push_back({name + " 1 × 1", address, {random_matrix(1, 1, 1)}, settings});
        cases.push_back({name + ", masked", address, {masked_scores(6, 7)}, settings, 6, 7});
        cases.push_back(
            {name + ", close", address, {random_matrix(3, 9, 2) * 0.2}, settings, 3, 9});
        cases.push_back({name + ", large", address, {random_matrix(2, 5, 3) * 40}, settings, 2, 5});
    }
}

}  // namespace headlight
