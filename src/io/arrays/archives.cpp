#include "io/arrays/archives.h"

#include <array>

#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/arrays/tensor_values.h"
#include "io/files/file_extension.h"
#include "io/text/values_json.h"

namespace headlight {
namespace {

using Tensors = std::vector<const Tensor*>;

NamedMatrices named_matrices(const Tensors& tensors) {
    NamedMatrices matrices;
    for (const Tensor* tensor : tensors) matrices.emplace_back(tensor->path(), *tensor->value);
    return matrices;
}

}  // namespace

constexpr ArchiveFormat kNpz{
    ".npz", "NPZ, for NumPy",
    [](const Tensors& t, const Steps& s) { return write_npz(named_matrices(t), s); }, read_npz};
constexpr ArchiveFormat kSafetensors{
    ".safetensors", "safetensors, for PyTorch",
    [](const Tensors& t, const Steps& s) { return write_safetensors(named_matrices(t), s); },
    read_safetensors};
constexpr ArchiveFormat kValuesJson{".json", "JSON with equations", write_values_json,
                                    read_values_json};

std::span<const ArchiveFormat> archive_formats() {
    static constexpr std::array formats{kNpz, kSafetensors, kValuesJson};
    return formats;
}

const ArchiveFormat& archive_format_for(const std::filesystem::path& file) {
    return find_by_extension(archive_formats(), file);
}

std::string write_archive(const ArchiveFormat& format, const Tensors& tensors, const Steps& steps) {
    for (const Tensor* tensor : tensors) check_has_values(*tensor);
    return format.write(tensors, steps);
}

}  // namespace headlight
