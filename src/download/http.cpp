#include "download/http.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <curl/curl.h>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr long kDone = 200, kPart = 206, kFirstRedirect = 300, kLastRedirect = 399;
constexpr int kMostRedirects = 8;
constexpr long kConnectSecs = 30, kStalledSecs = 60;
constexpr std::size_t kMostHeaderBytes = 256 * 1024;  // the library's own limits are near
constexpr int kTooLarge = 100;                        // CURLE_TOO_LARGE, which 7.88 has not
constexpr const char* kLongHeaders =
    "was not downloaded: the server's answer begins with headers that are too long";

// ---- addresses ----

std::string part_of_url(const std::string& url, CURLUPart part) {
    const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
    char* text = nullptr;
    if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return "";
    if (curl_url_get(parsed.get(), part, &text, 0) != CURLUE_OK) return "";
    const std::unique_ptr<char, void (*)(void*)> owned(text, curl_free);
    return text;
}

bool is_this_machine(const std::string& host) {
    const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
    return host == "localhost" || host == "[::1]" || (is_number && host.starts_with("127."));
}

// ---- one transfer ----

struct Transfer {
    CURL* curl = nullptr;
    const std::string& url;
    Progress* progress = nullptr;
    const HttpReceiver* receiver = nullptr;  // null: only headers
    HttpAnswer answer = {};
    std::size_t header_bytes = 0;
    bool has_begun = false;
    std::exception_ptr failure = nullptr;

    bool is_file() const { return answer.status == kDone || answer.status == kPart; }
    void begin() {
        if (!std::exchange(has_begun, true)) receiver->begin(answer);
    }
};

/// Keeps an exception and ends the transfer, because nothing may be thrown through the library.
template <typename Action>
bool succeeds(Transfer& transfer, Action action) {
    try {
        action();
        return true;
    } catch (...) {
        transfer.failure = std::current_exception();
        return false;
    }
}

std::size_t take_header(char* text, std::size_t size, std::size_t count, void* to) {
    auto& transfer = *static_cast<Transfer*>(to);
    const bool is_read = succeeds(transfer, [&] {
        transfer.header_bytes += size * count;
        if (transfer.header_bytes > kMostHeaderBytes)
            throw Error(printable(transfer.url), kLongHeaders);
        read_header(transfer.answer, {text, size * count});
    });
    return is_read ? size * count : 0;
}

/// Passes the bytes of a file on; the page that comes with a refusal is not kept.
std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* to) {
    auto& transfer = *static_cast<Transfer*>(to);
    if (!transfer.receiver || !transfer.is_file()) return size * count;
    const bool is_taken = succeeds(transfer, [&] {
        transfer.begin();
        transfer.receiver->take({bytes, size * count});
    });
    return is_taken ? size * count : 0;
}

int watch(void* to, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(to);
    return succeeds(transfer, [&] { transfer.progress->advance(0); }) ? 0 : 1;
}

void set_up(Transfer& transfer, std::uint64_t first) {
    CURL* const curl = transfer.curl;
    const std::string& url = transfer.url;
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "Headlight/" HEADLIGHT_VERSION);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSecs);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kStalledSecs);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watch);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    if (!transfer.receiver) curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    if (first > 0) curl_easy_setopt(curl, CURLOPT_RANGE, fmt::format("{}-", first).c_str());
    // A proxy for other machines must not be asked for this one.
    if (is_this_machine(part_of_url(url, CURLUPART_HOST)))
        curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
}

std::string reason_for(CURLcode code, const std::string& host) {
    // The library says that it has no memory where a line is longer than it takes.
    if (code == CURLE_OUT_OF_MEMORY || static_cast<int>(code) == kTooLarge) return kLongHeaders;
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY:
            return fmt::format(
                "cannot be reached: no machine {} is found. Is there a network? Without one, "
                "--from FOLDER takes a copy",
                host);
        case CURLE_COULDNT_CONNECT:
            return fmt::format("cannot be reached: {} does not answer. Is there a network?", host);
        case CURLE_PEER_FAILED_VERIFICATION:
            return fmt::format("was not asked for: {} cannot prove that it is {}", host, host);
        case CURLE_OPERATION_TIMEDOUT:
            return "stopped coming; begun again, it goes on where it stopped";
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_GOT_NOTHING:
            return "was cut off; begun again, it goes on where it stopped";
        default:
            return std::string("could not be downloaded: ") + curl_easy_strerror(code);
    }
}

struct Hop {
    HttpAnswer answer;
    std::string leads_to;  // empty: here it is
};

