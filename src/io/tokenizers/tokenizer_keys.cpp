// Settings beside a vocabulary that concern the way in which texts are cut: they are read, refused,
// noted, or known not to matter.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/tokenizers/tokenizer_files.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::size_t kMostNamed = 5;

/// The class that transformers takes where no file names one.
constexpr auto kClassesOfModels = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bert", "BertTokenizer"},
    {"distilbert", "BertTokenizer"},
    {"gpt2", "GPT2Tokenizer"},
    {"gpt_neox", "GPTNeoXTokenizer"},
    {"llama", "LlamaTokenizer"},
    {"mistral", "LlamaTokenizer"},
    {"qwen2", "Qwen2Tokenizer"},
    {"qwen3", "Qwen2Tokenizer"},
    {"roberta", "RobertaTokenizer"},
    {"t5", "T5Tokenizer"},
});

/// Classes whose vocab.txt is cut as BERT's is.
constexpr auto kLikeBert =
    std::to_array<std::string_view>({"BertTokenizer", "ConvBertTokenizer", "DistilBertTokenizer",
                                     "ElectraTokenizer", "MobileBertTokenizer"});

/// Classes that cut texts by a program of their own, and read no tokenizer.json.
constexpr auto kByOwnProgram = std::to_array<std::string_view>({
    "BertJapaneseTokenizer",
    "BertweetTokenizer",
    "BioGptTokenizer",
    "BlenderbotSmallTokenizer",
    "ByT5Tokenizer",
    "CanineTokenizer",
    "CharacterBertTokenizer",
    "CpmAntTokenizer",
    "CpmTokenizer",
    "CTRLTokenizer",
    "EsmTokenizer",
    "FlaubertTokenizer",
    "GPTNeoXJapaneseTokenizer",
    "M2M100Tokenizer",
    "MarianTokenizer",
    "MistralCommonBackend",
    "MistralCommonTokenizer",
    "MyT5Tokenizer",
    "PhobertTokenizer",
    "RoCBertTokenizer",
    "TapasTokenizer",
    "XLMTokenizer",
});

/// Keys that change how texts are cut, unless they have this value.
struct OtherCut {
    std::string_view key, neutral, what;
};
constexpr std::array kOtherCuts = {
    OtherCut{"word_tokenizer_type", "basic", "words that are cut by another program are"},
    OtherCut{"subword_tokenizer_type", "wordpiece", "words that are cut into other pieces are"},
    OtherCut{"do_word_tokenize", "true", "texts that are not cut into words are"},
    OtherCut{"do_subword_tokenize", "true", "words that are not cut into pieces are"},
    OtherCut{"do_basic_tokenize", "true", "texts that are not cut into words are"},
    OtherCut{"split_special_tokens", "false", "special tokens that are cut like words are"},
};

/// Keys that need no note: about the file, the length and the padding, decoding, chats; and keys
/// that are read.
constexpr auto kSilentKeys = std::to_array<std::string_view>({
    "_commit_hash",
    "add_bos_token",
    "add_eos_token",
    "add_prefix_space",
    "added_tokens_decoder",
    "additional_special_tokens",
    "auto_map",
    "backend",
    "chat_template",
    "clean_up_tokenization_spaces",
    "do_lower_case",
    "errors",
    "extra_ids",
    "extra_special_tokens",
    "full_tokenizer_file",
    "init_inputs",
    "is_local",
    "legacy",
    "local_files_only",
    "max_len",
    "max_length",
    "model_input_names",
    "model_max_length",
    "model_specific_special_tokens",
    "name_or_path",
    "pad_to_multiple_of",
    "pad_token_type_id",
    "padding_side",
    "processor_class",
    "response_schema",
    "return_token_type_ids",
    "sp_model_kwargs",
    "spaces_between_special_tokens",
    "special_tokens_map_file",
    "stride",
    "strip_accents",
    "tokenize_chinese_chars",
    "tokenizer_class",
    "tokenizer_file",
    "trim_offsets",
    "truncation_side",
    "truncation_strategy",
    "unk_id",
    "use_default_system_prompt",
    "use_fast",
});

