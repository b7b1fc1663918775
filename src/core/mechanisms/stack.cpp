#include "core/mechanisms/stack.h"

#include <limits>
#include <utility>

#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/word_embedding.h"
#include "core/operations/block_operations.h"
#include "core/operations/operations.h"
#include "core/operations/table_operations.h"

namespace headlight {

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
    return parts;
}

TensorId Stack::add_embedding() {
    const TensorName E = name(input().at(Role::Embedding), "E", Stage::Input);
    const std::vector<std::string>& words = plan_.items(item_.list);
    if (!table_)
        return add_result(plan_, E, "one vector a word", operations::named_rows, {},
                          {.seed = seed_, .names = embedding_keys(words)});
    return add_looked_up(plan_, E, weights_, table_, seed_);
}

Axis Stack::vocabulary_axis() {
    return headlight::vocabulary_axis(plan_, weights_, table_);
}

TensorId Stack::add_sum(Named named, const std::vector<TensorId>& parts) {
    TensorName X = name(std::move(named), "X", Stage::Input);
    if (parts.size() == 1)
        return add_result(plan_, X, "X = " + plan_[parts[0]].symbol, operations::copy, {parts[0]});
    return add_result(plan_, X, "X = E + P", operations::add, parts);
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

TensorId Stack::add_self_mask(const MaskSettings& settings) {
    return add_mask(input().at(Role::Mask),
                    sentence_mask(settings, plan_.items(item_.list), item_.groups), item_);
}

TensorId Stack::add_layers(std::vector<TensorId> input, BlockPlace place) {
    const bool points = settings_.last_layer == LastLayer::Pointing;
    if (points && place.source)
        throw Error("stack", "a pointing last layer reads its own words, not a source");
    const TensorId words = input[0];
    place.cross_list = written_;
    for (int l = 0; l < settings_.n_layers; ++l) {
        place.here = {.network = network_, .component = place.first(), .layer = l};
        place.weights = {.network = weights_, .component = place.first(), .layer = l};
        place.x = add_sum(place.here.beside(Role::ResidPre), input);
        StackSettings settings = settings_;
        if (points && l + 1 == settings_.n_layers) {
            settings.block.residual = Switch::Off;
            settings.block.mlp = Mlp::None;
            place.values = words;
        }
        input = {add_block(plan_, settings, place, seed_)};
    }
    return input[0];
}

TensorId Stack::add_final_norm(TensorId x) {
    if (settings_.final_norm == Switch::Off) return x;
    const Location here{.network = network_, .component = ComponentKind::Output};
    return add_norm(plan_, settings_.norm_type,
                    {{.network = weights_, .component = ComponentKind::Output}, "ln_final"},
                    name(here.at("ln_final.out", Role::NormOutput),
                         final_norm_symbol(settings_.norm_type), Stage::Output),
                    x);
}

TensorId Stack::add_unembedding(TensorId x, std::vector<std::string> vocabulary) {
    if (settings_.unembedding == Unembedding::None) return x;
    if (table_) return add_logits(x, vocabulary_axis(), "p(next word) = softmax(logits)");
    const auto n_words = static_cast<Index>(vocabulary.size());
    const Axis words{AxisKind::Named, n_words, plan_.add_list("vocabulary", std::move(vocabulary))};
    return add_logits(x, words, "p(next word) = softmax(logits)");
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
    const Axis question{AxisKind::Named, n, plan_.add_list("pronoun", std::move(asked))};
    const Location output{.component = ComponentKind::Output};
    const TensorId at =
        add_listed(plan_, {output.at("asked"), "i", question, {}, Stage::Output, Quantity::Amount},
                   "the row of the pronoun", std::move(rows));
    const TensorId asked_out =
        add_result(plan_, {output.at("asked_out"), "y_i", question, model_, Stage::Output},
                   "the pronoun's row of " + plan_[x].symbol, operations::look_up_rows, {at, x});
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

/// W_U, logits and probs of the rows of x.
TensorId Stack::add_logits(TensorId x, const Axis& words, const char* probability) {
    const bool is_tied = settings_.unembedding == Unembedding::Tied;
    const Location output{.component = ComponentKind::Output};
    const auto add_W_U = [&] {
        const TensorName W_U{output.at("W_U"), "W_U", is_tied ? words : model_,
                             is_tied ? model_ : words, Stage::Output};
        if (!is_tied) return add_weight(plan_, W_U, seed_);
        return add_leaf(plan_, W_U, "starts as the words' embeddings", operations::named_rows,
                        {.seed = seed_, .names = embedding_keys(plan_.items(words.list))});
    };
    const bool is_table = is_tied && table_;
    const TensorId W =
        is_table ? plan_.id_at(Location{.network = weights_}.at("W_E").path) : add_W_U();
    const std::string equation = plan_[x].symbol + (is_table  ? " W_E^T"
                                                    : is_tied ? " W_U^T"
                                                              : " W_U");
    Axis rows = plan_[x].rows;
    if (written_) rows.list = *written_;
    const TensorId logits =
        add_result(plan_, {output.at(Role::Logits), "logits", rows, words, Stage::Output}, equation,
                   is_tied ? operations::multiply_transposed : operations::multiply, {x, W});
    add_result(
        plan_,
        {output.at(Role::Probabilities), "p", rows, words, Stage::Output, Quantity::Probability},
        probability, operations::softmax_rows, {logits});
    return logits;
}

TensorName Stack::name(Named named, const char* symbol, Stage stage) const {
    return {std::move(named), symbol, item_, model_, stage};
}

/// One learned row a position, the same in every stacked sentence.
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
