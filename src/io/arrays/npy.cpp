#include "io/arrays/npy.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
    std::string type;  // "<f4"
    bool column_by_column = false;
    std::vector<std::uint64_t> shape = {};
};

/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: three keys, each once, and
/// nothing else of Python.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

    Header parse() {
        expect('{');
        while (!accept('}')) {
            parse_member();
            if (accept('}')) break;
            expect(',');
        }
        skip_space();
        if (!text_.empty()) fail("has more after its closing }");
        if (!has_type_ || !has_order_ || !has_shape_)
            fail("needs 'descr', 'fortran_order' and 'shape'");
        return std::move(header_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(source_, "the NPY header {}", what);
    }

    void parse_member() {
        const std::string key = parse_text();
        expect(':');
        if (key == "descr") {
            first(has_type_, key);
            parse_type();
        } else if (key == "fortran_order") {
            first(has_order_, key);
            header_.column_by_column = parse_flag();
        } else if (key == "shape") {
            first(has_shape_, key);
            parse_shape();
        } else {
            fail("has the unknown key " + in_quotes(key));
        }
    }

    void first(bool& seen, const std::string& key) {
        if (seen) fail(fmt::format("has the key {} twice", in_quotes(key)));
        seen = true;
    }

    void parse_type() {
        skip_space();
        if (text_.starts_with('['))
            fail("describes records with several fields; save each field by itself");
        header_.type = parse_text();
    }

    bool parse_flag() {
        skip_space();
        for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)})
            if (text_.starts_with(word)) {
                text_.remove_prefix(std::string_view(word).size());
                return value;
            }
        fail("needs True or False for 'fortran_order'");
    }

    void parse_shape() {
        expect('(');
        while (!accept(')')) {
            header_.shape.push_back(parse_size());
            if (accept(')')) break;
            expect(',');
        }
    }

    std::uint64_t parse_size() {
        skip_space();
        std::uint64_t size = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
        if (error != std::errc()) fail("needs whole numbers in 'shape'");
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return size;
    }

    std::string parse_text() {
        skip_space();
        const char quote = text_.empty() ? '\0' : text_.front();
        if (quote != '\'' && quote != '"') fail("needs a 'text' before " + in_quotes(text_));
        const std::size_t end = text_.find(quote, 1);
        if (end == std::string_view::npos) fail("has a text without end");
        const std::string text(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return text;
    }

    void skip_space() {
        const std::size_t begin = text_.find_first_not_of(" \t\n");
        text_.remove_prefix(begin == std::string_view::npos ? text_.size() : begin);
    }

    bool accept(char wanted) {
        skip_space();
        if (!text_.starts_with(wanted)) return false;
        text_.remove_prefix(1);
        return true;
    }

    void expect(char wanted) {
        if (!accept(wanted)) fail(fmt::format("needs {} before {}", wanted, in_quotes(text_)));
    }

    std::string_view text_;
    const std::string& source_;
    Header header_;
    bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

std::optional<NumberKind> find_kind(char letter) {
    switch (letter) {
        case 'f':
            return NumberKind::Float;
        case 'i':
            return NumberKind::Signed;
        case 'u':
            return NumberKind::Unsigned;
        case 'b':
            return NumberKind::Boolean;
        case 'U':
            return NumberKind::Text;
        case 'S':
            return NumberKind::Bytes;
        default:
            return std::nullopt;
    }
}

bool is_known_size(NumberKind kind, std::size_t size) {
    constexpr std::size_t kMaxCharacters = 1'000'000;
    if (kind == NumberKind::Text || kind == NumberKind::Bytes)
        return size >= 1 && size <= kMaxCharacters;
    if (kind == NumberKind::Boolean) return size == 1;
    if (kind == NumberKind::Float && size == 1) return false;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/// "<f4", "<U12": byte order, kind, size.
NumberType number_type(const std::string& type, const std::string& source) {
    if (type.find('O') != std::string::npos)
        throw Error(source,
                    "holds Python objects (dtype object), which can run code when they are read; "
                    "save numbers: numpy.save(file, array.astype('float32')), or arrays of "
                    "different shapes by numpy.savez(file, *array)");
    const std::string_view view = type;
    if (view.size() >= 3 && std::string_view("<>|=").find(view[0]) != std::string_view::npos) {
        const auto kind = find_kind(view[1]);
        std::size_t size = 0;
        const char* end = view.data() + view.size();
        const auto [rest, failure] = std::from_chars(view.data() + 2, end, size);
        if (kind && failure == std::errc() && rest == end && is_known_size(*kind, size))
            return {*kind, *kind == NumberKind::Text ? 4 * size : size,
                    view[0] == '>' ? ByteOrder::Big : ByteOrder::Little};
    }
    if (view == "<V2" || view == "|V2" || view == ">V2")  // as ml_dtypes has numpy save it
        return {NumberKind::BrainFloat, 2, view[0] == '>' ? ByteOrder::Big : ByteOrder::Little};
    if (view.size() == 3 && view.substr(1) == "V1")
        throw Error(source,
                    "holds one-byte values whose type NumPy does not name (float8, say); save it "
                    "as float32: numpy.save(file, array.astype('float32'))");
    throw Error(source,
                "holds values of the type {}; only real numbers are read: save it as float32",
                in_quotes(type));
}

/// The header's text, and where the data begin.
struct FoundHeader {
    std::string text;
    std::uint64_t data_begin = 0;
};

FoundHeader find_header(const ByteSource& bytes) {
    const std::string& source = bytes.name;
    if (bytes.size == 0) throw Error(source, "is empty");
    constexpr std::size_t kVersionEnd = kMagic.size() + 2;
    const std::string begin = bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (!begin.starts_with(kMagic))
        throw Error(source, "is not an NPY file{}", recognised_as(begin));
    const int version = begin.size() < kVersionEnd ? 0 : begin[kMagic.size()];
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    if (begin.size() < kVersionEnd + length_bytes)
        throw Error(source, "ends within the NPY header; the file is incomplete");
    if (version < 1 || version > 3)
        throw Error(source, "has NPY version {}; 1 to 3 are read", version);
    const std::string_view field = std::string_view(begin).substr(kVersionEnd);
    const std::size_t length = version == 1 ? load_little_endian<std::uint16_t>(field)
                                            : load_little_endian<std::uint32_t>(field);
    const std::size_t text_begin = kVersionEnd + length_bytes;
    if (length > kMaxNpyHeaderBytes)
        throw Error(source, "has an NPY header of {} bytes; at most {} are read", length,
                    kMaxNpyHeaderBytes);
    if (length > bytes.size - text_begin)
        throw Error(source, "ends within the NPY header; the file is incomplete");
    return {bytes.bytes(text_begin, length), text_begin + length};
}

}  // namespace

std::string write_npy(const Matrix& matrix, const Steps& steps) {
    constexpr std::size_t kAlignment = 64, kBeforeHeader = kMagic.size() + 4;
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                    matrix.rows(), matrix.cols());
    while ((kBeforeHeader + header.size() + 1) % kAlignment != 0) header += ' ';
    header += '\n';
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
              static_cast<char>(header.size() >> 8)};
    return bytes + header + write_matrix_bytes(matrix, steps);
}

StoredArray find_npy_array(const ByteSource& bytes) {
    const FoundHeader found = find_header(bytes);
    const Header header = HeaderParser(found.text, bytes.name).parse();
    StoredArray array;
    array.type = number_type(header.type, bytes.name);
    array.shape = header.shape;
    array.layout = header.column_by_column ? Layout::ColumnByColumn : Layout::RowByRow;
    array.data = part_of(bytes, found.data_begin, bytes.size - found.data_begin);
    check_fits(array, array.data.size);
    return array;
}

Matrix read_npy(std::string_view bytes, const std::string& source) {
    return read_plain_matrix(find_npy_array(bytes_in_memory(bytes, source)));
}

}  // namespace headlight
