#include "io/graphs/xml_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <set>

#include "core/error.h"
#include "io/recognise.h"
#include "text/strings.h"

namespace headlight {
namespace {

struct XmlLimits {
    int depth = 64;
    std::size_t elements = 10'000'000;
};

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

    /// Moves past the next `end`; to the end of the file if there is none.
    void skip_behind(std::string_view end) {
        const std::size_t found = bytes_.find(end, at_);
        at_ = found == std::string_view::npos ? bytes_.size() : found + end.size();
    }

    void check_reference() {
        constexpr std::size_t kLongest = 24;
        const std::string_view text = bytes_.substr(at_ + 1, kLongest);
        const std::string_view name = text.substr(0, text.find_first_of("; \t\r\n\"'<>&"));
        if (!text.substr(name.size()).starts_with(';') ||
            (!is_among(name, kEntities) && !is_character_reference(name)))
            fail(fmt::format("the reference {} stands for no character; & itself is written &amp;",
                             in_quotes("&" + std::string(name))));
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
            fail(fmt::format("too many elements; at most {} are read", limits_.elements));
        if (!skip_start_tag() && ++depth_ > limits_.depth)
            fail(fmt::format("nested too deep; at most {} levels are read", limits_.depth));
    }

    /// Skips a start tag, and checks references in its attributes. True if the element ends with
    /// it.
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

using pugi::xml_node;

std::size_t byte_offset(std::ptrdiff_t offset) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
}

}  // namespace

XmlFile::XmlFile(std::string_view bytes, const std::string& source, std::string_view root_name)
    : bytes_(bytes), source_(source) {
    check_text(bytes, source);
    const XmlLimits limits;
    XmlCheck(bytes, source, limits).run();
    const unsigned options = pugi::parse_default | pugi::parse_declaration;
    const pugi::xml_parse_result result =
        document_.load_buffer(bytes.data(), bytes.size(), options, pugi::encoding_utf8);
    if (!result)
        fail_at_byte(bytes, byte_offset(result.offset), source,
                     "not well-formed XML: " + std::string(result.description()));
    check_encoding();
    if (root().name() != root_name)
        fail(root(), fmt::format("the root element is {}, not {}", in_quotes(root().name()),
                                 in_quotes(root_name)));
}

void XmlFile::fail(const xml_node& at, const std::string& what) const {
    fail_at_byte(bytes_, byte_offset(at.offset_debug()), source_, what);
}

void XmlFile::check_encoding() const {
    const std::string encoding = document_.first_child().attribute("encoding").value();
    for (const char* known : {"", "UTF-8", "utf-8", "utf8", "UTF8", "US-ASCII", "ASCII"})
        if (encoding == known) return;
    throw Error(source_, "is in the encoding {}; save it as UTF-8", in_quotes(encoding));
}

void XmlFile::check_attributes(const xml_node& element) const {
    std::set<std::string_view> names;
    for (const auto& attribute : element.attributes())
        if (!names.insert(attribute.name()).second)
            fail(element, fmt::format("the attribute {} comes twice; keep one",
                                      in_quotes(attribute.name())));
}

std::string_view XmlFile::needed(const xml_node& element, const char* attribute) const {
    const auto found = element.attribute(attribute);
    if (!found)
        fail(element,
             fmt::format("<{}> needs the attribute {}", element.name(), in_quotes(attribute)));
    return found.value();
}

xml_node find_descendant(const xml_node& element, std::string_view name) {
    return element.find_node([&](const xml_node& at) {
        const std::string_view whole = at.name();  // "viz:position"
        return whole.substr(whole.find(':') + 1) == name;
    });
}

int end_of_edge(const XmlFile& xml, const pugi::xml_node& edge, const char* attribute,
                const GraphBuilder& builder) {
    const std::string_view id = xml.needed(edge, attribute);
    const auto node = builder.find_node(id);
    if (!node) xml.fail(edge, "there is no node " + in_quotes(id));
    return *node;
}

}  // namespace headlight
