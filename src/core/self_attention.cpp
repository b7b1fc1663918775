#include "core/self_attention.h"

#include <cmath>

#include "core/add_tensor.h"
#include "core/error.h"
#include "core/operations.h"

namespace headlight {
namespace {

/// Names the tensors of one sentence, one layer after another.
class Sentence {
  public:
    Sentence(const std::vector<std::string>& words, const SelfAttentionSettings& settings,
             std::uint64_t seed)
        : settings_(settings), seed_(seed), n_(static_cast<Index>(words.size())) {
        trace_.item_noun = "token";
        trace_.items = std::make_shared<const std::vector<std::string>>(words);
    }

    Trace plan() {
        std::vector<TensorId> input = name_input();
        mask_ = trace_.add(
            {.path = "mask",
             .symbol = "M",
             .equation =
                 settings_.mask == MaskKind::Causal ? "M(i,j) = 0 if j ≤ i, else −∞" : "M = 0",
             .rows = {AxisKind::Query, n_},
             .columns = {AxisKind::Key, n_},
             .quantity = Quantity::Mask,
             .stage = Stage::Score,
             .operation = settings_.mask == MaskKind::Causal ? &operations::causal_mask
                                                             : &operations::open_mask});
        for (int l = 0; l < settings_.n_layers; ++l)
            input = {name_layer("blocks." + std::to_string(l), input)};
        return std::move(trace_);
    }

  private:
    /// What the first layer's X is the sum of.
    std::vector<TensorId> name_input() {
        auto keys = std::make_shared<std::vector<std::string>>();
        for (const std::string& word : *trace_.items) keys->push_back("word:" + word);
        const TensorId embed = trace_.add({.path = "embed",
                                           .symbol = "E",
                                           .equation = "one vector a word",
                                           .rows = item(),
                                           .columns = model(),
                                           .stage = Stage::Input,
                                           .operation = &operations::named_rows,
                                           .settings = {.seed = seed_, .names = keys}});
        if (settings_.positions == PositionKind::None) return {embed};
        return {embed, trace_.add({.path = "pos_embed",
                                   .symbol = "P",
                                   .equation = "sin, cos(i / 10000^{f/d})",
                                   .rows = item(),
                                   .columns = model(),
                                   .stage = Stage::Input,
                                   .operation = &operations::sinusoidal_positions})};
    }

    TensorId name_layer(const std::string& block, const std::vector<TensorId>& input) {
        const bool is_sum = input.size() == 2;
        const TensorId x =
            trace_.add({.path = block + ".resid_pre",
                        .symbol = "X",
                        .equation = is_sum ? "X = E + P" : "X = " + trace_[input[0]].symbol,
                        .rows = item(),
                        .columns = model(),
                        .stage = Stage::Input,
                        .operation = is_sum ? &operations::add : &operations::copy,
                        .inputs = input});
        const TensorId W_O =
            weight(block + ".attn.W_O", "W_O",
                   {AxisKind::Concat, settings_.n_heads * settings_.d_v}, model(), Stage::Output);
        std::vector<TensorId> z;
        for (int h = 0; h < settings_.n_heads; ++h)
            z.push_back(name_head(block + ".attn.heads." + std::to_string(h), x, W_O, h));
        return name_output(block, x, W_O, std::move(z));
    }

    TensorId name_head(const std::string& head, TensorId x, TensorId W_O, int h) {
        const Axis d_k{AxisKind::HeadKey, settings_.d_k}, d_v{AxisKind::HeadValue, settings_.d_v};
        const TensorId W_Q = weight(head + ".W_Q", "W_Q", model(), d_k);
        const TensorId W_K = weight(head + ".W_K", "W_K", model(), d_k);
        const TensorId W_V = weight(head + ".W_V", "W_V", model(), d_v);
        const TensorId q = project(head + ".q", "Q", query(), d_k, x, W_Q);
        const TensorId k = project(head + ".k", "K", key(), d_k, x, W_K);
        const TensorId v = project(head + ".v", "V", key(), d_v, x, W_V);
        const TensorId pattern = name_pattern(head, q, k);
        const TensorId z = trace_.add({.path = head + ".z",
                                       .symbol = "Z",
                                       .equation = "Z = A V",
                                       .rows = query(),
                                       .columns = d_v,
                                       .stage = Stage::Mix,
                                       .operation = &operations::multiply,
                                       .inputs = {pattern, v}});
        trace_.add({.path = head + ".result",
                    .symbol = "Z W_O",
                    .equation = "Z W_O[head " + std::to_string(h) + "]",
                    .rows = query(),
                    .columns = model(),
                    .stage = Stage::Mix,
                    .keep = Keep::OnDemand,
                    .operation = &operations::multiply,
                    .settings = {.begin = Index(h) * settings_.d_v},
                    .inputs = {z, W_O}});
        return z;
    }

