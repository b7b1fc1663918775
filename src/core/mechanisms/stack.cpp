#include "core/mechanisms/stack.h"

#include <utility>

#include "core/mechanisms/add_tensor.h"
#include "core/operations/block_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// The same word has the same vector in every study.
std::shared_ptr<const std::vector<std::string>> embedding_keys(
    const std::vector<std::string>& words) {
    auto keys = std::make_shared<std::vector<std::string>>();
    for (const std::string& word : words) keys->push_back("word:" + word);
    return keys;
}

}  // namespace

Stack::Stack(Plan& plan, const StackSettings& settings, const Over& over, std::uint64_t seed)
    : plan_(plan),
      settings_(settings),
      network_(over.network),
      weights_(over.weights),
      seed_(seed),
      item_{AxisKind::Item, static_cast<Index>(plan.items(over.list).size()), over.list,
            over.groups},
      model_{AxisKind::Model, settings.d_model} {}

std::vector<TensorId> Stack::add_words() {
    const Index group_rows = item_.groups > 1 ? item_.size / item_.groups : 0;
    std::vector<TensorId> parts{
        add_result(plan_, name(input().at(Role::Embedding), "E", Stage::Input), "one vector a word",
                   operations::named_rows, {},
                   {.seed = seed_, .names = embedding_keys(plan_.items(item_.list))})};
    const TensorName positions = name(input().at(Role::Positions), "P", Stage::Input);
    if (settings_.positions == Positions::Sinusoidal)
        parts.push_back(add_result(plan_, positions, "sin, cos(i / 10000^{2⌊f/2⌋/d})",
                                   operations::sinusoidal_positions, {},
                                   {.group_rows = group_rows}));
    if (settings_.positions == Positions::Learned)
        parts.push_back(add_learned_positions(positions, group_rows));
    return parts;
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
    for (int l = 0; l < settings_.n_layers; ++l) {
        place.here = {.network = network_, .component = place.first(), .layer = l};
        place.weights = {.network = weights_, .component = place.first(), .layer = l};
        place.x = add_sum(place.here.beside(Role::ResidPre), input);
        input = {add_block(plan_, settings_, place, seed_)};
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
    const auto n_words = static_cast<Index>(vocabulary.size());
    const auto keys = embedding_keys(vocabulary);
    const Axis words{AxisKind::Named, n_words, plan_.add_list("vocabulary", std::move(vocabulary))};
    const bool is_tied = settings_.unembedding == Unembedding::Tied;
    const Location output{.component = ComponentKind::Output};
    const TensorName W_U{output.at("W_U"), "W_U", is_tied ? words : model_,
                         is_tied ? model_ : words, Stage::Output};
    const TensorId W = is_tied
                           ? add_result(plan_, W_U, "starts as the words' embeddings",
                                        operations::named_rows, {}, {.seed = seed_, .names = keys})
                           : add_weight(plan_, W_U, seed_);
    const std::string X = plan_[x].symbol;
    const TensorId logits =
        add_result(plan_, {output.at(Role::Logits), "logits", item_, words, Stage::Output},
                   is_tied ? X + " W_U^T" : X + " W_U",
                   is_tied ? operations::multiply_transposed : operations::multiply, {x, W});
    add_result(
        plan_,
        {output.at(Role::Probabilities), "p", item_, words, Stage::Output, Quantity::Probability},
        "p(next word) = softmax(logits)", operations::softmax_rows, {logits});
    return logits;
}

TensorName Stack::name(Named named, const char* symbol, Stage stage) const {
    return {std::move(named), symbol, item_, model_, stage};
}

/// One learned row a position, the same in every stacked sentence.
TensorId Stack::add_learned_positions(const TensorName& name, Index group_rows) {
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
