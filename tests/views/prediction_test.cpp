// Guesses about a covered matrix, and whether they are right.
#include "views/prediction.h"

#include <doctest/doctest.h>

#include "traces.h"

namespace headlight::prediction_test {
namespace {

Tensor pattern(Matrix values) {
    const PlannedTensor planned{.path = "pattern",
                                .symbol = "A",
                                .equation = "A",
                                .rows = {AxisKind::Query, values.rows()},
                                .columns = {AxisKind::Key, values.cols()},
                                .quantity = Quantity::Probability};
    return tensor_with(planned, std::move(values));
}

Matrix three_rows() {
    Matrix values(3, 2);
    values << 0.9f, 0.1f, 0.5f, 0.5f, 0, 0;
    return values;
}

}  // namespace

TEST_CASE("prediction: either patterns or all values are covered, until revealed") {
    Prediction p;
    const Tensor a = pattern(three_rows());
    PlannedTensor of_scores = a.planned();
    of_scores.path = "scores";
    of_scores.quantity = Quantity::Signed;
    const Tensor scores = tensor_with(of_scores, *a.value);
    CHECK(!p.hides(a));
    p.covers = Prediction::Covers::Patterns;
    CHECK(p.hides(a));
    CHECK(!p.hides(scores));
    p.turn(a);
    CHECK(!p.hides(a));
    p.turn(a);
    CHECK(p.hides(a));
    p.covers = Prediction::Covers::EveryStep;
    CHECK(p.hides(scores));
}

TEST_CASE("prediction: each page of a lecture is revealed and guessed by itself") {
    Prediction p;
    const Tensor a = pattern(three_rows());
    p.page = 2;
    p.change_covers();
    CHECK(p.covers == Prediction::Covers::EveryStep);
    p.turn(a);
    p.guess(a, {0, 1});
    p.page = 3;
    CHECK(p.hides(a));
    CHECK(p.guesses(a).empty());
    p.page = 2;
    CHECK(!p.hides(a));
    CHECK(p.guesses(a).size() == 1);
    p.change_covers();
    CHECK(!p.is_on());
}

TEST_CASE("prediction: of the steps of a study patterns are covered first, then all") {
    using Covers = Prediction::Covers;
    Prediction p;
    for (const Covers covers : {Covers::Patterns, Covers::EveryStep, Covers::Nothing}) {
        p.change_covers();
        CHECK(p.covers == covers);
    }
}

TEST_CASE("prediction: there is one guess per row, and a second click removes it") {
    Prediction p;
    const Tensor a = pattern(three_rows());
    p.guess(a, {0, 1});
    p.guess(a, {1, 1});
    p.guess(a, {0, 0});
    CHECK(p.guesses(a) == std::vector<CellIndex>{{1, 1}, {0, 0}});
    p.guess(a, {0, 0});
    CHECK(p.guesses(a) == std::vector<CellIndex>{{1, 1}});
    p.guess(a, {7, 0});  // no such cell
    CHECK(p.guesses(a).size() == 1);
}

TEST_CASE("prediction: guesses are marked, and judged once the matrix is revealed") {
    using State = GuessState;
    Prediction p;
    p.covers = Prediction::Covers::Patterns;
    const Tensor a = pattern(three_rows());
    p.guess(a, {0, 1});
    p.guess(a, {1, 0});
    const auto states = [&] {
        std::vector<State> all;
        for (const auto& mark : p.marks(a)) all.push_back(mark.state);
        return all;
    };
    CHECK(states() == std::vector{State::Open, State::Open});
    p.turn(a);
    CHECK(states() == std::vector{State::Answer, State::Wrong, State::Right});
    CHECK(p.marks(a).front().cell == CellIndex{0, 0});
}

TEST_CASE("prediction: guesses outside a smaller matrix are kept, and do not count") {
    Prediction p;
    p.guess(pattern(three_rows()), {2, 1});
    CHECK(p.guesses(pattern(Matrix::Ones(1, 1))).empty());
    CHECK(p.guesses(pattern(three_rows())).size() == 1);
}

TEST_CASE("is_right: the largest of the row is right, any among equals, and none in an empty row") {
    const Tensor a = pattern(three_rows());
    CHECK(is_right(a, {0, 0}));
    CHECK(!is_right(a, {0, 1}));
    CHECK(is_right(a, {1, 0}));
    CHECK(is_right(a, {1, 1}));
    CHECK(!is_right(a, {2, 0}));
    CHECK(best_of_row(a, {0, 1}) == CellIndex{0, 0});
}

TEST_CASE("prediction: in a graph one edge is guessed for each reading node") {
    const auto edges = std::make_shared<Edges>();
    edges->row = {0, 0, 1};
    edges->neighbour = {0, 1, 0};
    edges->offsets = {0, 2, 3};
    Matrix shares(3, 1);
    shares << 0.2f, 0.8f, 1;
    PlannedTensor of_edges = pattern(shares).planned();
    of_edges.rows.kind = AxisKind::Edge;
    of_edges.columns.kind = AxisKind::Single;
    of_edges.settings.edges = edges;
    const Tensor a = tensor_with(of_edges, shares);
    Prediction p;
    p.guess(a, {0, 0});
    p.guess(a, {2, 0});
    p.guess(a, {1, 0});  // the same node as the first
    CHECK(p.guesses(a) == std::vector<CellIndex>{{2, 0}, {1, 0}});
    CHECK(is_right(a, {1, 0}));
    CHECK(!is_right(a, {0, 0}));
    CHECK(best_of_row(a, {0, 0}) == CellIndex{1, 0});
}

}  // namespace headlight::prediction_test
