#include "core/pattern_rows.h"

#include <doctest/doctest.h>

namespace headlight::pattern_rows_test {
namespace {

Matrix make_pattern() {
    Matrix A(3, 3);
    A << Scalar(0.5), Scalar(0.25), Scalar(0.25),    //
        Scalar(0.125), Scalar(0.75), Scalar(0.125),  //
        1, 0, 0;
    return A;
}

using Numbers = std::vector<Scalar>;
using Rows = std::vector<Index>;

}  // namespace

TEST_CASE("joined_rows: the sum or mean of rows; no rows give zeros, missing rows do not count") {
    const Matrix A = make_pattern();
    const Numbers sum{Scalar(1.5), Scalar(0.25), Scalar(0.25)};
    CHECK(joined_rows(A, Rows{0, 2}, RowsAs::Sum) == sum);
    CHECK(joined_rows(A, Rows{0, 2, 7, -1}, RowsAs::Mean) ==
          Numbers{Scalar(0.75), Scalar(0.125), Scalar(0.125)});
    CHECK(joined_rows(A, Rows{}, RowsAs::Mean) == Numbers{0, 0, 0});
}

TEST_CASE("joined_rows: the mean of probability rows sums to 1") {
    Scalar sum = 0;
    for (const Scalar x : joined_rows(make_pattern(), Rows{0, 1, 2}, RowsAs::Mean)) sum += x;
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("join_pieces: sums over keys, means over queries; rows still sum to 1") {
    const Matrix A = make_pattern();
    const std::vector<PieceRun> words{{0, 1}, {1, 2}};
    Matrix joined(2, 2);
    join_pieces(view(A), words, words, view(joined));
    CHECK(joined(0, 0) == Scalar(0.5));
    CHECK(joined(0, 1) == Scalar(0.5));
    CHECK(joined(1, 0) == Scalar(0.5625));
    CHECK(joined(1, 1) == Scalar(0.4375));
    // Some of the rows alone, whose pieces are given.
    const Matrix below = A.bottomRows(2);
    Matrix last(1, 2);
    join_pieces(view(below), std::span(words).last(1), words, view(last));
    CHECK(last == joined.bottomRows(1));
}

TEST_CASE("joined_rows: in a graph, what several nodes read from each node") {
    const Edges edges = make_edges(4, {{0, 1}, {0, 2}, {3, 2}, {3, 3}});
    Matrix alpha(4, 1);
    alpha << Scalar(0.25), Scalar(0.75), Scalar(0.5), Scalar(0.5);
    CHECK(joined_rows(alpha, edges, Rows{0, 3}, RowsAs::Sum) ==
          Numbers{0, Scalar(0.25), Scalar(1.25), Scalar(0.5)});
    CHECK(joined_rows(alpha, edges, Rows{3}, RowsAs::Mean) ==
          Numbers{0, 0, Scalar(0.5), Scalar(0.5)});
    CHECK(joined_rows(alpha, edges, Rows{1, 9}, RowsAs::Mean) == Numbers{0, 0, 0, 0});
}

TEST_CASE("without_keys: the weight is lost, or redistributed so that rows sum to 1 again") {
    const Matrix A = make_pattern();
    const Matrix missing = without_keys(A, Rows{0}, LeftOutWeight::Missing);
    CHECK(missing(0, 0) == 0);
    CHECK(missing(0, 1) == A(0, 1));
    CHECK(missing.row(1).sum() == Scalar(0.875));
    const Matrix shared = without_keys(A, Rows{0}, LeftOutWeight::SharedOut);
    CHECK(shared(0, 1) == Scalar(0.5));
    CHECK(shared.row(1).sum() == doctest::Approx(1));
    CHECK(shared(1, 1) / shared(1, 2) == doctest::Approx(6));  // as before
    CHECK((shared.row(2).array() == 0).all());                 // it read nothing else: 0, not NaN
}

TEST_CASE("without_keys: leaving out nothing changes nothing; leaving out everything gives zeros") {
    const Matrix A = make_pattern();
    CHECK(without_keys(A, Rows{5}, LeftOutWeight::SharedOut) == A);
    CHECK(without_keys(A, Rows{0, 1, 2}, LeftOutWeight::SharedOut).isZero(0));
}

}  // namespace headlight::pattern_rows_test
