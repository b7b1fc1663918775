#include "download/http_answer.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "text/trimmed.h"

namespace headlight {
namespace {

constexpr long kUnauthorized = 401, kForbidden = 403, kNotFound = 404, kGone = 410, kTooMany = 429,
               kServerErrors = 500;

template <typename Number>
std::optional<Number> whole_number(std::string_view digits) {
    Number number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// "\"abc\"" and "W/\"abc\"" are abc.
std::string unquoted(std::string_view tag) {
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"')
        tag = tag.substr(1, tag.size() - 2);
    return std::string(tag);
}

/// "bytes 100-199/200"
void read_range(HttpAnswer& answer, std::string_view range) {
    constexpr std::string_view kUnit = "bytes ";
    if (!range.starts_with(kUnit)) return;
    range.remove_prefix(kUnit.size());
    const std::size_t dash = range.find('-'), slash = range.find('/');
    if (dash == std::string_view::npos || slash == std::string_view::npos) return;
    answer.first = whole_number<std::uint64_t>(range.substr(0, dash));
    answer.whole = whole_number<std::uint64_t>(range.substr(slash + 1));
}

/// "HTTP/1.1 200 OK": what came before was another answer, as of a proxy.
void read_status(HttpAnswer& answer, std::string_view line) {
    const std::size_t blank = line.find(' ');
    answer = {};
    if (blank == std::string_view::npos) return;
    std::string_view code = line.substr(blank + 1);
    answer.status = whole_number<long>(code.substr(0, code.find(' '))).value_or(0);
}

}  // namespace

void read_header(HttpAnswer& answer, std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("HTTP/")) return read_status(answer, line);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "content-length") answer.length = whole_number<std::uint64_t>(value);
    if (name == "content-range") read_range(answer, value);
    if (name == "etag") answer.tag = unquoted(value);
    if (name == "x-repo-commit") answer.is_hub = true;
    if (name == "x-linked-size") answer.linked_size = whole_number<std::uint64_t>(value);
    if (name == "x-linked-etag") answer.linked_tag = unquoted(value);
}

std::string reason_of(const HttpAnswer& answer) {
    const std::string status = " (status " + std::to_string(answer.status) + ")";
    if (answer.status == kUnauthorized || answer.status == kForbidden)
        return "is not given to everyone" + status +
               ": its page may ask you to sign in and accept terms; download it there, and open "
               "the folder, or take it from there with --from";
    if (answer.status == kNotFound || answer.status == kGone)
        return "is not there" + status + "; another source can be given with --from";
    if (answer.status == kTooMany)
        return "was asked for too often" + status + "; wait some minutes and try again";
    if (answer.status >= kServerErrors)
        return "could not be sent, the server has a fault" + status + "; try again later";
    return "cannot be downloaded: the server's answer is not understood" + status;
}

}  // namespace headlight
