#include "core/mechanisms/stack.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/word_table.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// The most logits that are always computed; more, of a long text and a large vocabulary, are
/// computed only on demand.
constexpr Index kMostLogits = Index(1) << 22;

}  // namespace

std::string self_mask_word(const MaskSettings& settings, int layer) {
    const int window = settings.window.of(layer);
    return settings.window.differ() && window > 0 ? fmt::format("window{}_mask", window) : "mask";
}

StackSettings settings_of_layer(const StackSettings& settings, int layer) {
    StackSettings s = settings;
    const Widths& rotary = s.attention.rotary_layers;
    if (rotary.is_list() && std::ssize(rotary.values) != s.n_layers)
        throw Error("attention",
                    "rotary_layers lists {} layers of {}; give 1 or 0 for all, or for each",
                    rotary.values.size(), s.n_layers);
    const bool is_rotary = s.attention.relative == RelativePositions::Rotary;
    if (is_rotary && rotary.of(layer) == 0) s.attention.relative = RelativePositions::None;
    if (s.attention.rotary_window_base == 0 || s.mask.window.of(layer) == 0) return s;
    s.attention.rotary_base = s.attention.rotary_window_base;
    s.attention.rotary_scaling = RotaryScaling::None;
    return s;
}

Stack::Stack(Plan& plan, const StackSettings& settings, const Over& over, std::uint64_t seed)
    : plan_(plan),
      settings_(settings),
      network_(over.network),
      weights_(over.weights),
      seed_(seed),
      item_{AxisKind::Item, static_cast<Index>(plan.items(over.list).size()), over.list,
            over.groups},
      model_{AxisKind::Model, settings.d_model},
      table_(over.table),
      written_(over.written) {}

std::vector<TensorId> Stack::add_words() {
    const Index group_rows = item_.groups > 1 ? item_.size / item_.groups : 0;
    std::vector<TensorId> parts{add_embedding()};
    const TensorName positions = name(input().at(Role::Positions), "P", Stage::Input);
    if (settings_.positions == Positions::Sinusoidal)
        parts.push_back(add_result(plan_, positions, "sin, cos(i / 10000^{2⌊f/2⌋/d})",
                                   operations::sinusoidal_positions, {},
                                   {.group_rows = group_rows}));
    if (settings_.positions == Positions::Learned)
        parts.push_back(add_learned_positions(positions, group_rows));
    if (settings_.token_types > 0) parts.push_back(add_types());
    return parts;
}

TensorId Stack::add_embedding() {
    const TensorName E = name(input().at(Role::Embedding), "E", Stage::Input);
    const TensorId embed =
        table_ ? add_looked_up(plan_, E, weights_, table_, seed_)
               : add_result(plan_, E, "one vector a word", operations::named_rows, {},
                            {.seed = seed_, .names = embedding_keys(plan_.items(item_.list))});
    if (settings_.embedding_scale == 1) return embed;
    return add_result(plan_, name(input().at("embed_scaled"), "s E", Stage::Input), "s E",
                      operations::scaled_sum, {embed},
                      {.scale = static_cast<Scalar>(settings_.embedding_scale)});
}

/// Adds the vector of each word's type: the number of separators before it in its sentence.
TensorId Stack::add_types() {
    const Index n = item_.size / item_.groups, last = settings_.token_types - 1;
    Matrix numbers(item_.size, 1);
    for (Index i = 0, type = 0; i < item_.size; ++i) {
        if (i % n == 0) type = 0;
        numbers(i, 0) = static_cast<Scalar>(type);
        if (plan_.items(item_.list)[static_cast<std::size_t>(i)] == kPartSeparator)
            type = std::min(type + 1, last);
    }
    const TensorId types =
        add_listed(plan_, {input().at("types"), "c", item_, {}, Stage::Input, Quantity::Amount},
                   "which part of the text the word is in", std::move(numbers));
    const TensorId W_type = add_table(plan_,
                                      {Location{.network = weights_}.at("W_type"),
                                       "W_{type}",
                                       {AxisKind::Bucket, settings_.token_types},
                                       model_,
                                       Stage::Input},
                                      seed_);
    return add_result(plan_, name(input().at("type_embed"), "C", Stage::Input),
                      "C(i) = W_{type}(c(i))", operations::look_up_rows, {types, W_type});
}

