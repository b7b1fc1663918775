#include "io/text/json_text.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/numeric/short_number.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kScheme = "file:";

template <typename Number>
std::string shortest(Number number) {
    if (std::isnan(number)) return "nan";
    if (number == 0 && std::signbit(number)) return "-0.0";  // "-0" is read as the integer 0
    return fewest_digits(number);
}

}  // namespace

std::string number_text(float number) {
    return shortest(number);
}

std::string number_text(double number) {
    return shortest(number);
}

std::string json_number(Scalar number) {
    return std::isfinite(number) ? number_text(number) : fmt::format("\"{}\"", number_text(number));
}

std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        at += c.size_bytes;
        if (c.value == '"' || c.value == '\\') {
            result += '\\';
            result += static_cast<char>(c.value);
        } else if (c.value == '\n') {
            result += "\\n";
        } else if (is_unprintable(c.value)) {
            result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
        } else {
            result += encode_code_point(c.value);
        }
    }
    return result += '"';
}

std::string json_list(const std::vector<std::string>& texts) {
    return fmt::format("[{}]", joined(texts, ", ", json_string));
}

std::string stored_path(const std::filesystem::path& path) {
    const std::string& bytes = path.native();
    if (!find_invalid_utf8(bytes) && !bytes.starts_with(kScheme)) return bytes;
    std::string text(kScheme);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const bool stands_for_itself = byte > ' ' && byte < 0x7F && byte != '%';
        text += stands_for_itself ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return text;
}

std::filesystem::path path_from_stored(const std::string& text) {
    if (!text.starts_with(kScheme)) return text;
    std::string bytes;
    for (std::size_t at = kScheme.size(); at < text.size(); ++at) {
        unsigned int byte = 0;
        const char* const digits = text.data() + at + 1;
        const bool is_coded = text[at] == '%' && at + 2 < text.size() &&
                              std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        bytes += is_coded ? static_cast<char>(byte) : text[at];
        if (is_coded) at += 2;
    }
    return bytes;
}

std::string json_row(const Matrix& matrix, Index row) {
    std::string result = "[";
    for (Index column = 0; column < matrix.cols(); ++column)
        result += (column == 0 ? "" : ", ") + json_number(matrix(row, column));
    return result += "]";
}

}  // namespace headlight
