#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight {

void add_image_cases(std::vector<OperationCase>& cases) {
    const auto random = [](Index rows, Index columns, std::uint64_t seed = 1) {
        return random_matrix(rows, columns, seed);
    };
    const Operation* patches = &operations::patches;
    cases.push_back({"patches of one pixel", patches, {random(6, 3)}, {.count = 3}, 6, 3});
    cases.push_back({"patches 2 × 2", patches, {random(24, 2)}, {.count = 6, .step = 2}, 6, 8});
    cases.push_back(
        {"patches over the edge", patches, {random(15, 1)}, {.count = 5, .step = 2}, 6, 4});
    cases.push_back({"patches 1 × 1", patches, {random(1, 1)}, {.count = 1}, 1, 1});
    cases.push_back({"patches of two images, stacked",
                     patches,
                     {random(30, 2)},
                     {.count = 5, .step = 2, .group_rows = 6},
                     12,
                     8});
    cases.push_back({"normalised channels",
                     &operations::normalized_channels,
                     {random(7, 3), random(1, 3, 2), random(1, 3, 3).cwiseAbs().array() + 1},
                     {},
                     7,
                     3});
    const Operation* convolution = &operations::convolution;
    OperationCase kernel{"convolution 3 × 3", convolution, {random(12, 2)}, {.count = 4}, 12, 3};
    for (std::uint64_t h = 0; h < 9; ++h) kernel.inputs.push_back(random(2, 3, h + 2));
    cases.push_back(kernel);
    kernel.name = "convolution of one pixel";
    kernel.inputs[0] = random(1, 2), kernel.rows = 1, kernel.settings.count = 1;
    cases.push_back(kernel);
    kernel.name = "convolution of two images, stacked";
    kernel.inputs[0] = random(12, 2), kernel.rows = 12;
    kernel.settings = {.count = 3, .group_rows = 6};
    cases.push_back(kernel);
    cases.push_back(
        {"convolution 1 × 1", convolution, {random(4, 2), random(2, 1, 2)}, {.count = 2}, 4, 1});
}

}  // namespace headlight
