// Rotary positions, as config.json of a model says them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/settings.h"
#include "io/models/model_config.h"

namespace headlight {

/// The keys of the objects that describe rotary positions; the first one takes precedence.
inline constexpr std::array<const char*, 2> kRotaryObjects = {"rope_scaling", "rope_parameters"};

/// A family's values for what rope_parameters leaves out.
struct RotaryKeys {
    const char* base = "";     // the key of the base
    double rotated_share = 1;  // of a head's columns
    double usual = 10000;      // the base
    /// The older key of the base in layers with a window; null: all layers have the same angles.
    const char* window_base = nullptr;
};

/// Sets the angles by which the columns of a head are turned. Newer files say all in
/// rope_parameters, older ones in rope_scaling, which takes precedence. Throws Error, naming the
/// key, for anything that is not supported.
void set_rotary(AttentionSettings& attention, const ModelConfig& config, int d_head,
                const RotaryKeys& keys);

/// Returns the members that are not read for angles of that kind, as
/// "rope_parameters.short_factor". There are none if the family has no rotary positions.
std::vector<std::string> unknown_rotary_keys(const ModelConfig& config);

/// Checks a family whose heads are turned as a whole: throws Error if the file turns only a part.
void expect_whole_turns(const ModelConfig& config);

}  // namespace headlight
