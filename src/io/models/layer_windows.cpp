#include "io/models/layer_windows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "text/counted.h"
#include "text/words.h"

namespace headlight {
namespace {

enum class LayerKind { Full, Windowed };

/// "attention" is the older word.
constexpr std::array<std::pair<std::string_view, LayerKind>, 3> kLayerKinds = {
    {{"full_attention", LayerKind::Full},
     {"sliding_attention", LayerKind::Windowed},
     {"attention", LayerKind::Full}}};

/// Of each layer; empty if the file does not say it.
std::vector<LayerKind> layer_kinds(const ModelConfig& config, int n_layers) {
    std::vector<LayerKind> kinds;
    if (!config.has("layer_types")) return kinds;
    const JsonView list = config.view().at("layer_types");
    list.for_each_element(
        [&](const JsonView& layer) { kinds.push_back(layer.choice(kLayerKinds)); });
    if (static_cast<int>(kinds.size()) != n_layers)
        list.fail("has " + counted(std::ssize(kinds), "layer") + ", but n_layers is " +
                  std::to_string(n_layers));
    return kinds;
}

/// The words before a word that it reads; 0: all of them. transformers' default is 4096.
int words_before(const ModelConfig& config) {
    constexpr int kUsual = 4096, kMost = std::numeric_limits<int>::max() / 2;
    if (config.view().find("sliding_window") && !config.has("sliding_window")) return 0;  // null
    const int window = config.size("sliding_window", kUsual, {2, kMost}) - 1;
    // No text is longer than kMaxWords: a window that is larger closes nothing.
    return window < static_cast<int>(kMaxWords) ? window : 0;
}

}  // namespace

void set_window(StackSettings& s, const ModelConfig& config) {
    s.mask.window = words_before(config);
}

void set_layer_windows(StackSettings& s, const ModelConfig& config) {
    if (!config.flag("use_sliding_window", false)) return;
    constexpr int kUsualFirst = 28;  // transformers' default
    const std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const auto n_windowed =
        kinds.empty() ? std::max(0, s.n_layers - config.count("max_window_layers", kUsualFirst))
                      : static_cast<int>(std::ranges::count(kinds, LayerKind::Windowed));
    const int before = n_windowed > 0 ? words_before(config) : 0;
    if (before > 0 && n_windowed < s.n_layers)
        config.view()
            .at(kinds.empty() ? "use_sliding_window" : "layer_types")
            .fail("only some of the layers have a window, which is not supported");
    s.mask.window = before;
}

void check_layer_types(const StackSettings& s, const ModelConfig& config) {
    const std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const bool has_window = s.mask.window > 0;
    const bool closes_nothing = config.has("sliding_window") && words_before(config) == 0;
    if (!has_window && closes_nothing) return;
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        if ((kinds[l] == LayerKind::Windowed) == has_window) continue;
        config.view().at("layer_types")[l].fail(
            has_window ? "must be \"sliding_attention\": sliding_window gives all layers a window"
                       : "must be \"full_attention\": the other keys give no layer a window");
    }
}

}  // namespace headlight
