#include "text/subwords/tokenizer.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/subwords/aligned_text.h"
#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/subwords/decoder.h"
#include "text/subwords/text_normalizer.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Splits at characters: each one that is a delimiter is a match by itself.
template <typename IsDelimiter>
std::vector<TextPart> parts_by_characters(std::string_view utf8, IsDelimiter is_delimiter) {
    std::vector<TextPart> parts;
    std::size_t unmatched = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const auto byte = static_cast<unsigned char>(utf8[at]);
        const CodePoint point =
            byte < 0x80 ? CodePoint{byte, 1, true} : decode_code_point(utf8, at);
        const std::size_t end = at + point.size_bytes;
        if (is_delimiter(point.value)) {
            if (at > unmatched) parts.push_back({unmatched, at, false});
            parts.push_back({at, end, true});
            unmatched = end;
        }
        at = end;
    }
    if (unmatched < utf8.size()) parts.push_back({unmatched, utf8.size(), false});
    return parts;
}

std::vector<AlignedText> cut(const AlignedText& text, const std::vector<TextPart>& parts) {
    std::vector<AlignedText> words;
    words.reserve(parts.size());
    for (const TextPart& part : parts) words.push_back(text.part(part.begin, part.end));
    return words;
}

/// Splits a text into runs of words and of symbols, which are matches, and the parts between them.
std::vector<TextPart> word_parts(std::string_view utf8) {
    enum class Kind { Blank, Word, Symbol };
    const auto kind = [](char32_t c) {
        return is_pattern_word(c) ? Kind::Word : is_pattern_blank(c) ? Kind::Blank : Kind::Symbol;
    };
    std::vector<TextPart> parts;
    Kind last = Kind::Blank;
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint point = decode_code_point(utf8, at);
        const std::size_t end = at + point.size_bytes;
        const Kind here = kind(point.value);
        if (parts.empty() || here != last)
            parts.push_back({at, end, here != Kind::Blank});
        else
            parts.back().end = end;
        last = here;
        at = end;
    }
    return parts;
}

/// True of Rust's numbers, which are of Unicode 17.
bool is_splitting_digit(char32_t c) {
    if (c < 0x80) return c >= U'0' && c <= U'9';
    const bool is_newest = (c >= 0x11DE0 && c <= 0x11DE9) || (c >= 0x16FF4 && c <= 0x16FF6);
    return is_newest || is_pattern_number(c);
}

struct Split {
    AlignedText text;

    std::vector<AlignedText> operator()(const ByteLevelSplit& step) {
        if (step.adds_prefix_space && !text.text().starts_with(' ')) text.prepend(" ");
        std::vector<AlignedText> words;
        if (step.splits_words)
            words = cut(text, TextPattern::gpt2().parts_in(text.text()));
        else
            words.push_back(std::move(text));
        for (AlignedText& word : words) write_as_byte_letters(word);
        return words;
    }
    std::vector<AlignedText> operator()(const BertSplit&) {
        std::vector<AlignedText> words;
        for (const AlignedText& word : (*this)(BlankSplit()))
            for (AlignedText& part :
                 cut(word, parts_by_characters(word.text(), is_bert_punctuation)))
                words.push_back(std::move(part));
        return words;
    }
    std::vector<AlignedText> operator()(const MetaspaceSplit& step) {
        const TextPattern mark = TextPattern::literal(step.mark);
        text.replace(TextPattern::literal(" ").parts_in(text.text()), step.mark);
        const bool prepends =
            step.prepends == MetaspaceSplit::Prepends::Always ||
            (step.prepends == MetaspaceSplit::Prepends::First && text.begins_at() == 0);
        if (prepends && !text.text().starts_with(step.mark)) text.prepend(step.mark);
        if (!step.splits_words) return {std::move(text)};
        return cut(text,
                   apply_behaviour(mark.parts_in(text.text()), SplitBehaviour::MergedWithNext));
    }
    std::vector<AlignedText> operator()(const WordSplit&) {
        std::vector<AlignedText> words;
        for (const TextPart& part : word_parts(text.text()))
            if (part.is_match) words.push_back(text.part(part.begin, part.end));
        return words;
    }
    std::vector<AlignedText> operator()(const BlankSplit&) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_pattern_blank),
                                         SplitBehaviour::Removed));
    }
    std::vector<AlignedText> operator()(const DigitSplit& step) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_splitting_digit),
                                         step.behaviour));
    }
    std::vector<AlignedText> operator()(const PunctuationSplit& step) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_bert_punctuation),
                                         step.behaviour));
    }
    std::vector<AlignedText> operator()(const PatternSplit& step) {
        std::vector<TextPart> parts = step.pattern.parts_in(text.text());
        if (step.matches == PatternSplit::Matches::Words)
            for (TextPart& part : parts) part.is_match = !part.is_match;
        return cut(text, apply_behaviour(std::move(parts), step.behaviour));
    }
};

}  // namespace

