// A web server for one test, on this machine only.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace headlight {

struct ServerRequest {
    std::string method, path;
    std::optional<std::uint64_t> first;  // of the range that is asked for
};

struct ServerReply {
    int status = 200;
    std::vector<std::string> headers = {};  // "ETag: \"abc\""
    std::string body = {};
    std::optional<std::uint64_t> said_length = {};  // what it says instead of the truth
    bool says_length = true;
};

/// Answers on 127.0.0.1, one request after another, until it ends.
class LocalServer {
  public:
    using Answer = std::function<ServerReply(const ServerRequest&)>;

    explicit LocalServer(Answer answer);
    ~LocalServer();
    LocalServer(const LocalServer&) = delete;
    LocalServer& operator=(const LocalServer&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    /// "GET /a 100"
    std::vector<std::string> requests() const;

  private:
    void serve();
    void serve_one(int connection);

    Answer answer_;
    int listening_ = -1;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::jthread thread_;
};

/// The whole file, or the part that is asked for.
ServerReply reply_with(const std::string& file, const ServerRequest& request);

}  // namespace headlight
