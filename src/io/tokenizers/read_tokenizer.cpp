#include "io/tokenizers/read_tokenizer.h"

#include <system_error>

#include "core/error.h"
#include "io/files/file.h"
#include "io/tokenizers/tokenizer_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

TextFile read_text_file(const fs::path& path) {
    return {path_text(path), read_dense_file(path)};
}

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
    if (is_there(in_folder("tokenizer.json"))) {
        const TextFile file = read_text_file(in_folder("tokenizer.json"));
        return read_tokenizer_json(file.bytes, file.source);
    }
    const TokenizerSettingsFiles settings{find_text_file(in_folder("tokenizer_config.json")),
                                          find_text_file(in_folder("special_tokens_map.json")),
                                          find_text_file(in_folder("added_tokens.json"))};
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

}  // namespace headlight