std::vector<AlignedText> split_text(AlignedText text, const PreTokenizer& pre_tokenizer) {
    return std::visit(Split{std::move(text)}, pre_tokenizer);
}

namespace {

/// The spelling of a vocabulary's pieces: as text, with the letters of bytes (Ġ), or with marks (▁,
/// <0x0A>).
enum class PieceSpelling { Text, ByteLetters, Marks };

constexpr std::string_view kPieceMark = "▁";

/// True of a character that has no letter and no mark of its own.
bool is_control(std::string_view character) {
    if (character.size() != 1) return false;
    const auto byte = static_cast<unsigned char>(character.front());
    return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F;
}

/// Writes text, with ⟨E2 96⟩ for bytes that are no UTF-8 or that control something.
std::string with_bytes_named(std::string_view bytes) {
    std::string text, named;
    const auto finish = [&] {
        if (!named.empty()) text += fmt::format("⟨{}⟩", named);
        named.clear();
    };
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint point = decode_code_point(bytes, at);
        const std::string_view part = bytes.substr(at, point.size_bytes);
        at += point.size_bytes;
        if (point.is_valid && !is_control(part)) {
            finish();
            text += part;
            continue;
        }
        for (const char byte : part) {
            const auto value = static_cast<unsigned char>(byte);
            append_part(named, " ", fmt::format("{:02X}", value));
        }
    }
    finish();
    return text;
}

std::string without_marks(std::string_view piece) {
    if (const auto byte = find_fallback_byte(piece))
        return std::string(1, static_cast<char>(*byte));
    std::string text;
    while (!piece.empty()) {
        const bool is_mark = piece.starts_with(kPieceMark);
        const std::size_t size = is_mark ? kPieceMark.size() : 1;
        text += is_mark ? " " : piece.substr(0, size);
        piece.remove_prefix(size);
    }
    return text;
}

/// Writes blanks at its ends as ␣, a line end as ⏎, bytes that are no whole character or that
/// control something as ⟨E2 96⟩. The result is UTF-8.
std::string shown_piece(std::string_view piece, PieceSpelling spelling) {
    std::string bytes(piece);
    if (spelling == PieceSpelling::ByteLetters) bytes = find_bytes(piece).value_or(bytes);
    if (spelling == PieceSpelling::Marks) bytes = without_marks(piece);
    return shown_name(with_bytes_named(bytes));
}

std::uint64_t trie_key(std::uint64_t node, char byte) {
    return node << 8 | static_cast<unsigned char>(byte);
}

/// Returns the character that ends at `end` > 0.
CodePoint character_before(std::string_view utf8, std::size_t end) {
    std::size_t begin = end - 1;
    while (begin > 0 && (static_cast<unsigned char>(utf8[begin]) & 0xC0) == 0x80) --begin;
    return decode_code_point(utf8, begin);
}

bool stands_alone(std::string_view utf8, std::size_t begin, std::size_t end) {
    const bool is_free_before = begin == 0 || !is_pattern_word(character_before(utf8, begin).value);
    const bool is_free_after =
        end == utf8.size() || !is_pattern_word(decode_code_point(utf8, end).value);
    return is_free_before && is_free_after;
}

std::size_t blanks_begin(std::string_view utf8, std::size_t end) {
    while (end > 0) {
        const CodePoint before = character_before(utf8, end);
        if (!is_pattern_blank(before.value)) break;
        end -= before.size_bytes;
    }
    return end;
}

std::size_t blanks_end(std::string_view utf8, std::size_t begin) {
    while (begin < utf8.size()) {
        const CodePoint next = decode_code_point(utf8, begin);
        if (!is_pattern_blank(next.value)) break;
        begin += next.size_bytes;
    }
    return begin;
}

}  // namespace

