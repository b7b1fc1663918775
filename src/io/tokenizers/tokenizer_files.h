// The files of a tokenizer in memory, without the folder they come from.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
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

}  // namespace headlight
