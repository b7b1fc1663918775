#include "text/subwords/tokenizer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "text/subwords/shown_piece.h"
#include "text/utf8.h"

namespace headlight {
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

/// Steps may lengthen a text, but not each what the one before has lengthened.
void Tokenizer::check_growth(std::size_t before, std::size_t after) const {
    constexpr std::size_t kAnyBytes = 65'536, kTimes = 32;
    if (after > kAnyBytes + kTimes * before)
        fail("its steps make a text of " + std::to_string(after) + " bytes from one of " +
             std::to_string(before) + ", which is too much");
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
        const std::string name = "the added token '" + repair_utf8(token.content) + "'";
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
    fail("no token has the id " + std::to_string(id) + "; the ids are below " +
         std::to_string(size_));
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
    std::vector<std::vector<Word>> words;  // what the spellings are views of
    std::vector<TokenRun> runs;
    for (const std::string_view text : texts) {
        check_utf8(text);
        if (text.size() > kMostTextBytes)
            fail("the text has " + std::to_string(text.size()) + " bytes; shorten it to at most " +
                 std::to_string(kMostTextBytes));
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
