// One request to a server, and the head of its answer, which comes before the bytes of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace headlight {

struct HttpAnswer {
    long status = 0;
    std::optional<std::uint64_t> length = {};  // of the bytes that follow
    std::optional<std::uint64_t> first = {};   // of a part: its first byte in the file …
    std::optional<std::uint64_t> whole = {};   // … and the size of all of it
    std::string tag = {};                      // the file's mark, without quotes
    bool is_hub = false;                       // the mark is Git's name of the file
    /// The size and SHA-256 of a large file, which the hub tells where it sends one elsewhere.
    std::optional<std::uint64_t> linked_size = {};
    std::string linked_tag = {};
};

/// Takes one line of the headers; a status line begins them anew.
void read_header(HttpAnswer& answer, std::string_view line);

/// Returns why there is no file, and what to do.
std::string reason_of(const HttpAnswer& answer);

/// Takes a file as it comes. An exception from it ends the transfer.
struct HttpReceiver {
    std::function<void(const HttpAnswer&)>
        begin;  // before the first byte; the status is 200 or 206
    std::function<void(std::string_view)> take;
};

/// True for https, and for http with this machine and with the server of the address that the user
/// has named.
bool may_be_asked(const std::string& url, const std::string& named);
/// True if a server may send one on there: where it may be asked, and not from https to http.
bool may_be_followed(const std::string& from, const std::string& to, const std::string& named);

class HttpClient {
  public:
    /// `named` is an address that the user has given, or empty. The progress must outlive this; it
    /// is only asked whether it was cancelled.
    HttpClient(std::string named, Progress& progress);

    /// Asks for the headers. The hub's own words about a large file are taken as its answer,
    /// without going where the file lies.
    HttpAnswer head(const std::string& url) const;

    /// Reads everything from byte `first` on; a server may send all of it instead. Throws Error,
    /// naming the address, if there is no connection or no such file, or if the connection breaks.
    void get(const std::string& url, std::uint64_t first, const HttpReceiver& receiver) const;

  private:
    std::string named_;
    Progress& progress_;
};

}  // namespace headlight
