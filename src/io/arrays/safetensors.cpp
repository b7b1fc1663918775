#include "io/arrays/safetensors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "core/error.h"
#include "io/arrays/array_file.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr JsonLimits kHeaderLimits{.depth = 8, .values = kMaxArrays * 24};
constexpr std::int64_t kMaxSize = std::int64_t{1} << 48;

constexpr std::array<std::pair<std::string_view, NumberType>, 13> kTypes = {
    {{"F32", {NumberKind::Float, 4}},
     {"F64", {NumberKind::Float, 8}},
     {"F16", {NumberKind::Float, 2}},
     {"BF16", {NumberKind::BrainFloat, 2}},
     {"I8", {NumberKind::Signed, 1}},
     {"I16", {NumberKind::Signed, 2}},
     {"I32", {NumberKind::Signed, 4}},
     {"I64", {NumberKind::Signed, 8}},
     {"U8", {NumberKind::Unsigned, 1}},
     {"U16", {NumberKind::Unsigned, 2}},
     {"U32", {NumberKind::Unsigned, 4}},
     {"U64", {NumberKind::Unsigned, 8}},
     {"BOOL", {NumberKind::Boolean, 1}}}};

/// The header's description of one tensor.
struct Entry {
    StoredArray array;
    std::uint64_t begin = 0, end = 0;  // bytes after the header
};

Entry read_entry(const std::string& name, const JsonView& view) {
    if (name.empty() || name.size() > kMaxArrayNameBytes)
        view.fail("a tensor's name has 1 to {} bytes", kMaxArrayNameBytes);
    view.expect_keys({"dtype", "shape", "data_offsets"});
    Entry entry;
    entry.array.name = name;
    entry.array.type = view.at("dtype").choice(kTypes);
    const JsonView shape = view.at("shape");
    if (shape.size() > kMaxDimensions)
        shape.fail("has {} dimensions; at most {} are read", shape.size(), kMaxDimensions);
    shape.for_each_element([&](const JsonView& size) {
        entry.array.shape.push_back(static_cast<std::uint64_t>(size.integer(0, kMaxSize)));
    });
    const JsonView offsets = view.at("data_offsets");
    if (offsets.size() != 2) offsets.fail("must be [begin, end]");
    entry.begin = offsets[0].unsigned_integer();
    entry.end = offsets[1].unsigned_integer();
    if (entry.end < entry.begin) offsets.fail("ends before it begins");
    if (!has_exactly(entry.end - entry.begin, entry.array.type, entry.array.shape))
        offsets.fail("the shape {} of {}-byte numbers does not take {} bytes",
                     shape_list(entry.array.shape), entry.array.type.size_bytes,
                     entry.end - entry.begin);
    return entry;
}

std::vector<Entry> read_header(const std::string& header, const std::string& source) {
    const JsonSource json{source, parse_json(header, source, kHeaderLimits)};
    const JsonView root(json);
    if (!root.is_object()) root.fail("the header is an object { … }");
    std::vector<Entry> entries;
    root.for_each_member([&](const std::string& name, const JsonView& view) {
        if (name == "__metadata__")  // its values must be texts
            return view.for_each_member(
                [](const std::string&, const JsonView& value) { value.text(); });
        entries.push_back(read_entry(name, view));
    });
    if (entries.size() > kMaxArrays) root.fail("at most {} tensors are read", kMaxArrays);
    return entries;
}

/// Sorts by place; the entries must lie end to end and cover the data.
void check_cover(std::vector<Entry>& entries, std::uint64_t size_bytes, const std::string& source) {
    std::ranges::stable_sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
    std::uint64_t reached = 0;
    for (const Entry& entry : entries) {
        const std::string name = "tensor " + in_quotes(entry.array.name);
        if (entry.begin != reached)
            throw Error(source,
                        "{} begins at byte {} of the data, the one before it ends at byte {}; the "
                        "file is damaged",
                        name, entry.begin, reached);
        if (entry.end > size_bytes)
            throw Error(source,
                        "{} ends at byte {} of the data, but the file holds only {}; the download "
                        "is probably incomplete",
                        name, entry.end, size_bytes);
        reached = entry.end;
    }
    if (reached != size_bytes)
        throw Error(source, "{} bytes after the last tensor belong to none; the file is damaged",
                    size_bytes - reached);
}

