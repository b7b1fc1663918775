// Positions: turned into the queries and keys, or laid out on a grid.
#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "core/numeric/short_number.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"

namespace headlight::operations {
namespace {

/// Returns θ_f = 10000^{−2f/d}, the angle by which a step turns the pair f of d channels.
double frequency(Index f, Index d) {
    return std::pow(10000.0, -2.0 * static_cast<double>(f) / static_cast<double>(d));
}

Index row_in_group(const OperationSettings& settings, Index row) {
    return settings.group_rows > 0 ? row % settings.group_rows : row;
}

// ---- rotary ----

Index position(const Call& call, Index row) {
    return row_in_group(call.settings, row) + call.settings.begin;
}

/// The factors of a pair's own column, and of the other one.
struct Turn {
    Scalar cosine, sine;
};

Turn rotation(Index position, double theta) {
    const double angle = static_cast<double>(position) * theta;
    return {static_cast<Scalar>(std::cos(angle)), static_cast<Scalar>(std::sin(angle))};
}

/// The two columns that turn together by θ_f.
struct Pair {
    Index first, second;
};

Pair pair_at(const Call& call, Index f) {
    const Index apart = call.settings.step, first = f / apart * 2 * apart + f % apart;
    return {first, first + apart};
}

/// Returns the angle by which one position turns each pair of columns.
std::vector<double> pair_angles(const Call& call) {
    if (call.settings.angles) return *call.settings.angles;
    std::vector<double> thetas;
    for (Index f = 0; f < call.columns / 2; ++f) thetas.push_back(frequency(f, call.columns));
    return thetas;
}

/// Returns the first column that stays as it is, like all after it.
Index first_kept(const Call& call, const std::vector<double>& thetas) {
    return std::min(call.columns, 2 * static_cast<Index>(thetas.size()));
}

/// Calls turn(pair, cosine, sine) for each pair of row i.
void for_each_turn(const Call& call, const std::vector<double>& thetas, Index i, auto&& turn) {
    const Index p = position(call, call.first_row + i);
    const Scalar scale = call.settings.scale;
    for (std::size_t f = 0; f < thetas.size(); ++f) {
        const auto [cosine, sine] = rotation(p, thetas[f]);
        turn(pair_at(call, static_cast<Index>(f)), scale * cosine, scale * sine);
    }
}

void rotary_forward(const Call& call, View Y) {
    const std::vector<double> thetas = pair_angles(call);
    const Index kept = first_kept(call, thetas);
    for (Index i = 0; i < call.rows; ++i) {
        for_each_turn(call, thetas, i, [&](Pair pair, Scalar cosine, Scalar sine) {
            const Scalar a = call[0](i, pair.first), b = call[0](i, pair.second);
            Y(i, pair.first) = a * cosine - b * sine;
            Y(i, pair.second) = a * sine + b * cosine;
        });
        for (Index d = kept; d < call.columns; ++d) Y(i, d) = call[0](i, d);
    }
}

void rotary_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // A turn by −p θ: (a, b) ↦ (a cos + b sin, −a sin + b cos)
    const std::vector<double> thetas = pair_angles(call);
    const Index kept = first_kept(call, thetas);
    for (Index i = 0; i < call.rows; ++i) {
        for_each_turn(call, thetas, i, [&](Pair pair, Scalar cosine, Scalar sine) {
            const Scalar a = gradient(i, pair.first), b = gradient(i, pair.second);
            into[0](i, pair.first) += a * cosine + b * sine;
            into[0](i, pair.second) += b * cosine - a * sine;
        });
        for (Index d = kept; d < call.columns; ++d) into[0](i, d) += gradient(i, d);
    }
}

/// Writes "(5 · 10000^{−2/8})"; "(5 · 0.01)" where the angles are given.
std::string angle_text(const Call& call, Index place, Index f) {
    const std::string begin = fmt::format("({} · ", place);
    if (call.settings.angles) {
        const double theta = (*call.settings.angles)[static_cast<std::size_t>(f)];
        return begin + short_number(static_cast<Scalar>(theta)) + ")";
    }
    return fmt::format("{}10000^{{−{}/{}}})", begin, 2 * f, call.columns);
}

Explanation rotary_explain(const Call& call, ConstView Y, Index i, Index j) {
    const std::vector<double> thetas = pair_angles(call);
    const Index apart = call.settings.step;
    if (j >= first_kept(call, thetas))
        return {.rule = call.settings.angles ? "X(i,j), which does not rotate"
                                             : "X(i,j), which has no partner to rotate with",
                .terms = {{{{0, i, j, Y(i, j)}}, Y(i, j)}},
                .sum = Y(i, j),
                .finish = {}};
    const Index f = j / (2 * apart) * apart + j % apart;
    const Pair pair = pair_at(call, f);
    const auto [cosine, sine] = rotation(position(call, i), thetas[static_cast<std::size_t>(f)]);
    const Scalar a = call[0](i, pair.first), b = call[0](i, pair.second);
    const bool is_first = j == pair.first;
    const std::string first = std::to_string(pair.first), second = std::to_string(pair.second);
    const std::string angle = angle_text(call, position(call, i), f);
    Explanation e;
    e.rule = is_first ? fmt::format("X(i,{}) cos{} − X(i,{}) sin{}", first, angle, second, angle)
                      : fmt::format("X(i,{}) sin{} + X(i,{}) cos{}", first, angle, second, angle);
    e.terms = {{{{0, i, pair.first, a}}, a * (is_first ? cosine : sine)},
               {{{0, i, pair.second, b}}, b * (is_first ? -sine : cosine)}};
    e.sum = Y(i, j);
    if (const Scalar scale = call.settings.scale; scale != 1) {
        e.sum = e.terms[0].value + e.terms[1].value;
        e.finish = {{"× " + short_number(scale), Y(i, j)}};
    }
    return e;
}

// ---- a grid ----

/// One channel of one cell: the number that is turned, and the angle.
struct GridChannel {
    Index place;  // the cell's row of the grid, or its column
    const char* axis;
    Index f, d;  // the channel within its half, and the half's width

