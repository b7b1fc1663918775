// Which layers of a model have a window, as its config.json says it.
#pragma once

#include "core/settings.h"
#include "io/models/model_config.h"

namespace headlight {

/// Sets the window that all layers have (sliding_window; Mistral). A word reads itself and the
/// window − 1 words before it. Throws Error for a window of fewer than two words.
void set_window(StackSettings& s, const ModelConfig& config);

/// The same where layers differ (Qwen): layer_types says which layers have a window; without it,
/// those from max_window_layers on. Without use_sliding_window there is no window. Throws Error,
/// naming the key, if only some of the layers have one.
void set_layer_windows(StackSettings& s, const ModelConfig& config);

/// Throws Error, naming the layer, if layer_types says something else than these settings.
void check_layer_types(const StackSettings& s, const ModelConfig& config);

}  // namespace headlight