std::string header_text(const ByteSource& bytes) {
    const std::string& source = bytes.name;
    if (bytes.size == 0) throw Error(source, "is empty");
    const std::string begin = bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    // The length of a header may be the first bytes of a pickle or of gzip.
    const bool is_likely = array_format(begin, bytes.size) == ArrayFormat::Safetensors;
    const std::string other = is_likely ? "" : recognised_as(begin);
    if (!other.empty()) throw Error(source, "is not a safetensors file{}", other);
    if (bytes.size < kLengthBytes)
        throw Error(source, "has {} bytes; a safetensors file has 8 and a header", bytes.size);
    const auto length = load_little_endian<std::uint64_t>(begin);
    if (length > kMaxTensorHeaderBytes)
        throw Error(source, "is {} safetensors file: a header of {} bytes; at most {} are read",
                    is_likely ? "a damaged" : "not a", length, kMaxTensorHeaderBytes);
    const std::uint64_t rest = bytes.size - kLengthBytes;
    if (length > rest)
        throw Error(source,
                    "the header of this safetensors file should have {} bytes, but the file ends "
                    "after {}; the download is probably incomplete",
                    length, rest);
    return bytes.bytes(kLengthBytes, length);
}

}  // namespace

std::string write_safetensors(const NamedMatrices& matrices, const Steps& steps) {
    std::vector<const NamedMatrices::value_type*> sorted;
    for (const auto& matrix : matrices) sorted.push_back(&matrix);
    std::ranges::sort(sorted, {}, [](const auto* matrix) { return matrix->first; });
    std::string header = "{", data;
    for (const auto* matrix : sorted) {
        const auto& [name, values] = *matrix;
        if (matrix != sorted.front()) header += ",";
        const std::size_t begin = data.size();
        data += write_matrix_bytes(values, steps.part(1.0 / static_cast<double>(sorted.size())));
        header += fmt::format(R"({}:{{"dtype":"F32","shape":[{},{}],"data_offsets":[{},{}]}})",
                              json_string(name), values.rows(), values.cols(), begin, data.size());
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> shift & 0xFF);
    return bytes + header + data;
}

StoredArrays find_safetensors_arrays(const ByteSource& bytes) {
    const std::string header = header_text(bytes);
    std::vector<Entry> entries = read_header(header, bytes.name);
    const std::uint64_t data_begin = kLengthBytes + header.size();
    check_cover(entries, bytes.size - data_begin, bytes.name);
    StoredArrays arrays;
    for (Entry& entry : entries) {
        entry.array.data = part_of(bytes, data_begin + entry.begin, entry.end - entry.begin);
        entry.array.data.name += ": " + printable(entry.array.name);
        arrays.push_back(std::move(entry.array));
    }
    return arrays;
}

std::map<std::string, std::string> read_safetensors_metadata(const ByteSource& bytes) {
    const JsonSource json{bytes.name, parse_json(header_text(bytes), bytes.name, kHeaderLimits)};
    std::map<std::string, std::string> metadata;
    if (const auto object = JsonView(json).find("__metadata__"))
        object->for_each_member(
            [&](const std::string& name, const JsonView& text) { metadata[name] = text.text(); });
    return metadata;
}

NamedMatrices read_safetensors(std::string_view bytes, const std::string& source) {
    NamedMatrices matrices;
    for (const StoredArray& array : find_safetensors_arrays(bytes_in_memory(bytes, source)))
        matrices.emplace_back(array.name, read_plain_matrix(array));
    return matrices;
}

}  // namespace headlight
