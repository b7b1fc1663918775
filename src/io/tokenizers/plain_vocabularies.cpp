// vocab.txt, and vocab.json with merges.txt: vocabularies without a tokenizer.json.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/recognise.h"
#include "io/tokenizers/tokenizer_files.h"
#include "text/strings.h"

namespace headlight {
namespace {

struct TokenizerSettings {
    std::string tokenizer_class;  // without "Fast"; empty: not said
    bool lowers_case = true, isolates_ideographs = true, adds_prefix_space = false;
    bool adds_bos = false, adds_eos = false;
    std::optional<bool> strips_accents;
    std::string cls = "[CLS]", sep = "[SEP]", unk = "[UNK]";
    std::optional<std::string> bos, eos;
    /// The added tokens that have ids, or are in the vocabulary. Their ids are checked.
    std::vector<AddedToken> added_tokens;
};

/// Reads a special token: a text, or an object with its content. Returns nothing for null and an
/// empty text.
std::optional<AddedToken> find_special_token(const JsonView& view) {
    if (is_null(view)) return std::nullopt;
    AddedToken token;
    token.is_special = true;
    if (view.is_text()) {
        token.content = view.text();
    } else {
        token.content = view.at("content").text();
        token.is_single_word = flag_or(view, "single_word", false);
        token.strips_left = flag_or(view, "lstrip", false);
        token.strips_right = flag_or(view, "rstrip", false);
    }
    if (token.content.empty()) return std::nullopt;
    return token;
}

class TokenizerSettingsReader {
  public:
    explicit TokenizerSettingsReader(const PieceTable& pieces) : pieces_(pieces) {}

    void read_config(const JsonView& root) {
        settings.lowers_case = flag_or(root, "do_lower_case", true);
        settings.isolates_ideographs = flag_or(root, "tokenize_chinese_chars", true);
        settings.adds_prefix_space = flag_or(root, "add_prefix_space", false);
        settings.adds_bos = flag_or(root, "add_bos_token", false);
        settings.adds_eos = flag_or(root, "add_eos_token", false);
        if (const auto strips = root.find("strip_accents"); strips && !is_null(*strips))
            settings.strips_accents = strips->flag();
        if (const auto added = root.find("added_tokens_decoder"); added && !is_null(*added))
            added->for_each_member(
                [&](const std::string& id, const JsonView& token) { add_with_id(id, token); });
    }

    void read_named_tokens(const JsonView& root) {
        for (const char* name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token",
                                 "cls_token", "mask_token"}) {
            const auto found = root.find(name);
            auto token = found ? find_special_token(*found) : std::nullopt;
            if (!token) continue;
            const std::string_view role = name;
            if (role == "cls_token") settings.cls = token->content;
            if (role == "sep_token") settings.sep = token->content;
            if (role == "unk_token") settings.unk = token->content;
            if (role == "bos_token") settings.bos = token->content;
            if (role == "eos_token") settings.eos = token->content;
            named_.push_back(std::move(*token));
        }
        for_each_special(root, [&](const JsonView& view) {
            if (auto token = find_special_token(view)) named_.push_back(std::move(*token));
        });
    }