/// True of null, [] and {}.
bool says_nothing(const JsonView& view) {
    const JsonValue& value = view.value();
    return is_null(view) || (value.object() && value.object()->empty()) ||
           (value.array() && value.array()->empty());
}

bool has_value(const JsonView& view, std::string_view value) {
    if (view.is_text()) return view.text() == value;
    const bool* flag = std::get_if<bool>(&view.value().value);
    return flag && value == (*flag ? "true" : "false");
}

/// Returns the class in Python that comes with a model and is its tokenizer; nothing if there is
/// none.
std::optional<JsonView> find_own_program(const std::optional<JsonSource>& file) {
    if (!file) return std::nullopt;
    auto found = JsonView(*file).find("auto_map");
    if (found && found->is_object()) found = found->find("AutoTokenizer");
    if (found && says_nothing(*found)) found.reset();
    return found;
}

void check_own_program(const TokenizerSettingsJson& settings, VocabularyKind kind,
                       std::vector<std::string>& notes) {
    for (const auto* file : {&settings.config, &settings.model}) {
        const auto found = find_own_program(*file);
        if (!found) continue;
        if (kind != VocabularyKind::TokenizerJson)
            found->fail(
                "the tokenizer is a program that comes with the model, which is never run; which "
                "tokens it makes is not known");
        notes.push_back(
            "a program that comes with the model may make other tokens (auto_map); it is never "
            "run: tokenizer.json counts");
        return;
    }
}

bool is_silent_key(std::string_view key) {
    return is_among(key, kSilentKeys) || key.ends_with("_token") || key.ends_with("_token_id") ||
           std::ranges::find(kOtherCuts, key, &OtherCut::key) != kOtherCuts.end();
}

void check_class(const JsonView& named, const std::string& name, VocabularyKind kind) {
    if (is_among(name, kByOwnProgram))
        named.fail("{} cuts texts by a program of its own, which is not known", in_quotes(name));
    if (kind == VocabularyKind::PieceLines && !is_among(name, kLikeBert))
        named.fail("vocab.txt of the class {} is not known; known are {}", in_quotes(name),
                   list_in_quotes(kLikeBert));
}

}  // namespace

TokenizerSettingsJson::TokenizerSettingsJson(const TokenizerSettingsFiles& files)
    : config(parsed(files.config)),
      special_tokens(parsed(files.special_tokens)),
      added_tokens(parsed(files.added_tokens)),
      model(parsed(files.model)) {}

std::optional<JsonSource> TokenizerSettingsJson::parsed(const std::optional<TextFile>& file) {
    if (!file) return std::nullopt;
    constexpr JsonLimits kLimits{.depth = 64, .values = kMostPieces};
    JsonSource json{file->source, parse_json(file->bytes, file->source, kLimits)};
    JsonView(json).expect_object();
    return json;
}

std::string read_tokenizer_class(const TokenizerSettingsJson& settings, VocabularyKind kind) {
    for (const auto* file : {&settings.config, &settings.model}) {
        if (!*file) continue;
        const auto named = JsonView(**file).find("tokenizer_class");
        if (!named || is_null(*named)) continue;
        std::string name = named->text();
        if (name.ends_with("Fast")) name.resize(name.size() - 4);
        check_class(*named, name, kind);
        return name;
    }
    const auto type = settings.model ? JsonView(*settings.model).find("model_type") : std::nullopt;
    if (!type || !type->is_text()) return "";
    const auto known = std::ranges::find(kClassesOfModels, type->text(),
                                         &decltype(kClassesOfModels)::value_type::first);
    if (known == kClassesOfModels.end()) return "";
    if (kind != VocabularyKind::TokenizerJson) check_class(*type, std::string(known->second), kind);
    return std::string(known->second);
}

