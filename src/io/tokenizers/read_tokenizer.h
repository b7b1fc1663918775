// The tokenizer in a model's folder.
//
// Goals: a tokenizer gives the same tokens as Hugging Face's tokenizers with the same files;
// unknown parts are refused by name, never left out. Not goals: truncation, padding, chat
// templates; SentencePiece's own files; unknown regular expressions.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "text/subwords/tokenizer.h"

namespace headlight {

/// Reads tokenizer.json; without it, vocab.json and merges.txt (GPT-2, RoBERTa, Qwen2), or
/// vocab.txt (BERT), with the settings in tokenizer_config.json, special_tokens_map.json,
/// added_tokens.json and config.json beside them. Throws Error, naming the file and the place in
/// it.
std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& folder);

/// Reads a tokenizer.json in memory. Throws Error, naming `source` and the place in it.
std::shared_ptr<const Tokenizer> read_tokenizer_json(std::string_view bytes,
                                                     const std::string& source);

}  // namespace headlight
