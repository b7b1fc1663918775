#include "io/tokenizers/read_tokenizer.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/tokenizers/tokenizer_files.h"
#include "text/strings.h"
#include "text/subwords/byte_letters.h"
#include "text/utf8.h"

namespace headlight {

bool is_null(const JsonView& view) {
    return std::holds_alternative<std::monostate>(view.value().value);
}

bool flag_or(const JsonView& view, std::string_view key, bool otherwise) {
    const auto found = view.find(key);
    return found && !is_null(*found) ? found->flag() : otherwise;
}

std::string text_or(const JsonView& view, std::string_view key, const std::string& otherwise) {
    const auto found = view.find(key);
    return found && !is_null(*found) ? found->text() : otherwise;
}

char32_t read_character(const JsonView& view) {
    const std::u32string characters = code_points_in(view.text());
    if (characters.size() != 1) view.fail("must be one character, not {}", in_quotes(view.text()));
    return characters.front();
}

std::string read_replacement(const JsonView& view) {
    if (view.text().size() > kMostReplacementBytes)
        view.fail("has {} bytes; at most {} are put in", view.text().size(), kMostReplacementBytes);
    return view.text();
}

TextPattern read_text_pattern(const JsonView& view) {
    view.expect_keys({"String", "Regex"});
    if (view.find("String") && view.find("Regex")) view.fail("must be String or Regex, not both");
    if (const auto regex = view.find("Regex")) {
        if (const auto known = TextPattern::find_regex(regex->text())) return *known;
        regex->fail("this regular expression is not known, and none is run: {}",
                    in_quotes(regex->text()));
    }
    const JsonView literal = view.at("String");
    if (literal.text().empty()) literal.fail("must not be empty");
    return TextPattern::literal(literal.text());
}

void refuse_component(const JsonView& view, std::string_view what,
                      std::initializer_list<std::string_view> known) {
    const JsonView type = view.at("type");
    const std::span<const std::string_view> names(known.begin(), known.size());
    type.fail("the {} {} is not known; known are {}", what, in_quotes(type.text()),
              list_in_quotes(names));
}

void check_piece_size(const JsonView& view, const std::string& piece) {
    if (piece.size() <= kMostPieceBytes) return;
    view.fail("a piece has at most {} bytes, this one {}", kMostPieceBytes, piece.size());
}

PieceTable read_piece_ids(const JsonView& view, std::vector<std::string>& notes) {
    view.expect_object();
    // A small file must not take much memory.
    const std::size_t n = view.value().object()->size();
    const std::size_t n_ids = std::min(kMostPieces, 4 * n + (std::size_t{1} << 16));
    std::vector<std::optional<std::string>> pieces;
    view.for_each_member([&](const std::string& piece, const JsonView& value) {
        const auto id =
            static_cast<std::size_t>(value.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
        check_piece_size(value, piece);
        if (id >= n_ids) value.fail("the id {} is too large for a vocabulary of {} pieces", id, n);
        if (id >= pieces.size()) pieces.resize(id + 1);
        if (pieces[id]) value.fail("the id {} is that of {}, too", id, in_quotes(*pieces[id]));
        pieces[id] = piece;
    });
    if (pieces.empty()) view.fail("the vocabulary is empty");
    std::vector<std::size_t> gaps;
    for (std::size_t id = 0; id < pieces.size(); ++id)
        if (!pieces[id]) gaps.push_back(id);
    constexpr std::size_t kMostShown = 5;
    if (!gaps.empty())  // "3, 7 and 12 more"
        notes.push_back("the vocabulary has no piece with id " + joined_few(gaps, kMostShown));
    return PieceTable(std::move(pieces));
}

void check_byte_letters(const PieceTable& pieces, const std::string& source) {
    for (std::size_t byte = 0; byte < byte_letters().size(); ++byte) {
        const std::string letter = encode_code_point(byte_letters()[byte]);
        if (pieces.find_id(letter)) continue;
        throw Error(source,
                    "the vocabulary has no piece {}, which stands for the byte {}; without it not "
                    "every text has tokens",
                    in_quotes(letter), byte);
    }
}

namespace {

namespace fs = std::filesystem;

TextFile read_text_file(const fs::path& path) {
    return {path_text(path), read_dense_file(path)};
}

/// Reads a tokenizer.json, and applies the settings in the files beside it.
std::shared_ptr<const Tokenizer> read_tokenizer_json(const TextFile& file,
                                                     const TokenizerSettingsJson& settings);

std::optional<TextFile> find_text_file(const fs::path& path) {
    if (!is_there(path)) return std::nullopt;
    return read_text_file(path);
}

}  // namespace

std::shared_ptr<const Tokenizer> read_tokenizer(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Error(path_text(folder),
                    error ? "cannot be read: " + error.message() : std::string("is no folder"));
    const auto in_folder = [&](const char* name) { return folder / name; };
    const TokenizerSettingsJson settings({find_text_file(in_folder("tokenizer_config.json")),
                                          find_text_file(in_folder("special_tokens_map.json")),
                                          find_text_file(in_folder("added_tokens.json")),
                                          find_text_file(in_folder("config.json"))});
    if (is_there(in_folder("tokenizer.json"))) {
        const TextFile file = read_text_file(in_folder("tokenizer.json"));
        return read_tokenizer_json(file, settings);
    }
    const bool has_vocabulary = is_there(in_folder("vocab.json"));
    if (has_vocabulary != is_there(in_folder("merges.txt")))
        throw Error(path_text(folder), has_vocabulary
                                           ? "has vocab.json, but no merges.txt; both are needed"
                                           : "has merges.txt, but no vocab.json; both are needed");
    if (has_vocabulary)
        return read_byte_pair_files(read_text_file(in_folder("vocab.json")),
                                    read_text_file(in_folder("merges.txt")), settings);
    if (is_there(in_folder("vocab.txt")))
        return read_word_piece_files(read_text_file(in_folder("vocab.txt")), settings);
    throw Error(path_text(folder),
                "has no tokenizer: no tokenizer.json, no vocab.json with merges.txt, no vocab.txt");
}

namespace {

constexpr JsonLimits kTokenizerJson{.depth = 64, .values = 8 * kMostPieces};

template <typename Step, typename Steps>
bool has_step(const Steps& steps) {
    return std::ranges::any_of(steps,
                               [](const auto& step) { return std::holds_alternative<Step>(step); });
}

/// Throws Error if a text that is not in the vocabulary would vanish.
void check_covers_any_text(const JsonView& model, const TokenizerParts& parts,
                           const std::string& source) {
    if (!std::holds_alternative<BytePairs>(parts.model)) return;
    const PieceTable& pieces = std::get<BytePairs>(parts.model).pieces();
    const auto unknown = model.find("unk_token");
    if (unknown && !is_null(*unknown)) return;
    if (has_step<ByteLevelSplit>(parts.pre_tokenizers) ||
        has_step<ByteLettering>(parts.normalizers))
        return check_byte_letters(pieces, source + ": model.vocab");
    const BytePieces bytes = find_byte_pieces(pieces);
    const bool has_all = flag_or(model, "byte_fallback", false) &&
                         std::ranges::all_of(bytes, [](const auto& id) { return id.has_value(); });
    if (!has_all)
        model.fail(
            "there is no 'unk_token', and no piece for every byte: what is not in the "
            "vocabulary would vanish");
}

template <typename Read>
auto read_component(const JsonView& root, std::string_view key, Read read) {
    const auto found = root.find(key);
    return found ? read(*found) : decltype(read(root))();
}

TokenizerParts parts_in_json(std::string_view bytes, const std::string& source) {
    const JsonSource json{source, parse_json(bytes, source, kTokenizerJson)};
    const JsonView root(json);
    root.expect_keys({"version", "truncation", "padding", "added_tokens", "normalizer",
                      "pre_tokenizer", "post_processor", "decoder", "model"});
    if (const auto version = root.find("version"); version && version->text() != "1.0")
        version->fail("only version 1.0 is known, not {}", in_quotes(version->text()));
    std::vector<std::string> notes;
    const JsonView model = root.at("model");
    TokenizerParts parts{.source = source, .model = read_piece_model(model, notes)};
    const PieceTable& pieces =
        std::visit([](const auto& any) -> const PieceTable& { return any.pieces(); }, parts.model);
    if (const auto added = root.find("added_tokens"); added && !is_null(*added))
        parts.added_tokens = read_added_tokens(*added, pieces);
    parts.normalizers = read_component(root, "normalizer", read_normalizers);
    parts.pre_tokenizers = read_component(root, "pre_tokenizer", read_pre_tokenizers);
    parts.post_processors = read_component(root, "post_processor", read_post_processors);
    if (const auto decoder = root.find("decoder"); decoder && !is_null(*decoder))
        parts.decoders = read_decoders(*decoder);
    check_covers_any_text(model, parts, source);
    parts.notes = std::move(notes);
    return parts;
}

std::shared_ptr<const Tokenizer> read_tokenizer_json(const TextFile& file,
                                                     const TokenizerSettingsJson& settings) {
    static_cast<void>(read_tokenizer_class(settings, VocabularyKind::TokenizerJson));
    std::vector<std::string> notes = check_tokenizer_keys(settings, VocabularyKind::TokenizerJson);
    TokenizerParts parts = parts_in_json(file.bytes, file.source);
    std::ranges::move(notes, std::back_inserter(parts.notes));
    note_contradictions(settings, parts);
    return std::make_shared<Tokenizer>(std::move(parts));
}

}  // namespace

std::shared_ptr<const Tokenizer> read_tokenizer_json(std::string_view bytes,
                                                     const std::string& source) {
    return std::make_shared<Tokenizer>(parts_in_json(bytes, source));
}

namespace {

struct MergeText {
    std::string left, right;
};

/// Reads "a b", or ["a", "b"].
MergeText read_merge(const JsonView& view) {
    if (view.is_list()) {
        if (view.size() != 2) view.fail("a merge has two pieces");
        return {view[0].text(), view[1].text()};
    }
    const std::string& text = view.text();
    const std::size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
        view.fail("a merge is two pieces with a space between them, not {}", in_quotes(text));
    return {text.substr(0, space), text.substr(space + 1)};
}

std::vector<BytePairs::Merge> read_merges(const JsonView& view, const PieceTable& pieces,
                                          const std::string& prefix) {
    if (view.size() > kMostPieces)
        view.fail("has {} merges; at most {} are read", view.size(), kMostPieces);
    std::vector<BytePairs::Merge> merges;
    merges.reserve(view.size());
    view.for_each_element([&](const JsonView& element) {
        const auto [left, right] = read_merge(element);
        const auto id = [&](const std::string& piece) {
            if (const auto found = pieces.find_id(piece)) return *found;
            element.fail("the vocabulary has no piece {}", in_quotes(piece));
        };
        if (right.size() < prefix.size()) element.fail("the second piece lacks the prefix");
        merges.push_back({id(left), id(right), id(left + right.substr(prefix.size()))});
    });
    return merges;
}

/// Returns the id of the piece that stands for unknown texts, if the model has one.
std::optional<PieceId> read_unknown(const JsonView& view, const PieceTable& pieces) {
    const auto found = view.find("unk_token");
    if (!found || is_null(*found)) return std::nullopt;
    if (const auto id = pieces.find_id(found->text())) return id;
    found->fail("the vocabulary has no piece {}", in_quotes(found->text()));
}

BytePairs read_byte_pairs(const JsonView& view, std::vector<std::string>& notes) {
    view.expect_keys({"type", "dropout", "unk_token", "continuing_subword_prefix",
                      "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges", "vocab",
                      "merges"});
    const auto dropout = view.find("dropout");
    if (dropout && !is_null(*dropout) && dropout->real(0, 1) > 0)
        dropout->fail("dropout makes other tokens every time; set it to null");
    PieceTable pieces = read_piece_ids(view.at("vocab"), notes);
    BytePairs::Settings settings;
    settings.unknown = read_unknown(view, pieces);
    settings.joins_unknown = flag_or(view, "fuse_unk", false);
    settings.falls_back_to_bytes = flag_or(view, "byte_fallback", false);
    settings.prefers_whole_words = flag_or(view, "ignore_merges", false);
    settings.prefix = text_or(view, "continuing_subword_prefix", "");
    settings.suffix = text_or(view, "end_of_word_suffix", "");
    const auto merges = read_merges(view.at("merges"), pieces, settings.prefix);
    return BytePairs(std::move(pieces), merges, std::move(settings));
}

WordPieces read_word_pieces(const JsonView& view, std::vector<std::string>& notes) {
    view.expect_keys(
        {"type", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"});
    PieceTable pieces = read_piece_ids(view.at("vocab"), notes);
    const auto unknown = read_unknown(view, pieces);
    if (!unknown) view.fail("the key 'unk_token' is missing");
    constexpr std::int64_t kMostCharacters = 1'000'000;
    const std::int64_t most = view.at("max_input_chars_per_word").integer(0, kMostCharacters);
    return WordPieces(std::move(pieces), {*unknown, view.at("continuing_subword_prefix").text(),
                                          static_cast<std::size_t>(most)});
}

/// The most bytes of a Unigram vocabulary: each byte is a node of a tree.
constexpr std::size_t kMostUnigramBytes = std::size_t{16} << 20;

Unigrams read_unigrams(const JsonView& view, std::vector<std::string>& notes) {
    view.expect_keys({"type", "unk_id", "vocab", "byte_fallback"});
    const JsonView vocabulary = view.at("vocab");
    const std::size_t n = vocabulary.size();
    if (n == 0) vocabulary.fail("the vocabulary is empty");
    if (n > kMostPieces) vocabulary.fail("has {} pieces; at most {} are read", n, kMostPieces);
    const auto unknown = view.find("unk_id");
    if (!unknown || is_null(*unknown))
        view.fail("there is no 'unk_id': what is not in the vocabulary would have no token");
    const std::int64_t unknown_id = unknown->integer(0, static_cast<std::int64_t>(n) - 1);
    std::vector<std::optional<std::string>> texts;
    std::vector<double> scores;
    constexpr double kLargestScore = 1e30;
    std::size_t n_bytes = 0;
    vocabulary.for_each_element([&](const JsonView& element) {
        if (element.size() != 2) element.fail("must be [piece, score]");
        check_piece_size(element[0], element[0].text());
        texts.emplace_back(element[0].text());
        n_bytes += element[0].text().size();
        if (n_bytes > kMostUnigramBytes)
            element.fail("the pieces have more than {} bytes", kMostUnigramBytes);
        scores.push_back(element[1].real(-kLargestScore, kLargestScore));
    });
    PieceTable pieces(std::move(texts));
    std::size_t n_repeated = 0;
    for (PieceId id = 0; id < n; ++id) n_repeated += pieces.find_id(*pieces.find_piece(id)) != id;
    if (n_repeated > 0)
        notes.push_back(fmt::format("of {} of the vocabulary the last place counts",
                                    counted(n_repeated, "repeated piece")));
    return Unigrams(std::move(pieces), std::move(scores),
                    {static_cast<PieceId>(unknown_id), flag_or(view, "byte_fallback", false)});
}

/// Returns the type of the model, which early files leave out.
std::string model_type(const JsonView& view) {
    if (const auto type = view.find("type")) return type->text();
    if (view.find("merges")) return "BPE";
    if (view.find("max_input_chars_per_word")) return "WordPiece";
    if (view.find("unk_id")) return "Unigram";
    return view.at("type").text();
}

}  // namespace

PieceModel read_piece_model(const JsonView& view, std::vector<std::string>& notes) {
    const std::string type = model_type(view);
    if (type == "BPE") return read_byte_pairs(view, notes);
    if (type == "WordPiece") return read_word_pieces(view, notes);
    if (type == "Unigram") return read_unigrams(view, notes);
    refuse_component(view, "model", {"BPE", "WordPiece", "Unigram"});
}

std::vector<AddedToken> read_added_tokens(const JsonView& view, const PieceTable& pieces) {
    constexpr std::size_t kMostTokens = 100'000;
    if (view.size() > kMostTokens) view.fail("at most {} added tokens are read", kMostTokens);
    std::vector<AddedToken> tokens;
    NumberTable ids;
    view.for_each_element([&](const JsonView& element) {
        element.expect_keys(
            {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
        AddedToken token;
        token.id = static_cast<PieceId>(
            element.at("id").integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
        token.content = element.at("content").text();
        token.is_single_word = element.at("single_word").flag();
        token.strips_left = element.at("lstrip").flag();
        token.strips_right = element.at("rstrip").flag();
        token.is_normalized = element.at("normalized").flag();
        token.is_special = element.at("special").flag();
        const std::string name = "the token " + in_quotes(token.content);
        if (token.content.empty()) element.fail("a token has at least one character");
        check_piece_size(element, token.content);
        if (ids.find(token.id)) element.fail("{} has the id {} of another one", name, token.id);
        ids.set(token.id, 1);
        const auto known = pieces.find_id(token.content);
        if (known && *known != token.id)
            element.fail("{} has the id {}, but in the vocabulary it is {}", name, token.id,
                         *known);
        const std::string* other = pieces.find_piece(token.id);
        if (other && *other != token.content)
            element.fail("{} has the id {}, which is that of the piece {}", name, token.id,
                         in_quotes(*other));
        tokens.push_back(std::move(token));
    });
    return tokens;
}

}  // namespace headlight
