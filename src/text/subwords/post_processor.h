// The steps after the pieces are found: special tokens around the text, blanks out of ranges.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "text/subwords/token.h"

namespace headlight {

enum class SpecialTokens { Add, Omit };

/// A token, and how it is spelled: its piece, or the text of what is unknown.
struct SpelledToken {
    Token token;
    std::string_view spelling;
};
/// The tokens of one text, or of the specials between texts.
struct TokenRun {
    std::vector<SpelledToken> tokens;
    std::string_view text;  // empty for specials
};

/// Blanks and Ġ at the ends of a token do not count to its range, except where the first one was
/// put before the text by the tokenizer.
struct RangeTrimming {
    enum class Prefix { None, Space };
    Prefix prefix = Prefix::None;
};
/// A part of a template: one of the two texts, or tokens.
struct TemplatePart {
    std::vector<PieceId> specials;  // none: a text
    TokenOrigin text = TokenOrigin::FirstText;
    int type = 0;
};
/// What surrounds one text, and two.
struct TemplateStep {
    std::vector<TemplatePart> single, pair;
};

using PostProcessor = std::variant<RangeTrimming, TemplateStep>;

/// `runs`: one text or two before the first template. A template names no text
/// that is not there.
void post_process(std::vector<TokenRun>& runs, const PostProcessor& step, SpecialTokens specials);

}  // namespace headlight
