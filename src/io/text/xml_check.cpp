#include "io/text/xml_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "core/error.h"
#include "io/text/text_check.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 5> kEntities = {"amp", "lt", "gt", "quot", "apos"};

bool is_xml_character(std::uint32_t c) {
    if (c < 0x20) return c == 0x9 || c == 0xA || c == 0xD;
    const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
    return !is_surrogate && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

/// "#65" or "#x41"
bool is_character_reference(std::string_view name) {
    if (!name.starts_with('#')) return false;
    const bool is_hex = name.starts_with("#x");
    name.remove_prefix(is_hex ? 2 : 1);
    std::uint32_t number = 0;
    const char* end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data(), end, number, is_hex ? 16 : 10);
    return failure == std::errc() && rest == end && is_xml_character(number);
}

class XmlCheck {
  public:
    XmlCheck(std::string_view bytes, const std::string& source, const XmlLimits& limits)
        : bytes_(bytes), source_(source), limits_(limits) {}

    void run() {
        for (at_ = bytes_.find_first_of("<&"); at_ < bytes_.size();
             at_ = bytes_.find_first_of("<&", at_))
            bytes_[at_] == '&' ? check_reference() : check_markup();
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        fail_at_byte(bytes_, at_, source_, what);
    }

    bool is_here(std::string_view text) const { return bytes_.substr(at_).starts_with(text); }

    /// Goes behind the next `end`; to the end of the file if there is none.
    void skip_behind(std::string_view end) {
        const std::size_t found = bytes_.find(end, at_);
        at_ = found == std::string_view::npos ? bytes_.size() : found + end.size();
    }

    void check_reference() {
        constexpr std::size_t kLongest = 24;
        const std::string_view text = bytes_.substr(at_ + 1, kLongest);
        const std::string_view name = text.substr(0, text.find_first_of("; \t\r\n\"'<>&"));
        if (!text.substr(name.size()).starts_with(';') ||
            (std::ranges::find(kEntities, name) == kEntities.end() &&
             !is_character_reference(name)))
            fail("the reference " + in_quotes("&" + std::string(name)) +
                 " stands for no character; & itself is written &amp;");
        ++at_;
    }

    void check_markup() {
        if (is_here("<!--")) return skip_behind("-->");
        if (is_here("<![CDATA[")) return skip_behind("]]>");
        if (is_here("<?")) return skip_behind("?>");
        if (is_here("<!"))
            fail(
                "a document type, <!DOCTYPE …>, is not read, since it may define entities; "
                "remove it");
        if (is_here("</")) {
            --depth_;
            return skip_behind(">");
        }
        if (++n_elements_ > limits_.elements)
            fail("too many elements; at most " + std::to_string(limits_.elements) + " are read");
        if (!skip_start_tag() && ++depth_ > limits_.depth)
            fail("nested too deep; at most " + std::to_string(limits_.depth) + " levels are read");
    }

    /// True if the element ends with it. References in attributes are checked.
    bool skip_start_tag() {
        char quote = '\0';
        for (++at_; at_ < bytes_.size(); ++at_) {
            const char c = bytes_[at_];
            if (c == '&') check_reference(), --at_;
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '>') {
                return bytes_[at_++ - 1] == '/';
            }
        }
        return true;
    }

    std::string_view bytes_;
    const std::string& source_;
    const XmlLimits& limits_;
    std::size_t at_ = 0, n_elements_ = 0;
    int depth_ = 0;
};

}  // namespace

void check_xml(std::string_view bytes, const std::string& source, const XmlLimits& limits) {
    check_text(bytes, source);
    XmlCheck(bytes, source, limits).run();
}

}  // namespace headlight
