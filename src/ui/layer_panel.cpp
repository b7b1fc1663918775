// The settings of the layer.
#include <array>
#include <imgui.h>

#include "model/edits.h"
#include "paint/number_format.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

constexpr std::array kMasks{"none", "causal"};
constexpr std::array kPositions{"none", "sinusoidal"};
constexpr std::array kSwitch{"off", "on"};
constexpr std::array kCombines{"concat", "mean"};
constexpr std::array kActivations{"none", "ELU"};
constexpr int kMaxSeed = 999999;

template <typename Enum, std::size_t N>
bool choose(PanelContext& context, const char* name, Enum& value,
            const std::array<const char*, N>& choices) {
    int index = static_cast<int>(value);
    if (!widgets::choice_setting(context, name, index, choices)) return false;
    value = static_cast<Enum>(index);
    return true;
}

class LayerPanel final : public Panel {
  public:
    const char* title() const override { return "Layer"; }
    const char* help() const override {
        return "What the layer is made of. Drag a number, or double-click it and type. Edits of a "
               "matrix wait while its shape does not fit, and come back with it.";
    }

    void draw(PanelContext& context) override {
        if (const SentenceStudy* study = context.document.sentence())
            draw_sentence(context, *study);
        if (const GraphStudy* study = context.document.graph()) draw_graph(context, *study);
        draw_seed(context);
    }

  private:
    void draw_sentence(PanelContext& context, const SentenceStudy& study) {
        SelfAttentionSettings layer = study.layer;
        const auto set = [&](const std::string& what) {
            context.edits.push(
                "Set " + what, [layer](Document& d) { d.sentence()->layer = layer; },
                "layer " + what.substr(0, what.find(' ')));
        };
        const auto number = [&](const char* name, const char* what, int& value, int most) {
            if (widgets::int_setting(context, name, value, {1, most}))
                set(std::string(what) + " to " + std::to_string(value));
        };
        number("Heads", "heads", layer.n_heads, kMaxHeads);
        number("Layers", "layers", layer.n_layers, kMaxLayers);
        number("Model width", "d_model", layer.d_model, kMaxWidth);
        number("Key width", "d_k", layer.d_k, kMaxWidth);
        number("Value width", "d_v", layer.d_v, kMaxWidth);
        if (choose(context, "Mask", layer.mask, kMasks))
            set(std::string("mask to ") + kMasks[static_cast<std::size_t>(layer.mask)]);
        if (choose(context, "Positions", layer.positions, kPositions))
            set(std::string("positions to ") +
                kPositions[static_cast<std::size_t>(layer.positions)]);
        if (choose(context, "Residual", layer.residual, kSwitch))
            set(std::string("residual ") + kSwitch[static_cast<std::size_t>(layer.residual)]);
    }

    void draw_graph(PanelContext& context, const GraphStudy& study) {
        GraphStudy changed = study;
        GraphAttentionSettings& layer = changed.layer;
        const auto set = [&](const std::string& what) {
            context.edits.push(
                "Set " + what, [changed](Document& d) { set_graph_study(d, changed); },
                "layer " + what.substr(0, what.find(' ')));
        };
        const auto number = [&](const char* name, const char* what, int& value, int most) {
            if (widgets::int_setting(context, name, value, {1, most}))
                set(std::string(what) + " to " + std::to_string(value));
        };
        number("Heads", "heads", layer.n_heads, kMaxHeads);
        number("Feature width", "d_in", layer.d_in, kMaxWidth);
        number("Head width", "d_out", layer.d_out, kMaxWidth);
        if (choose(context, "Combine", layer.combine, kCombines))
            set(std::string("combine to ") + kCombines[static_cast<std::size_t>(layer.combine)]);
        if (widgets::float_setting(context, "LeakyReLU", layer.slope, {0, 1, 0.005f}))
            set("slope to " + format_value(static_cast<Scalar>(layer.slope)));
        if (choose(context, "Activation", layer.activation, kActivations))
            set(std::string("activation to ") +
                kActivations[static_cast<std::size_t>(layer.activation)]);
        if (choose(context, "Self-loops", changed.self_loops, kSwitch))
            set(std::string("self-loops ") + kSwitch[static_cast<std::size_t>(changed.self_loops)]);
    }

    void draw_seed(PanelContext& context) {
        int seed = static_cast<int>(std::min<std::uint64_t>(context.document.seed, kMaxSeed));
        if (widgets::int_setting(context, "Seed", seed, {0, kMaxSeed}))
            context.edits.push(
                "Set the seed to " + std::to_string(seed),
                [seed](Document& d) { d.seed = static_cast<std::uint64_t>(seed); }, "seed");
    }
};

}  // namespace

std::unique_ptr<Panel> make_layer_panel() {
    return std::make_unique<LayerPanel>();
}

}  // namespace headlight
