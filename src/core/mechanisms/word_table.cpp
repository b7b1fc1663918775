#include "core/mechanisms/word_table.h"

#include <utility>

#include "core/operations/operations.h"

namespace headlight {

Matrix rows_in(const WordTable& table, const std::vector<std::string>& words) {
    Matrix rows(static_cast<Index>(words.size()), 1);
    for (std::size_t i = 0; i < words.size(); ++i)
        rows(static_cast<Index>(i), 0) = static_cast<Scalar>(table.find_row(words[i]));
    return rows;
}

std::shared_ptr<const std::vector<std::string>> embedding_keys(
    const std::vector<std::string>& words) {
    auto keys = std::make_shared<std::vector<std::string>>();
    for (const std::string& word : words) keys->push_back("word:" + word);
    return keys;
}

Axis vocabulary_axis(Plan& plan, Network weights, const WordTable& table) {
    if (const PlannedTensor* W_E = plan.find(Location{.network = weights}.at("W_E").path))
        return W_E->rows;
    plan.lists.push_back({"vocabulary", table.words});
    return {AxisKind::Named, static_cast<Index>(table.words->size()),
            static_cast<int>(plan.lists.size()) - 1};
}

TensorId add_looked_up(Plan& plan, TensorName embed, Network weights, const WordTable& table,
                       std::uint64_t seed) {
    const Location input{.network = embed.named.identity.network};
    const TensorId tokens = add_listed(
        plan, {input.at(Role::Tokens), "t", embed.rows, {}, Stage::Input, Quantity::Amount},
        "the word's row in W_E", rows_in(table, plan.items(embed.rows.list)));
    const TensorName W_E{Location{.network = weights}.at("W_E"), "W_E",
                         vocabulary_axis(plan, weights, table), embed.columns, Stage::Input};
    // If the table is used again, its words need not be named again.
    const TensorId vectors = plan.find(W_E.named.path)
                                 ? plan.id_at(W_E.named.path)
                                 : add_leaf(plan, W_E, "one vector a word", operations::named_rows,
                                            {.seed = seed, .names = embedding_keys(*table.words)});
    const std::string equation = embed.symbol + "(i) = W_E(t(i))";
    return add_result(plan, std::move(embed), equation, operations::look_up_rows,
                      {tokens, vectors});
}

}  // namespace headlight