    void read_added_ids(const JsonView& root) {
        root.for_each_member([&](const std::string& content, const JsonView& id) {
            AddedToken token;
            token.content = content;
            token.id =
                static_cast<PieceId>(id.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
            token.is_normalized = true;
            add(std::move(token), id);
        });
    }

    /// Adds the named ones that are pieces and have not been described yet.
    void add_named() {
        for (AddedToken& token : named_) {
            const auto known =
                std::ranges::find(settings.added_tokens, token.content, &AddedToken::content);
            if (known != settings.added_tokens.end()) {
                known->is_special = true;
                continue;
            }
            const auto id = pieces_.find_id(token.content);
            if (!id) continue;
            token.id = *id;
            settings.added_tokens.push_back(std::move(token));
        }
    }

    TokenizerSettings settings;

  private:
    void add_with_id(const std::string& id_text, const JsonView& view) {
        AddedToken token;
        const char* const end = id_text.data() + id_text.size();
        const auto [rest, error] = std::from_chars(id_text.data(), end, token.id);
        if (error != std::errc() || rest != end || token.id >= kMostPieces)
            view.fail("the id must be a number below {}, not {}", kMostPieces, in_quotes(id_text));
        token.content = view.at("content").text();
        token.is_single_word = flag_or(view, "single_word", false);
        token.strips_left = flag_or(view, "lstrip", false);
        token.strips_right = flag_or(view, "rstrip", false);
        token.is_special = flag_or(view, "special", false);
        token.is_normalized = flag_or(view, "normalized", !token.is_special);
        add(std::move(token), view);
    }

    void add(AddedToken token, const JsonView& view) {
        const std::string name = "the token " + in_quotes(token.content);
        if (token.content.empty()) view.fail("a token has at least one character");
        check_piece_size(view, token.content);
        for (const AddedToken& other : settings.added_tokens) {
            if (other.content == token.content && other.id == token.id) return;
            if (other.content == token.content || other.id == token.id)
                view.fail("{} has the id {}, but {} has the id {}", name, token.id,
                          in_quotes(other.content), other.id);
        }
        const auto known = pieces_.find_id(token.content);
        const std::string* piece = pieces_.find_piece(token.id);
        if ((known && *known != token.id) || (piece && *piece != token.content))
            view.fail("{} has the id {}, which is not so in the vocabulary", name, token.id);
        settings.added_tokens.push_back(std::move(token));
    }

    const PieceTable& pieces_;
    std::vector<AddedToken> named_;
};

/// Reads the settings. Throws Error, naming file and place.
TokenizerSettings read_tokenizer_settings(const TokenizerSettingsJson& json,
                                          const PieceTable& pieces) {
    TokenizerSettingsReader reader(pieces);
    if (json.config) {
        reader.read_config(JsonView(*json.config));
        reader.read_named_tokens(JsonView(*json.config));
    }
    if (json.special_tokens) reader.read_named_tokens(JsonView(*json.special_tokens));
    if (json.added_tokens) reader.read_added_ids(JsonView(*json.added_tokens));
    reader.add_named();
    return std::move(reader.settings);
}

constexpr std::string_view kQwen2Regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

[[noreturn]] void fail_at_line(const TextFile& file, std::size_t line, const std::string& what) {
    throw Error({file.source, static_cast<std::int64_t>(line)}, what);
}

/// Returns the lines without their ends; the last one may be without one.
std::vector<std::string_view> vocabulary_lines(const TextFile& file) {
    const std::string_view bytes = file.bytes;
    if (bytes.empty()) throw Error(file.source, "is empty");
    const std::string other = recognised_as(bytes);
    if (!other.empty()) throw Error(file.source, "is no list of pieces{}", other);
    check_text(bytes, file.source);
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        std::string_view line = bytes.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > 2 * kMostPieceBytes) fail_at_line(file, lines.size() + 1, "is too long");
        if (lines.size() == kMostPieces)
            fail_at_line(file, lines.size() + 1,
                         fmt::format("at most {} lines are read", kMostPieces));
        lines.push_back(line);
        begin = end + 1;
    }
    return lines;
}

PieceTable read_piece_lines(const TextFile& file, std::vector<std::string>& notes) {
    std::vector<std::optional<std::string>> texts;
    for (const std::string_view line : vocabulary_lines(file)) texts.emplace_back(line);
    PieceTable pieces(std::move(texts));
    for (PieceId id = 0; id < pieces.size(); ++id) {
        const std::string& piece = *pieces.find_piece(id);
        const PieceId last = *pieces.find_id(piece);
        if (last == id) continue;
        notes.push_back(
            fmt::format("line {} of the vocabulary, {}, comes again as line {}, which counts",
                        id + 1, in_quotes(piece), last + 1));
        break;
    }
    return pieces;
}

