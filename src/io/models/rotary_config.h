// Rotary positions, as config.json of a model says them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/settings.h"
#include "io/models/model_config.h"

namespace headlight {

/// The keys of the objects that say it; the first one goes before.
inline constexpr std::array<const char*, 2> kRotaryObjects = {"rope_scaling", "rope_parameters"};

/// How a family says what rope_parameters leaves out.
struct RotaryKeys {
    const char* base = "";     // the key of the base
    double rotated_share = 1;  // of a head's columns
};

/// Sets the angles by which the columns of a head are turned. Newer files say all in
/// rope_parameters, older ones in rope_scaling, which goes before. Throws Error, naming the key,
/// for what is not supported.
void set_rotary(AttentionSettings& attention, const ModelConfig& config, int d_head,
                const RotaryKeys& keys);

/// "rope_parameters.short_factor": the members that are not read for angles of that kind. None, if
/// the family has no rotary positions.
std::vector<std::string> unknown_rotary_keys(const ModelConfig& config);

/// Of a family whose heads turn whole: throws Error if the file turns only a part of them.
void expect_whole_turns(const ModelConfig& config);

}  // namespace headlight
