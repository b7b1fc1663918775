// Tokenizer: text → the tokens of a trained model, and back.
//
// Goals: tokens, ids and ranges are those of Hugging Face's tokenizers 0.23 with the same file;
// any text takes time in proportion to its length. Not goals: training, truncation, padding;
// reading files (io/tokenizers).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/subwords/aligned_text.h"
#include "text/subwords/decoder.h"
#include "text/subwords/piece_model.h"
#include "text/subwords/text_normalizer.h"
#include "text/subwords/text_pattern.h"

namespace headlight {

enum class TokenOrigin { FirstText, SecondText, Template };  // Template: [CLS], </s>

struct Token {
    PieceId id = 0;
    std::uint32_t begin = 0, end = 0;  // bytes of its text; 0 and 0 for a template's
    int type = 0;                      // the row of BERT's segment embedding
    TokenOrigin origin = TokenOrigin::FirstText;

    bool operator==(const Token&) const = default;
};

/// Byte-level BPE splits by GPT-2's pattern; then each byte becomes its letter.
struct ByteLevelSplit {
    bool adds_prefix_space = false;  // where the text does not begin with a space
    bool splits_words = true;
};
/// BERT splits at blanks, which are removed, and around each punctuation character.
struct BertSplit {};
/// SentencePiece turns spaces into `mark` (▁), which may also stand before the text; each word
/// begins with one.
struct MetaspaceSplit {
    enum class Prepends { Never, First, Always };  // First: only where the whole text begins
    std::string mark = "▁";
    Prepends prepends = Prepends::Always;
    bool splits_words = true;
};
/// Splits the text into words: \w+ and [^\w\s]+.
struct WordSplit {};
/// Splits at blanks, which are removed.
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

/// Returns the words of a text that is not empty; none of them is empty.
std::vector<AlignedText> split_text(AlignedText text, const PreTokenizer& pre_tokenizer);

struct AddedToken {
    PieceId id = 0;
    std::string content;
    bool is_single_word = false;                     // not next to a letter or digit
    bool strips_left = false, strips_right = false;  // takes the blanks beside it
    bool is_normalized = false;                      // found in the normalised text
    bool is_special = false;                         // no text: decoding may leave it out
};

/// A part of a text: a token, or the text between tokens.
struct AddedTokenPart {
    std::size_t begin = 0, end = 0;
    const AddedToken* token = nullptr;  // null: none
};

enum class SpecialInText { Recognised, PlainText };

/// Finds tokens from the left, the longest first.
class AddedTokenFinder {
  public:
    AddedTokenFinder() = default;
    /// Finds `token` where `spelling` stands, which is not empty; false if another one stands
    /// there. The token must outlive the finder.
    bool add(const AddedToken& token, std::string_view spelling);

    /// Returns the parts of a text, in order. A token that takes blanks may begin before the one
    /// before it ends.
    std::vector<AddedTokenPart> parts_in(std::string_view utf8, SpecialInText special) const;

  private:
    struct Match {
        std::size_t end = 0;  // 0: none
        const AddedToken* token = nullptr;
    };
    Match longest_at(std::string_view utf8, std::size_t begin) const;

