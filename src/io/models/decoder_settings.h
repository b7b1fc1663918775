// Settings that the config.json of many decoders has under the same keys.
#pragma once

#include <vector>

#include "core/settings.h"
#include "io/models/model_config.h"
#include "io/models/rotary_config.h"

namespace headlight {

inline Switch on_if(bool condition) {
    return condition ? Switch::On : Switch::Off;
}

// ---- windows ----

enum class LayerKind { Full, Windowed };

/// Returns the kind of each layer by layer_types; empty if the file does not say it.
std::vector<LayerKind> layer_kinds(const ModelConfig& config, int n_layers);

/// Returns how many words before itself a word reads; 0: all of them. `usual` is transformers'
/// default window.
int words_before(const ModelConfig& config, const char* key = "sliding_window", int usual = 4096);

/// Returns the windows of layers of these kinds.
Widths windows_of(const std::vector<LayerKind>& kinds, int window);

// ---- stacks ----

/// Returns a stack of Transformer blocks that reads from left to right and writes the next word.
StackSettings causal_settings(const ModelConfig& config, bool is_tied);

/// Sizes where the file does not say them; 0: they follow from others.
struct UsualHeads {
    int d_head = 0, n_groups = 0;
};
/// Sets sizes, heads and groups of heads under the names that most families since LLaMA have, and
/// their angles.
void set_grouped_heads(StackSettings& s, const ModelConfig& config, const RotaryKeys& rotary,
                       const UsualHeads& usual = {});

}  // namespace headlight