bool AddedTokenFinder::add(const AddedToken& token, std::string_view spelling) {
    std::uint64_t node = 0;
    for (const char byte : spelling) {
        if (const std::uint64_t* next = edges_.find(trie_key(node, byte))) {
            node = *next;
            continue;
        }
        edges_.set(trie_key(node, byte), leaves_.size());
        node = leaves_.size();
        leaves_.push_back(nullptr);
    }
    if (leaves_[node]) return false;
    leaves_[node] = &token;
    begins_[static_cast<unsigned char>(spelling.front())] = true;
    return true;
}

AddedTokenFinder::Match AddedTokenFinder::longest_at(std::string_view utf8,
                                                     std::size_t begin) const {
    Match longest;
    if (!begins_[static_cast<unsigned char>(utf8[begin])]) return longest;
    std::uint64_t node = 0;
    for (std::size_t at = begin; at < utf8.size();) {
        const std::uint64_t* next = edges_.find(trie_key(node, utf8[at]));
        if (!next) break;
        node = *next;
        ++at;
        if (leaves_[node]) longest = {at, leaves_[node]};
    }
    return longest;
}

std::vector<AddedTokenPart> AddedTokenFinder::parts_in(std::string_view utf8,
                                                       SpecialInText special) const {
    std::vector<AddedTokenPart> parts;
    std::size_t reached = 0;  // the parts cover what is before it
    for (std::size_t at = 0; at < utf8.size();) {
        const Match match = longest_at(utf8, at);
        if (!match.token) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = match.end;
        at = match.end;
        const AddedToken& token = *match.token;
        if (special == SpecialInText::PlainText && token.is_special) continue;
        if (token.is_single_word && !stands_alone(utf8, begin, end)) continue;
        if (token.strips_left) begin = std::max(blanks_begin(utf8, begin), reached);
        if (token.strips_right) end = blanks_end(utf8, end);
        if (reached < begin) parts.push_back({reached, begin, nullptr});
        parts.push_back({begin, end, &token});
        reached = end;
    }
    if (reached != utf8.size()) parts.push_back({reached, utf8.size(), nullptr});
    return parts;
}