    double angle() const { return static_cast<double>(place) * frequency(f / 2, d); }
    bool is_sine() const { return f % 2 == 0; }
    Scalar value() const {
        return static_cast<Scalar>(is_sine() ? std::sin(angle()) : std::cos(angle()));
    }
};

GridChannel grid_channel(const Call& call, Index row, Index f) {
    const Index cell = row_in_group(call.settings, row), width = call.settings.count;
    const Index half = (call.columns + 1) / 2;
    if (f < half) return {cell / width, "row", f, half};
    return {cell % width, "column", f - half, call.columns - half};
}

void sinusoidal_2d_forward(const Call& call, View P) {
    for (Index r = 0; r < call.rows; ++r)
        for (Index f = 0; f < call.columns; ++f)
            P(r, f) = grid_channel(call, call.first_row + r, f).value();
}

Explanation sinusoidal_2d_explain(const Call& call, ConstView P, Index i, Index f) {
    const GridChannel channel = grid_channel(call, i, f);
    const std::string sinusoid = channel.is_sine() ? "sin" : "cos";
    const std::string exponent = fmt::format("10000^{{{}/{}}}", channel.f / 2 * 2, channel.d);
    return {.rule = fmt::format("{}({} / {})", sinusoid, channel.axis, exponent),
            .terms = {},
            .sum = 0,
            .finish = {{fmt::format("{} {} ÷ {}", channel.axis, channel.place, exponent),
                        static_cast<Scalar>(channel.angle())},
                       {sinusoid, P(i, f)}}};
}

}  // namespace

const Operation rotary{"rotary", {}, row_inputs(0), rotary_forward, rotary_pull, rotary_explain};
const Operation sinusoidal_2d{"sinusoidal positions on a grid",
                              {"Positions", "Sine and cosine waves of each row and column."},
                              kEveryInput,
                              sinusoidal_2d_forward,
                              nullptr,
                              sinusoidal_2d_explain};

std::span<const Operation* const> position_operations() {
    static const Operation* const table[] = {&rotary, &sinusoidal_2d};
    return table;
}

namespace {

/// A bit that no input has, for operations whose results are made row by row from inputs that all
/// are read whole.
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

/// Returns i of a row of the result, as its sentence counts.
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
    return {.rule = fmt::format("b(bucket of j − i, head): {} is in bucket {}", distance, bucket),
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

/// Returns p(i) + Δ, the place where the query of a row looks.
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
