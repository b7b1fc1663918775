// Embeddings of words: rows that are looked up in a table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/word_table.h"

namespace headlight {

/// Keys of named_rows: the same word has the same vector in every study.
std::shared_ptr<const std::vector<std::string>> embedding_keys(
    const std::vector<std::string>& words);

/// One index a word of the table. It is that of W_E, once the network has one.
Axis vocabulary_axis(Plan& plan, Network weights, const WordTable& table);

/// Names tokens (n × 1, beside `embed`), W_E (vocabulary × d_model, of the network `weights`) and
/// `embed`, whose rows are looked up in it. The words are those of the rows of `embed`.
TensorId add_looked_up(Plan& plan, TensorName embed, Network weights, const WordTable& table,
                       std::uint64_t seed);

}  // namespace headlight
