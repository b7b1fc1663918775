#include "io/models/model_files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <system_error>

#include "core/bits.h"
#include "core/error.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::uint64_t kMostChecked = std::uint64_t(1) << 31, kPiecesApart = 64;

namespace fs = std::filesystem;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kAdapter = "adapter_config.json";
constexpr std::size_t kMostShards = 10'000;

/// Opens a file of weights. If Git LFS has not fetched it, its first line says so.
ByteSource bytes_of_weights(const fs::path& file) {
    constexpr std::string_view kPointer = "version https://git-lfs";
    if (read_beginning(file, kPointer.size()) == kPointer)
        throw Error(path_text(file),
                    "is a Git LFS pointer: the weights themselves were not downloaded; run "
                    "`git lfs pull` in its folder");
    return bytes_of_file(file);
}

/// Weights that other programs have saved, by the ends of their files' names.
struct OtherWeights {
    std::string_view ending, what;
};
constexpr auto kOtherWeights = std::to_array<OtherWeights>({
    {".gguf", "as a GGUF file of llama.cpp"},
    {".h5", "for TensorFlow or Keras"},
    {".msgpack", "for Flax"},
    {".onnx", "as an ONNX graph"},
    {".pdparams", "for PaddlePaddle"},
    {".npz", "as an NPZ file"},
    {".safetensors", "in safetensors of other names"},
});

[[noreturn]] void refuse_without_weights(const fs::path& folder) {
    if (is_adapter_folder(folder)) refuse_adapter(folder);
    std::error_code ignored;
    std::string others;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path extension = entry.path().extension();
        const std::string name = printable(path_text(entry.path().filename()));
        if (extension == ".bin" || extension == ".pt" || extension == ".pth" ||
            extension == ".ckpt")
            throw Error(path_text(folder), "has its weights in {}, {}", name,
                        torch_pickle_text(name, kSingle));
        for (const OtherWeights& other : kOtherWeights)
            if (extension == other.ending)
                append_part(others, ", ", fmt::format("{}, {}", name, other.what));
    }
    if (!others.empty())
        throw Error(path_text(folder),
                    "has weights, but neither {} nor {}: it holds {}. In Python, transformers' "
                    "save_pretrained('FOLDER') saves a model as it is read here",
                    kSingle, kIndex, others);
    throw Error(path_text(folder), "has no weights: neither {} nor {}", kSingle, kIndex);
}

/// The shards and the arrays that the index says they hold.
std::map<std::string, std::vector<std::string>> read_index(const fs::path& file) {
    const JsonSource json{path_text(file), parse_json(read_dense_file(file), path_text(file))};
    std::map<std::string, std::vector<std::string>> shards;
    JsonView(json)
        .at("weight_map")
        .for_each_member([&](const std::string& array, const JsonView& shard) {
            const std::string& name = shard.text();
            const bool is_bare =
                !name.empty() && name != "." && name != ".." &&
                name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
            if (!is_bare)
                shard.fail("must be the name of a file in the same folder, not '{}'",
                           printable(name));
            shards[name].push_back(array);
            if (shards.size() > kMostShards)
                shard.fail("is one of more than {} files", kMostShards);
        });
    return shards;
}

ModelFiles find_shards(const fs::path& folder) {
    ModelFiles files;
    for (auto& [name, wanted] : read_index(folder / kIndex)) {
        StoredArrays arrays = find_safetensors_arrays(bytes_of_weights(folder / name));
        std::ranges::sort(arrays, {}, &StoredArray::name);
        std::size_t n_left_out = arrays.size();
        for (const std::string& array : wanted) {
            const auto found = std::ranges::lower_bound(arrays, array, {}, &StoredArray::name);
            if (found == arrays.end() || found->name != array)
                throw Error(path_text(folder / kIndex), "says that {} is in {}, where it is not",
                            printable(array), printable(name));
            files.arrays.push_back(*found);
            --n_left_out;
        }
        if (n_left_out > 0)
            files.notes.push_back(fmt::format("{} has {} that the index does not name: not used",
                                              printable(name), counted(n_left_out, "array")));
        if (files.arrays.size() > kMaxArrays)
            throw Error(path_text(folder / kIndex), "names too many arrays");
    }
    return files;
}

}  // namespace

bool is_adapter_folder(const fs::path& folder) {
    return is_there(folder / kAdapter);
}

void refuse_adapter(const fs::path& folder) {
    const std::string name = printable(path_text(folder));
    throw Error(path_text(folder),
                "holds an adapter (LoRA, say) by its {}, not a model: its numbers are added to "
                "those of the model that it was trained with. Merge them once, in Python:\n"
                "from peft import AutoPeftModelForCausalLM\n"
                "from transformers import AutoTokenizer\n"
                "model = AutoPeftModelForCausalLM.from_pretrained('{}')\n"
                "model.merge_and_unload().save_pretrained('merged')\n"
                "base = model.peft_config['default'].base_model_name_or_path\n"
                "AutoTokenizer.from_pretrained(base).save_pretrained('merged')\n"
                "Of another task than the writing of texts peft has other classes, such as "
                "AutoPeftModelForSeq2SeqLM",
                kAdapter, name);
}

ModelFiles find_model_files(const fs::path& folder) {
    ModelFiles files;
    if (is_there(folder / kSingle)) {
        files.arrays = find_safetensors_arrays(bytes_of_weights(folder / kSingle));
        if (is_there(folder / kIndex))
            files.notes.push_back(fmt::format("{} is not used: {} is there, too", kIndex, kSingle));
    } else if (is_there(folder / kIndex)) {
        files = find_shards(folder);
    } else {
        refuse_without_weights(folder);
    }
    if (is_adapter_folder(folder))
        files.notes.push_back(
            fmt::format("the adapter of {} is not used: transformers would add its numbers, and "
                        "those of its own model, where peft is installed",
                        kAdapter));
    std::ranges::sort(files.arrays, {}, &StoredArray::name);
    return files;
}

std::uint64_t weights_checksum(const StoredArrays& arrays) {
    constexpr std::uint64_t kPiece = 1 << 20;
    std::uint64_t all = 0;
    for (const StoredArray& array : arrays) all += array.data.size;
    const std::uint64_t step_pieces = all > kMostChecked ? kPiecesApart : 1;
    Fnv1a sum;
    for (const StoredArray& array : arrays) {
        sum.add_bytes(array.name);
        sum.add_bytes(type_text(array.type));
        sum.add_bytes(shape_list(array.shape));
        for (std::uint64_t begin = 0; begin < array.data.size; begin += step_pieces * kPiece)
            sum.add_words(array.data.bytes(begin, std::min(kPiece, array.data.size - begin)));
    }
    return sum.value();
}

}  // namespace headlight
