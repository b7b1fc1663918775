#include <utility>

#include "core/operation_cases.h"
#include "core/operations/operations.h"
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
    const auto angles = [](std::vector<double> thetas) {
        return std::make_shared<const std::vector<double>>(std::move(thetas));
    };
    add_rotary("rotary, given angles", 5, 4, {.angles = angles({0.7, 0.01})});
    add_rotary("rotary, leading columns", 5, 7, {.step = 2, .angles = angles({1, 0.2})});
    add_rotary("rotary, scaled", 3, 4, {.scale = Scalar(1.3), .angles = angles({1, 0.1})});
    add_rotary("rotary of nothing", 2, 3, {.angles = angles({})});
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
