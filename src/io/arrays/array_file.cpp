#include "io/arrays/array_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "core/operations/mask_operations.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/arrays/stored_array.h"
#include "io/files/file.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "io/text/csv.h"
#include "io/text/values_json.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/weight_origin.h"
#include "text/strings.h"

namespace headlight {

namespace {

/// True if 8 bytes are the length of a header rather than text. The header may end after the end of
/// the file, if that is damaged or cut off.
bool is_header_length(std::string_view bytes) {
    constexpr std::size_t kHighBytes = 4;
    constexpr std::ptrdiff_t kMostZerosOfText = 4;  // in UTF-16
    return bytes.find_first_not_of('\0', kHighBytes) == std::string_view::npos ||
           std::ranges::count(bytes, '\0') > kMostZerosOfText;
}

}  // namespace

std::optional<ArrayFormat> array_format(std::string_view beginning, std::uint64_t size_bytes) {
    if (beginning.starts_with("\x93NUMPY")) return ArrayFormat::Npy;
    if (beginning.starts_with("PK\x03\x04") || beginning.starts_with("PK\x05\x06"))
        return ArrayFormat::Npz;
    constexpr std::size_t kLengthBytes = 8;
    if (beginning.size() <= kLengthBytes || size_bytes <= kLengthBytes) return std::nullopt;
    const std::size_t first = beginning.find_first_not_of(" \t\r\n", kLengthBytes);
    const bool is_object = first != std::string_view::npos && beginning[first] == '{';
    const bool is_within =
        load_little_endian<std::uint64_t>(beginning) <= size_bytes - kLengthBytes;
    const bool is_safetensors =
        is_object && (is_within || is_header_length(beginning.substr(0, kLengthBytes)));
    return is_safetensors ? std::optional(ArrayFormat::Safetensors) : std::nullopt;
}

namespace {

/// A matrix that was read from a text, as an array in memory.
StoredArray make_stored_array(const Matrix& matrix, std::string name, const std::string& source) {
    const auto bytes = std::make_shared<const std::string>(write_matrix_bytes(matrix));
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

bool is_values_json(const std::string& text) {
    try {
        return !read_values_json(text, "").empty();
    } catch (const Error&) {
        return false;
    }
}

ArrayFile csv_arrays(const std::filesystem::path& file, const std::string& name) {
    const std::string text = read_file(file);
    const std::string ending = file.extension();
    if (ending == ".safetensors" || ending == ".npy" || ending == ".npz")
        throw Error(path_text(file),
                    "is a damaged {} file, or none: its first bytes are no header{}",
                    ending.substr(1), recognised_as(text));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{')
        throw Error(path_text(file), is_values_json(text)
                                         ? "holds values by path, as JSON; set them with headlight "
                                           "run STUDY --set FILE"
                                         : "holds no matrices; read are NPY, NPZ, safetensors, CSV "
                                           "and TSV");
    CsvMatrix csv = read_csv(text, path_text(file));
    ArrayFile result{.arrays = {make_stored_array(csv.values, name, path_text(file))}};
    result.row_names = std::move(csv.rows), result.column_names = std::move(csv.columns);
    result.arrays[0].lines = csv.lines;
    if (csv.has_decimal_commas)
        result.notes.push_back("commas within numbers are taken for decimal points");
    return result;
}

/// Notes arrays that may be bfloat16: NPY has no name for it, so two bytes without a type count as
/// it.
void note_brain_floats(ArrayFile& file) {
    std::vector<std::string> names;
    for (const StoredArray& array : file.arrays)
        if (array.type.kind == NumberKind::BrainFloat) names.push_back(printable(array.name));
    if (!names.empty())
        file.notes.push_back(
            fmt::format("two-byte values without a type are taken for bfloat16, which ml_dtypes "
                        "saves so: {}",
                        joined_few(names, 5)));
}

bool is_too_large(const StoredArray& array) {
    return count_elements(array) * sizeof(Scalar) > limits().matrix_bytes;
}

}  // namespace

std::optional<ArrayFile> find_arrays(const ByteSource& bytes, const std::string& name) {
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    const auto format = array_format(beginning, bytes.size);
    if (!format) return std::nullopt;
    if (format == ArrayFormat::Safetensors)
        return ArrayFile{.arrays = find_safetensors_arrays(bytes)};
    if (format == ArrayFormat::Npy) {
        ArrayFile result{.arrays = {find_npy_array(bytes)}};
        result.arrays[0].name = name;
        note_brain_floats(result);
        return result;
    }
    NpzArrays found = find_npz_arrays(bytes);
    ArrayFile result{.arrays = std::move(found.arrays), .compressed_bytes = found.compressed_bytes};
    if (found.compressed_bytes > 0)
        result.notes.push_back(fmt::format(
            "compressed arrays, {} MB when unpacked, are kept in memory once they are looked at",
            (found.compressed_bytes + 999'999) / 1'000'000));
    note_brain_floats(result);
    return result;
}

ArrayFile open_arrays(const std::filesystem::path& file) {
    const std::string name = path_text(file.stem());
    std::optional<ArrayFile> arrays = find_arrays(bytes_of_file(file), name);
    ArrayFile found = arrays ? std::move(*arrays) : csv_arrays(file, name);
    found.name = path_text(file.filename());
    for (const StoredArray& array : found.arrays)
        if (count_elements(array) == 0)
            found.notes.push_back(
                fmt::format("{} is empty: {}", printable(array.name), shape_list(array.shape)));
    return found;
}

std::vector<ArrayShape> array_shapes(const StoredArrays& arrays) {
    std::vector<ArrayShape> shapes;
    for (const StoredArray& array : arrays) {
        if (array.holds_text() || is_too_large(array)) continue;
        const MatrixShape shape = matrix_shape(array);
        shapes.push_back({array.name, shape.rows, shape.columns});
    }
    return shapes;
}

std::vector<UnusedArray> arrays_without_numbers(const StoredArrays& arrays) {
    std::vector<UnusedArray> others;
    for (const StoredArray& array : arrays)
        if (array.holds_text() || is_too_large(array))
            others.push_back({array.name, array.holds_text() ? "it holds text, not numbers"
                                                             : "it is too large for a matrix"});
    return others;
}

namespace {

/// Collects what the imported arrays change in a document.
class Import {
  public:
    Import(const Document& document, const ArrayFile& file)
        : file_(file), plan_(plan(document)), changed_(document) {
        if (document.weights) matrices_ = document.weights->matrices;
    }

    void take(const TensorMapping& mapping) {
        const auto array = std::ranges::find(file_.arrays, mapping.name, &StoredArray::name);
        if (array == file_.arrays.end())
            throw Error("map", "{} is not in the file", in_quotes(mapping.name));
        const MatrixShape shape = matrix_shape(*array);
        const ArrayShape seen{mapping.name, shape.rows, shape.columns};
        const PlannedTensor& tensor = plan_->at(mapping.path);
        if (!fits(mapping, seen, tensor)) {
            const MappedShape given = mapped_shape(mapping, seen);
            throw Error("map", "{}: {} is given, {} would fit", mapping_text(mapping, seen),
                        shape_text(given.rows, given.columns),
                        shape_text(tensor.rows.size, tensor.columns.size));
        }
        // Parts of one array usually follow each other, so the last array is kept.
        if (array->name != read_) values_ = read_matrix(*array);
        read_ = array->name;
        check_numbers(*array, values_, mapping, tensor);
        set(tensor, mapped_values(mapping, values_, tensor));
    }

    Document finish() {
        if (has_weights_) changed_.weights = make_weights(std::move(matrices_), origin());
        return std::move(changed_);
    }

  private:
    /// −inf masks: it may be a number of scores and masks, but not of weights.
    void check_numbers(const StoredArray& array, const Matrix& values, const TensorMapping& mapping,
                       const PlannedTensor& tensor) const {
        const CellRange part = mapping.part.value_or(CellRange{0, 0, values.rows(), values.cols()});
        const bool may_mask = !can_be_stored(tensor);
        for (Index i = part.row; i < part.row + part.rows; ++i)
            for (Index j = part.column; j < part.column + part.columns; ++j) {
                const Scalar value = values(i, j);
                if (std::isfinite(value) || (may_mask && value == kMasked)) continue;
                const auto row = static_cast<std::size_t>(i);
                const std::string line =
                    row < array.lines.size() ? fmt::format("line {}: ", array.lines[row]) : "";
                throw Error(array.data.name, "{}{}{} is {}; {} needs numbers{}", line,
                            in_quotes(array.name), element_text(array, i, j),
                            not_a_number_text(array, i, j, value), tensor.path,
                            may_mask ? ", or −inf" : "");
            }
    }

    void set(const PlannedTensor& tensor, Matrix values) {
        if (!can_be_stored(tensor)) return set_tensor(changed_, tensor, values);
        check_values(tensor, values);
        matrices_[tensor.path] = make_weight(*plan_, tensor, std::move(values));
        changed_.interventions.erase(tensor.path);
        has_weights_ = true;
    }

    std::string origin() const {
        const SharedWeights& before = changed_.weights;
        const std::string name = printable(file_.name);
        if (!before) return "imported from " + name;
        const bool is_again = before->origin.ends_with(" " + name);
        // A test of the earlier weights says nothing about the two together.
        const std::string origin = without_accuracy(before->origin);
        return is_again ? origin : fmt::format("{} and {}", origin, name);
    }

    const ArrayFile& file_;
    std::shared_ptr<const Plan> plan_;
    Document changed_;
    WeightMatrices matrices_;
    bool has_weights_ = false;
    std::string read_;  // the array in `values_`; empty: none
    Matrix values_;
};

}  // namespace

void import_arrays(Document& document, const ArrayFile& file,
                   std::span<const TensorMapping> mappings) {
    Import import(document, file);
    std::string problems;
    for (const TensorMapping& mapping : mappings) {
        try {
            import.take(mapping);
        } catch (const Error& error) {
            problems += std::string("\n  ") + error.what();
        }
    }
    if (!problems.empty()) throw Error("import", "this does not fit the study:{}", problems);
    document = import.finish();
}

}  // namespace headlight
