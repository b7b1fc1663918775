#include "core/mechanisms/block.h"

#include <utility>

#include "core/error.h"
#include "core/operations/block_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

const Operation& activation(Mlp mlp) {
    switch (mlp) {
        case Mlp::Relu:
            return operations::relu;
        case Mlp::Gelu:
            return operations::gelu;
        case Mlp::GeluTanh:
            return operations::gelu_tanh;
        case Mlp::None:
            break;
    }
    throw Error("block", "there is no MLP");
}

const char* activation_equation(Mlp mlp) {
    return mlp == Mlp::Relu ? "ReLU(pre)" : mlp == Mlp::Gelu ? "GELU(pre)" : "GELU_{tanh}(pre)";
}

class Block {
  public:
    Block(Plan& plan, const StackSettings& settings, const BlockPlace& place, std::uint64_t seed)
        : plan_(plan),
          settings_(settings),
          place_(place),
          seed_(seed),
          item_(plan[place.x].rows),
          model_(plan[place.x].columns) {}

    TensorId add() {
        const bool has_mlp = settings_.block.mlp != Mlp::None;
        const char* last_attention = has_mlp ? "resid_mid" : "resid_post";
        TensorId x = place_.x;
        if (place_.self == Switch::On)
            x = add_part({"ln1", place_.source ? "resid_attn" : last_attention, "out"}, x,
                         [&](TensorId input) { return attend("attn", input, input, place_.mask); });
        if (place_.source)
            x = add_part({"ln_cross", last_attention, "cross"}, x, [&](TensorId input) {
                return attend("cross", input, *place_.source, place_.cross_mask);
            });
        if (has_mlp)
            x = add_part({"ln2", "resid_post", "MLP"}, x,
                         [&](TensorId input) { return add_mlp(input); });
        return x;
    }

  private:
    struct Part {
        const char *norm, *result;  // last segments of paths
        const char* symbol;         // of what is added
    };

    /// x + f(x), with the layer norm where the settings say.
    template <typename Function>
    TensorId add_part(const Part& part, TensorId x, Function f) {
        const Norm norm = settings_.block.norm;
        const std::string norm_path = path(part.norm),
                          norm_weights = place_.weights_path() + "." + part.norm;
        const TensorId y =
            f(norm == Norm::Pre
                  ? add_layer_norm(
                        plan_, norm_weights,
                        name(norm_path + ".out", "LN(" + plan_[x].symbol + ")", Stage::Input), x)
                  : x);
        const bool has_residual = settings_.block.residual == Switch::On;
        const std::string X = plan_[x].symbol, sum = X + " + " + part.symbol;
        TensorName result = name(path(part.result), has_residual ? sum : part.symbol);
        if (norm != Norm::Post)
            return has_residual ? add_result(plan_, short_name(std::move(result)), sum,
                                             operations::add, {x, y})
                                : y;
        const TensorId total = has_residual ? add_result(plan_, name(norm_path + ".in", sum), sum,
                                                         operations::add, {x, y})
                                            : y;
        result.symbol = "LN(" + std::string(has_residual ? sum : part.symbol) + ")";
        return add_layer_norm(plan_, norm_weights, short_name(std::move(result)), total);
    }

    TensorId attend(const char* part, TensorId queries, TensorId keys, TensorId mask) {
        AttentionSettings settings = settings_.attention;
        KeyCache cache = queries == keys ? place_.cache : KeyCache{};
        if (!cache.path.empty()) cache.path += "." + std::string(part);
        // Where two sequences meet there is no distance between a query and a key.
        if (queries != keys) settings.relative = RelativePositions::None;
        return add_attention(plan_, settings,
                             {.path = path(part),
                              .weights = weights_path(part),
                              .queries = queries,
                              .keys = keys,
                              .mask = mask,
                              .causal = queries == keys ? place_.causal : Switch::Off,
                              .grid_columns = place_.grid_columns,
                              .cache = std::move(cache)},
                             seed_);
    }

    TensorId add_mlp(TensorId x) {
        const Axis hidden{AxisKind::Hidden, settings_.block.d_ff};
        const TensorId W_in = weight("mlp.W_in", "W_{in}", model_, hidden);
        const TensorId b_in = bias("mlp.b_in", "b_{in}", hidden);
        const TensorId pre = add_result(
            plan_, {path("mlp.pre"), "pre", item_, hidden, Stage::Output},
            plan_[x].symbol + " W_{in} + b_{in}", operations::multiply_add, {x, W_in, b_in});
        const TensorId post = add_result(
            plan_, {path("mlp.post"), "post", item_, hidden, Stage::Output},
            activation_equation(settings_.block.mlp), activation(settings_.block.mlp), {pre});
        const TensorId W_out = weight("mlp.W_out", "W_{out}", hidden, model_);
        const TensorId b_out = bias("mlp.b_out", "b_{out}", model_);
        return add_result(plan_, name(path("mlp.out"), "MLP"), "post W_{out} + b_{out}",
                          operations::multiply_add, {post, W_out, b_out});
    }

    TensorId weight(const char* last, const char* symbol, Axis rows, Axis columns) {
        return add_weight(plan_, {weights_path(last), symbol, rows, columns, Stage::Output}, seed_);
    }
    TensorId bias(const char* last, const char* symbol, Axis columns) {
        return add_constant(plan_, {weights_path(last), symbol, {}, columns, Stage::Output},
                            operations::zeros);
    }

    std::string path(const char* last) const { return place_.path + "." + last; }
    std::string weights_path(const char* last) const { return place_.weights_path() + "." + last; }
    TensorName name(std::string path, std::string symbol, Stage stage = Stage::Output) const {
        return {std::move(path), std::move(symbol), item_, model_, stage};
    }
    /// The residual stream is called X again where it goes on.
    static TensorName short_name(TensorName name) {
        if (name.path.ends_with("resid_mid")) name.symbol = "X_{mid}";
        if (name.path.ends_with("resid_attn")) name.symbol = "X_{attn}";
        return name;
    }

    Plan& plan_;
    const StackSettings& settings_;
    const BlockPlace& place_;
    std::uint64_t seed_;
    Axis item_, model_;
};

}  // namespace

TensorId add_block(Plan& plan, const StackSettings& settings, const BlockPlace& place,
                   std::uint64_t seed) {
    return Block(plan, settings, place, seed).add();
}

TensorId add_layer_norm(Plan& plan, const std::string& weights, TensorName name, TensorId x) {
    const Axis model = plan[x].columns;
    const TensorId w =
        add_constant(plan, {weights + ".w", "γ", {}, model, name.stage}, operations::ones);
    const TensorId b =
        add_constant(plan, {weights + ".b", "β", {}, model, name.stage}, operations::zeros);
    return add_result(plan, std::move(name), "LN(" + plan[x].symbol + ")", operations::layer_norm,
                      {x, w, b});
}

}  // namespace headlight
