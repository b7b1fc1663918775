// What the files beside a vocabulary say: tokenizer_config.json and such.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/tokenizers/tokenizer_files.h"

namespace headlight {

struct TokenizerSettings {
    std::string tokenizer_class;  // without "Fast"; empty: not said
    bool lowers_case = true, isolates_ideographs = true, adds_prefix_space = false;
    bool adds_bos = false;
    std::optional<bool> strips_accents;
    std::string cls = "[CLS]", sep = "[SEP]", unk = "[UNK]";
    std::optional<std::string> bos;
    /// Those that have ids, or are in the vocabulary. Their ids are checked.
    std::vector<AddedToken> added_tokens;
};

/// Throws Error, naming file and place.
TokenizerSettings read_tokenizer_settings(const TokenizerSettingsFiles& files,
                                          const PieceTable& pieces);

}  // namespace headlight
