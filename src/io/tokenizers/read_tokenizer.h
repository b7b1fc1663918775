// The tokenizer in a model's folder.
//
// Goals: what is read gives the same tokens as Hugging Face's tokenizers with the same files; what
// is not known here is refused by its name, never left out. Not goals: truncation, padding, chat
// templates; SentencePiece's own files; regular expressions that are not known.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "text/subwords/tokenizer.h"

namespace headlight {

/// Of tokenizer.json; without it, of vocab.json and merges.txt (GPT-2, RoBERTa, Qwen2), or of
/// vocab.txt (BERT), with what tokenizer_config.json, special_tokens_map.json, added_tokens.json
/// and config.json beside them say. Throws Error, naming the file and the place in it.
std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& folder);

/// A tokenizer.json in memory. Throws Error, naming `source` and the place in it.
std::shared_ptr<const Tokenizer> read_tokenizer_json(std::string_view bytes,
                                                     const std::string& source);

}  // namespace headlight