    TensorId name_pattern(const std::string& head, TensorId q, TensorId k) {
        const TensorId scores =
            trace_.add({.path = head + ".scores",
                        .symbol = "S",
                        .equation = "S = Q K^T / √d_k",
                        .rows = query(),
                        .columns = key(),
                        .stage = Stage::Score,
                        .keep = Keep::WhenSmall,
                        .operation = &operations::multiply_transposed,
                        .settings = {.scale = 1 / std::sqrt(static_cast<Scalar>(settings_.d_k))},
                        .inputs = {q, k}});
        const TensorId masked = trace_.add({.path = head + ".masked_scores",
                                            .symbol = "S + M",
                                            .equation = "S + mask",
                                            .rows = query(),
                                            .columns = key(),
                                            .stage = Stage::Score,
                                            .keep = Keep::WhenSmall,
                                            .operation = &operations::add,
                                            .inputs = {scores, mask_}});
        return trace_.add({.path = head + ".pattern",
                           .symbol = "A",
                           .equation = "A = softmax(Q K^T / √d_k + M)",
                           .rows = query(),
                           .columns = key(),
                           .quantity = Quantity::Probability,
                           .stage = Stage::Score,
                           .keep = Keep::WhenSmall,
                           .operation = &operations::softmax_rows,
                           .inputs = {masked}});
    }

    TensorId name_output(const std::string& block, TensorId x, TensorId W_O,
                         std::vector<TensorId> z) {
        const TensorId concat =
            trace_.add({.path = block + ".attn.concat",
                        .symbol = "concat",
                        .equation = "[Z_0 | Z_1 | …]",
                        .rows = query(),
                        .columns = {AxisKind::Concat, settings_.n_heads * settings_.d_v},
                        .stage = Stage::Output,
                        .operation = &operations::concat_columns,
                        .inputs = std::move(z)});
        const TensorId out = trace_.add({.path = block + ".attn.out",
                                         .symbol = "out",
                                         .equation = "concat · W_O",
                                         .rows = query(),
                                         .columns = model(),
                                         .stage = Stage::Output,
                                         .operation = &operations::multiply,
                                         .inputs = {concat, W_O}});
        if (settings_.residual == Residual::Off) return out;
        return trace_.add({.path = block + ".resid_post",
                           .symbol = "X + out",
                           .equation = "X + out",
                           .rows = item(),
                           .columns = model(),
                           .stage = Stage::Output,
                           .operation = &operations::add,
                           .inputs = {x, out}});
    }

    TensorId weight(std::string path, std::string symbol, Axis rows, Axis columns,
                    Stage stage = Stage::Weight) {
        return add_weight(trace_, {std::move(path), std::move(symbol), rows, columns, stage},
                          seed_);
    }

    TensorId project(std::string path, std::string symbol, Axis rows, Axis columns, TensorId x,
                     TensorId W) {
        std::string equation = symbol + " = X " + trace_[W].symbol;
        return add_product(trace_,
                           {std::move(path), std::move(symbol), rows, columns, Stage::Projection},
                           std::move(equation), x, W);
    }

    Axis item() const { return {AxisKind::Item, n_}; }
    Axis query() const { return {AxisKind::Query, n_}; }
    Axis key() const { return {AxisKind::Key, n_}; }
    Axis model() const { return {AxisKind::Model, settings_.d_model}; }

    const SelfAttentionSettings& settings_;
    std::uint64_t seed_;
    Index n_;
    Trace trace_;
    TensorId mask_ = 0;
};

}  // namespace

Trace plan_self_attention(const std::vector<std::string>& words,
                          const SelfAttentionSettings& settings, std::uint64_t seed) {
    if (words.empty()) throw Error("sentence", "there is no word to attend to; type a sentence");
    if (settings.n_layers < 1 || settings.n_heads < 1 || settings.d_model < 1 || settings.d_k < 1 ||
        settings.d_v < 1)
        throw Error("sentence", "layers, heads and widths must be at least 1");
    return Sentence(words, settings, seed).plan();
}

}  // namespace headlight