std::vector<std::string> check_tokenizer_keys(const TokenizerSettingsJson& settings,
                                              VocabularyKind kind) {
    std::vector<std::string> notes, unknown;
    check_own_program(settings, kind, notes);
    if (!settings.config) return notes;
    const JsonView root(*settings.config);
    for (const OtherCut& other : kOtherCuts)
        if (const auto found = root.find(other.key);
            found && !says_nothing(*found) && !has_value(*found, other.neutral))
            found->fail("{} not supported", other.what);
    root.for_each_member([&](const std::string& key, const JsonView& member) {
        if (!is_silent_key(key) && !says_nothing(member)) unknown.push_back(printable(key));
    });
    if (!unknown.empty())
        notes.push_back("keys of tokenizer_config.json that are not known, and not used: " +
                        joined_few(unknown, kMostNamed));
    return notes;
}

namespace {

/// Notes a flag of tokenizer_config.json that contradicts the tokenizer.json, which counts.
void compare_flag(const JsonView& root, std::string_view key, bool is_so,
                  std::vector<std::string>& notes) {
    const auto found = root.find(key);
    if (!found || is_null(*found) || found->flag() == is_so) return;
    notes.push_back(
        fmt::format("tokenizer_config.json says {}: {}, tokenizer.json does not: "
                    "tokenizer.json counts",
                    key, is_so ? "false" : "true"));
}

template <typename Step, typename Steps>
const Step* find_step(const Steps& steps) {
    for (const auto& step : steps)
        if (const Step* found = std::get_if<Step>(&step)) return found;
    return nullptr;
}

/// Calls visit(name) for each token that tokenizer_config.json or special_tokens_map.json names.
template <typename Visit>
void for_each_named(const JsonView& root, Visit visit) {
    const auto check = [&](const JsonView& token) {
        const auto content = token.is_object() ? token.find("content") : std::optional(token);
        if (content && content->is_text() && !content->text().empty()) visit(content->text());
    };
    root.for_each_member([&](const std::string& key, const JsonView& member) {
        if (key.ends_with("_token")) check(member);
    });
    for_each_special(root, check);
    if (const auto added = root.find("added_tokens_decoder"); added && added->is_object())
        added->for_each_member([&](const std::string&, const JsonView& token) { check(token); });
}

/// Notes tokens that the tokenizer.json does not add: they would not be found in a text.
void note_missing_tokens(const TokenizerSettingsJson& settings, TokenizerParts& parts) {
    std::vector<std::string> missing;
    const auto check = [&](const std::string& content) {
        const bool is_there = std::ranges::find(parts.added_tokens, content,
                                                &AddedToken::content) != parts.added_tokens.end();
        std::string name = in_quotes(content);
        if (!is_there && !is_among(name, missing)) missing.push_back(std::move(name));
    };
    for (const auto* file : {&settings.config, &settings.special_tokens})
        if (*file) for_each_named(JsonView(**file), check);
    if (settings.added_tokens)
        JsonView(*settings.added_tokens)
            .for_each_member([&](const std::string& content, const JsonView&) { check(content); });
    if (!missing.empty())
        parts.notes.push_back(
            "files beside tokenizer.json name tokens that it does not add; they are not found in a "
            "text: " +
            joined_few(missing, kMostNamed));
}

}  // namespace

void for_each_special(const JsonView& root, const std::function<void(const JsonView&)>& visit) {
    for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
        const auto tokens = root.find(key);
        if (!tokens || is_null(*tokens)) continue;
        if (tokens->is_object())
            tokens->for_each_member([&](const std::string&, const JsonView& view) { visit(view); });
        else
            tokens->for_each_element(visit);
    }
}

void note_contradictions(const TokenizerSettingsJson& settings, TokenizerParts& parts) {
    note_missing_tokens(settings, parts);
    if (!settings.config) return;
    const JsonView root(*settings.config);
    if (const auto* cleaning = find_step<BertCleaning>(parts.normalizers)) {
        compare_flag(root, "do_lower_case", cleaning->lowers_case, parts.notes);
        compare_flag(root, "tokenize_chinese_chars", cleaning->isolates_ideographs, parts.notes);
        compare_flag(root, "strip_accents", cleaning->strips_accents, parts.notes);
    }
    if (const auto* split = find_step<ByteLevelSplit>(parts.pre_tokenizers))
        compare_flag(root, "add_prefix_space", split->adds_prefix_space, parts.notes);
}

}  // namespace headlight
