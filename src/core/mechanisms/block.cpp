#include "core/mechanisms/block.h"

#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "core/numeric/short_number.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"

namespace headlight {
namespace {

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
        if (settings_.block.parallel == Switch::On && has_mlp) return add_parallel();
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
    /// Adds parts that all read the block's input, and are added to it.
    TensorId add_parallel() {
        if (settings_.block.norm == Norm::Post || settings_.block.norm == Norm::Both)
            throw Error(
                "block",
                "attention and MLP side by side have no norms after them; make the norm pre or "
                "none, or parallel off");
        std::vector<TensorId> parts;
        std::string sum;
        const auto add = [&](const Part& part, auto f) {
            parts.push_back(f(add_pre_norm(part, place_.x)));
            sum += (sum.empty() ? "" : " + ") + std::string(part.symbol);
        };
        if (settings_.block.residual == Switch::On) {
            parts.push_back(place_.x);
            sum = plan_[place_.x].symbol;
        }
        if (place_.self == Switch::On)
            add({ComponentKind::Attention, "ln1", Role::Other, "out"},
                [&](TensorId input) { return attend(input, input, place_.mask); });
        if (place_.source)
            add({ComponentKind::CrossAttention, "ln_cross", Role::Other, "cross"},
                [&](TensorId input) { return attend(input, *place_.source, place_.cross_mask); });
        add({ComponentKind::Mlp, "ln2", Role::Other, "MLP"},
            [&](TensorId input) { return add_mlp(input); });
        const Location here = place_.here.with(ComponentKind::Mlp);
        return add_result(plan_, name(here.beside(Role::ResidPost), sum), sum,
                          operations::scaled_sum, std::move(parts));
    }

    struct Part {
        ComponentKind component;
        std::string norm;
        Role result;
        const char* symbol;  // of the addend
    };

    /// Adds x + f(x), with the norm where the settings say.
    template <typename Function>
    TensorId add_part(const Part& part, TensorId x, Function f) {
        const Norm norm = settings_.block.norm;
        const Location here = place_.here.with(part.component);
        TensorId y = f(add_pre_norm(part, x));
        std::string addend = part.symbol;
        if (norm == Norm::Both) {
            const std::string own = part.norm + "_post";
            addend = norm_formula(settings_.norm_type, addend);
            y = add_norm(plan_, settings_, {place_.weights.with(part.component), own},
                         name(here.beside(own + ".out", Role::NormOutput), addend), y);
        }
        const bool has_residual = settings_.block.residual == Switch::On;
        const std::string sum = fmt::format("{} + {}", plan_[x].symbol, addend);
        TensorName result = name(here.beside(part.result), has_residual ? sum : addend);
        if (norm != Norm::Post)
            return has_residual ? add_result(plan_, short_name(std::move(result)), sum,
                                             operations::add, {x, y})
                                : y;
        const TensorId total =
            has_residual
                ? add_result(plan_, name(here.beside(part.norm + ".in", Role::NormInput), sum), sum,
                             operations::add, {x, y})
                : y;
        result.symbol = norm_formula(settings_.norm_type, has_residual ? sum : addend);
        return add_norm(plan_, settings_, norm_weights(part), short_name(std::move(result)), total);
    }

    NormWeights norm_weights(const Part& part) const {
        return {place_.weights.with(part.component), part.norm};
    }
    /// Adds the input of the part: x, or its norm.
    TensorId add_pre_norm(const Part& part, TensorId x) {
        if (settings_.block.norm != Norm::Pre && settings_.block.norm != Norm::Both) return x;
        const Location here = place_.here.with(part.component);
        return add_norm(plan_, settings_, norm_weights(part),
                        name(here.beside(part.norm + ".out", Role::NormOutput),
                             norm_formula(settings_.norm_type, plan_[x].symbol), Stage::Input),
                        x);
    }

