#include "io/array_file.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "io/array_format.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/limits.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/printable.h"
#include "io/recognise.h"
#include "io/safetensors.h"
#include "model/edits.h"
#include "model/evaluate.h"

namespace headlight {
namespace {

/// A matrix that was read from a text, as an array in memory.
StoredArray array_of(const Matrix& matrix, std::string name, const std::string& source) {
    const auto bytes = std::make_shared<const std::string>(encode_matrix(matrix));
    ByteSource data = bytes_in_memory(*bytes, source);
    data.read = [bytes, read = data.read](std::uint64_t begin, std::span<char> into) {
        read(begin, into);
    };
    return {std::move(name),
            {NumberKind::Float, 4},
            {static_cast<std::uint64_t>(matrix.rows()), static_cast<std::uint64_t>(matrix.cols())},
            Layout::RowByRow,
            std::move(data)};
}

ArrayFile csv_arrays(const std::filesystem::path& file, const std::string& name) {
    const std::string text = read_file(file);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{')
        throw Error(path_text(file),
                    "holds no matrices; read are NPY, NPZ, safetensors, CSV and TSV");
    const CsvMatrix csv = read_csv(text, path_text(file));
    ArrayFile result{{array_of(csv.values, name, path_text(file))}};
    if (csv.has_decimal_commas)
        result.notes.push_back("commas within numbers are taken for decimal points");
    return result;
}

std::string megabytes(std::uint64_t bytes) {
    return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

}  // namespace

std::optional<ArrayFile> find_arrays(const ByteSource& bytes, const std::string& name) {
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    const auto format = array_format(beginning, bytes.size);
    if (!format) return std::nullopt;
    if (format == ArrayFormat::Safetensors) return ArrayFile{find_safetensors_arrays(bytes)};
    if (format == ArrayFormat::Npy) {
        ArrayFile result{{find_npy_array(bytes)}};
        result.arrays[0].name = name;
        return result;
    }
    NpzArrays found = find_npz_arrays(bytes);
    ArrayFile result{std::move(found.arrays), found.compressed_bytes};
    if (found.compressed_bytes > 0)
        result.notes.push_back("compressed arrays, " + megabytes(found.compressed_bytes) +
                               " when unpacked, are kept in memory once they are looked at");
    return result;
}

ArrayFile open_arrays(const std::filesystem::path& file) {
    const std::string name = path_text(file.stem());
    std::optional<ArrayFile> arrays = find_arrays(bytes_of_file(file), name);
    ArrayFile found = arrays ? std::move(*arrays) : csv_arrays(file, name);
    for (const StoredArray& array : found.arrays)
        if (count_elements(array) == 0)
            found.notes.push_back(printable(array.name) + " is empty: " + shape_list(array.shape));
    return found;
}

std::vector<ArrayShape> array_shapes(const StoredArrays& arrays) {
    std::vector<ArrayShape> shapes;
    for (const StoredArray& array : arrays) {
        const bool is_text =
            array.type.kind == NumberKind::Text || array.type.kind == NumberKind::Bytes;
        if (is_text || count_elements(array) * sizeof(Scalar) > limits().matrix_bytes) continue;
        const MatrixShape shape = matrix_shape(array);
        shapes.push_back({array.name, shape.rows, shape.columns});
    }
    return shapes;
}

void import_arrays(Document& document, const StoredArrays& arrays,
                   std::span<const TensorMapping> mappings) {
    const Trace trace = plan(document);
    Document changed = document;
    std::map<std::string, Matrix> read;  // by the array's name
    std::string problems;
    for (const TensorMapping& mapping : mappings) {
        const auto array = std::ranges::find(arrays, mapping.name, &StoredArray::name);
        try {
            if (array == arrays.end())
                throw Error("map", in_quotes(mapping.name) + " is not in the file");
            const MatrixShape shape = matrix_shape(*array);
            const ArrayShape seen{mapping.name, shape.rows, shape.columns};
            const Tensor& tensor = trace.at(mapping.path);
            if (!fits(mapping, seen, tensor)) {
                const MappedShape given = mapped_shape(mapping, seen);
                throw Error("map", mapping_text(mapping, seen) + ": " +
                                       shape_text(given.rows, given.columns) + " is given, " +
                                       shape_text(tensor.rows.size, tensor.columns.size) +
                                       " would fit");
            }
            if (!read.contains(mapping.name)) read[mapping.name] = read_matrix(*array);
            set_tensor(changed, tensor, mapped_values(mapping, read[mapping.name], tensor));
        } catch (const Error& error) {
            problems += std::string("\n  ") + error.what();
        }
    }
    if (!problems.empty()) throw Error("import", "this does not fit the study:" + problems);
    document = std::move(changed);
}

}  // namespace headlight
