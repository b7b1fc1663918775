// The word that comes next after a sentence, drawn by its probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

struct Sampling {
    double temperature = 1;   // the logits are divided by it; 0: the likeliest word
    std::uint64_t draws = 0;  // that were made before; another one is another draw
};

/// What a word is drawn by after word `row`, at a temperature: softmax(logits / temperature) of
/// each word of the vocabulary, without <unknown>. Empty if the trace has no logits of that row.
std::vector<double> next_word_probabilities(const Trace& trace, Index row, double temperature);

/// By next_word_probabilities of the last word of a single sentence, of a trace of the document.
/// The same seed, text and sampling give the same word. Nothing if the study has no next word, or
/// several sentences.
std::optional<std::string> draw_next_word(const Document& document, const Trace& trace,
                                          const Sampling& sampling);

/// The text with that word behind it.
Document with_word(Document document, const std::string& word);

/// So many words behind the text, one by one. Throws Error if the study has no next word.
Document with_next_words(Document document, int n_words, const Sampling& sampling);

}  // namespace headlight
