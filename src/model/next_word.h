// The word that comes next after a sentence, drawn by its probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

struct Sampling {
    double temperature = 1;   // the logits are divided by it; 0: the likeliest word
    std::uint64_t draws = 0;  // that were made before; another one is another draw
};

/// By the logits of the last word of a single sentence, of a trace of the document. The same seed,
/// text and sampling give the same word; <unknown> is never drawn. Nothing if the study has no next
/// word, or several sentences.
std::optional<std::string> draw_next_word(const Document& document, const Trace& trace,
                                          const Sampling& sampling);

/// The text with that word behind it.
Document with_word(Document document, const std::string& word);

/// So many words behind the text, one by one. Throws Error if the study has no next word.
Document with_next_words(Document document, int n_words, const Sampling& sampling);

}  // namespace headlight
