#include "io/models/rotary_config.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

struct RotaryScalingKind {
    std::string_view word;
    RotaryScaling scaling;
};
constexpr std::array<RotaryScalingKind, 5> kRotaryScalings = {{{"default", RotaryScaling::None},
                                                               {"linear", RotaryScaling::Linear},
                                                               {"dynamic", RotaryScaling::Dynamic},
                                                               {"llama3", RotaryScaling::Llama3},
                                                               {"yarn", RotaryScaling::Yarn}}};

RotaryScaling rotary_scaling(const JsonView& object) {
    auto type = object.find("rope_type");
    if (!type) type = object.find("type");  // the older key
    if (!type) return RotaryScaling::None;
    std::string known;
    for (const auto& [word, scaling] : kRotaryScalings) {
        if (type->text() == word) return scaling;
        append_part(known, ", ", word);
    }
    type->fail("'{}' is not supported; known are: {}", printable(type->text()), known);
}

constexpr Range<double> kBases{1, 1e9}, kFactors{1, 10'000}, kFrequencies{0.001, 10'000};
constexpr Range<int> kLengths{1, 10'000'000};  // positions

/// Nothing if it is missing or null.
std::optional<JsonView> find_in(const JsonView& object, std::string_view key) {
    const auto found = object.find(key);
    if (!found || std::holds_alternative<std::monostate>(found->value().value)) return std::nullopt;
    return found;
}

double real_in(const JsonView& object, std::string_view key, double otherwise,
               Range<double> range) {
    const auto found = find_in(object, key);
    return found ? found->real(range.low, range.high) : otherwise;
}

/// Returns the number of positions that the angles were learned for. Some files say it beside the
/// object, and transformers reads that first; for dynamic it is always max_position_embeddings.
int learned_positions(const AttentionSettings& attention, const JsonView& object,
                      const ModelConfig& config) {
    const int otherwise = config.size("max_position_embeddings", attention.rotary_length, kLengths);
    if (attention.rotary_scaling == RotaryScaling::Dynamic) return otherwise;
    constexpr const char* kKey = "original_max_position_embeddings";
    if (config.has(kKey)) return config.size(kKey, otherwise, kLengths);
    return static_cast<int>(real_in(object, kKey, otherwise, {kLengths.low, kLengths.high}));
}

/// Returns the factor by which positions are stretched. For yarn it follows from the lengths if it
/// is null.
double stretch(const AttentionSettings& attention, const JsonView& object,
               const ModelConfig& config) {
    const JsonView factor = object.at("factor");
    const bool is_null = std::holds_alternative<std::monostate>(factor.value().value);
    if (!is_null || attention.rotary_scaling != RotaryScaling::Yarn)
        return factor.real(kFactors.low, kFactors.high);
    const double ratio = static_cast<double>(config.size("max_position_embeddings",
                                                         attention.rotary_length, kLengths)) /
                         attention.rotary_length;
    if (ratio < kFactors.low || ratio > kFactors.high)
        factor.fail("is null, and the lengths do not tell it");
    return ratio;
}

void expect_usual_yarn(const JsonView& object) {
    for (const char* key : {"attention_factor", "mscale", "mscale_all_dim"})
        if (const auto found = find_in(object, key))
            found->fail("is not supported together with yarn");
    if (const auto truncate = find_in(object, "truncate"); truncate && !truncate->flag())
        truncate->fail("must be true; the other kind is not supported");
}

float frequency(const JsonView& number) {
    return static_cast<float>(number.real(kFrequencies.low, kFrequencies.high));
}

void set_scaled_angles(AttentionSettings& attention, const JsonView& object,
                       const ModelConfig& config) {
    attention.rotary_length = learned_positions(attention, object, config);
    attention.rotary_factor = static_cast<float>(stretch(attention, object, config));
    if (attention.rotary_scaling == RotaryScaling::Llama3) {  // both must be said
        attention.rotary_low = frequency(object.at("low_freq_factor"));
        attention.rotary_high = frequency(object.at("high_freq_factor"));
    }
    if (attention.rotary_scaling == RotaryScaling::Yarn) {
        attention.rotary_low = static_cast<float>(real_in(object, "beta_slow", 1, kFrequencies));
        attention.rotary_high = static_cast<float>(real_in(object, "beta_fast", 32, kFrequencies));
        expect_usual_yarn(object);
    }
}

/// Returns the key of the object that counts: an empty rope_scaling counts as none.
const char* rotary_key(const ModelConfig& config) {
    int n_said = 0;
    if (const auto scaling = config.object(kRotaryObjects[0]))
        scaling->for_each_member([&](const auto&, const auto&) { ++n_said; });
    return kRotaryObjects[n_said > 0 ? 0 : 1];
}

/// The names of the objects of layers whose angles differ.
constexpr const char *kFullLayers = "full_attention", *kWindowedLayers = "sliding_attention";

