// What logits consist of, as tables: the likeliest words, the logit lens, and the parts that add up
// to a logit. The window, `headlight export` and `headlight logits` write these.
#pragma once

#include <cstddef>
#include <optional>

#include "core/analyses/readout.h"
#include "io/text/table.h"
#include "model/document.h"

namespace headlight {

struct AskedLogits {
    const Document& document;
    const Trace& trace;  // with logits
    LogitQuestion question;
    std::size_t n_words = 10;
    std::optional<std::size_t> n_parts = {};  // the strongest first; absent: all, as they come
    /// A word that was named has its own line or column, whatever its place.
    enum class Word { Named, Likeliest } word = Word::Likeliest;
    /// What a column of one logit is called: "␣Mary after ␣to", or "logit" beside other places.
    enum class Heads { Asked, Plain } heads = Heads::Asked;
};

/// place, word, logit, probability; before the likeliest ones the line of a difference, which has
/// no place, and of the words that were named. Throws Error if the row has no probabilities.
Table next_words_table(const AskedLogits& asked);

/// After each layer: the asked logit and its word's probability, then the likeliest words with
/// theirs; a layer without probabilities has none of them.
Table lens_table(const AskedLogits& asked);

/// What each head, MLP and embedding adds, what those that are left out add together, and the sum.
/// Throws Error if the logit is no sum, or NaN.
Table attribution_table(const AskedLogits& asked);

}  // namespace headlight
