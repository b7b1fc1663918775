// Word table: the vocabulary of a table of embeddings, the row of each word, and the rows that are
// looked up for the words of a sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/mechanisms/add_tensor.h"
#include "core/plan.h"

namespace headlight {

/// The word that replaces all words outside the vocabulary, if the vocabulary has it.
inline constexpr std::string_view kUnknownWord = "<unknown>";

/// The names of a decoder's places, in its reading of the source and in its logits: the word that
/// is written there, as alignments are drawn, or the token that is read there.
enum class PlaceNames : std::uint8_t { Written, Read };

struct WordTable {
    SharedNames words = {};                                  // of its rows; null: there is no table
    std::function<Index(const std::string&)> find_row = {};  // kNoRow of padding
    SharedNames probe = {};  // those of the words that probes are made of; null: all of them
    PlaceNames places = PlaceNames::Written;

    explicit operator bool() const { return words != nullptr; }
    const std::vector<std::string>& probe_words() const { return probe ? *probe : *words; }
};

/// The tables of a target that reads a source.
struct WordTables {
    WordTable source = {}, target = {};
};

using Words = std::vector<std::string>;

/// A target that reads a source, of another length.
struct SourceTarget {
    Words source, target;
};

/// The sign between a prompt and its answer, in tasks that have both in one sequence.
inline constexpr const char* kAnswerSign = "=";

/// kStartWord stands before the first target word, kEndWord after the last one.
inline constexpr const char* kStartWord = "<start>";
inline constexpr const char* kEndWord = "<end>";

/// Ends a part of a text; the words after it have the next token type.           [Devlin 2019,
/// BERT]
inline constexpr const char* kPartSeparator = "[SEP]";

/// Returns the places of words in a table as a column of numbers, as look_up_rows reads them.
Matrix rows_in(const WordTable& table, const std::vector<std::string>& words);

/// Returns keys of named_rows: the same word has the same vector in every study.
std::shared_ptr<const std::vector<std::string>> embedding_keys(
    const std::vector<std::string>& words);

/// Returns an axis with one index a word of the table. It is that of W_E, once the network has one.
Axis vocabulary_axis(Plan& plan, Network weights, const WordTable& table);

/// Names tokens (n × 1, beside `embed`), W_E (vocabulary × d_model, of the network `weights`) and
/// `embed`, whose rows are looked up in it. The words are those of the rows of `embed`.
TensorId add_looked_up(Plan& plan, TensorName embed, Network weights, const WordTable& table,
                       std::uint64_t seed);

}  // namespace headlight
