#include "core/operation_cases.h"
#include "core/operations/position_operations.h"
#include "core/studies.h"

namespace headlight {

void add_position_cases(std::vector<OperationCase>& cases) {
    const auto add_rotary = [&](const char* name, Index rows, Index columns,
                                OperationSettings settings) {
        cases.push_back({name,
                         &operations::rotary,
                         {random_matrix(rows, columns, 1)},
                         std::move(settings),
                         rows,
                         columns});
    };
    add_rotary("rotary", 5, 6, {});
    add_rotary("rotary, odd width", 4, 5, {});
    add_rotary("rotary 1 × 1", 1, 1, {});
    add_rotary("rotary, stacked", 6, 4, {.group_rows = 3});
    add_rotary("rotary, from the middle", 2, 3, {.begin = 7});
    add_rotary("rotary, halves", 5, 6, {.step = 3});
    add_rotary("rotary, halves, odd width", 4, 5, {.step = 2, .group_rows = 2});
    const auto add_grid = [&](const char* name, Index rows, Index columns,
                              OperationSettings settings) {
        cases.push_back({name, &operations::sinusoidal_2d, {}, std::move(settings), rows, columns});
    };
    add_grid("positions on a grid", 6, 8, {.count = 3});
    add_grid("positions on a grid, odd widths", 10, 7, {.count = 5});
    add_grid("positions on a grid 1 × 1", 1, 1, {.count = 1});
    add_grid("positions on a grid, stacked", 8, 5, {.count = 2, .group_rows = 4});
}

}  // namespace headlight
