#include "text/subwords/post_processor.h"

#include <algorithm>
#include <utility>

#include "text/subwords/aligned_text.h"
#include "text/subwords/character_classes.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr char32_t kSpaceLetter = U'Ġ';

bool is_trimmed(char32_t c) {
    return c == kSpaceLetter || is_pattern_blank(c);
}

/// `n` characters on, but at most to `end`.
std::uint32_t characters_on(std::string_view text, std::uint32_t begin, std::uint32_t end,
                            std::size_t n) {
    for (; n > 0 && begin < end; --n)
        begin += static_cast<std::uint32_t>(decode_code_point(text, begin).size_bytes);
    return std::min(begin, end);
}

/// `n` characters back, but at most to `begin`; `end` where the text has not that many.
std::uint32_t characters_back(std::string_view text, std::uint32_t begin, std::uint32_t end,
                              std::size_t n) {
    std::uint32_t at = end;
    for (; n > 0; --n) {
        if (at == 0) return end;
        do --at;
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    }
    return std::max(at, begin);
}

void trim(TokenRun& run, RangeTrimming::Prefix prefix) {
    for (std::size_t k = 0; k < run.tokens.size(); ++k) {
        auto& [token, spelling] = run.tokens[k];
        const std::u32string letters = code_points_in(spelling);
        const auto first = std::find_if_not(letters.begin(), letters.end(), is_trimmed);
        const auto last = std::find_if_not(letters.rbegin(), letters.rend(), is_trimmed);
        auto n_leading = static_cast<std::size_t>(first - letters.begin());
        const auto n_trailing = static_cast<std::size_t>(last - letters.rbegin());
        const bool is_first = k == 0 || token.begin == 0;
        if (is_first && prefix == RangeTrimming::Prefix::Space && n_leading == 1) n_leading = 0;
        token.begin = characters_on(run.text, token.begin, token.end, n_leading);
        token.end = characters_back(run.text, token.begin, token.end, n_trailing);
    }
}

std::vector<TokenRun> filled_template(std::vector<TokenRun>& texts,
                                      const std::vector<TemplatePart>& parts,
                                      SpecialTokens specials) {
    std::vector<TokenRun> runs;
    for (const TemplatePart& part : parts) {
        if (part.specials.empty()) {
            TokenRun run = texts.at(part.text == TokenOrigin::SecondText ? 1 : 0);
            for (SpelledToken& spelled : run.tokens) spelled.token.type = part.type;
            runs.push_back(std::move(run));
            continue;
        }
        if (specials == SpecialTokens::Omit) continue;
        TokenRun run;
        for (const PieceId id : part.specials)
            run.tokens.push_back({{id, 0, 0, part.type, TokenOrigin::Template}, {}});
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace

void post_process(std::vector<TokenRun>& runs, const PostProcessor& step, SpecialTokens specials) {
    if (const auto* trimming = std::get_if<RangeTrimming>(&step)) {
        for (TokenRun& run : runs) trim(run, trimming->prefix);
        return;
    }
    const auto& filled = std::get<TemplateStep>(step);
    runs = filled_template(runs, runs.size() == 1 ? filled.single : filled.pair, specials);
}

}  // namespace headlight