    NumberTable edges_;  // of a trie: node and byte → node
    std::vector<const AddedToken*> leaves_ = {nullptr};
    bool begins_[256] = {};
};

enum class SpecialTokens { Add, Omit };

/// A token, and its spelling: its piece, or the text of an unknown one.
struct SpelledToken {
    Token token;
    std::string_view spelling;
};
/// The tokens of one text, or of the specials between texts.
struct TokenRun {
    std::vector<SpelledToken> tokens;
    std::string_view text;  // empty for specials
};

/// Leaves blanks and Ġ at the ends of a token out of its range, except where the tokenizer put the
/// first one before the text.
struct RangeTrimming {
    bool keeps_prefix_space = false;
};
/// A part of a template: one of the two texts, or tokens.
struct TemplatePart {
    std::vector<PieceId> specials;  // none: a text
    TokenOrigin text = TokenOrigin::FirstText;
    int type = 0;
};
/// The tokens around one text, and around two.
struct TemplateStep {
    std::vector<TemplatePart> single, pair;
};

using PostProcessor = std::variant<RangeTrimming, TemplateStep>;

/// Applies a step to `runs`: one text or two before the first template. A template names no text
/// that is missing.
void post_process(std::vector<TokenRun>& runs, const PostProcessor& step, SpecialTokens specials);

/// The parts of a tokenizer, in the order of its work.
struct TokenizerParts {
    std::string source = "tokenizer";  // its name in messages
    std::vector<AddedToken> added_tokens = {};
    std::vector<TextNormalizer> normalizers = {};
    std::vector<PreTokenizer> pre_tokenizers = {};
    PieceModel model;
    std::vector<PostProcessor> post_processors = {};
    std::optional<std::vector<PieceDecoder>> decoders =
        {};                               // without them a text is the pieces with blanks
    std::vector<std::string> notes = {};  // oddities that its reader found
};

struct EncodeOptions {
    SpecialTokens specials = SpecialTokens::Add;                // around the text
    SpecialInText special_in_text = SpecialInText::Recognised;  // within it
};

enum class SpecialsInDecoding { Kept, LeftOut };

class Tokenizer {
  public:
    /// Throws Error if a template or an added token names an id that has no piece, or if two added
    /// tokens are spelled alike.
    explicit Tokenizer(TokenizerParts parts);

    /// Returns the tokens of one text, or of two. Throws Error if a text is not UTF-8, or larger
    /// than kMostTextBytes.
    std::vector<Token> encode(std::string_view text, const EncodeOptions& options = {}) const;
    std::vector<Token> encode_pair(std::string_view first, std::string_view second,
                                   const EncodeOptions& options = {}) const;

    /// Returns the text of tokens, as far as normalisation left it; always UTF-8. Ids without a
    /// piece are left out, as Hugging Face does.
    std::string decode(std::span<const PieceId> ids,
                       SpecialsInDecoding specials = SpecialsInDecoding::Kept) const;

    /// Returns one more than the largest id.
    std::size_t size() const { return size_; }
    std::optional<PieceId> find_id(std::string_view piece) const;
    /// Returns the piece as it is stored. Throws Error if there is none.
    const std::string& piece_at(PieceId id) const;
    /// Returns the piece as a person reads it: blanks at its ends as ␣, a line end as ⏎, bytes that
    /// are no whole character as ⟨E2 96⟩. UTF-8.
    std::string shown_piece(PieceId id) const;
    bool is_special(PieceId id) const;

    const std::vector<std::string>& notes() const { return parts_.notes; }

    static constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;

  private:
    struct Word;

    [[noreturn]] void fail(const std::string& what) const;
    void check_growth(std::size_t before, std::size_t after) const;
    void normalize(AlignedText& text) const;
    void add_added_tokens();
    void check_templates() const;
    const AddedToken* find_added(PieceId id) const;
    const PieceTable& pieces() const;
    std::vector<Word> words_in(std::string_view text, SpecialInText special) const;
    void append_words(AlignedText text, SpecialInText special, std::vector<Word>& to) const;
    void append_pieces(const Word& word, TokenOrigin origin, std::vector<SpelledToken>& to) const;
    std::vector<Token> encode_texts(std::span<const std::string_view> texts,
                                    const EncodeOptions& options) const;

    TokenizerParts parts_;
    AddedTokenFinder in_text_, in_normalized_;
    NumberTable added_;                   // id → place in added_tokens
    std::vector<std::string> spellings_;  // of the added tokens: normalised, as they are decoded
    std::size_t size_ = 0;
    bool has_byte_letters_ = false;
};

}  // namespace headlight