namespace {

constexpr char32_t kSpaceLetter = U'Ġ';

bool is_trimmed(char32_t c) {
    return c == kSpaceLetter || is_pattern_blank(c);
}

/// Moves `n` characters on, but at most to `end`.
std::uint32_t characters_on(std::string_view text, std::uint32_t begin, std::uint32_t end,
                            std::size_t n) {
    for (; n > 0 && begin < end; --n)
        begin += static_cast<std::uint32_t>(decode_code_point(text, begin).size_bytes);
    return std::min(begin, end);
}

/// Moves `n` characters back, but at most to `begin`; returns `end` where the text has fewer.
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

void trim(TokenRun& run, const RangeTrimming& trimming) {
    for (std::size_t k = 0; k < run.tokens.size(); ++k) {
        auto& [token, spelling] = run.tokens[k];
        const std::u32string letters = code_points_in(spelling);
        const auto first = std::find_if_not(letters.begin(), letters.end(), is_trimmed);
        const auto last = std::find_if_not(letters.rbegin(), letters.rend(), is_trimmed);
        auto n_leading = static_cast<std::size_t>(first - letters.begin());
        const auto n_trailing = static_cast<std::size_t>(last - letters.rbegin());
        const bool is_first = k == 0 || token.begin == 0;
        if (is_first && trimming.keeps_prefix_space && n_leading == 1) n_leading = 0;
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
        for (TokenRun& run : runs) trim(run, *trimming);
        return;
    }
    const auto& filled = std::get<TemplateStep>(step);
    runs = filled_template(runs, runs.size() == 1 ? filled.single : filled.pair, specials);
}

namespace {

bool writes_byte_letters(const TokenizerParts& parts) {
    const auto is_splitting = [](const PreTokenizer& step) {
        return std::holds_alternative<ByteLevelSplit>(step);
    };
    const auto is_lettering = [](const TextNormalizer& step) {
        return std::holds_alternative<ByteLettering>(step);
    };
    return std::ranges::any_of(parts.pre_tokenizers, is_splitting) ||
           std::ranges::any_of(parts.normalizers, is_lettering);
}

std::size_t count_bytes(const std::vector<std::string>& pieces) {
    std::size_t n_bytes = 0;
    for (const std::string& piece : pieces) n_bytes += piece.size();
    return n_bytes;
}

}  // namespace

/// A part of the text in which the model finds pieces, or an added token.
struct Tokenizer::Word {
    AlignedText text;
    const AddedToken* token = nullptr;
};

Tokenizer::Tokenizer(TokenizerParts parts) : parts_(std::move(parts)), size_(pieces().size()) {
    has_byte_letters_ = writes_byte_letters(parts_);
    add_added_tokens();
    check_templates();
}

void Tokenizer::fail(const std::string& what) const {
    throw Error(parts_.source, what);
}

const PieceTable& Tokenizer::pieces() const {
    return std::visit([](const auto& model) -> const PieceTable& { return model.pieces(); },
                      parts_.model);
}

/// Throws Error if steps make a text far too long: each may lengthen it, but not all one after
/// another.
void Tokenizer::check_growth(std::size_t before, std::size_t after) const {
    constexpr std::size_t kAnyBytes = 65'536, kTimes = 32;
    if (after > kAnyBytes + kTimes * before)
        fail(fmt::format("its steps make a text of {} bytes from one of {}, which is too much",
                         after, before));
}

void Tokenizer::normalize(AlignedText& text) const {
    const std::size_t before = text.text().size();
    for (const TextNormalizer& step : parts_.normalizers) {
        normalize_text(text, step);
        check_growth(before, text.text().size());
    }
}

void Tokenizer::add_added_tokens() {
    for (const AddedToken& token : parts_.added_tokens) {
        std::string spelling = token.content;
        if (token.is_normalized) {
            AlignedText text(spelling);
            normalize(text);
            spelling = text.text();
        }
        const std::string name = fmt::format("the added token '{}'", repair_utf8(token.content));
        if (spelling.empty()) fail(name + " is empty when it is normalised");
        AddedTokenFinder& finder = token.is_normalized ? in_normalized_ : in_text_;
        if (!finder.add(token, spelling)) fail(name + " is spelled like another one");
        if (token.id >= kMostPieces) fail(name + " has an id that is too large");
        added_.set(token.id, spellings_.size());
        spellings_.push_back(std::move(spelling));
        size_ = std::max<std::size_t>(size_, token.id + 1);
    }
}

void Tokenizer::check_templates() const {
    for (const PostProcessor& step : parts_.post_processors) {
        const auto* filled = std::get_if<TemplateStep>(&step);
        if (!filled) continue;
        for (const auto* parts : {&filled->single, &filled->pair})
            for (const TemplatePart& part : *parts)
                for (const PieceId id : part.specials) static_cast<void>(piece_at(id));
    }
}

const AddedToken* Tokenizer::find_added(PieceId id) const {
    const std::uint64_t* place = added_.find(id);
    return place ? &parts_.added_tokens[*place] : nullptr;
}

bool Tokenizer::is_special(PieceId id) const {
    const AddedToken* added = find_added(id);
    return added && added->is_special;
}

std::optional<PieceId> Tokenizer::find_id(std::string_view piece) const {
    for (const AddedToken& token : parts_.added_tokens)
        if (token.content == piece) return token.id;
    return pieces().find_id(piece);
}

const std::string& Tokenizer::piece_at(PieceId id) const {
    if (const AddedToken* added = find_added(id)) return added->content;
    if (const std::string* piece = pieces().find_piece(id)) return *piece;
    fail(fmt::format("no token has the id {}; the ids are below {}", id, size_));
}

std::string Tokenizer::shown_piece(PieceId id) const {
    const std::string& piece = piece_at(id);
    if (find_added(id)) return headlight::shown_piece(piece, PieceSpelling::Text);
    return headlight::shown_piece(
        piece, has_byte_letters_ ? PieceSpelling::ByteLetters : PieceSpelling::Marks);
}

void Tokenizer::append_words(AlignedText text, SpecialInText special, std::vector<Word>& to) const {
    normalize(text);
    for (const auto& [begin, end, token] : in_normalized_.parts_in(text.text(), special)) {
        AlignedText part = text.part(begin, end);
        if (part.is_empty()) continue;
        if (token) {
            to.push_back({std::move(part), token});
            continue;
        }
        std::vector<AlignedText> words;
        words.push_back(std::move(part));
        for (const PreTokenizer& step : parts_.pre_tokenizers) {
            std::vector<AlignedText> smaller;
            for (AlignedText& word : words)
                for (AlignedText& smaller_word : split_text(std::move(word), step))
                    if (!smaller_word.is_empty()) smaller.push_back(std::move(smaller_word));
            words = std::move(smaller);
        }
        for (AlignedText& word : words) to.push_back({std::move(word)});
    }
}

std::vector<Tokenizer::Word> Tokenizer::words_in(std::string_view text,
                                                 SpecialInText special) const {
    std::vector<Word> words;
    const AlignedText whole(text);
    for (const auto& [begin, end, token] : in_text_.parts_in(text, special)) {
        if (begin == end) continue;
        if (token)
            words.push_back({whole.part(begin, end), token});
        else
            append_words(whole.part(begin, end), special, words);
    }
    return words;
}

void Tokenizer::append_pieces(const Word& word, TokenOrigin origin,
                              std::vector<SpelledToken>& to) const {
    const std::string& text = word.text.text();
    const int type = origin == TokenOrigin::SecondText ? 1 : 0;
    const auto append = [&](const FoundPiece& found, std::string_view spelling) {
        const TextSource source = word.text.source(found.begin, found.end);
        to.push_back({{found.id, source.begin, source.end, type, origin}, spelling});
    };
    if (word.token) return append({word.token->id, 0, text.size()}, text);
    std::vector<FoundPiece> found;
    std::visit([&](const auto& model) { model.find(text, found); }, parts_.model);
    const bool spells_unknown = std::holds_alternative<Unigrams>(parts_.model);
    for (const FoundPiece& piece : found)
        append(piece, spells_unknown
                          ? std::string_view(text).substr(piece.begin, piece.end - piece.begin)
                          : std::string_view(*pieces().find_piece(piece.id)));
}

std::vector<Token> Tokenizer::encode_texts(std::span<const std::string_view> texts,
                                           const EncodeOptions& options) const {
    std::vector<std::vector<Word>> words;  // the spellings are views of these
    std::vector<TokenRun> runs;
    for (const std::string_view text : texts) {
        check_utf8(text);
        if (text.size() > kMostTextBytes)
            fail(fmt::format("the text has {} bytes; shorten it to at most {}", text.size(),
                             kMostTextBytes));
        words.push_back(words_in(text, options.special_in_text));
        TokenRun run{{}, text};
        const auto origin = runs.empty() ? TokenOrigin::FirstText : TokenOrigin::SecondText;
        for (const Word& word : words.back()) append_pieces(word, origin, run.tokens);
        runs.push_back(std::move(run));
    }
    for (const PostProcessor& step : parts_.post_processors)
        post_process(runs, step, options.specials);
    std::vector<Token> tokens;
    for (const TokenRun& run : runs)
        for (const SpelledToken& spelled : run.tokens) tokens.push_back(spelled.token);
    return tokens;
}

std::vector<Token> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    return encode_texts({&text, 1}, options);
}

std::vector<Token> Tokenizer::encode_pair(std::string_view first, std::string_view second,
                                          const EncodeOptions& options) const {
    const std::string_view texts[] = {first, second};
    return encode_texts(texts, options);
}

std::string Tokenizer::decode(std::span<const PieceId> ids, SpecialsInDecoding specials) const {
    std::vector<std::string> found;
    for (const PieceId id : ids) {
        if (specials == SpecialsInDecoding::LeftOut && is_special(id)) continue;
        if (const std::uint64_t* place = added_.find(id))
            found.push_back(spellings_[*place]);
        else if (const std::string* piece = pieces().find_piece(id))
            found.push_back(*piece);
    }
    const std::string_view between = parts_.decoders ? "" : " ";
    const std::size_t before = count_bytes(found);
    if (parts_.decoders)
        for (const PieceDecoder& step : *parts_.decoders) {
            found = decode_pieces(std::move(found), step);
            check_growth(before, count_bytes(found));
        }
    std::string text;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (k > 0) text += between;
        text += found[k];
    }
    return text;
}

}  // namespace headlight
