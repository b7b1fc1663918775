// Vocabulary: the words that trained weights know, and how the words of a text are found in it.
#pragma once

#include "core/mechanisms/word_table.h"
#include "model/document.h"

namespace headlight {

/// Returns a table where a word is looked up as it is written, then in lower case, ’ as '; then one
/// that is spelt alike is taken (text/words.h); else it is kUnknownWord, or padding where
/// the vocabulary has none.
WordTable word_table(const SharedNames& words);

/// Returns the table of the embeddings that the weights bring at this path; empty if they bring
/// none.
WordTable word_table(const SharedWeights& weights, std::string_view path = "W_E");

/// Returns the words of a study's sentences, one sentence a line; for a pretrained model, the
/// tokens of the whole text, whose line ends are tokens too.
std::vector<Words> sentences_in(const SentenceStudy& study, const SharedWeights& weights);

/// True of a text of several sentences, which are computed together. A model reads one text.
bool has_several_sentences(const Document& document);

/// Returns the tables of an encoder and a decoder.
WordTables word_tables(const SharedWeights& weights);

/// Returns the words of a text, joined and parted at apostrophes as the table has them: where it
/// knows "l'" and "accord" but not "l'accord", that is two words.
Words fit_to_table(const Words& words, const WordTable& table);

/// Returns the words of an alignment's texts, as the tables of its weights have them; for a
/// pretrained model their tokens.
SourceTarget source_target_in(const AlignmentStudy& study, const SharedWeights& weights);

/// A word that a table does not have, and the one whose row it is given instead.
struct ReplacedWord {
    std::string word, by;  // kUnknownWord: none is spelt alike; "": no row at all

    bool operator==(const ReplacedWord&) const = default;
};

/// Returns the words of a plan's lists that its tables do not have, each once.
std::vector<ReplacedWord> replaced_words(const Plan& plan);

/// Makes pictures show such a word as "streets ≈ street" or "hamster ≈ ?".
void show_replaced_words(Plan& plan);

}  // namespace headlight
