#include "cli/output/printable_stream.h"

#include <string_view>

#include "text/printable.h"

namespace headlight {

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char c = traits_type::to_char_type(byte);
    return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
    const std::string_view added(text, static_cast<std::size_t>(size));
    const std::size_t end = added.rfind('\n');
    const std::size_t whole = end == std::string_view::npos ? 0 : line_.size() + end + 1;
    line_ += added;
    return pass_on(whole) ? size : 0;
}

int PrintableBuffer::sync() {
    return pass_on(line_.size()) && to_.flush() ? 0 : -1;
}

bool PrintableBuffer::pass_on(std::size_t size) {
    if (size == 0) return to_.good();
    to_ << printable_lines(std::string_view(line_).substr(0, size));
    line_.erase(0, size);
    return to_.good();
}

}  // namespace headlight