Axis Stack::vocabulary_axis() {
    return headlight::vocabulary_axis(plan_, weights_, table_);
}

TensorId Stack::add_sum(Named named, const std::vector<TensorId>& parts) {
    TensorName X = name(std::move(named), "X", Stage::Input);
    if (parts.size() == 1)
        return add_result(plan_, X, "X = " + plan_[parts[0]].symbol, operations::copy, {parts[0]});
    std::string sum = plan_[parts[0]].symbol;
    for (std::size_t k = 1; k < parts.size(); ++k) sum += " + " + plan_[parts[k]].symbol;
    const Operation& operation = parts.size() == 2 ? operations::add : operations::scaled_sum;
    return add_result(plan_, X, "X = " + sum, operation, parts);
}

std::vector<TensorId> Stack::add_embedding_norm(std::vector<TensorId> parts) {
    if (settings_.embedding_norm == Switch::Off) return parts;
    const TensorId sum = add_sum(input().at("embed_sum"), parts);
    return {add_norm(plan_, settings_, {{.network = weights_}, "ln_embed"},
                     name(input().at("ln_embed.out", Role::NormOutput),
                          norm_formula(settings_.norm_type, "X"), Stage::Input),
                     sum)};
}

TensorId Stack::add_mask(Named named, const MaskRule& rule, Axis key) {
    Axis query = item_;
    query.kind = AxisKind::Query, key.kind = AxisKind::Key;
    key.size /= key.groups, key.groups = 1;
    OperationSettings settings = mask_settings(rule, query.size / query.groups, key.size);
    std::string equation = mask_equation(settings);
    return add_result(
        plan_, {std::move(named), "M", query, key, Stage::Score, Quantity::Mask, Keep::WhenSmall},
        std::move(equation), operations::attention_mask, {}, std::move(settings));
}

std::vector<TensorId> Stack::add_self_masks(const MaskSettings& settings) {
    const Widths& windows = settings.window;
    if (windows.is_list() && std::ssize(windows.values) != settings_.n_layers)
        throw Error("mask",
                    "{} windows are listed for {} layers; give one window, or one for each layer",
                    windows.values.size(), settings_.n_layers);
    std::map<std::string, TensorId> by_word;
    std::vector<TensorId> masks;
    for (int l = 0; l < settings_.n_layers; ++l) {
        const std::string word = self_mask_word(settings, l);
        if (!by_word.contains(word))
            by_word[word] =
                add_mask(input().at(word, Role::Mask),
                         sentence_mask(settings, plan_.items(item_.list), item_.groups, l), item_);
        masks.push_back(by_word.at(word));
    }
    return masks;
}

TensorId Stack::add_layers(std::vector<TensorId> input, BlockPlace place,
                           const std::vector<TensorId>& masks) {
    const bool points = settings_.last_layer == LastLayer::Pointing;
    if (points && place.source)
        throw Error("stack", "a pointing last layer reads its own words, not a source");
    const TensorId words = input[0];
    input = add_embedding_norm(std::move(input));
    place.cross_list = written_;
    for (int l = 0; l < settings_.n_layers; ++l) {
        place.here = {.network = network_, .component = place.first(), .layer = l};
        place.weights = {.network = weights_, .component = place.first(), .layer = l};
        place.x = add_sum(place.here.beside(Role::ResidPre), input);
        if (!masks.empty()) place.mask = masks[static_cast<std::size_t>(l)];
        StackSettings settings = settings_of_layer(settings_, l);
        if (points && l + 1 == settings_.n_layers) {
            settings.block.residual = Switch::Off;
            settings.block.mlp = Mlp::None;
            place.values = words;
            if (settings.readout == Readout::Questions) {  // a head gives out the words themselves
                settings.attention.value = Projection::Identity;
                settings.attention.output = Switch::Off;
            }
        }
        input = {add_block(plan_, settings, place, seed_)};
    }
    return input[0];
}

