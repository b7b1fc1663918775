// One request to a server, and what the head of its answer says before the bytes of a file.
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
    std::optional<std::uint64_t> length = {};  // of what follows
    std::optional<std::uint64_t> first = {};   // of a part: its first byte in the file …
    std::optional<std::uint64_t> whole = {};   // … and the size of all of it
    std::string tag = {};                      // the file's mark, without quotes
    bool is_hub = false;                       // the mark is what Git calls the file
    /// Size and SHA-256 of a large file, which the hub says where it sends one elsewhere.
    std::optional<std::uint64_t> linked_size = {};
    std::string linked_tag = {};
};

/// Takes one line of the headers; a status line begins them anew.
void read_header(HttpAnswer& answer, std::string_view line);

/// Why there is no file, and what to do.
std::string reason_of(const HttpAnswer& answer);

/// Takes a file as it comes. What it throws ends the transfer.
struct HttpReceiver {
    std::function<void(const HttpAnswer&)>
        begin;  // before the first byte; the status is 200 or 206
    std::function<void(std::string_view)> take;
};

/// https, or http with this machine and with the server of the address that the user has named.
bool may_be_asked(const std::string& url, const std::string& named);
/// Whether a server may send one on there: where it may be asked, and not from https to http.
bool may_be_followed(const std::string& from, const std::string& to, const std::string& named);

class HttpClient {
  public:
    /// `named` is an address that the user has given, or empty. The progress must outlive this; it
    /// is only asked whether it was cancelled.
    HttpClient(std::string named, Progress& progress);

    /// Asks for the headers. What the hub says of a large file is taken as its answer, without
    /// going where it lies.
    HttpAnswer head(const std::string& url) const;

    /// Everything from byte `first` on; a server may send all of it instead. Throws Error, naming
    /// the address, if there is no connection or no such file, or if the connection breaks.
    void get(const std::string& url, std::uint64_t first, const HttpReceiver& receiver) const;

  private:
    std::string named_;
    Progress& progress_;
};

}  // namespace headlight
