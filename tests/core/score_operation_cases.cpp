#include <cmath>

#include "core/operation_cases.h"
#include "core/operations/score_operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

using Cases = std::vector<OperationCase>;

/// A table with one row per distance from −clip to clip.
Matrix distances(Index clip, Index columns) {
    return random_matrix(2 * clip + 1, columns, 5);
}

std::shared_ptr<const std::vector<Index>> one_index(Index index) {
    return std::make_shared<const std::vector<Index>>(std::vector<Index>{index});
}

void add_cosine(Cases& cases) {
    const Operation* cosine = &operations::cosine_scores;
    cases.push_back({"cosine", cosine, {random_matrix(3, 4), random_matrix(5, 4, 2)}, {}, 3, 5});
    cases.push_back({"cosine, scaled",
                     cosine,
                     {random_matrix(2, 3), random_matrix(7, 3, 2)},
                     {.scale = -1.7},
                     2,
                     7});
    cases.push_back({"cosine 1 × 1", cosine, {random_matrix(1, 2), random_matrix(1, 2, 2)}, {}});
    cases.push_back({"cosine, stacked",
                     cosine,
                     {random_matrix(9, 3), random_matrix(6, 3, 2)},
                     {.scale = 2, .group_rows = 3},
                     9,
                     2});
}

void add_additive(Cases& cases) {
    const Operation* scores = &operations::additive_scores;
    const Operation* hidden = &operations::additive_hidden;
    cases.push_back({"additive",
                     scores,
                     {random_matrix(3, 5), random_matrix(4, 5, 2), random_matrix(5, 1, 3)},
                     {},
                     3,
                     4});
    cases.push_back({"additive 1 × 1",
                     scores,
                     {random_matrix(1, 1), random_matrix(1, 1, 2), random_matrix(1, 1, 3)},
                     {}});
    cases.push_back({"additive, wide",
                     scores,
                     {random_matrix(2, 37), random_matrix(3, 37, 2), random_matrix(37, 1, 3)},
                     {.scale = 0.25},
                     2,
                     3});
    cases.push_back({"additive, stacked",
                     scores,
                     {random_matrix(6, 3), random_matrix(9, 3, 2), random_matrix(3, 1, 3)},
                     {.scale = 0.5, .group_rows = 2},
                     6,
                     3});
    cases.push_back({"hidden", hidden, {random_matrix(3, 5), random_matrix(2, 5, 2)}, {}, 6, 5});
    cases.push_back({"hidden 1 × 1", hidden, {random_matrix(1, 1), random_matrix(1, 1, 2)}, {}});
    cases.push_back({"hidden, stacked",
                     hidden,
                     {random_matrix(4, 3), random_matrix(6, 3, 2)},
                     {.group_rows = 2},
                     12,
                     3});
}

void add_relative(Cases& cases) {
    const Operation* scores = &operations::relative_scores;
    const Operation* mix = &operations::relative_mix;
    cases.push_back({"relative, clipped",
                     scores,
                     {random_matrix(7, 3), distances(2, 3)},
                     {.scale = 0.5, .count = 2},
                     7,
                     7});
    cases.push_back(
        {"relative, far", scores, {random_matrix(3, 4), distances(9, 4)}, {.count = 9}, 3, 5});
    cases.push_back(
        {"relative, one vector", scores, {random_matrix(3, 2), distances(0, 2)}, {}, 3, 3});
    cases.push_back(
        {"relative 1 × 1", scores, {random_matrix(1, 1), distances(1, 1)}, {.count = 1}});
    cases.push_back({"relative, stacked",
                     scores,
                     {random_matrix(8, 3), distances(2, 3)},
                     {.scale = Scalar(1) / std::sqrt(Scalar(3)), .count = 2, .group_rows = 4},
                     8,
                     6});
    cases.push_back({"relative, decoded",
                     scores,
                     {random_matrix(1, 3), distances(2, 3)},
                     {.begin = 4, .count = 2},
                     1,
                     5});
    cases.push_back(
        {"relative mix", mix, {random_matrix(7, 7), distances(2, 3)}, {.count = 2}, 7, 3});
    cases.push_back(
        {"relative mix, far", mix, {random_matrix(3, 5), distances(6, 4)}, {.count = 6}, 3, 4});
    cases.push_back({"relative mix 1 × 1", mix, {random_matrix(1, 1), distances(0, 1)}, {}});
    cases.push_back({"relative mix, stacked",
                     mix,
                     {random_matrix(6, 4), distances(1, 2)},
                     {.count = 1, .group_rows = 3},
                     6,
                     2});
}

