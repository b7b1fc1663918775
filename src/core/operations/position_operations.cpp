#include "core/operations/position_operations.h"

#include <cmath>
#include <string>
#include <vector>

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

Turn turn_of(Index position, double theta) {
    const double angle = static_cast<double>(position) * theta;
    return {static_cast<Scalar>(std::cos(angle)), static_cast<Scalar>(std::sin(angle))};
}

void rotary_forward(const Call& call, View Y) {
    const Index d = call.columns;
    const std::vector<double> thetas = frequencies(d);
    for (Index r = 0; r < call.rows; ++r) {
        const Index p = position(call, call.first_row + r);
        for (Index f = 0; f < d / 2; ++f) {
            const auto [cosine, sine] = turn_of(p, thetas[static_cast<std::size_t>(f)]);
            const Scalar even = call[0](r, 2 * f), odd = call[0](r, 2 * f + 1);
            Y(r, 2 * f) = even * cosine - odd * sine;
            Y(r, 2 * f + 1) = even * sine + odd * cosine;
        }
        if (d % 2 == 1) Y(r, d - 1) = call[0](r, d - 1);
    }
}

void rotary_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // A turn by −p θ: (even, odd) ↦ (even cos + odd sin, −even sin + odd cos)
    const Index d = call.columns;
    const std::vector<double> thetas = frequencies(d);
    for (Index i = 0; i < call.rows; ++i) {
        for (Index f = 0; f < d / 2; ++f) {
            const auto [cosine, sine] =
                turn_of(position(call, i), thetas[static_cast<std::size_t>(f)]);
            const Scalar even = gradient(i, 2 * f), odd = gradient(i, 2 * f + 1);
            into[0](i, 2 * f) += even * cosine + odd * sine;
            into[0](i, 2 * f + 1) += odd * cosine - even * sine;
        }
        if (d % 2 == 1) into[0](i, d - 1) += gradient(i, d - 1);
    }
}

Explanation rotary_explain(const Call& call, ConstView Y, Index i, Index j) {
    const Index d = call.columns, f = j / 2;
    if (j == d - 1 && d % 2 == 1)
        return {.rule = "X(i,j), which has no partner to turn with",
                .terms = {{{{0, i, j, Y(i, j)}}, Y(i, j)}},
                .sum = Y(i, j),
                .finish = {}};
    const auto [cosine, sine] = turn_of(position(call, i), frequency(f, d));
    const Scalar even = call[0](i, 2 * f), odd = call[0](i, 2 * f + 1);
    const bool is_even = j % 2 == 0;
    const std::string first = std::to_string(2 * f), second = std::to_string(2 * f + 1);
    const std::string angle = "(" + std::to_string(position(call, i)) + " · 10000^{−" + first +
                              "/" + std::to_string(d) + "})";
    Explanation e;
    e.rule = is_even ? "X(i," + first + ") cos" + angle + " − X(i," + second + ") sin" + angle
                     : "X(i," + first + ") sin" + angle + " + X(i," + second + ") cos" + angle;
    e.terms = {{{{0, i, 2 * f, even}}, even * (is_even ? cosine : sine)},
               {{{0, i, 2 * f + 1, odd}}, odd * (is_even ? -sine : cosine)}};
    e.sum = Y(i, j);
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

const Operation rotary{"rotary", row_inputs(0), rotary_forward, rotary_pull, rotary_explain};
const Operation sinusoidal_2d{"sinusoidal positions on a grid", kEveryInput, sinusoidal_2d_forward,
                              nullptr, sinusoidal_2d_explain};

std::span<const Operation* const> position_operations() {
    static const Operation* const table[] = {&rotary, &sinusoidal_2d};
    return table;
}

}  // namespace headlight::operations
