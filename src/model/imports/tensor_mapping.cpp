#include "model/imports/tensor_mapping.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

struct Slice {
    Index begin = 0, end = 0;
};

/// Writes "8:16", or ":" where it is all.
std::string slice_text(Slice slice, Index size) {
    if (slice.begin == 0 && slice.end == size) return ":";
    return fmt::format("{}:{}", slice.begin, slice.end);
}

[[noreturn]] void fail(std::string_view text, const std::string& what) {
    throw Error("map", "{} {}", in_quotes(text), what);
}

Index bound(std::string_view text, Index otherwise, std::string_view whole) {
    text = trimmed(text);
    if (text.empty()) return otherwise;
    Index value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0)
        fail(whole, "has a part that is not of the form [8:16] or [:, 8:16]");
    return value;
}

Slice parse_slice(std::string_view text, Index size, std::string_view whole) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) fail(whole, "needs a colon in its part: [8:16]");
    const Slice slice{bound(text.substr(0, colon), 0, whole),
                      bound(text.substr(colon + 1), size, whole)};
    if (slice.begin >= slice.end || slice.end > size)
        fail(whole, fmt::format("takes a part outside the array; the part can be 0:{}", size));
    return slice;
}

/// Parses "0:8" or "0:8, 4:6".
CellRange parse_part(std::string_view text, const ArrayShape& array, std::string_view whole) {
    const std::size_t comma = text.find(',');
    const Slice rows = parse_slice(text.substr(0, comma), array.rows, whole);
    Slice columns{0, array.columns};
    if (comma != std::string_view::npos)
        columns = parse_slice(text.substr(comma + 1), array.columns, whole);
    return {rows.begin, columns.begin, rows.end - rows.begin, columns.end - columns.begin};
}

CellRange mapped_part(const TensorMapping& mapping, Index rows, Index columns) {
    return mapping.part.value_or(CellRange{0, 0, rows, columns});
}

/// True if the mapping gives a list for a row: a file knows no difference between the two.
bool is_list_for_row(const TensorMapping& mapping, MappedShape shape, const PlannedTensor& tensor) {
    return mapping.turn == Turn::Kept && shape.columns == 1 && tensor.rows.size == 1 &&
           shape.rows == tensor.columns.size;
}

}  // namespace

std::string mapping_text(const TensorMapping& mapping, const ArrayShape& array) {
    std::string text = mapping.name;
    if (mapping.part) {
        const CellRange& part = *mapping.part;
        text += "[" + slice_text({part.row, part.row + part.rows}, array.rows);
        if (part.columns != array.columns)
            text += ", " + slice_text({part.column, part.column + part.columns}, array.columns);
        text += "]";
    }
    if (mapping.turn == Turn::Transposed) text += ".T";
    return fmt::format("{}={}", text, mapping.path);
}

TensorMapping parse_mapping(std::string_view text, const std::vector<ArrayShape>& arrays) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos) fail(text, "is not of the form NAME=PATH");
    TensorMapping mapping;
    mapping.path = trimmed(text.substr(equals + 1));
    std::string_view name = trimmed(text.substr(0, equals));
    const auto find = [&] { return std::ranges::find(arrays, name, &ArrayShape::name); };
    auto array = find();
    if (array == arrays.end() && name.ends_with(".T")) {
        mapping.turn = Turn::Transposed;
        name.remove_suffix(2);
        array = find();
    }
    std::string_view part;
    if (array == arrays.end() && name.ends_with(']') && name.find('[') != name.npos) {
        const std::size_t bracket = name.rfind('[');
        part = name.substr(bracket + 1, name.size() - bracket - 2);
        name = name.substr(0, bracket);
        array = find();
    }
    if (array == arrays.end()) fail(text, "names no array of the file");
    mapping.name = name;
    if (!part.empty()) mapping.part = parse_part(part, *array, text);
    return mapping;
}

MappedShape mapped_shape(const TensorMapping& mapping, const ArrayShape& array) {
    const CellRange part = mapped_part(mapping, array.rows, array.columns);
    if (mapping.turn == Turn::Transposed) return {part.columns, part.rows};
    return {part.rows, part.columns};
}

bool fits(const TensorMapping& mapping, const ArrayShape& array, const PlannedTensor& tensor) {
    if (mapping.part && !mapping.part->is_within(array.rows, array.columns)) return false;
    const MappedShape shape = mapped_shape(mapping, array);
    return (shape.rows == tensor.rows.size && shape.columns == tensor.columns.size) ||
           is_list_for_row(mapping, shape, tensor);
}

std::vector<std::string> fitting_paths(const TensorMapping& mapping, const ArrayShape& array,
                                       const Plan& plan) {
    std::vector<std::string> paths;
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.is_leaf() && !tensor.path.starts_with("probe.") &&
            tensor.quantity != Quantity::Mask && fits(mapping, array, tensor))
            paths.push_back(tensor.path);
    return paths;
}

Matrix mapped_values(const TensorMapping& mapping, const Matrix& array,
                     const PlannedTensor& tensor) {
    const CellRange part = mapped_part(mapping, array.rows(), array.cols());
    const Matrix cut = array.block(part.row, part.column, part.rows, part.columns);
    const bool is_turned = mapping.turn == Turn::Transposed ||
                           is_list_for_row(mapping, {cut.rows(), cut.cols()}, tensor);
    return is_turned ? Matrix(cut.transpose()) : cut;
}

}  // namespace headlight
