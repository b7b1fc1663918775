#include "core/operations/position_operations.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/numeric/short_number.h"

namespace headlight::operations {
namespace {

/// θ_f = 10000^{−2f/d}, how far a step turns the pair f of d channels.
double frequency(Index f, Index d) {
    return std::pow(10000.0, -2.0 * static_cast<double>(f) / static_cast<double>(d));
}

std::vector<double> frequencies(Index d) {
    std::vector<double> thetas;
    for (Index f = 0; f < (d + 1) / 2; ++f) thetas.push_back(frequency(f, d));
    return thetas;
}

Index row_in_group(const OperationSettings& settings, Index row) {
    return settings.group_rows > 0 ? row % settings.group_rows : row;
}

// ---- rotary ----

Index position(const Call& call, Index row) {
    return row_in_group(call.settings, row) + call.settings.begin;
}

/// How much of each of its two columns a pair keeps, and how much it gets of the other.
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

/// How far one position turns each pair of columns.
std::vector<double> pair_angles(const Call& call) {
    if (call.settings.angles) return *call.settings.angles;
    std::vector<double> thetas = frequencies(call.columns);
    thetas.resize(static_cast<std::size_t>(call.columns / 2));
    return thetas;
}

/// The columns from here on stay as they are.
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

/// "(5 · 10000^{−2/8})"; "(5 · 0.01)" where the angles are given
std::string angle_text(const Call& call, Index place, Index f) {
    const std::string begin = "(" + std::to_string(place) + " · ";
    if (call.settings.angles) {
        const double theta = (*call.settings.angles)[static_cast<std::size_t>(f)];
        return begin + short_number(static_cast<Scalar>(theta)) + ")";
    }
    return begin + "10000^{−" + std::to_string(2 * f) + "/" + std::to_string(call.columns) + "})";
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
    e.rule = is_first ? "X(i," + first + ") cos" + angle + " − X(i," + second + ") sin" + angle
                      : "X(i," + first + ") sin" + angle + " + X(i," + second + ") cos" + angle;
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

/// One channel of one cell: what is turned, and by how much.
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
    const std::string exponent =
        "10000^{" + std::to_string(channel.f / 2 * 2) + "/" + std::to_string(channel.d) + "}";
    return {.rule = sinusoid + "(" + channel.axis + " / " + exponent + ")",
            .terms = {},
            .sum = 0,
            .finish = {
                {std::string(channel.axis) + " " + std::to_string(channel.place) + " ÷ " + exponent,
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

}  // namespace headlight::operations
