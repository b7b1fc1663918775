// The questions that logits answer and the parts that they consist of, in words and as tables.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analyses/readout.h"
#include "core/components.h"
#include "io/text/table.h"
#include "model/document.h"

namespace headlight {

/// Returns the row of the asked word among those of the page; nothing if the study asks about no
/// word.
std::optional<Index> asked_row(const Trace& page);

/// Returns "only row “it” reaches the answer" for a tensor of the last attention with one row for
/// each query, where the study asks about a word; "" for all others.
std::string asked_row_note(const Trace& page, const Components& components, const Tensor& tensor);

/// The things that logits name: the word after each token, the word in its place, the word that a
/// decoder would write where each word is written or at each step, or what a picture is.
enum class LogitsName { NextWord, WordInPlace, WordWritten, WordOfStep, Class };
LogitsName named_by_logits(const Document& document, const Plan& plan);

/// Returns a token among words: “,” in quotation marks, where it would be read as the sentence's
/// own mark.
std::string token_in_words(const std::string& token);
/// Returns " after to", " in place of [MASK]", " where chat is written", " at step 2"; "" for
/// classes.
std::string logit_place(LogitsName what, const std::string& name);

/// Returns a word of the logits as pictures write it: "␣Mary".
std::string word_shown(const Trace& trace, Index word);
/// Returns "␣Mary − ␣John after ␣to"; place_asked returns only the place, " after ␣to".
std::string question_text(const Document& document, const Trace& trace,
                          const LogitQuestion& question);
std::string place_asked(const Document& document, const Trace& trace,
                        const LogitQuestion& question);

/// "head 9.6" (layer 9, head 6), "cross 0.2" (head 2 of a cross-attention), "MLP 3", "embedding",
/// "positions", "biases of layer 2".
std::string part_name(const Identity& what);

/// Finds a word of the vocabulary of the logits: by its name, as pictures write it, or with blanks
/// where these have ␣. Throws Error if there is none, naming words that are spelt nearly so, and
/// the tokens that a pretrained model makes of the text.
Index vocabulary_word(const Document& document, const Plan& plan, const std::string& text);
std::optional<Index> find_vocabulary_word(const Plan& plan, const std::string& text);

/// Returns the largest numbers of a row, with their places; the first of equal ones first.
struct LargestNumber {
    Index place = 0;
    double value = 0;
};
std::vector<LargestNumber> largest_numbers(std::span<const Scalar> row, std::size_t count);

/// "32 of 700 logits after ␣to are NaN or infinite: nothing ranks them"; "" if nothing is wrong.
std::string why_unranked(const Document& document, const Trace& trace, Index row);
/// Throws Error with the words of why_unranked if the row is not ranked.
void check_is_ranked(const Document& document, const Trace& trace, Index row);

struct AskedLogits {
    const Document& document;
    const Trace& trace;  // with logits
    LogitQuestion question;
    std::size_t n_words = 10;
    std::optional<std::size_t> n_parts = {};  // the strongest first; absent: all, as they come
    /// The asked word was named, and has its own line or column, whatever its place.
    bool is_named = false;
    /// Names the column of one logit "␣Mary after ␣to", or only "logit" beside other places.
    enum class Heads { Asked, Plain } heads = Heads::Asked;
};

/// The columns are place, word, logit, probability. Before the likeliest words stand the line of a
/// difference, which has no place, and those of the words that were named. Throws Error if the row
/// has no probabilities.
Table next_words_table(const AskedLogits& asked);

/// Has, after each layer, the asked logit and its word's probability, then the likeliest words with
/// theirs; a layer without probabilities has none of them.
Table lens_table(const AskedLogits& asked);

/// Lists what each head, MLP and embedding adds, what those that are left out add together, and the
/// sum. Throws Error if the logit is no sum, or NaN.
Table attribution_table(const AskedLogits& asked);

}  // namespace headlight
