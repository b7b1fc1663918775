// The word that comes next after a sentence, drawn by its probabilities.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/compute.h"
#include "core/trace.h"
#include "model/document.h"
#include "model/vocabulary.h"

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

// What the decoder of trained weights writes by itself, word by word.
//
// Goals: the same operations as in the study; many texts, or many beginnings of one, at once.
// Not goals: drawing words at random.

/// The logits of the next word after any beginnings of the targets of some sources.
class NextWords {
  public:
    /// Edits of the document's weights count, other interventions do not. Throws Error if its
    /// weights have no tables of words, or its network writes none.
    NextWords(const Document& document, std::vector<Words> sources);

    /// Rows of the target's vocabulary, one list a source, without <start>. One row of logits each.
    Matrix after(std::span<const std::vector<Index>> beginnings);

    const std::vector<std::string>& vocabulary() const { return *tables_.target.words; }
    Index end() const { return end_; }
    /// Words that are never written: <start> and what is unknown.
    bool can_be_written(Index word) const;

  private:
    void make_room(Index n_words);

    Document document_;
    WordTables tables_;
    std::vector<Words> sources_;
    Index start_ = 0, end_ = 0;
    Index n_rows_ = 0;  // of the decoder, for each source
    std::shared_ptr<const Plan> plan_;
    Interventions edits_;
    Evaluator evaluator_;
    std::shared_ptr<const Trace> trace_;
};

/// The best translation by beam search: of all beginnings the `beam` likeliest are kept; of those
/// that have ended, the one with the largest mean log-probability of a word wins. Ends after twice
/// as many words as the source has and ten more. Throws Error as NextWords does, if there is no
/// source, or if it has more than 128 words.
Words decode(const Document& document, int beam = 4);

/// The same with the likeliest word at every step, for many sources at once.
std::vector<Words> decode_greedily(const Document& document, std::vector<Words> sources);

/// True if the document's weights and network can write a target for a source.
bool can_translate(const Document& document);
/// The document with the target that it writes for its source.
Document translated(Document document);

}  // namespace headlight
