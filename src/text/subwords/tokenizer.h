// Tokenizer: text → the tokens of a trained model, and back.
//
// Goals: tokens, ids and ranges are those of Hugging Face's tokenizers 0.23 with the same file;
// any text takes time in proportion to its length. Not goals: training, truncation, padding;
// reading files (io/tokenizers).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/subwords/added_tokens.h"
#include "text/subwords/aligned_text.h"
#include "text/subwords/decoder.h"
#include "text/subwords/piece_model.h"
#include "text/subwords/post_processor.h"
#include "text/subwords/pre_tokenizer.h"
#include "text/subwords/text_normalizer.h"
#include "text/subwords/token.h"

namespace headlight {

/// What a tokenizer consists of, in the order of its work.
struct TokenizerParts {
    std::string source = "tokenizer";  // its name in messages
    std::vector<AddedToken> added_tokens = {};
    std::vector<TextNormalizer> normalizers = {};
    std::vector<PreTokenizer> pre_tokenizers = {};
    PieceModel model;
    std::vector<PostProcessor> post_processors = {};
    std::optional<std::vector<PieceDecoder>> decoders =
        {};                               // without them a text is the pieces with blanks
    std::vector<std::string> notes = {};  // what its reader found odd
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

    /// The tokens of one text, or of two. Throws Error if a text is not UTF-8, or larger than
    /// kMostTextBytes.
    std::vector<Token> encode(std::string_view text, const EncodeOptions& options = {}) const;
    std::vector<Token> encode_pair(std::string_view first, std::string_view second,
                                   const EncodeOptions& options = {}) const;

    /// The text of tokens, as far as normalisation left it; always UTF-8. Ids without a piece are
    /// left out, as Hugging Face does.
    std::string decode(std::span<const PieceId> ids,
                       SpecialsInDecoding specials = SpecialsInDecoding::Kept) const;

    /// One more than the largest id.
    std::size_t size() const { return size_; }
    std::optional<PieceId> find_id(std::string_view piece) const;
    /// The piece as it is stored. Throws Error if there is none.
    const std::string& piece_at(PieceId id) const;
    /// The piece as a person reads it: blanks at its ends as ␣, a line end as ⏎, bytes that are no
    /// whole character as ⟨E2 96⟩. UTF-8.
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
