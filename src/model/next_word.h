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
    std::uint64_t draws = 0;  // earlier draws; another number gives another draw
};

/// Returns the probabilities by which a word is drawn after word `row`, at a temperature:
/// softmax(logits / temperature) of each word of the vocabulary, without <unknown>. Empty if the
/// trace has no logits of that row.
std::vector<double> next_word_probabilities(const Trace& trace, Index row, double temperature);

/// Draws by next_word_probabilities of the last word of a single sentence, of a trace of the
/// document. The same seed, text and sampling give the same word. Returns nothing if the study has
/// no next word, or several sentences.
std::optional<std::string> draw_next_word(const Document& document, const Trace& trace,
                                          const Sampling& sampling);

/// Returns the document with that word after its text.
Document with_word(Document document, const std::string& word);

/// Adds so many words after the text, one by one. Throws Error if the study has no next word.
Document with_next_words(Document document, int n_words, const Sampling& sampling);

// The words that the decoder of trained weights writes by itself, one after another.
//
// Goals: the same operations as in the study; many texts, or many beginnings of one, at once.
// Not goals: drawing words at random.

/// Computes the logits of the next word after any beginnings of the targets of some sources.
class NextWords {
  public:
    /// Edits of the document's weights count, other interventions do not. Throws Error if its
    /// weights have no tables of words, or its network writes none.
    NextWords(const Document& document, std::vector<Words> sources);

    /// Returns one row of logits for each beginning. A beginning is a list of rows of the target's
    /// vocabulary, one list a source, without <start>.
    Matrix after(std::span<const std::vector<Index>> beginnings);

    const std::vector<std::string>& vocabulary() const { return *tables_.target.words; }
    Index end() const { return end_; }
    /// False for words that are never written: <start> and unknown words.
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

/// Returns the best translation by beam search: of all beginnings the `beam` likeliest are kept; of
/// those that have ended, the one with the largest mean log-probability of a word wins. Ends after
/// twice as many words as the source has and ten more. Throws Error as NextWords does, if there is
/// no source, or if it has more than 128 words.
Words decode(const Document& document, int beam = 4);

/// Translates many sources at once, taking the likeliest word at every step.
std::vector<Words> decode_greedily(const Document& document, std::vector<Words> sources);

/// True if the document's weights and network can write a target for a source.
bool can_translate(const Document& document);
/// Returns the document with the target that it writes for its source.
Document translated(Document document);

}  // namespace headlight
