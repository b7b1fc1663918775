// The readers of pretrained models' files as functions from bytes to an answer.
#include "bad/model_readers.h"

#include <filesystem>

#include "io/arrays/safetensors.h"
#include "io/models/families.h"
#include "io/models/model_files.h"
#include "temporary_folder.h"

namespace headlight::bad {
namespace {

constexpr const char* kIndexFile = "model.safetensors.index.json";

/// Two shards, to which an index can be given.
class ShardsFolder {
  public:
    ShardsFolder() {
        folder_.with("a.safetensors", write_safetensors({{"W", Matrix::Ones(1, 2)}}));
        folder_.with("b.safetensors", write_safetensors({{"b", Matrix::Ones(1, 2)}}));
    }

    /// The arrays that the index names. Places in messages are as if the folder were `source`.
    std::string arrays_by(std::string_view index, const std::string& source) const {
        folder_.with(kIndexFile, std::string(index));
        try {
            std::string names;
            for (const StoredArray& array : find_model_files(folder_.file("")).arrays)
                names += (names.empty() ? "" : ", ") + array.name;
            return names;
        } catch (const Error& error) {
            throw as_if_in(error.what(), source);
        }
    }

  private:
    /// "[FOLDER/model.safetensors.index.json] …" is about the source, "[FOLDER/a] …" about a.
    Error as_if_in(std::string what, const std::string& source) const {
        const std::string folder = path_text(folder_.file(""));
        what.erase(1, folder.size());
        const std::string index = std::string("[") + kIndexFile + "] ";
        if (what.starts_with(index)) return Error(source, what.substr(index.size()));
        return Error(source, what);
    }

    TemporaryFolder folder_;
};

}  // namespace

std::string model_by_config(std::string_view bytes, const std::string& source) {
    const ModelConfig config(bytes, source);
    static_cast<void>(family_for(config).study(config));
    return "";
}

std::string arrays_by_index(std::string_view bytes, const std::string& source) {
    static const ShardsFolder folder;
    return folder.arrays_by(bytes, source);
}

}  // namespace headlight::bad
