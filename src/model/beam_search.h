// What the decoder of trained weights writes by itself, word by word.
//
// Goals: the same operations as in the study; many texts, or many beginnings of one, at once.
// Not goals: drawing words at random.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/compute.h"
#include "model/document.h"
#include "model/vocabulary.h"

namespace headlight {

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
