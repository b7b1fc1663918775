// The network's answer about the sentence that is shown.
//
// Goals: it says which word it answers for, and at which temperature. Not goals: drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/components.h"
#include "core/trace.h"

namespace headlight {

struct AnswerRow {
    std::string label;  // a word of the text or of the vocabulary; "who: cat"
    Scalar probability = 0;
    std::string likelier = {};  // the word that the network would rather say; "": none
    int head = 0;               // of Questions: which one reads the word
};

struct Answer {
    enum class Kind {
        Asked,      // the word that the asked word stands for
        Prompt,     // each word of an answer that the text has, after its kAnswerSign
        Picture,    // the class of a picture
        Questions,  // who, in what state, doing what: of one word
        Next        // the word that follows
    } kind = Kind::Next;
    std::string after;    // the word after which, or that is asked about; not of Prompt, Picture
    bool is_last = true;  // of Next: that word is the text's last one
    std::vector<AnswerRow> rows;
    bool has_nan = false;  // probabilities are NaN: nothing ranks the words, and there are no rows
    Index n_more = 0;      // words of a large vocabulary that are not among the rows …
    Scalar more_sum = 0;   // … and the sum of their probabilities
};

/// Returns the attention whose heads answer the questions of each word; null if there is none.
const Component* attention_of_questions(const Components& components);
/// Returns the column that a row reads most, in the pattern of a head that answers a question.
/// Returns nothing for another tensor, one without values, or if there is no such row.
std::optional<Index> answer_in(const Tensor& pattern, Index row);
/// Returns the row of the last pronoun of the text.
std::optional<Index> pronoun_row(const Trace& page);

/// Next and Questions answer for word `row`. Without a row, or for a row of padding, Next answers
/// for the last word, and Questions for the last pronoun, if there is one. An answer with empty
/// rows says that nothing can be answered. Returns nothing if the network answers nothing at all.
std::optional<Answer> find_answer(const Trace& page, std::optional<Index> row, double temperature);

/// Counts how many words of a target the network would write itself: at each word, given those
/// before it, whether that word is the likeliest one.
struct TargetCheck {
    Index n_words = 0, n_others = 0;  // with the end; words that it would write otherwise
    std::string said, likelier;       // the first of them
};

/// Returns nothing if there is no target whose words have probabilities.
std::optional<TargetCheck> check_target(const Trace& page);

}  // namespace headlight