PieceId id_at(const PieceTable& pieces, const std::string& piece, const std::string& source) {
    if (const auto id = pieces.find_id(piece)) return *id;
    throw Error(source, "the vocabulary has no {}", in_quotes(piece));
}

std::vector<BytePairs::Merge> read_merge_lines(const TextFile& file, const PieceTable& pieces) {
    std::vector<BytePairs::Merge> merges;
    std::size_t number = 0;
    for (const std::string_view line : vocabulary_lines(file)) {
        ++number;
        if (line.starts_with("#version")) continue;
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
            fail_at_line(file, number,
                         "a merge is two pieces with a space between them, not " + in_quotes(line));
        const std::string left(line.substr(0, space)), right(line.substr(space + 1));
        const auto id = [&](const std::string& piece) {
            if (const auto found = pieces.find_id(piece)) return *found;
            fail_at_line(file, number, "the vocabulary has no piece " + in_quotes(piece));
        };
        merges.push_back({id(left), id(right), id(left + right)});
    }
    return merges;
}

TemplateStep template_around(PieceId before, const std::vector<TemplatePart>& between,
                             PieceId after, int second_type) {
    const TemplatePart first{{}, TokenOrigin::FirstText, 0};
    TemplateStep step;
    step.single = {{{before}}, first, {{after}}};
    step.pair = step.single;
    step.pair.insert(step.pair.end(), between.begin(), between.end());
    step.pair.push_back({{}, TokenOrigin::SecondText, second_type});
    step.pair.push_back({{after}, TokenOrigin::FirstText, second_type});
    return step;
}

/// Adds the tokens that a class without a template of its own puts around a text, if it is told to.
void add_ends(const TokenizerSettings& settings, const PieceTable& pieces, TokenizerParts& parts) {
    if (!settings.adds_bos && !settings.adds_eos) return;
    std::vector<TemplatePart> single;
    const auto add_end = [&](bool is_there, const std::optional<std::string>& name) {
        if (is_there)
            single.push_back({{id_at(pieces, name.value_or("<|endoftext|>"), parts.source)}});
    };
    add_end(settings.adds_bos, settings.bos);
    single.push_back({{}, TokenOrigin::FirstText, 0});
    add_end(settings.adds_eos, settings.eos);
    std::vector<TemplatePart> pair = single;
    for (TemplatePart part : single) {
        if (part.specials.empty()) part.text = TokenOrigin::SecondText;
        pair.push_back(std::move(part));
    }
    parts.post_processors.push_back(TemplateStep{std::move(single), std::move(pair)});
}

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> texts) {
    return is_among(std::string_view(text), texts);
}

/// Adds the steps by which the class of the tokenizer splits a text, and the tokens that it puts
/// around it.
void add_steps_by_class(const TokenizerSettings& settings, const PieceTable& pieces,
                        TokenizerParts& parts) {
    const std::string& name = settings.tokenizer_class;
    ByteLevelSplit byte_level{.adds_prefix_space = settings.adds_prefix_space};
    if (is_one_of(name, {"Qwen2Tokenizer"})) {
        parts.normalizers.push_back(FormChange{UnicodeForm::Nfc});
        parts.pre_tokenizers.push_back(PatternSplit{*TextPattern::find_regex(kQwen2Regex),
                                                    SplitBehaviour::Isolated,
                                                    PatternSplit::Matches::Delimiters});
        byte_level = {.splits_words = false};
        add_ends(settings, pieces, parts);
    } else if (is_one_of(name, {"RobertaTokenizer", "BartTokenizer", "LongformerTokenizer"})) {
        const PieceId before = id_at(pieces, "<s>", parts.source);
        const PieceId after = id_at(pieces, "</s>", parts.source);
        parts.post_processors.push_back(
            RangeTrimming{.keeps_prefix_space = settings.adds_prefix_space});
        parts.post_processors.push_back(template_around(before, {{{after}}}, after, 0));
    } else if (is_one_of(name, {"", "GPT2Tokenizer", "GPTNeoXTokenizer"})) {
        add_ends(settings, pieces, parts);
    } else {
        throw Error(parts.source,
                    "vocab.json and merges.txt of the class {} are not known; save the model with "
                    "its tokenizer.json",
                    in_quotes(name));
    }
    parts.pre_tokenizers.push_back(byte_level);
}

}  // namespace

