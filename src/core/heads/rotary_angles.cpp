#include "core/heads/rotary_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/numeric/decimal.h"
#include "core/numeric/short_number.h"

namespace headlight {
namespace {

constexpr float kUsualBase = 10000;

double power_of_base(double base, Index f, Index d) {
    return std::pow(base, -2.0 * static_cast<double>(f) / static_cast<double>(d));
}

bool is_usual(const AttentionSettings& settings) {
    return settings.rotary_base == kUsualBase && settings.rotary_dims == 0 &&
           settings.rotary_scaling == RotaryScaling::None;
}

double base_for(const AttentionSettings& settings, Index d, Index n_words) {
    const double base = decimal(settings.rotary_base), factor = decimal(settings.rotary_factor);
    const auto length = static_cast<double>(settings.rotary_length);
    const auto n = static_cast<double>(n_words), width = static_cast<double>(d);
    if (settings.rotary_scaling != RotaryScaling::Dynamic || n <= length || d <= 2) return base;
    return base * std::pow(factor * n / length - (factor - 1), width / (width - 2));
}

/// The pair, as a fraction, that makes so many full turns in the length of the training.
double pair_with(double turns, const AttentionSettings& settings, Index d) {
    const double length = static_cast<double>(settings.rotary_length);
    return static_cast<double>(d) * std::log(length / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(decimal(settings.rotary_base)));
}

/// How much of the slowed angle pair f has, 0 to 1.
double slowed_share(const AttentionSettings& settings, double theta, Index f, Index d) {
    const double low = decimal(settings.rotary_low), high = decimal(settings.rotary_high);
    switch (settings.rotary_scaling) {
        case RotaryScaling::Linear:
            return 1;
        case RotaryScaling::Llama3: {
            const double turns =
                static_cast<double>(settings.rotary_length) * theta / (2 * std::numbers::pi);
            return 1 - std::clamp((turns - low) / (high - low), 0.0, 1.0);
        }
        case RotaryScaling::Yarn: {
            const double first = std::max(std::floor(pair_with(high, settings, d)), 0.0);
            const double last =
                std::min(std::ceil(pair_with(low, settings, d)), static_cast<double>(d - 1));
            const double width = first == last ? 0.001 : last - first;
            return std::clamp((static_cast<double>(f) - first) / width, 0.0, 1.0);
        }
        default:
            return 0;
    }
}

void check_rotary(const AttentionSettings& settings, Index d_k) {
    if (settings.rotary_dims > d_k)
        throw Error("attention", "rotary_dims is " + std::to_string(settings.rotary_dims) +
                                     ", and a head has only " + std::to_string(d_k) + " columns");
    const bool has_band = settings.rotary_scaling == RotaryScaling::Llama3 ||
                          settings.rotary_scaling == RotaryScaling::Yarn;
    if (has_band && settings.rotary_low >= settings.rotary_high)
        throw Error("attention", "rotary_low has to be below rotary_high");
}

}  // namespace

std::shared_ptr<const std::vector<double>> rotary_angles(const AttentionSettings& settings,
                                                         Index d_k, Index n_words) {
    check_rotary(settings, d_k);
    if (is_usual(settings)) return nullptr;
    const Index d = rotary_width(settings, d_k);
    const double base = base_for(settings, d, n_words), factor = decimal(settings.rotary_factor);
    auto angles = std::make_shared<std::vector<double>>();
    for (Index f = 0; f < d / 2; ++f) {
        const double theta = power_of_base(base, f, d);
        const double slowed = slowed_share(settings, theta, f, d);
        angles->push_back(theta * (1 - slowed) + theta / factor * slowed);
    }
    return angles;
}

double rotary_attention_factor(const AttentionSettings& settings) {
    if (settings.rotary_scaling != RotaryScaling::Yarn) return 1;
    return 0.1 * std::log(decimal(settings.rotary_factor)) + 1;
}

std::string rotary_angle_text(const AttentionSettings& settings) {
    const std::string d =
        settings.rotary_dims > 0 ? std::to_string(settings.rotary_dims) : std::string("d_k");
    const std::string base = settings.rotary_base == kUsualBase
                                 ? "10000"
                                 : short_number(static_cast<Scalar>(settings.rotary_base));
    const std::string scaled =
        settings.rotary_scaling == RotaryScaling::None ? "" : ", scaled for longer texts";
    return base + "^{−2f/" + d + "}" + scaled;
}

Index rotary_width(const AttentionSettings& settings, Index d_k) {
    return settings.rotary_dims > 0 ? settings.rotary_dims : d_k;
}

}  // namespace headlight
