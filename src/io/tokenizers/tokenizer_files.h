// The files of a tokenizer in memory, without the folder they come from.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "text/subwords/tokenizer.h"

namespace headlight {

struct TextFile {
    std::string source;  // its name in messages
    std::string bytes;
};

/// The files beside a vocabulary that say more about it.
struct TokenizerSettingsFiles {
    std::optional<TextFile> config, special_tokens, added_tokens;
};

/// vocab.json and merges.txt. Throws Error, naming the file and the place in it.
std::shared_ptr<const Tokenizer> read_byte_pair_files(const TextFile& vocabulary,
                                                      const TextFile& merges,
                                                      const TokenizerSettingsFiles& settings);

/// vocab.txt. Throws Error, naming the file and the line.
std::shared_ptr<const Tokenizer> read_word_piece_files(const TextFile& vocabulary,
                                                       const TokenizerSettingsFiles& settings);

}  // namespace headlight