/// Returns the object of the layers without a window, if their angles are their own.
std::optional<JsonView> rotary_object(const ModelConfig& config, const RotaryKeys& keys) {
    const auto object = config.object(rotary_key(config));
    if (!object) return object;
    const bool has_own = rotary_key(config) != kRotaryObjects[0] && keys.window_base;
    if (has_own) return find_in(*object, kFullLayers);
    for (const char* layers : {kFullLayers, kWindowedLayers})
        if (const auto own = find_in(*object, layers))
            own->fail("angles of some of the layers are not supported");
    return object;
}

/// Returns the base of the layers with a window, whose angles may not be scaled.
double window_base(const ModelConfig& config, const RotaryKeys& keys) {
    const double base = config.number(keys.window_base, 10000, kBases);
    const auto all = config.object(kRotaryObjects[1]);
    const auto own = all ? find_in(*all, kWindowedLayers) : std::nullopt;
    if (!own) return base;
    if (rotary_scaling(*own) != RotaryScaling::None)
        own->fail("turns that are slowed down in layers with a window are not supported");
    return real_in(*own, "rope_theta", base, kBases);
}

constexpr auto kOfAll =
    std::to_array<std::string_view>({"rope_type", "type", "rope_theta", "partial_rotary_factor"});
constexpr auto kOfScaled =
    std::to_array<std::string_view>({"factor", "original_max_position_embeddings"});
constexpr auto kOfLlama3 = std::to_array<std::string_view>({"low_freq_factor", "high_freq_factor"});
constexpr auto kOfYarn = std::to_array<std::string_view>(
    {"beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim", "truncate"});

bool is_read(std::string_view key, RotaryScaling scaling) {
    const auto is_in = [&](const auto& keys) { return is_among(key, keys); };
    return is_in(kOfAll) || (scaling != RotaryScaling::None && is_in(kOfScaled)) ||
           (scaling == RotaryScaling::Llama3 && is_in(kOfLlama3)) ||
           (scaling == RotaryScaling::Yarn && is_in(kOfYarn));
}

}  // namespace

std::vector<std::string> unknown_rotary_keys(const ModelConfig& config) {
    std::vector<std::string> unknown;
    if (!config.was_asked(kRotaryObjects[0])) return unknown;
    const std::string outer = rotary_key(config);
    const auto object = config.object(outer);
    if (!object) return unknown;
    const auto collect = [&](const std::string& name, const JsonView& of) {
        const RotaryScaling scaling = rotary_scaling(of);
        of.for_each_member([&](const std::string& key, const JsonView& member) {
            const bool is_null = std::holds_alternative<std::monostate>(member.value().value);
            const bool is_of_layers = key == kFullLayers || key == kWindowedLayers;
            if (!is_null && !is_of_layers && !is_read(key, scaling))
                unknown.push_back(fmt::format("{}.{}", name, key));
        });
    };
    collect(outer, *object);
    for (const char* layers : {kFullLayers, kWindowedLayers})
        if (const auto own = find_in(*object, layers)) collect(outer + "." + layers, *own);
    return unknown;
}

void set_rotary(AttentionSettings& attention, const ModelConfig& config, int d_head,
                const RotaryKeys& keys) {
    attention.relative = RelativePositions::Rotary;
    attention.rotary_pairs = RotaryPairs::Halves;
    double base = config.number(keys.base, keys.usual, kBases), rotated_share = keys.rotated_share;
    if (keys.window_base)
        attention.rotary_window_base = static_cast<float>(window_base(config, keys));
    if (const auto object = rotary_object(config, keys)) {
        base = real_in(*object, "rope_theta", base, kBases);
        rotated_share = real_in(*object, "partial_rotary_factor", rotated_share, {0, 1});
        attention.rotary_scaling = rotary_scaling(*object);
        if (attention.rotary_scaling != RotaryScaling::None)
            set_scaled_angles(attention, *object, config);
    }
    attention.rotary_base = static_cast<float>(base);
    const int dims = static_cast<int>(d_head * std::clamp(rotated_share, 0.0, 1.0));
    if (dims < 2)
        throw Error(config.source(), "rotary positions turn no pair of a head's {} columns",
                    d_head);
    if (dims % 2 != 0)
        throw Error(config.source(),
                    "rotary positions turn pairs of columns; {} of a head's {} are not supported",
                    dims, d_head);
    if (dims < d_head) attention.rotary_dims = dims;
}

void expect_whole_turns(const ModelConfig& config) {
    constexpr const char* kShare = "partial_rotary_factor";
    if (config.number(kShare, 1) != 1)
        config.view().at(kShare).fail("is not supported in this family");
    for (const char* key : kRotaryObjects)
        if (const auto object = config.object(key))
            if (real_in(*object, kShare, 1, {0, 1}) != 1)
                object->at(kShare).fail("is not supported in this family");
}

}  // namespace headlight
