// The small pretrained models of tests/golden/models.zip, each with a tokenizer beside it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "../../temporary_folder.h"
#include "io/arrays/safetensors.h"
#include "source_folder.h"

namespace headlight {

/// A copy of a model's folder that a test may change, and what transformers computes with it.
class GoldenModel {
  public:
    explicit GoldenModel(const std::string& name) {
        namespace fs = std::filesystem;
        const fs::path source = golden_folder("models") / name;
        bytes_ = read_file(source / "expected.safetensors");
        const ByteSource expected = bytes_in_memory(bytes_, name);
        for (const StoredArray& array : find_safetensors_arrays(expected))
            arrays_.emplace(array.name, array);
        metadata_ = read_safetensors_metadata(expected);
        for (const fs::directory_entry& entry : fs::directory_iterator(source))
            if (entry.path().filename() != "expected.safetensors")
                fs::copy(entry.path(), folder_.file(entry.path().filename()));
        if (!metadata_.contains("tokenizer")) return;  // a model of graphs
        const fs::path tokenizer = golden_folder("tokenizers") / metadata_.at("tokenizer");
        fs::copy(tokenizer / "tokenizer.json", folder_.file("tokenizer.json"));
    }

    std::filesystem::path folder() const { return folder_.file(""); }
    std::string file(const std::string& name) const { return folder_.file(name); }
    const std::string& text() const { return metadata_.at("text"); }
    const std::string& target() const { return metadata_.at("target"); }
    const StoredArray& array(const std::string& name) const { return arrays_.at(name); }
    bool has(const std::string& name) const { return arrays_.contains(name); }

  private:
    TemporaryFolder folder_;
    std::string bytes_;
    std::map<std::string, StoredArray> arrays_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace headlight