void add_biases(Cases& cases) {
    const Operation* alibi = &operations::alibi_bias;
    cases.push_back({"ALiBi", alibi, {}, {.scale = 0.25}, 4, 6});
    cases.push_back({"ALiBi 1 × 1", alibi, {}, {.scale = 0.5}});
    cases.push_back({"ALiBi, stacked", alibi, {}, {.scale = 0.25, .group_rows = 3}, 6, 3});
    cases.push_back({"ALiBi, decoded", alibi, {}, {.scale = 0.25, .begin = 4}, 1, 5});
    for (const Operation* buckets : {&operations::bucket_bias, &operations::causal_bucket_bias}) {
        const std::string name = buckets->name;
        cases.push_back({name, buckets, {random_matrix(8, 3)}, {.begin = 2, .count = 6}, 9, 11});
        cases.push_back({name + " 1 × 1", buckets, {random_matrix(1, 1)}, {.count = 1}});
        cases.push_back({name + ", stacked",
                         buckets,
                         {random_matrix(6, 2)},
                         {.begin = 1, .count = 5, .group_rows = 4},
                         8,
                         4});
        cases.push_back({name + ", decoded",
                         buckets,
                         {random_matrix(6, 2)},
                         {.count = 5, .indices = one_index(6)},
                         1,
                         7});
    }
}

void add_quadratic(Cases& cases) {
    const Operation* quadratic = &operations::quadratic_scores;
    const Matrix alpha{{Scalar(0.7)}};
    cases.push_back({"quadratic, line", quadratic, {random_matrix(1, 1), alpha}, {}, 4, 6});
    cases.push_back({"quadratic 1 × 1", quadratic, {random_matrix(1, 1), alpha}, {}});
    cases.push_back(
        {"quadratic, grid", quadratic, {random_matrix(1, 2), alpha}, {.count = 4}, 12, 12});
    cases.push_back({"quadratic, stacked",
                     quadratic,
                     {random_matrix(1, 2), alpha},
                     {.count = 2, .group_rows = 6},
                     12,
                     6});
    cases.push_back(
        {"quadratic, decoded", quadratic, {random_matrix(1, 1), alpha}, {.begin = 3}, 1, 4});
}

void add_products(Cases& cases) {
    const Operation* weighted = &operations::norm_weighted;
    cases.push_back({"norm weighted",
                     weighted,
                     {random_matrix(3, 4), random_matrix(4, 2, 2), random_matrix(5, 3, 3)},
                     {.begin = 3},
                     3,
                     4});
    cases.push_back({"norm weighted, values",
                     weighted,
                     {random_matrix(3, 4), random_matrix(4, 5, 2)},
                     {},
                     3,
                     4});
    cases.push_back(
        {"norm weighted 1 × 1", weighted, {random_matrix(1, 1), random_matrix(1, 1, 2)}, {}});
    cases.push_back({"norm weighted, stacked",
                     weighted,
                     {random_matrix(6, 2), random_matrix(4, 3, 2), random_matrix(3, 5, 3)},
                     {.group_rows = 3},
                     6,
                     2});
    const Operation* hadamard = &operations::hadamard;
    cases.push_back(
        {"hadamard", hadamard, {random_matrix(3, 5), random_matrix(3, 5, 2)}, {}, 3, 5});
    cases.push_back(
        {"hadamard 1 × 1", hadamard, {random_matrix(1, 1), random_matrix(1, 1, 2)}, {}});
}

}  // namespace

void add_score_cases(std::vector<OperationCase>& cases) {
    add_cosine(cases);
    add_additive(cases);
    add_relative(cases);
    add_biases(cases);
    add_quadratic(cases);
    add_products(cases);
}

}  // namespace headlight
