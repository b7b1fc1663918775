#include "model/motion.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// Turns equal factors into equal steps; a range that begins at 0 uses the factors of x + 1.
double unrolled(double number, double from, double to) {
    const bool has_zero = from * to == 0;
    return has_zero ? std::copysign(std::log1p(std::abs(number)), from + to)
                    : std::log(std::abs(number));
}

double rolled(double place, double from, double to) {
    const bool has_zero = from * to == 0;
    return std::copysign(has_zero ? std::expm1(std::abs(place)) : std::exp(place), from + to);
}

}  // namespace

Spacing spacing_between(double from, double to) {
    constexpr double kFar = 9, kFarFromZero = 50;
    const double low = std::min(std::abs(from), std::abs(to));
    const double high = std::max(std::abs(from), std::abs(to));
    const bool is_far = low > 0 ? high / low >= kFar : high >= kFarFromZero;
    return from * to >= 0 && is_far ? Spacing::Factors : Spacing::Steps;
}

double number_at(double from, double to, double share, Spacing spacing) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    if (spacing == Spacing::Steps) return from + share * (to - from);
    const double first = unrolled(from, from, to), last = unrolled(to, from, to);
    return rolled(first + share * (last - first), from, to);
}

double share_at(double from, double to, double number, Spacing spacing) {
    if (from == to) return 0;
    if (number <= std::min(from, to) || number >= std::max(from, to))
        return std::abs(number - from) < std::abs(number - to) ? 0 : 1;
    if (spacing == Spacing::Steps) return (number - from) / (to - from);
    const double first = unrolled(from, from, to), last = unrolled(to, from, to);
    return std::clamp((unrolled(number, from, to) - first) / (last - first), 0.0, 1.0);
}

double Motion::share_after(double elapsed_secs) const {
    const double turns = std::max(elapsed_secs, 0.0) / secs;
    switch (repeat) {
        case Repeat::Once:
            return std::min(turns, 1.0);
        case Repeat::Loop:
            return turns - std::floor(turns);
        case Repeat::Bounce:
            return 1 - std::abs(std::fmod(turns, 2.0) - 1);
    }
    return 0;
}

double Motion::value_at(double share) const {
    return number_at(from, to, share, spacing_between(from, to));
}

bool Motion::is_over(double elapsed_secs) const {
    return repeat == Repeat::Once && elapsed_secs >= secs;
}

}  // namespace headlight
