#include "download/local_server.h"

#include <cstdlib>
#include <netinet/in.h>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

/// Up to the empty line.
std::string read_headers(int connection) {
    std::string text;
    char byte = 0;
    while (!text.ends_with("\r\n\r\n") && ::recv(connection, &byte, 1, 0) == 1) text += byte;
    return text;
}

ServerRequest parse_request(const std::string& text) {
    ServerRequest request;
    std::istringstream words(text);
    words >> request.method >> request.path;
    constexpr std::string_view kRange = "\r\nRange: bytes=";
    if (const std::size_t at = text.find(kRange); at != std::string::npos)
        request.first = std::strtoull(text.c_str() + at + kRange.size(), nullptr, 10);
    return request;
}

void send_all(int connection, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return;  // the other side has gone, as it may
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

std::string headers_of(const ServerReply& reply) {
    std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " As asked\r\n";
    for (const std::string& header : reply.headers) text += header + "\r\n";
    if (reply.says_length)
        text += "Content-Length: " + std::to_string(reply.said_length.value_or(reply.body.size())) +
                "\r\n";
    return text + "Connection: close\r\n\r\n";
}

}  // namespace

LocalServer::LocalServer(Answer answer)
    : answer_(std::move(answer)), listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listening_, any, size) != 0 || ::listen(listening_, 8) != 0 ||
        ::getsockname(listening_, any, &size) != 0)
        throw std::runtime_error("no server on this machine");
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { serve(); });
}

LocalServer::~LocalServer() {
    ::shutdown(listening_, SHUT_RDWR);  // ends accept()
    thread_.join();
    ::close(listening_);
}

std::vector<std::string> LocalServer::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void LocalServer::serve() {
    for (int connection; (connection = ::accept(listening_, nullptr, nullptr)) >= 0;) {
        serve_one(connection);
        ::shutdown(connection, SHUT_WR);
        while (!read_headers(connection).empty()) continue;  // until the other side has all
        ::close(connection);
    }
}

void LocalServer::serve_one(int connection) {
    const std::string text = read_headers(connection);
    if (text.empty()) return;
    const ServerRequest request = parse_request(text);
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request.method + " " + request.path +
                            (request.first ? " " + std::to_string(*request.first) : ""));
    }
    const ServerReply reply = answer_(request);
    send_all(connection, headers_of(reply));
    if (request.method != "HEAD") send_all(connection, reply.body);
}

ServerReply reply_with(const std::string& file, const ServerRequest& request) {
    if (!request.first) return {.body = file};
    const std::uint64_t first = *request.first;
    return {.status = 206,
            .headers = {"Content-Range: bytes " + std::to_string(first) + "-" +
                        std::to_string(file.size() - 1) + "/" + std::to_string(file.size())},
            .body = file.substr(first)};
}

}  // namespace headlight
