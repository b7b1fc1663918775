// The steps that split a text into words before a model finds its pieces.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "text/subwords/aligned_text.h"
#include "text/subwords/text_pattern.h"

namespace headlight {

/// Byte-level BPE: GPT-2's pattern, then each byte becomes its letter.
struct ByteLevelSplit {
    enum class First { AsItIs, WithSpace };  // what the text begins with
    enum class Words { ByPattern, Whole };
    First first = First::AsItIs;
    Words words = Words::ByPattern;
};
/// BERT: at blanks, which leave, and around each punctuation character.
struct BertSplit {};
/// SentencePiece: spaces become `mark` (▁), which may also stand before the text; each word
/// begins with one.
struct MetaspaceSplit {
    enum class Prepends { Never, First, Always };  // First: only where the whole text begins
    enum class Words { ByMark, Whole };
    std::string mark = "▁";
    Prepends prepends = Prepends::Always;
    Words words = Words::ByMark;
};
/// \w+ and [^\w\s]+ are words.
struct WordSplit {};
/// At blanks, which leave.
struct BlankSplit {};
struct DigitSplit {
    SplitBehaviour behaviour;  // Isolated or Contiguous
};
struct PunctuationSplit {
    SplitBehaviour behaviour;
};
struct PatternSplit {
    enum class Matches { Delimiters, Words };
    TextPattern pattern;
    SplitBehaviour behaviour;
    Matches matches;
};

using PreTokenizer = std::variant<ByteLevelSplit, BertSplit, MetaspaceSplit, WordSplit, BlankSplit,
                                  DigitSplit, PunctuationSplit, PatternSplit>;

/// The words of a text that is not empty; none of them is empty.
std::vector<AlignedText> split_text(AlignedText text, const PreTokenizer& pre_tokenizer);

}  // namespace headlight
