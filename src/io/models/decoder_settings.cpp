#include "io/models/decoder_settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "io/models/family_rules.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// The words of layer_types, where "attention" is the older word for full attention.
constexpr std::array<std::pair<std::string_view, LayerKind>, 3> kLayerKinds = {
    {{"full_attention", LayerKind::Full},
     {"sliding_attention", LayerKind::Windowed},
     {"attention", LayerKind::Full}}};

}  // namespace

std::vector<LayerKind> layer_kinds(const ModelConfig& config, int n_layers) {
    std::vector<LayerKind> kinds;
    if (!config.has("layer_types")) return kinds;
    const JsonView list = config.view().at("layer_types");
    list.for_each_element(
        [&](const JsonView& layer) { kinds.push_back(layer.choice(kLayerKinds)); });
    if (static_cast<int>(kinds.size()) != n_layers)
        list.fail("has {}, but n_layers is {}", counted(std::ssize(kinds), "layer"), n_layers);
    return kinds;
}

int words_before(const ModelConfig& config, const char* key, int usual) {
    constexpr int kMost = std::numeric_limits<int>::max() / 2;
    if (config.view().find(key) && !config.has(key)) return 0;  // null
    const int window = config.size(key, usual, {2, kMost}) - 1;
    // No text is longer than kMaxWords: a window that is larger closes nothing.
    return window < static_cast<int>(kMaxWords) ? window : 0;
}

Widths windows_of(const std::vector<LayerKind>& kinds, int window) {
    Widths windows{{}};
    for (const LayerKind kind : kinds)
        windows.values.push_back(kind == LayerKind::Windowed ? window : 0);
    return windows.differ() ? windows : Widths{{windows.values.front()}};
}

StackSettings causal_settings(const ModelConfig& config, bool is_tied) {
    config.expect_flag("is_causal", true);
    StackSettings s;
    s.mask.causal = Switch::On;
    s.positions = Positions::None;
    s.block.norm = Norm::Pre;
    s.final_norm = Switch::On;
    s.unembedding =
        config.flag("tie_word_embeddings", is_tied) ? Unembedding::Tied : Unembedding::Learned;
    return s;
}

void set_grouped_heads(StackSettings& s, const ModelConfig& config, const RotaryKeys& rotary,
                       const UsualHeads& usual) {
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    const int n_heads = config.heads("num_attention_heads");
    const int share = std::max(1, s.d_model / n_heads);
    const int d_head = config.size("head_dim", usual.d_head > 0 ? usual.d_head : share);
    set_heads(s, n_heads, d_head, config);
    const int n_groups =
        config.heads("num_key_value_heads", usual.n_groups > 0 ? usual.n_groups : n_heads);
    if (n_groups != n_heads) s.attention.n_kv_heads = n_groups;
    set_rotary(s.attention, config, d_head, rotary);
    s.block.d_ff = config.size("intermediate_size");
}

void check_layer_types(const StackSettings& s, const ModelConfig& config) {
    const std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const bool closes_nothing = config.has("sliding_window") && words_before(config) == 0;
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        const bool has_window = s.mask.window.of(static_cast<int>(l)) > 0;
        if ((kinds[l] == LayerKind::Windowed) == has_window || (!has_window && closes_nothing))
            continue;
        config.view().at("layer_types")[l].fail(
            has_window ? "must be \"sliding_attention\": sliding_window gives all layers a window"
                       : "must be \"full_attention\": the other keys give no layer a window");
    }
}

}  // namespace headlight