    TensorId attend(TensorId queries, TensorId keys, TensorId mask) {
        AttentionSettings settings = settings_.attention;
        const bool is_self = queries == keys;
        const ComponentKind component =
            is_self ? ComponentKind::Attention : ComponentKind::CrossAttention;
        // There is no distance between a query and a key of two different sequences.
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
                              .norm_epsilon = decimal(settings_.norm_epsilon),
                              .cache = is_self ? place_.cache : KeyCache{},
                              .query_list = is_self ? std::nullopt : place_.cross_list},
                             seed_);
    }

    TensorId add_mlp(TensorId x) {
        const Location mlp = place_.here.with(ComponentKind::Mlp);
        const Axis hidden{AxisKind::Hidden, settings_.block.d_ff};
        const auto function = activation(settings_.block.mlp);
        const auto hidden_name = [&](Named named, const char* letter) {
            return TensorName{std::move(named), letter, item_, hidden, Stage::Output};
        };
        const auto activate = [&](TensorName name, TensorId before) {
            const std::string formula =
                fmt::format("{}({})", function.symbol, plan_[before].symbol);
            return add_result(plan_, std::move(name), formula, function.operation, {before});
        };
        const TensorId pre = add_dense(hidden_name(mlp.at(Role::MlpPre), "pre"), "in", x);
        TensorId post = 0;
        if (settings_.block.mlp_gate == Switch::On) {
            const TensorId gate_pre = add_dense(hidden_name(mlp.at("gate_pre"), "g"), "gate", x);
            const TensorId gate = activate(hidden_name(mlp.at(Role::MlpGate), "gate"), gate_pre);
            post = add_result(plan_, hidden_name(mlp.at("post"), "post"), "gate ⊙ pre",
                              operations::hadamard, {gate, pre});
        } else {
            post = activate(hidden_name(mlp.at("post"), "post"), pre);
        }
        return add_dense(name(mlp.at(Role::MlpOutput), "MLP"), "out", post);
    }

    /// Adds x W + b; W_in and b_in for "in". Without biases x W.
    TensorId add_dense(TensorName name, const std::string& what, TensorId x) {
        const Location mlp = place_.weights.with(ComponentKind::Mlp);
        const std::string W_symbol = "W_{" + what + "}", b_symbol = "b_{" + what + "}";
        const std::string product = plan_[x].symbol + " " + W_symbol;
        const TensorId W = add_weight(
            plan_, {mlp.at("W_" + what), W_symbol, plan_[x].columns, name.columns, Stage::Output},
            seed_);
        if (settings_.block.mlp_bias == Switch::Off)
            return add_product(plan_, std::move(name), product, x, W);
        const TensorId b = add_constant(
            plan_, {mlp.at("b_" + what, Role::Bias), b_symbol, {}, name.columns, Stage::Output},
            operations::zeros);
        return add_result(plan_, std::move(name), product + " + " + b_symbol,
                          operations::multiply_add, {x, W, b});
    }

    TensorName name(Named named, std::string symbol, Stage stage = Stage::Output) const {
        return {std::move(named), std::move(symbol), item_, model_, stage};
    }
    /// Calls the residual stream X again where it goes on.
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

Activated activation(Mlp mlp) {
    switch (mlp) {
        case Mlp::Relu:
            return {operations::relu, "ReLU"};
        case Mlp::Gelu:
            return {operations::gelu, "GELU"};
        case Mlp::GeluTanh:
            return {operations::gelu_tanh, "GELU_{tanh}"};
        case Mlp::Silu:
            return {operations::silu, "SiLU"};
        case Mlp::None:
            break;
    }
    throw Error("block", "there is no MLP");
}

TensorId add_norm(Plan& plan, const StackSettings& settings, const NormWeights& weights,
                  TensorName name, TensorId x) {
    const NormType type = settings.norm_type;
    OperationSettings constants{.epsilon = decimal(settings.norm_epsilon)};
    const Axis model = plan[x].columns;
    const auto leaf = [&](const char* last, Role role, const char* symbol) {
        Named named = weights.place.beside(std::string(weights.name) + last, role);
        return TensorName{std::move(named), symbol, {}, model, name.stage};
    };
    std::string equation = norm_formula(type, plan[x].symbol);
    const TensorId w = add_constant(plan, leaf(".w", Role::Gain, "γ"), operations::ones);
    if (type == NormType::Rms)
        return add_result(plan, std::move(name), std::move(equation), operations::rms_norm, {x, w},
                          std::move(constants));
    const TensorId b = add_constant(plan, leaf(".b", Role::Bias, "β"), operations::zeros);
    return add_result(plan, std::move(name), std::move(equation), operations::layer_norm, {x, w, b},
                      std::move(constants));
}

const char* final_norm_symbol(NormType type) {
    return type == NormType::Rms ? "RMSNorm_{final}" : "LN_{final}";
}

std::string norm_formula(NormType type, const std::string& symbol) {
    return (type == NormType::Rms ? "RMSNorm(" : "LN(") + symbol + ")";
}

}  // namespace headlight
