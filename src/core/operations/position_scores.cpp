// Scores that depend on positions alone: distances, buckets of distances, distances from a centre.
#include <bit>
#include <cmath>

#include "core/numeric/short_number.h"
#include "core/operations/row_groups.h"
#include "core/operations/score_operations.h"

namespace headlight::operations {
namespace {

/// For operations that are made row by row from inputs that all are read whole: no input has this
/// bit.
constexpr RowInputs kByRowOfWholeInputs = row_inputs(31);

// ---- ALiBi ----

void alibi_forward(const Call& call, View B) {
    for (Index i = 0; i < call.rows; ++i) {
        const Index query = row_position(call, i) + call.settings.begin;
        for (Index j = 0; j < call.columns; ++j)
            B(i, j) = call.settings.scale * static_cast<Scalar>(-std::abs(j - query));
    }
}

Explanation alibi_explain(const Call& call, ConstView B, Index i, Index j) {
    const Index distance = std::abs(j - row_position(call, i) - call.settings.begin);
    return {.rule = "−m · |i − j|",
            .terms = {},
            .sum = 0,
            .finish = {{"|i − j|", static_cast<Scalar>(distance)},
                       {"× −m = −" + short_number(call.settings.scale), B(i, j)}}};
}

// ---- buckets ----

template <BucketSides sides>
Index bucket_number(const Call& call, Index distance) {
    return t5_bucket(distance, sides, call[0].rows(), call.settings.count);
}

/// i of a row of the result, as its sentence counts.
Index bucket_query(const Call& call, Index row) {
    const auto& begin = call.settings.indices;
    return row_position(call, row) + (begin ? begin->front() : 0);
}

/// The buckets of all j − i that a call meets. Those of a query are next to each other.
struct Buckets {
    Index last_query = 0;
    std::vector<Index> numbers = {};

    /// The numbers for the keys 0, 1, … of this query.
    const Index* of(Index query) const { return numbers.data() + (last_query - query); }
};

template <BucketSides sides>
Buckets make_buckets(const Call& call) {
    Buckets buckets;
    for (Index i = 0; i < call.rows; ++i)
        buckets.last_query = std::max(buckets.last_query, bucket_query(call, i));
    for (Index at = -buckets.last_query; at < call.columns; ++at)
        buckets.numbers.push_back(bucket_number<sides>(call, at));
    return buckets;
}

template <BucketSides sides>
void buckets_forward(const Call& call, View B) {
    const Buckets buckets = make_buckets<sides>(call);
    for (Index i = 0; i < call.rows; ++i) {
        const Index* bucket = buckets.of(bucket_query(call, i));
        for (Index j = 0; j < call.columns; ++j) B(i, j) = call[0](bucket[j], call.settings.begin);
    }
}

template <BucketSides sides>
void buckets_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // B(i,j) = rel_bias(b, h):  ∂rel_bias(b, h) += ∂B(i,j)
    const Buckets buckets = make_buckets<sides>(call);
    for (Index i = 0; i < call.rows; ++i) {
        const Index* bucket = buckets.of(bucket_query(call, i));
        for (Index j = 0; j < call.columns; ++j)
            into[0](bucket[j], call.settings.begin) += gradient(i, j);
    }
}

template <BucketSides sides>
Explanation buckets_explain(const Call& call, ConstView B, Index i, Index j) {
    const Index distance = j - bucket_query(call, i), bucket = bucket_number<sides>(call, distance);
    return {.rule = "b(bucket of j − i, head): " + std::to_string(distance) + " is in bucket " +
                    std::to_string(bucket),
            .terms = {{{{0, bucket, call.settings.begin, B(i, j)}}, B(i, j)}},
            .sum = B(i, j),
            .finish = {}};
}

// ---- quadratic ----

/// A place, or the way from one to another. On a line `right` is 0.
struct Place {
    Scalar down = 0, right = 0;