TensorId Stack::add_final_norm(TensorId x) {
    if (settings_.final_norm == Switch::Off) return x;
    const Location here{.network = network_, .component = ComponentKind::Output};
    return add_norm(plan_, settings_,
                    {{.network = weights_, .component = ComponentKind::Output}, "ln_final"},
                    name(here.at("ln_final.out", Role::NormOutput),
                         final_norm_symbol(settings_.norm_type), Stage::Output),
                    x);
}

TensorId Stack::add_unembedding(TensorId x, std::vector<std::string> vocabulary) {
    if (settings_.unembedding == Unembedding::None) return x;
    const bool is_masked = settings_.readout == Readout::MaskedWord;
    if (is_masked) x = add_masked_head(x);
    const char* probability =
        is_masked ? "p(word) = softmax(logits)" : "p(next word) = softmax(logits)";
    if (table_) return add_logits(x, vocabulary_axis(), probability);
    const auto n_words = static_cast<Index>(vocabulary.size());
    const Axis words{AxisKind::Named, n_words, plan_.add_list("vocabulary", std::move(vocabulary))};
    return add_logits(x, words, probability);
}

/// Adds a dense layer, the MLP's activation and a norm.
TensorId Stack::add_masked_head(TensorId x) {
    if (settings_.block.mlp == Mlp::None)
        throw Error("stack",
                    "the read-out of a masked word has the activation of the MLP, and there is no "
                    "MLP; choose one");
    const Location output{.component = ComponentKind::Output};
    const TensorId W =
        add_weight(plan_, {output.at("head.W"), "W_{head}", model_, model_, Stage::Output}, seed_);
    const TensorId b = add_constant(
        plan_, {output.at("head.b", Role::Bias), "b_{head}", {}, model_, Stage::Output},
        operations::zeros);
    const TensorId pre =
        add_result(plan_, name(output.at("head.pre"), "h", Stage::Output),
                   plan_[x].symbol + " W_{head} + b_{head}", operations::multiply_add, {x, W, b});
    const auto [operation, symbol] = activation(settings_.block.mlp);
    const std::string activated = std::string(symbol) + "(h)";
    const TensorId post = add_result(plan_, name(output.at("head.post"), activated, Stage::Output),
                                     activated, operation, {pre});
    return add_norm(plan_, settings_, {output, "ln_head"},
                    name(output.at("ln_head.out", Role::NormOutput),
                         norm_formula(settings_.norm_type, activated), Stage::Output),
                    post);
}

TensorId Stack::add_answer(TensorId x, const std::vector<Index>& places,
                           std::vector<std::string> asked) {
    const auto n = static_cast<Index>(places.size());
    Matrix rows(n, 1);
    for (Index g = 0; g < n; ++g) {
        const Index place = places[static_cast<std::size_t>(g)];
        rows(g, 0) = place == kNowhere ? std::numeric_limits<Scalar>::quiet_NaN()
                                       : static_cast<Scalar>(place);
    }
    const Axis question{AxisKind::Named, n, plan_.add_list("pronoun", std::move(asked)), n};
    const Location output{.component = ComponentKind::Output};
    const TensorId at =
        add_listed(plan_, {output.at("asked"), "i", question, {}, Stage::Output, Quantity::Amount},
                   "the row of the pronoun", std::move(rows));
    const TensorId asked_out =
        add_result(plan_, {output.at("asked_out"), "y_i", question, model_, Stage::Output},
                   "the pronoun's row of " + plan_[x].symbol, operations::pick_rows, {at, x},
                   {.group_rows = n > 1 ? item_.size / n : 0});
    const TensorId logits =
        add_logits(asked_out, vocabulary_axis(), "p(what it stands for) = softmax(logits)");
    const Axis words{AxisKind::Key, item_.size / item_.groups, item_.list};
    const TensorId of_words =
        add_result(plan_, {output.at("answer_logits"), "a", question, words, Stage::Output},
                   "the logits of the sentence's words", operations::pick_columns,
                   {logits, plan_.id_at(input().at(Role::Tokens).path)});
    add_result(
        plan_,
        {output.at(Role::Answer), "answer", question, words, Stage::Output, Quantity::Probability},
        "softmax(a)", operations::softmax_rows, {of_words});
    return logits;
}