std::shared_ptr<const Tokenizer> read_byte_pair_files(const TextFile& vocabulary,
                                                      const TextFile& merges,
                                                      const TokenizerSettingsJson& json) {
    constexpr JsonLimits kLimits{.depth = 8, .values = kMostPieces + 1};
    const JsonSource source{vocabulary.source,
                            parse_json(vocabulary.bytes, vocabulary.source, kLimits)};
    std::vector<std::string> notes = check_tokenizer_keys(json, VocabularyKind::BytePairs);
    PieceTable pieces = read_piece_ids(JsonView(source), notes);
    check_byte_letters(pieces, vocabulary.source);
    const auto pairs = read_merge_lines(merges, pieces);
    TokenizerSettings settings = read_tokenizer_settings(json, pieces);
    settings.tokenizer_class = read_tokenizer_class(json, VocabularyKind::BytePairs);
    TokenizerParts parts{.source = vocabulary.source,
                         .added_tokens = settings.added_tokens,
                         .model = BytePairs(std::move(pieces), pairs, {})};
    const PieceTable& known = std::get<BytePairs>(parts.model).pieces();
    constexpr std::string_view kEndOfText = "<|endoftext|>";
    if (const auto id = known.find_id(kEndOfText); id && parts.added_tokens.empty())
        parts.added_tokens.push_back(
            {*id, std::string(kEndOfText), false, false, false, false, true});
    add_steps_by_class(settings, known, parts);
    parts.decoders = {ByteLevelDecoding{}};
    parts.notes = std::move(notes);
    return std::make_shared<Tokenizer>(std::move(parts));
}

std::shared_ptr<const Tokenizer> read_word_piece_files(const TextFile& vocabulary,
                                                       const TokenizerSettingsJson& json) {
    static_cast<void>(read_tokenizer_class(json, VocabularyKind::PieceLines));
    std::vector<std::string> notes = check_tokenizer_keys(json, VocabularyKind::PieceLines);
    PieceTable pieces = read_piece_lines(vocabulary, notes);
    const TokenizerSettings settings = read_tokenizer_settings(json, pieces);
    const std::string& source = vocabulary.source;
    const PieceId cls = id_at(pieces, settings.cls, source);
    const PieceId sep = id_at(pieces, settings.sep, source);
    const PieceId unk = id_at(pieces, settings.unk, source);
    std::vector<AddedToken> added = settings.added_tokens;
    for (const std::string& name :
         {std::string("[PAD]"), settings.unk, settings.cls, settings.sep, std::string("[MASK]")}) {
        const auto id = pieces.find_id(name);
        if (id && std::ranges::find(added, name, &AddedToken::content) == added.end())
            added.push_back({*id, name, false, false, false, false, true});
    }
    TokenizerParts parts{.source = source,
                         .added_tokens = std::move(added),
                         .model = WordPieces(std::move(pieces), {unk})};
    parts.normalizers = {BertCleaning{true, settings.isolates_ideographs,
                                      settings.strips_accents.value_or(settings.lowers_case),
                                      settings.lowers_case}};
    parts.pre_tokenizers = {BertSplit{}};
    parts.post_processors = {template_around(cls, {}, sep, 1)};
    parts.decoders = {WordPieceDecoding{}};
    parts.notes = std::move(notes);
    return std::make_shared<Tokenizer>(std::move(parts));
}

}  // namespace headlight