    Place operator-(const Place& other) const { return {down - other.down, right - other.right}; }
    Scalar square() const { return down * down + right * right; }
};

Place grid_place(const Call& call, Index item) {
    const Index columns = call.settings.count;
    if (columns == 0) return {static_cast<Scalar>(item), 0};
    return {static_cast<Scalar>(item / columns), static_cast<Scalar>(item % columns)};
}

/// p(i) + Δ: where the query of a row looks.
Place query_target(const Call& call, Index row) {
    const Place query = grid_place(call, row_position(call, row) + call.settings.begin);
    const ConstView& center = call[0];
    return {query.down + center(0, 0), call.settings.count == 0 ? 0 : query.right + center(0, 1)};
}

std::vector<Place> key_places(const Call& call) {
    std::vector<Place> places;
    for (Index j = 0; j < call.columns; ++j) places.push_back(grid_place(call, j));
    return places;
}

void quadratic_forward(const Call& call, View S) {
    const Scalar alpha = call[1](0, 0);
    const std::vector<Place> keys = key_places(call);
    for (Index i = 0; i < call.rows; ++i) {
        const Place target = query_target(call, i);
        for (Index j = 0; j < call.columns; ++j)
            S(i, j) = -alpha * (keys[static_cast<std::size_t>(j)] - target).square();
    }
}

void quadratic_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // S(i,j) = −α ‖o‖², o = p(j) − p(i) − Δ:  ∂Δ += ∂S(i,j) 2 α o,  ∂α −= ∂S(i,j) ‖o‖²
    const std::vector<Place> keys = key_places(call);
    Place sum;
    for (Index i = 0; i < call.rows; ++i) {
        const Place target = query_target(call, i);
        for (Index j = 0; j < call.columns; ++j) {
            const Place offset = keys[static_cast<std::size_t>(j)] - target;
            sum.down += gradient(i, j) * offset.down;
            sum.right += gradient(i, j) * offset.right;
            into[1](0, 0) -= gradient(i, j) * offset.square();
        }
    }
    const Scalar alpha = call[1](0, 0);
    into[0](0, 0) += 2 * alpha * sum.down;
    if (call.settings.count > 0) into[0](0, 1) += 2 * alpha * sum.right;
}

Explanation quadratic_explain(const Call& call, ConstView S, Index i, Index j) {
    const Place offset = grid_place(call, j) - query_target(call, i);
    Explanation e{.rule = "−α ‖p(j) − p(i) − Δ‖²",
                  .terms = {{{{0, 0, 0, call[0](0, 0)}}, offset.down * offset.down}},
                  .sum = offset.square(),
                  .finish = {{"× −α = " + short_number(-call[1](0, 0)), S(i, j)}}};
    if (call.settings.count > 0)
        e.terms.push_back({{{0, 0, 1, call[0](0, 1)}}, offset.right * offset.right});
    return e;
}

Scalar slope_of_power(int head, int n_heads) {
    return static_cast<Scalar>(std::exp2(-8.0 * (head + 1) / n_heads));
}

}  // namespace

const Operation alibi_bias{"ALiBi", {}, kEveryInput, alibi_forward, nullptr, alibi_explain};
const Operation bucket_bias{"bucket bias",
                            {},
                            kByRowOfWholeInputs,
                            buckets_forward<BucketSides::Both>,
                            buckets_pull<BucketSides::Both>,
                            buckets_explain<BucketSides::Both>};
const Operation causal_bucket_bias{"causal bucket bias",
                                   {},
                                   kByRowOfWholeInputs,
                                   buckets_forward<BucketSides::Before>,
                                   buckets_pull<BucketSides::Before>,
                                   buckets_explain<BucketSides::Before>};
const Operation quadratic_scores{"quadratic scores",  {},
                                 kByRowOfWholeInputs, quadratic_forward,
                                 quadratic_pull,      quadratic_explain};

Scalar alibi_slope(int head, int n_heads) {
    const auto below = static_cast<int>(std::bit_floor(static_cast<unsigned>(n_heads)));
    if (head < below) return slope_of_power(head, below);
    return slope_of_power(2 * (head - below), 2 * below);
}

Index t5_bucket(Index relative_position, BucketSides sides, Index n_buckets, Index max_distance) {
    const bool has_both = sides == BucketSides::Both;
    if (n_buckets < (has_both ? 2 : 1)) return 0;
    const Index n = has_both ? n_buckets / 2 : n_buckets;  // of one side
    const Index first = has_both && relative_position > 0 ? n : 0;
    const Index distance =
        has_both ? std::abs(relative_position) : std::max<Index>(-relative_position, 0);
    const Index exact = n / 2;  // buckets of one distance each
    if (distance < exact) return first + distance;
    if (exact == 0 || max_distance <= exact || distance >= max_distance) return first + n - 1;
    // The small addend keeps a distance that begins a bucket from being rounded into the one
    // before.
    const double steps = std::log(double(distance) / double(exact)) /
                         std::log(double(max_distance) / double(exact)) * double(n - exact);
    return first + std::min(exact + static_cast<Index>(steps + 1e-9), n - 1);
}

}  // namespace headlight::operations