/// Adds W_U, b_U, logits and probs of the rows of x.
TensorId Stack::add_logits(TensorId x, const Axis& words, const char* probability) {
    const Location output{.component = ComponentKind::Output};
    x = add_scaled(x);
    const TensorId W = add_W_U(words);
    const bool is_tied = settings_.unembedding == Unembedding::Tied;
    std::vector<TensorId> inputs{x, W};
    std::string equation =
        fmt::format("{} {}{}", plan_[x].symbol, plan_[W].symbol, is_tied ? "^T" : "");
    const Operation* operation = is_tied ? &operations::multiply_transposed : &operations::multiply;
    if (settings_.unembedding_bias == Switch::On) {
        inputs.push_back(
            add_constant(plan_, {output.at("b_U", Role::Bias), "b_U", {}, words, Stage::Output},
                         operations::zeros));
        equation += " + b_U";
        operation = is_tied ? &operations::multiply_transposed_add : &operations::multiply_add;
    }
    Axis rows = plan_[x].rows;
    if (written_) rows.list = *written_;
    const Keep keep = rows.size * words.size > kMostLogits ? Keep::OnDemand : Keep::Always;
    const auto name = [&](Named named, const char* symbol) {
        return TensorName{std::move(named), symbol,           rows, words,
                          Stage::Output,    Quantity::Signed, keep};
    };
    const float cap = settings_.logit_cap;
    const TensorId made = add_result(plan_,
                                     cap > 0 ? name(output.at("uncapped_logits"), "logits_{raw}")
                                             : name(output.at(Role::Logits), "logits"),
                                     equation, *operation, std::move(inputs));
    const TensorId logits =
        cap > 0 ? add_capped(plan_, name(output.at(Role::Logits), "logits"), made, cap) : made;
    add_result(plan_,
               {output.at(Role::Probabilities), "p", rows, words, Stage::Output,
                Quantity::Probability, keep},
               probability, operations::softmax_rows, {logits});
    return logits;
}

TensorId Stack::add_scaled(TensorId x) {
    if (settings_.logit_scale == 1) return x;
    const std::string scaled = "s " + plan_[x].symbol;
    return add_result(
        plan_, {kNetworkOutput.at("out_scaled"), scaled, plan_[x].rows, model_, Stage::Output},
        scaled, operations::scaled_sum, {x}, {.scale = static_cast<Scalar>(settings_.logit_scale)});
}

/// Adds W_U; returns W_E itself where the words have a table and W_U is tied to it.
TensorId Stack::add_W_U(const Axis& words) {
    const bool is_tied = settings_.unembedding == Unembedding::Tied;
    if (is_tied && table_) return plan_.id_at(Location{.network = weights_}.at("W_E").path);
    const TensorName W_U{kNetworkOutput.at("W_U"), "W_U", is_tied ? words : model_,
                         is_tied ? model_ : words, Stage::Output};
    if (!is_tied) return add_weight(plan_, W_U, seed_);
    return add_leaf(plan_, W_U, "starts as the words' embeddings", operations::named_rows,
                    {.seed = seed_, .names = embedding_keys(plan_.items(words.list))});
}

TensorName Stack::name(Named named, std::string symbol, Stage stage) const {
    return {std::move(named), std::move(symbol), item_, model_, stage};
}

/// Adds one learned row a position, the same in every stacked sentence.
TensorId Stack::add_learned_positions(const TensorName& name, Index group_rows) {
    if (group_rows == 0 && table_) group_rows = item_.size;
    if (group_rows == 0)
        return add_table(plan_, {name.named, name.symbol, item_, model_, Stage::Input}, seed_);
    const TensorId W_pos = add_table(
        plan_,
        {input().at("W_pos"), "W_{pos}", {AxisKind::Position, group_rows}, model_, Stage::Input},
        seed_);
    auto places = std::make_shared<std::vector<Index>>();
    for (Index i = 0; i < item_.size; ++i) places->push_back(i % group_rows);
    return add_result(plan_, name, "P(i) = W_{pos}(i)", operations::gather_rows, {W_pos},
                      {.indices = places});
}

}  // namespace headlight
