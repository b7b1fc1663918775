#include "io/models/families.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "io/models/family_rules.h"
#include "io/models/model_config.h"
#include "model/settings/setting_names.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::array kGatRules = {
    FamilyRule{"convs.#.lin.weight", "gat.#.heads.*.W", kLinear},
    FamilyRule{"convs.#.att_src", "gat.#.heads.*.a_src", kLinear},
    FamilyRule{"convs.#.att_dst", "gat.#.heads.*.a_dst", kLinear},
    FamilyRule{"convs.#.bias", "gat.#.b"},
};

constexpr std::array kGatv2Rules = {
    FamilyRule{"convs.#.lin_l.weight", "gat.#.heads.*.W_src", kLinear},
    FamilyRule{"convs.#.lin_l.bias", "gat.#.heads.*.b_src"},
    FamilyRule{"convs.#.lin_r.weight", "gat.#.heads.*.W_dst", kLinear},
    FamilyRule{"convs.#.lin_r.bias", "gat.#.heads.*.b_dst"},
    FamilyRule{"convs.#.att", "gat.#.heads.*.a", kLinear},
    FamilyRule{"convs.#.bias", "gat.#.b"},
};

constexpr std::array kTransformerConvRules = {
    FamilyRule{"convs.#.lin_query.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"convs.#.lin_query.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"convs.#.lin_key.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"convs.#.lin_key.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"convs.#.lin_value.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"convs.#.lin_value.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"convs.#.lin_skip.weight", "blocks.#.W_skip", kLinear},
    FamilyRule{"convs.#.lin_skip.bias", "blocks.#.b_skip"},
};

/// A module without root_weight has this array, too, and does not use it.
constexpr std::array<std::string_view, 1> kTransformerConvUnused = {"convs.#.lin_skip.*"};

using Keys = std::vector<std::string_view>;

/// Throws Error for unknown keys: no other program would know them either.
void expect_known_keys(const ModelConfig& config, const Keys& more) {
    Keys keys = {"model_type", "in_channels", "layers", "activation",
                 "bias",       "edge_dim",    "dropout"};
    keys.insert(keys.end(), more.begin(), more.end());
    config.view().expect_keys(keys);
    config.number("dropout", 0);  // only training uses it
    if (config.has("edge_dim"))
        config.view().at("edge_dim").fail("must be null; features of edges are not supported");
}

/// Shortens a list of equal numbers to one number.
Widths shortened(std::vector<int> values) {
    const bool are_equal = std::ranges::all_of(values, [&](int n) { return n == values[0]; });
    if (are_equal) values.resize(1);
    return {std::move(values)};
}

/// Returns how all layers except the last combine their heads. One head is the same either way.
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
        layers.fail("must be a list of 1 to {} layers", kMaxLayers);
    std::vector<int> heads, widths;
    std::vector<Combine> combines;
    layers.for_each_element([&](const JsonView& layer) {
        layer.expect_keys({"heads", "out_channels", "concat"});
        heads.push_back(static_cast<int>(layer.at("heads").integer(1, kMaxHeads)));
        widths.push_back(static_cast<int>(layer.at("out_channels").integer(1, kMaxWidth)));
        const auto concat = layer.find("concat");
        combines.push_back(!concat || concat->flag() ? Combine::Concat : Combine::Mean);
    });
    s.n_layers = static_cast<int>(heads.size());
    s.combine = combines.back();
    s.inner_combine = inner_combine(heads, combines, layers);
    s.n_heads = shortened(std::move(heads));
    s.d_out = shortened(std::move(widths));
}

/// Reads the settings that the three kinds of modules share.
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

// Graph models as PyTorch Geometric's modules compute them: the meaning of config.json, and the
// tensors that arrays become. The file is our own: a state dict does not say how its modules were
// made.
//
// Layers are called convs.0, convs.1, …; their arrays have the names of PyTorch Geometric 2.5 and
// later.

/// Returns a study of GATConv, GATv2Conv and TransformerConv, one after another; the graph is
/// empty. Throws Error, naming the key and its line, for anything unknown or not supported.
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

constexpr auto kGraphFamilies = std::to_array<Family>({
    {"gat",
     "GAT",
     "a graph by PyTorch Geometric: [below](#graph-models)",
     gat_study,
     "",
     kGatRules,
     {},
     nullptr,
     true},
    {"gatv2", "GATv2", "the same with GATv2", gatv2_study, "", kGatv2Rules, {}, nullptr, true},
    {"transformer_conv", "graph transformer", "the same with TransformerConv",
     transformer_conv_study, "", kTransformerConvRules, kTransformerConvUnused, nullptr, true},
});

}  // namespace

void set_heads(StackSettings& s, int n_heads, int d_head, const ModelConfig& config) {
    if (d_head == 0 && s.d_model % n_heads != 0)
        throw Error(config.source(), "a width of {} cannot be shared evenly by {} heads", s.d_model,
                    n_heads);
    s.attention.n_heads = n_heads;
    if (d_head != 0 && d_head * n_heads != s.d_model)
        s.attention.d_k.values = s.attention.d_v.values = {d_head};
}

std::span<const Family> families() {
    static const std::vector<Family> all = [] {
        std::vector<Family> made;
        for (const std::span<const Family> some :
             {decoder_families(), gemma_families(), encoder_families(),
              std::span<const Family>(kGraphFamilies)})
            made.insert(made.end(), some.begin(), some.end());
        return made;
    }();
    return all;
}

const Family* find_family(std::string_view type) {
    const auto found = std::ranges::find(families(), type, &Family::type);
    return found == families().end() ? nullptr : &*found;
}

bool computes_otherwise(std::string_view type) {
    // They have the keys and arrays of LLaMA or Gemma.
    constexpr auto kTypes =
        std::to_array<std::string_view>({"cohere", "olmo", "recurrent_gemma", "vaultgemma"});
    return std::ranges::find(kTypes, type) != kTypes.end();
}

const Family& family_for(const ModelConfig& config) {
    const std::string type = config.model_type();
    if (const Family* family = find_family(type)) return *family;
    std::string known;
    for (const Family& family : families()) append_part(known, ", ", family.type);
    throw Error(config.source(),
                "models of the type '{}' are not supported, and its keys and arrays are not those "
                "of a family that is known; known are: {}",
                printable(type), known);
}

}  // namespace headlight
