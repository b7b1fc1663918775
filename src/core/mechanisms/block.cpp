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
        const Role last_attention = has_mlp ? Role::ResidMid : Role::ResidPost;
        TensorId x = place_.x;
        if (place_.self == Switch::On)
            x = add_part({ComponentKind::Attention, "ln1",
                          place_.source ? Role::ResidAttn : last_attention, "out"},
                         x, [&](TensorId input) { return attend(input, input, place_.mask); });
        if (place_.source)
            x = add_part(
                {ComponentKind::CrossAttention, "ln_cross", last_attention, "cross"}, x,
                [&](TensorId input) { return attend(input, *place_.source, place_.cross_mask); });
        if (has_mlp)
            x = add_part({ComponentKind::Mlp, "ln2", Role::ResidPost, "MLP"}, x,
                         [&](TensorId input) { return add_mlp(input); });
        return x;
    }

  private:
    struct Part {
        ComponentKind component;
        std::string norm;
        Role result;
        const char* symbol;  // of what is added
    };

    /// x + f(x), with the norm where the settings say.
    template <typename Function>
    TensorId add_part(const Part& part, TensorId x, Function f) {
        const Norm norm = settings_.block.norm;
        const Location here = place_.here.with(part.component);
        const NormWeights weights{place_.weights.with(part.component), part.norm};
        const TensorId y =
            f(norm == Norm::Pre
                  ? add_norm(plan_, settings_.norm_type, weights,
                             name(here.beside(part.norm + ".out", Role::NormOutput),
                                  norm_formula(settings_.norm_type, plan_[x].symbol), Stage::Input),
                             x)
                  : x);
        const bool has_residual = settings_.block.residual == Switch::On;
        const std::string X = plan_[x].symbol, sum = X + " + " + part.symbol;
        TensorName result = name(here.beside(part.result), has_residual ? sum : part.symbol);
        if (norm != Norm::Post)
            return has_residual ? add_result(plan_, short_name(std::move(result)), sum,
                                             operations::add, {x, y})
                                : y;
        const TensorId total =
            has_residual
                ? add_result(plan_, name(here.beside(part.norm + ".in", Role::NormInput), sum), sum,
                             operations::add, {x, y})
                : y;
        result.symbol = norm_formula(settings_.norm_type, has_residual ? sum : part.symbol);
        return add_norm(plan_, settings_.norm_type, weights, short_name(std::move(result)), total);
    }

    TensorId attend(TensorId queries, TensorId keys, TensorId mask) {
        AttentionSettings settings = settings_.attention;
        const bool is_self = queries == keys;
        const ComponentKind component =
            is_self ? ComponentKind::Attention : ComponentKind::CrossAttention;
        // Where two sequences meet there is no distance between a query and a key.
        if (!is_self) settings.relative = RelativePositions::None;
        return add_attention(plan_, settings,
                             {.here = place_.here.with(component),
                              .weights = place_.weights.with(component),
                              .queries = queries,
                              .keys = keys,
                              .values = is_self ? place_.values : std::nullopt,
                              .mask = mask,
                              .causal = is_self ? place_.causal : Switch::Off,
                              .grid_columns = place_.grid_columns,
                              .cache = is_self ? place_.cache : KeyCache{},
                              .query_list = is_self ? std::nullopt : place_.cross_list},
                             seed_);
    }

    TensorId add_mlp(TensorId x) {
        const Location mlp = place_.here.with(ComponentKind::Mlp);
        const Axis hidden{AxisKind::Hidden, settings_.block.d_ff};
        const TensorId W_in = weight("W_in", "W_{in}", model_, hidden);
        const TensorId b_in = bias("b_in", "b_{in}", hidden);
        const TensorId pre = add_result(
            plan_, {mlp.at(Role::MlpPre), "pre", item_, hidden, Stage::Output},
            plan_[x].symbol + " W_{in} + b_{in}", operations::multiply_add, {x, W_in, b_in});
        const TensorId post = add_result(
            plan_, {mlp.at("post"), "post", item_, hidden, Stage::Output},
            activation_equation(settings_.block.mlp), activation(settings_.block.mlp), {pre});
        const TensorId W_out = weight("W_out", "W_{out}", hidden, model_);
        const TensorId b_out = bias("b_out", "b_{out}", model_);
        return add_result(plan_, name(mlp.at(Role::MlpOutput), "MLP"), "post W_{out} + b_{out}",
                          operations::multiply_add, {post, W_out, b_out});
    }

    TensorId weight(const char* last, const char* symbol, Axis rows, Axis columns) {
        const Location mlp = place_.weights.with(ComponentKind::Mlp);
        return add_weight(plan_, {mlp.at(last), symbol, rows, columns, Stage::Output}, seed_);
    }
    TensorId bias(const char* last, const char* symbol, Axis columns) {
        const Location mlp = place_.weights.with(ComponentKind::Mlp);
        return add_constant(plan_, {mlp.at(last, Role::Bias), symbol, {}, columns, Stage::Output},
                            operations::zeros);
    }

    TensorName name(Named named, std::string symbol, Stage stage = Stage::Output) const {
        return {std::move(named), std::move(symbol), item_, model_, stage};
    }
    /// The residual stream is called X again where it goes on.
    static TensorName short_name(TensorName name) {
        if (name.named.identity.role == Role::ResidMid) name.symbol = "X_{mid}";
        if (name.named.identity.role == Role::ResidAttn) name.symbol = "X_{attn}";
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

TensorId add_norm(Plan& plan, NormType type, const NormWeights& weights, TensorName name,
                  TensorId x) {
    const Axis model = plan[x].columns;
    const auto leaf = [&](const char* last, Role role, const char* symbol) {
        Named named = weights.place.beside(std::string(weights.name) + last, role);
        return TensorName{std::move(named), symbol, {}, model, name.stage};
    };
    std::string equation = norm_formula(type, plan[x].symbol);
    const TensorId w = add_constant(plan, leaf(".w", Role::Gain, "γ"), operations::ones);
    if (type == NormType::Rms)
        return add_result(plan, std::move(name), std::move(equation), operations::rms_norm, {x, w});
    const TensorId b = add_constant(plan, leaf(".b", Role::Bias, "β"), operations::zeros);
    return add_result(plan, std::move(name), std::move(equation), operations::layer_norm,
                      {x, w, b});
}

const char* final_norm_symbol(NormType type) {
    return type == NormType::Rms ? "RMSNorm_{final}" : "LN_{final}";
}

std::string norm_formula(NormType type, const std::string& symbol) {
    return (type == NormType::Rms ? "RMSNorm(" : "LN(") + symbol + ")";
}

}  // namespace headlight
