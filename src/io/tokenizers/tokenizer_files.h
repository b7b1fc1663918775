// The files of a tokenizer in memory, without the folder they come from; and the components of a
// tokenizer.json: each is read from its JSON, or refused by its name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/json_view.h"
#include "text/subwords/tokenizer.h"

namespace headlight {

struct TextFile {
    std::string source;  // its name in messages
    std::string bytes;
};

/// The files beside a vocabulary that say more about it; `model` is config.json.
struct TokenizerSettingsFiles {
    std::optional<TextFile> config, special_tokens, added_tokens, model;
};

/// Parses the same files. Throws Error, naming the file, if one of them is no object.
struct TokenizerSettingsJson {
    explicit TokenizerSettingsJson(const TokenizerSettingsFiles& files);

    std::optional<JsonSource> config, special_tokens, added_tokens, model;

  private:
    static std::optional<JsonSource> parsed(const std::optional<TextFile>& file);
};

enum class VocabularyKind { TokenizerJson, PieceLines, BytePairs };

/// Returns the class of transformers that tokenizer_config.json or config.json names, without
/// "Fast", or that is the model's; empty if none is named. Throws Error, naming the key, for a
/// class that makes other tokens of such a vocabulary than Headlight does.
std::string read_tokenizer_class(const TokenizerSettingsJson& settings, VocabularyKind kind);

/// Throws Error, naming the key, where a setting makes other tokens and is not supported. Returns
/// notes, of keys that are not known.
std::vector<std::string> check_tokenizer_keys(const TokenizerSettingsJson& settings,
                                              VocabularyKind kind);

/// The tokens that tokenizer_config.json lists in addition to those that have a role.
void for_each_special(const JsonView& root, const std::function<void(const JsonView&)>& visit);

/// Notes where tokenizer_config.json says something else than the tokenizer.json beside it.
void note_contradictions(const TokenizerSettingsJson& settings, TokenizerParts& parts);

/// Reads vocab.json and merges.txt. Throws Error, naming the file and the place in it.
std::shared_ptr<const Tokenizer> read_byte_pair_files(const TextFile& vocabulary,
                                                      const TextFile& merges,
                                                      const TokenizerSettingsJson& settings);

/// Reads vocab.txt. Throws Error, naming the file and the line.
std::shared_ptr<const Tokenizer> read_word_piece_files(const TextFile& vocabulary,
                                                       const TokenizerSettingsJson& settings);

/// Reads normalizers. Sequences are taken apart into their steps. Throws Error, naming the place.
std::vector<TextNormalizer> read_normalizers(const JsonView& view);
std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& view);
std::vector<PostProcessor> read_post_processors(const JsonView& view);
std::vector<PieceDecoder> read_decoders(const JsonView& view);

/// Reads the model; oddities that can be read go to the notes. Throws Error, naming the place.
PieceModel read_piece_model(const JsonView& view, std::vector<std::string>& notes);
std::vector<AddedToken> read_added_tokens(const JsonView& view, const PieceTable& pieces);

// ---- shared by these ----

bool is_null(const JsonView& view);
bool flag_or(const JsonView& view, std::string_view key, bool otherwise);
std::string text_or(const JsonView& view, std::string_view key, const std::string& otherwise);
/// Returns the one character that a text consists of.
char32_t read_character(const JsonView& view);
/// Reads {"String": …} or {"Regex": …}; an unknown regular expression is refused.
TextPattern read_text_pattern(const JsonView& view);
/// Reads a text that a step puts in: at most kMostReplacementBytes.
std::string read_replacement(const JsonView& view);
/// Visits the component's steps in turn if it is a Sequence with this member, else itself.
template <typename Visit>
void for_each_step(const JsonView& view, std::string_view member, Visit visit) {
    if (is_null(view)) return;
    if (view.at("type").text() != "Sequence") return visit(view);
    view.expect_keys({"type", member});
    view.at(member).for_each_element(
        [&](const JsonView& step) { for_each_step(step, member, visit); });
}
/// Refuses a component: "the normalizer 'X' is not known; known are …".
[[noreturn]] void refuse_component(const JsonView& view, std::string_view what,
                                   std::initializer_list<std::string_view> known);

/// Throws Error if the piece is longer than kMostPieceBytes.
void check_piece_size(const JsonView& view, const std::string& piece);
/// Reads {"piece": id, …} as pieces by id; gaps are noted.
PieceTable read_piece_ids(const JsonView& view, std::vector<std::string>& notes);
/// Throws Error, in the name of `source`, unless every byte has its letter among the pieces.
void check_byte_letters(const PieceTable& pieces, const std::string& source);

}  // namespace headlight