Hop perform(const std::string& url, std::uint64_t first, const HttpReceiver* receiver,
            Progress& progress) {
    const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) throw Error(printable(url), "could not be downloaded: there is no memory for it");
    Transfer transfer{.curl = curl.get(), .url = url, .progress = &progress, .receiver = receiver};
    set_up(transfer, first);
    const CURLcode code = curl_easy_perform(curl.get());
    if (transfer.failure) std::rethrow_exception(transfer.failure);
    const std::string host = printable(part_of_url(url, CURLUPART_HOST));
    if (code != CURLE_OK) throw Error(printable(url), reason_for(code, host));
    if (receiver && transfer.is_file()) transfer.begin();  // of a file without bytes
    char* leads_to = nullptr;
    curl_easy_getinfo(curl.get(), CURLINFO_REDIRECT_URL, &leads_to);
    return {transfer.answer, leads_to ? leads_to : ""};
}

bool is_redirect(const Hop& hop) {
    return hop.answer.status >= kFirstRedirect && hop.answer.status <= kLastRedirect &&
           !hop.leads_to.empty();
}

void check_address(const std::string& url, const std::string& named) {
    if (part_of_url(url, CURLUPART_HOST).empty())
        throw Error(printable(url), "is not an address that can be asked");
    if (!may_be_asked(url, named))
        throw Error(printable(url),
                    "is not asked: only https is, which nobody on the way can change");
}

std::string next_address(const std::string& from, const std::string& to, const std::string& named) {
    if (!may_be_followed(from, to, named))
        throw Error(printable(from), "leads to {}, which is not https and is not followed",
                    printable(to));
    return to;
}

}  // namespace

bool may_be_asked(const std::string& url, const std::string& named) {
    const std::string scheme = part_of_url(url, CURLUPART_SCHEME),
                      host = part_of_url(url, CURLUPART_HOST);
    const bool is_named = !named.empty() && host == part_of_url(named, CURLUPART_HOST);
    return scheme == "https" || (scheme == "http" && (is_named || is_this_machine(host)));
}

bool may_be_followed(const std::string& from, const std::string& to, const std::string& named) {
    const auto is_safe = [](const std::string& url) {
        return part_of_url(url, CURLUPART_SCHEME) == "https";
    };
    return may_be_asked(to, named) && (is_safe(to) || !is_safe(from));
}

HttpClient::HttpClient(std::string named, Progress& progress)
    : named_(std::move(named)), progress_(progress) {}

HttpAnswer HttpClient::head(const std::string& url) const {
    check_address(url, named_);
    std::string at = url;
    for (int i = 0; i < kMostRedirects; ++i) {
        const Hop hop = perform(at, 0, nullptr, progress_);
        if (hop.answer.linked_size || hop.answer.status == kDone) return hop.answer;
        if (!is_redirect(hop)) throw Error(printable(at), reason_of(hop.answer));
        at = next_address(at, hop.leads_to, named_);
    }
    throw Error(printable(url), "leads in a circle");
}

void HttpClient::get(const std::string& url, std::uint64_t first,
                     const HttpReceiver& receiver) const {
    check_address(url, named_);
    std::string at = url;
    for (int i = 0; i < kMostRedirects; ++i) {
        const Hop hop = perform(at, first, &receiver, progress_);
        if (hop.answer.status == kDone || hop.answer.status == kPart) return;
        if (!is_redirect(hop)) throw Error(printable(at), reason_of(hop.answer));
        at = next_address(at, hop.leads_to, named_);
    }
    throw Error(printable(url), "leads in a circle");
}

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

/// Returns abc for "\"abc\"" and "W/\"abc\"".
std::string unquoted(std::string_view tag) {
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"')
        tag = tag.substr(1, tag.size() - 2);
    return std::string(tag);
}

/// Reads "bytes 100-199/200".
void read_range(HttpAnswer& answer, std::string_view range) {
    constexpr std::string_view kUnit = "bytes ";
    if (!range.starts_with(kUnit)) return;
    range.remove_prefix(kUnit.size());
    const std::size_t dash = range.find('-'), slash = range.find('/');
    if (dash == std::string_view::npos || slash == std::string_view::npos) return;
    answer.first = whole_number<std::uint64_t>(range.substr(0, dash));
    answer.whole = whole_number<std::uint64_t>(range.substr(slash + 1));
}

/// Reads "HTTP/1.1 200 OK": everything before it was another answer, as of a proxy.
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
    const std::string status = fmt::format(" (status {})", answer.status);
    if (answer.status == kUnauthorized || answer.status == kForbidden)
        return fmt::format(
            "is not given to everyone{}: its page may ask you to sign in and accept terms; "
            "download it there, and open the folder, or take it from there with --from",
            status);
    if (answer.status == kNotFound || answer.status == kGone)
        return fmt::format("is not there{}; another source can be given with --from", status);
    if (answer.status == kTooMany)
        return fmt::format("was asked for too often{}; wait some minutes and try again", status);
    if (answer.status >= kServerErrors)
        return fmt::format("could not be sent, the server has a fault{}; try again later", status);
    return "cannot be downloaded: the server's answer is not understood" + status;
}

}  // namespace headlight
