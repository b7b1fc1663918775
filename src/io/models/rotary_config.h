// Rotary positions, as config.json of a model says them.
#pragma once

#include "core/settings.h"
#include "io/models/model_config.h"

namespace headlight {

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

/// Of a family whose heads turn whole: throws Error if the file turns only a part of them.
void expect_whole_turns(const ModelConfig& config);

}  // namespace headlight
