#include "io/models/graph_families.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/settings/setting_field.h"
#include "model/settings/setting_words.h"

namespace headlight {
namespace {

using Keys = std::vector<std::string_view>;

/// Keys that are not known are refused: there is no other program that would know them.
void expect_known_keys(const ModelConfig& config, const Keys& more) {
    Keys keys = {"model_type", "in_channels", "layers", "activation",
                 "bias",       "edge_dim",    "dropout"};
    keys.insert(keys.end(), more.begin(), more.end());
    config.view().expect_keys(keys);
    config.number("dropout", 0);  // it is for training alone
    if (config.has("edge_dim"))
        config.view().at("edge_dim").fail("must be null; features of edges are not supported");
}

Combine combine_in(const JsonView& layer) {
    const auto concat = layer.find("concat");
    return !concat || concat->flag() ? Combine::Concat : Combine::Mean;
}

/// A list of equal numbers becomes one number.
Widths shortened(std::vector<int> values) {
    const bool are_equal = std::ranges::all_of(values, [&](int n) { return n == values[0]; });
    if (are_equal) values.resize(1);
    return {std::move(values)};
}

/// How all layers but the last combine their heads. One head is the same either way.
Combine inner_combine(const std::vector<int>& heads, const std::vector<Combine>& combines,
                      const JsonView& layers) {
    std::optional<Combine> all;
    for (std::size_t l = 0; l + 1 < heads.size(); ++l) {
        if (heads[l] == 1) continue;
        if (all && combines[l] != *all)
            layers[l].at("concat").fail(
                "must be the same in all layers with several heads, but for the last one");
        all = combines[l];
    }
    return all.value_or(Combine::Concat);
}

void set_layers(GraphSettings& s, const JsonView& layers) {
    if (layers.size() < 1 || layers.size() > std::size_t{kMaxLayers})
        layers.fail("must be a list of 1 to " + std::to_string(kMaxLayers) + " layers");
    std::vector<int> heads, widths;
    std::vector<Combine> combines;
    layers.for_each_element([&](const JsonView& layer) {
        layer.expect_keys({"heads", "out_channels", "concat"});
        heads.push_back(static_cast<int>(layer.at("heads").integer(1, kMaxHeads)));
        widths.push_back(static_cast<int>(layer.at("out_channels").integer(1, kMaxWidth)));
        combines.push_back(combine_in(layer));
    });
    s.n_layers = static_cast<int>(heads.size());
    s.combine = combines.back();
    s.inner_combine = inner_combine(heads, combines, layers);
    s.n_heads = shortened(std::move(heads));
    s.d_out = shortened(std::move(widths));
}

/// What the three kinds of modules have in common.
GraphStudy conv_study(const ModelConfig& config, GraphMechanism mechanism) {
    GraphStudy study;
    GraphSettings& s = study.layer;
    s.mechanism = mechanism;
    s.d_in = config.size("in_channels");
    set_layers(s, config.view().at("layers"));
    s.bias = config.flag("bias", true) ? Switch::On : Switch::Off;
    s.last_activation = Switch::Off;
    const auto activation = config.view().find("activation");
    s.activation = activation ? activation->choice(kActivationWords) : Activation::None;
    return study;
}

GraphStudy gat_like_study(const ModelConfig& config, GraphMechanism mechanism) {
    GraphStudy study = conv_study(config, mechanism);
    study.layer.slope = static_cast<float>(config.number("negative_slope", 0.2, {0, 1}));
    study.self_loops = config.flag("add_self_loops", true) ? Switch::On : Switch::Off;
    config.expect_flag("residual", false);
    return study;
}

}  // namespace

Study gat_study(const ModelConfig& config) {
    expect_known_keys(config, {"negative_slope", "add_self_loops", "residual"});
    return gat_like_study(config, GraphMechanism::Gat);
}

Study gatv2_study(const ModelConfig& config) {
    expect_known_keys(config, {"negative_slope", "add_self_loops", "residual", "share_weights"});
    config.expect_flag("share_weights", false);
    return gat_like_study(config, GraphMechanism::GatV2);
}

Study transformer_conv_study(const ModelConfig& config) {
    expect_known_keys(config, {"root_weight", "beta"});
    config.expect_flag("beta", false);
    GraphStudy study = conv_study(config, GraphMechanism::Transformer);
    study.layer.output = Switch::Off;
    study.layer.skip = config.flag("root_weight", true) ? Switch::On : Switch::Off;
    study.self_loops = Switch::Off;
    return study;
}

}  // namespace headlight
