// vocab.txt, and vocab.json with merges.txt: vocabularies without a tokenizer.json.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/recognise.h"
#include "io/text/text_check.h"
#include "io/tokenizers/component_json.h"
#include "io/tokenizers/settings_files.h"
#include "io/tokenizers/tokenizer_files.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr std::string_view kQwen2Regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

[[noreturn]] void fail_at_line(const TextFile& file, std::size_t line, const std::string& what) {
    throw Error({file.source, static_cast<std::int64_t>(line)}, what);
}

/// The lines without their ends; the last one may be without one.
std::vector<std::string_view> vocabulary_lines(const TextFile& file) {
    const std::string_view bytes = file.bytes;
    if (bytes.empty()) throw Error(file.source, "is empty");
    const std::string other = recognised_as(bytes);
    if (!other.empty()) throw Error(file.source, "is no list of pieces" + other);
    check_text(bytes, file.source);
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        std::string_view line = bytes.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > 2 * kMostPieceBytes) fail_at_line(file, lines.size() + 1, "is too long");
        if (lines.size() == kMostPieces)
            fail_at_line(file, lines.size() + 1,
                         "at most " + std::to_string(kMostPieces) + " lines are read");
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
        notes.push_back("line " + std::to_string(id + 1) + " of the vocabulary, " +
                        in_quotes(piece) + ", comes again as line " + std::to_string(last + 1) +
                        ", which counts");
        break;
    }
    return pieces;
}

PieceId id_at(const PieceTable& pieces, const std::string& piece, const std::string& source) {
    if (const auto id = pieces.find_id(piece)) return *id;
    throw Error(source, "the vocabulary has no " + in_quotes(piece));
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

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> texts) {
    return std::ranges::find(texts, std::string_view(text)) != texts.end();
}

/// How the class of the tokenizer splits, and what it puts around a text.
void add_steps_by_class(const TokenizerSettings& settings, const PieceTable& pieces,
                        TokenizerParts& parts) {
    const std::string& name = settings.tokenizer_class;
    ByteLevelSplit byte_level;
    if (settings.adds_prefix_space) byte_level.first = ByteLevelSplit::First::WithSpace;
    if (is_one_of(name, {"Qwen2Tokenizer"})) {
        parts.normalizers.push_back(FormChange{UnicodeForm::Nfc});
        parts.pre_tokenizers.push_back(PatternSplit{*TextPattern::find_regex(kQwen2Regex),
                                                    SplitBehaviour::Isolated,
                                                    PatternSplit::Matches::Delimiters});
        byte_level = {ByteLevelSplit::First::AsItIs, ByteLevelSplit::Words::Whole};
    } else if (is_one_of(name, {"RobertaTokenizer", "BartTokenizer", "LongformerTokenizer"})) {
        const PieceId before = id_at(pieces, "<s>", parts.source);
        const PieceId after = id_at(pieces, "</s>", parts.source);
        parts.post_processors.push_back(RangeTrimming{settings.adds_prefix_space
                                                          ? RangeTrimming::Prefix::Space
                                                          : RangeTrimming::Prefix::None});
        parts.post_processors.push_back(template_around(before, {{{after}}}, after, 0));
    } else if (is_one_of(name, {"", "GPT2Tokenizer", "GPTNeoXTokenizer"})) {
        if (settings.adds_bos) {
            const std::string bos = settings.bos.value_or("<|endoftext|>");
            const TemplatePart before{{id_at(pieces, bos, parts.source)}};
            const TemplatePart first{{}, TokenOrigin::FirstText, 0};
            const TemplatePart second{{}, TokenOrigin::SecondText, 0};
            parts.post_processors.push_back(
                TemplateStep{{before, first}, {before, first, before, second}});
        }
    } else {
        throw Error(parts.source, "vocab.json and merges.txt of the class " + in_quotes(name) +
                                      " are not known; save the model with its tokenizer.json");
    }
    parts.pre_tokenizers.push_back(byte_level);
}

}  // namespace

std::shared_ptr<const Tokenizer> read_byte_pair_files(const TextFile& vocabulary,
                                                      const TextFile& merges,
                                                      const TokenizerSettingsFiles& files) {
    constexpr JsonLimits kLimits{.depth = 8, .values = kMostPieces + 1};
    const JsonSource json{vocabulary.source,
                          parse_json(vocabulary.bytes, vocabulary.source, kLimits)};
    std::vector<std::string> notes;
    PieceTable pieces = read_piece_ids(JsonView(json), notes);
    check_byte_letters(pieces, vocabulary.source);
    const auto pairs = read_merge_lines(merges, pieces);
    TokenizerSettings settings = read_tokenizer_settings(files, pieces);
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
                                                       const TokenizerSettingsFiles& files) {
    std::vector<std::string> notes;
    PieceTable pieces = read_piece_lines(vocabulary, notes);
    const TokenizerSettings settings = read_tokenizer_settings(files, pieces);
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
