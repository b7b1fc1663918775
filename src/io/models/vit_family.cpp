#include "io/models/vit_family.h"

#include "core/error.h"
#include "core/matrix.h"

namespace headlight {
namespace {

/// 224, or [224, 224]: rows and columns.
PictureSize sides(const ModelConfig& config, std::string_view key, int otherwise, int most) {
    if (!config.has(key)) return {otherwise, otherwise};
    const JsonView size = config.view().at(key);
    const auto side = [&](const JsonView& number) {
        return static_cast<int>(number.integer(1, most));
    };
    if (!size.is_list()) return {side(size), side(size)};
    if (size.size() != 2) size.fail("must be one number, or [height, width]");
    return {side(size[0]), side(size[1])};
}

void set_patches(ImageStudy& study, const ModelConfig& config) {
    const PictureSize picture = sides(config, "image_size", 224, kMaxPreparedSide),
                      patch = sides(config, "patch_size", 16, kMaxImageSide);
    if (patch.rows != patch.columns)
        config.view().at("patch_size").fail("must be square; other patches are not supported");
    if (picture.rows % patch.rows != 0 || picture.columns % patch.rows != 0)
        throw Error(config.source(), "image_size is " + shape_text(picture.rows, picture.columns) +
                                         ", which patches of " + std::to_string(patch.rows) +
                                         " do not fill; this is not supported");
    study.rows = picture.rows, study.columns = picture.columns;
    study.layer.patch = patch.rows;
}

void set_vit_stack(StackSettings& s, const ModelConfig& config) {
    s.positions = Positions::Learned;
    s.attention.bias = Switch::On;
    s.attention.qkv_bias = config.flag("qkv_bias", true) ? Switch::On : Switch::Off;
    s.block.norm = Norm::Pre;
    s.final_norm = Switch::On;
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    set_heads(s, config.heads("num_attention_heads"), 0, config);
    s.block.mlp = config.activation("hidden_act", "gelu");
    s.block.d_ff = config.size("intermediate_size");
    s.norm_epsilon = config.epsilon("layer_norm_eps", 1e-12);
}

}  // namespace

Study vit_study(const ModelConfig& config) {
    ImageStudy study;
    if (config.count("num_channels", 3) != 3)
        config.view().at("num_channels").fail("must be 3; other pictures are not supported");
    set_patches(study, config);
    study.layer.class_token = ClassToken::First;
    set_vit_stack(study.layer.stack, config);
    return study;
}

}  // namespace headlight
