// Downloads from a server on this machine, from a folder, and what goes wrong.
#include "download/model_download.h"

#include <cerrno>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "download/http.h"
#include "download/known_models.h"
#include "download/local_server.h"
#include "io/system_calls_in_place.h"
#include "temporary_folder.h"

namespace headlight::model_download_test {
namespace {

namespace fs = std::filesystem;

const std::string kWeights = std::string(300'000, 'w') + "end";
const std::string kPath = "/us/tiny/resolve/main/";

/// What a repository holds.
std::map<std::string, std::string> repository() {
    return {{"tokenizer.json", "{}"}, {"model.safetensors", kWeights}, {"config.json", "{ }"}};
}

std::string sha256_of(const std::string& bytes) {
    const TemporaryFolder folder;
    Progress progress;
    return checksum_of(folder.with("a", bytes), std::string(64, '0'), progress);
}

KnownModel tiny() {
    return {"tiny", "", "us/tiny", "main", kWeights.size(), sha256_of(kWeights)};
}

/// Answers as the hub: a file of the repository, or 404.
ServerReply from_repository(const ServerRequest& request) {
    const auto files = repository();
    const std::string name =
        request.path.starts_with(kPath) ? request.path.substr(kPath.size()) : "";
    const auto found = files.find(name);
    return found == files.end() ? ServerReply{.status = 404, .body = "no such page"}
                                : reply_with(found->second, request);
}

bool is_weights(const ServerRequest& request) {
    return request.path.ends_with("model.safetensors");
}

/// Downloads from there into the folder; the message of its Error, "" if there is none.
std::string answer_of(const KnownModel& model, const std::string& from, const fs::path& folder) {
    try {
        Progress progress;
        download_model(ask_for_model(model, from, folder, progress), progress);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

bool says(const std::string& answer, const std::string& part) {
    INFO(answer);
    const bool is_said = answer.find(part) != std::string::npos;
    CHECK(is_said);
    return is_said;
}

bool is_whole(const fs::path& folder) {
    for (const auto& [name, bytes] : repository())
        if (!fs::exists(folder / name) || read_file(folder / name) != bytes ||
            fs::exists(part_path(folder / name)))
            return false;
    return true;
}

}  // namespace

TEST_CASE("a model is downloaded whole, and what is there already is not sent again") {
    const TemporaryFolder folder;
    LocalServer server(from_repository);
    CHECK(answer_of(tiny(), server.url() + "/", folder.file("deep/model")) == "");
    CHECK(is_whole(folder.file("deep/model")));
    const std::vector<std::string> requests = server.requests();
    REQUIRE(requests.size() == 6);
    CHECK(requests[0] == "HEAD " + kPath + "tokenizer.json");
    CHECK(requests.back() == "GET " + kPath + "config.json");  // then the folder is a model's
    CHECK(answer_of(tiny(), server.url(), folder.file("deep/model")) == "");
    CHECK(server.requests().size() == 9);
}

TEST_CASE("a download that was cut off goes on where it stopped") {
    const TemporaryFolder folder;
    int n_cut = 0;
    LocalServer server([&](const ServerRequest& request) {
        ServerReply reply = from_repository(request);
        if (is_weights(request) && request.method == "GET" && n_cut++ == 0) {
            reply.said_length = reply.body.size();
            reply.body.resize(100'000);
        }
        return reply;
    });
    const std::string answer = answer_of(tiny(), server.url(), folder.file("m"));
    says(answer, "model.safetensors] was cut off; begun again, it goes on where it stopped");
    CHECK(fs::file_size(folder.file("m/model.safetensors.part")) == 100'000);
    CHECK_FALSE(fs::exists(folder.file("m/config.json")));
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) == "");
    CHECK(is_whole(folder.file("m")));
    CHECK(server.requests()[server.requests().size() - 2] ==
          "GET " + kPath + "model.safetensors 100000");
}

TEST_CASE("a server that sends no parts sends all of it, and that replaces what was there") {
    const TemporaryFolder folder;
    LocalServer server([](ServerRequest request) {
        request.first.reset();
        return from_repository(request);
    });
    fs::create_directory(folder.file("m"));
    write_file(folder.file("m/model.safetensors.part"), std::string(1000, 'x'));
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) == "");
    CHECK(is_whole(folder.file("m")));
}

TEST_CASE("without a checksum nothing is gone on with, and too much is begun anew") {
    const TemporaryFolder folder;
    LocalServer server(from_repository);
    fs::create_directory(folder.file("m"));
    write_file(folder.file("m/model.safetensors.part"), kWeights.substr(0, 1000));
    CHECK(answer_of({"tiny", "", "us/tiny", "main"}, server.url(), folder.file("m")) == "");
    CHECK(is_whole(folder.file("m")));
    for (const std::string& request : server.requests())
        CHECK(request.find("safetensors ") == std::string::npos);
    fs::create_directory(folder.file("n"));
    write_file(folder.file("n/model.safetensors.part"), kWeights + "more");
    CHECK(answer_of(tiny(), server.url(), folder.file("n")) == "");
    CHECK(is_whole(folder.file("n")));
}

TEST_CASE("a file with another checksum gets no name and is removed") {
    const TemporaryFolder folder;
    LocalServer server([](const ServerRequest& request) {
        ServerReply reply = from_repository(request);
        if (is_weights(request)) reply.body[1000] = '?';
        return reply;
    });
    const std::string answer = answer_of(tiny(), server.url(), folder.file("m"));
    says(answer, "model.safetensors.part] has the checksum ");
    says(answer, ", not " + tiny().sha256 + ": it is damaged, or another file. It was removed");
    CHECK_FALSE(fs::exists(folder.file("m/model.safetensors")));
    CHECK_FALSE(fs::exists(folder.file("m/model.safetensors.part")));
    CHECK_FALSE(fs::exists(folder.file("m/config.json")));
}

TEST_CASE("the checksums that the hub says count where the table has none") {
    const TemporaryFolder folder;
    std::string linked = sha256_of(kWeights);
    LocalServer server([&](const ServerRequest& request) {
        ServerReply reply = from_repository(request);
        if (request.path == "/elsewhere") return reply_with(kWeights, request);
        if (request.path.ends_with("config.json"))
            reply.headers = {"X-Repo-Commit: 1",
                             "ETag: \"ef28faaeb0f21bd67a8c3c9c8ee8bb4f2a4c5a5e\""};
        if (!is_weights(request)) return reply;
        return ServerReply{.status = 302,
                           .headers = {"Location: /elsewhere", "X-Linked-Size: 300003",
                                       "X-Linked-Etag: \"" + linked + "\""},
                           .body = "Found"};
    });
    const KnownModel unknown{"tiny", "", "us/tiny", "main"};
    Progress progress;
    const ModelDownload download = ask_for_model(unknown, server.url(), folder.file("m"), progress);
    CHECK(download.files[1].size == kWeights.size());
    CHECK(describe(download).find("SHA-256 " + linked + ", as the server says") !=
          std::string::npos);
    CHECK(
        describe(download).find("3 bytes; Git's SHA-1 ef28faaeb0f21bd67a8c3c9c8ee8bb4f2a4c5a5e") !=
        std::string::npos);
    CHECK_THROWS_WITH(download_model(download, progress), doctest::Contains("config.json.part"));
    CHECK(read_file(folder.file("m/model.safetensors")) == kWeights);
    linked = sha256_of("other");
    says(answer_of(tiny(), server.url(), folder.file("n")), "has, its server says, the SHA-256");
}

TEST_CASE("what is not there, or not given, is named with what to do") {
    const TemporaryFolder folder;
    int status = 404;
    LocalServer server([&](const ServerRequest&) { return ServerReply{.status = status}; });
    const std::string first = "[" + server.url() + kPath + "tokenizer.json] ";
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) ==
          first + "is not there (status 404); another source can be given with --from");
    status = 403;
    says(answer_of(tiny(), server.url(), folder.file("m")),
         first + "is not given to everyone (status 403)");
    CHECK(folder.is_empty());
    const std::string nobody = server.url();
    const auto gone = [&] {
        const LocalServer ended([](const ServerRequest&) { return ServerReply{}; });
        return ended.url();
    }();
    says(answer_of(tiny(), gone, folder.file("m")), "127.0.0.1 does not answer");
}

TEST_CASE("redirects are followed, but not to an address that anyone on the way could change") {
    const TemporaryFolder folder;
    std::string to = "/moved";
    LocalServer server([&](const ServerRequest& request) {
        if (request.path == "/moved") return reply_with(kWeights, request);
        if (!is_weights(request)) return from_repository(request);
        return ServerReply{.status = 307, .headers = {"Location: " + to}};
    });
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) == "");
    CHECK(is_whole(folder.file("m")));
    to = "http://example.org/weights";
    says(answer_of(tiny(), server.url(), folder.file("n")),
         "leads to http://example.org/weights, which is not https and is not followed");
    to = "file:///etc/passwd";
    says(answer_of(tiny(), server.url(), folder.file("n")), "is not followed");
    to = kPath + "model.safetensors";
    says(answer_of(tiny(), server.url(), folder.file("n")), "leads in a circle");
}

TEST_CASE("addresses: https may be asked, http only here and where the user says so") {
    CHECK(may_be_asked("https://huggingface.co/gpt2", ""));
    CHECK_FALSE(may_be_asked("http://huggingface.co/gpt2", ""));
    CHECK(may_be_asked("http://mirror.example/gpt2", "http://mirror.example:80"));
    CHECK_FALSE(may_be_asked("http://mirror.example.org/gpt2", "http://mirror.example"));
    CHECK(may_be_asked("http://127.0.0.1:8000/gpt2", ""));
    CHECK(may_be_asked("http://[::1]/gpt2", ""));
    CHECK_FALSE(may_be_asked("ftp://127.0.0.1/gpt2", ""));
    CHECK_FALSE(may_be_asked("http://127.example.org/gpt2", ""));
    CHECK_FALSE(may_be_asked("nonsense", ""));
    CHECK(may_be_followed("https://a.example/", "https://b.example/", ""));
    CHECK(may_be_followed("http://127.0.0.1/", "https://b.example/", ""));
    CHECK_FALSE(may_be_followed("https://a.example/", "http://127.0.0.1/", ""));
    CHECK_FALSE(may_be_followed("https://a.example/", "http://a.example/", "https://a.example"));
}

TEST_CASE("a size that is not the truth is noticed, before or while bytes come") {
    const TemporaryFolder folder;
    ServerReply weights;
    LocalServer server([&](const ServerRequest& request) {
        if (!is_weights(request) || request.method == "HEAD") return from_repository(request);
        return weights;
    });
    const auto answer = [&] { return answer_of(tiny(), server.url(), folder.file("m")); };
    weights = {.body = "short"};
    says(answer(), "is 5 bytes now, not the 300003 that were offered; it has changed");
    weights = {.body = kWeights + "more", .says_length = false};
    says(answer(), "sends more than the 300003 bytes that it said");
    fs::remove(folder.file("m/model.safetensors.part"));
    weights = {.body = "short", .says_length = false};
    says(answer(), "ended after 5 of 300003 bytes; begun again, it goes on");
    weights = {.status = 206, .headers = {"Content-Range: bytes 7-9/300003"}, .body = "abc"};
    says(answer(), "another part of it came than that from byte 5");
    weights = {.status = 206, .headers = {"Content-Range: bytes 5-9/10"}, .body = "abcde"};
    says(answer(), "is 10 bytes now");
    KnownModel larger = tiny();
    larger.weights_bytes = 400'000;
    says(answer_of(larger, server.url(), folder.file("n")),
         "is 300003 bytes, but tiny has 400000 bytes; it is another file");
    CHECK_FALSE(fs::exists(folder.file("n")));
}

TEST_CASE("a server that does not say how large a file is gets no further") {
    const TemporaryFolder folder;
    LocalServer server([](const ServerRequest& request) {
        ServerReply reply = from_repository(request);
        reply.says_length = false;
        return reply;
    });
    says(answer_of(tiny(), server.url(), folder.file("m")), "does not say how large it is");
}

TEST_CASE("another file of that name is never replaced") {
    const TemporaryFolder folder;
    LocalServer server(from_repository);
    fs::create_directory(folder.file("m"));
    write_file(folder.file("m/tokenizer.json"), "mine");
    says(answer_of(tiny(), server.url(), folder.file("m")),
         "m/tokenizer.json] is there already: it is another file than the model's");
    CHECK(read_file(folder.file("m/tokenizer.json")) == "mine");
    fs::remove(folder.file("m/tokenizer.json"));
    std::string other = kWeights;
    other[0] = 'x';
    write_file(folder.file("m/model.safetensors"), other);
    says(answer_of(tiny(), server.url(), folder.file("m")), "has the checksum ");
    CHECK(read_file(folder.file("m/model.safetensors")) == other);
}

TEST_CASE("two downloads do not write one file, and nothing is written through a link") {
    const TemporaryFolder folder;
    LocalServer server(from_repository);
    fs::create_directory(folder.file("m"));
    const PartFile other(folder.file("m/tokenizer.json"));
    says(answer_of(tiny(), server.url(), folder.file("m")), "is being written by another download");
    fs::create_symlink(folder.file("elsewhere"), folder.file("m/config.json.part"));
    CHECK_THROWS_AS(PartFile(folder.file("m/config.json")), Error);
    CHECK_FALSE(fs::exists(folder.file("elsewhere")));
}

TEST_CASE("a full disk is called so, and what has come stays") {
    const TemporaryFolder folder;
    LocalServer server(from_repository);
    const SystemCallsInPlace calls;
    system_calls.write = [](int fd, const void* bytes, std::size_t size) -> ssize_t {
        if (::lseek(fd, 0, SEEK_END) < 50'000) return kSystemCalls.write(fd, bytes, size);
        errno = ENOSPC;
        return -1;
    };
    says(answer_of(tiny(), server.url(), folder.file("m")),
         "m/model.safetensors.part] cannot be written: the disk is full");
    system_calls = kSystemCalls;
    CHECK(fs::file_size(folder.file("m/model.safetensors.part")) >= 50'000);
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) == "");
    CHECK(is_whole(folder.file("m")));
}

TEST_CASE("more than the disk has room for is not begun") {
    const TemporaryFolder folder;
    KnownModel huge{"huge", "", "us/tiny", "main"};
    LocalServer server([](const ServerRequest& request) {
        ServerReply reply = from_repository(request);
        if (is_weights(request)) reply.said_length = std::uint64_t{1} << 60;
        return reply;
    });
    says(answer_of(huge, server.url(), folder.file("m")), "left, but the download needs");
    CHECK(server.requests().size() == 3);
}

TEST_CASE("a cancelled download stops, and what has come stays") {
    const TemporaryFolder folder;
    Progress progress;
    LocalServer server([&](const ServerRequest& request) {
        if (is_weights(request) && request.method == "GET") progress.cancel();
        return from_repository(request);
    });
    const ModelDownload download = ask_for_model(tiny(), server.url(), folder.file("m"), progress);
    CHECK_THROWS_AS(download_model(download, progress), Cancelled);
    CHECK(fs::exists(folder.file("m/model.safetensors.part")));
    CHECK_FALSE(fs::exists(folder.file("m/model.safetensors")));
    CHECK(answer_of(tiny(), server.url(), folder.file("m")) == "");
}

TEST_CASE("a folder is a source: the model's own, or one that holds it by its names") {
    const TemporaryFolder mirror, folder;
    const std::string cache = "models--us--tiny/snapshots/main";
    for (const char* place : {"us/tiny", "tiny", cache.c_str(), "own"}) {
        CAPTURE(place);
        const fs::path at = mirror.file(place);
        fs::create_directories(at);
        for (const auto& [name, bytes] : repository()) write_file(at / name, bytes);
        const std::string from = std::string(place) == "own" ? at.native() : mirror.file("");
        fs::create_directory(folder.file("m"));
        write_file(folder.file("m/model.safetensors.part"), kWeights.substr(0, 1000));
        CHECK(answer_of(tiny(), from, folder.file("m")) == "");
        CHECK(is_whole(folder.file("m")));
        fs::remove_all(folder.file("m"));
        fs::remove_all(at);
    }
    says(answer_of(tiny(), mirror.file(""), folder.file("m")),
         "has no tiny: there is no config.json");
    says(answer_of(tiny(), "ftp://127.0.0.1/", folder.file("m")), "models come by https");
}

TEST_CASE("headers that are too long are told as what they are") {
    for (const std::size_t n_lines : {1, 500}) {
        CAPTURE(n_lines);
        const TemporaryFolder folder;
        LocalServer server([&](const ServerRequest& request) {
            ServerReply reply = from_repository(request);
            const std::string text(n_lines == 1 ? 150'000 : 1'000, 'a');
            for (std::size_t k = 0; k < n_lines; ++k)
                reply.headers.push_back("X-Long-" + std::to_string(k) + ": " + text);
            return reply;
        });
        const std::string answer = answer_of(tiny(), server.url(), folder.file("m"));
        says(answer, "the server's answer begins with headers that are too long");
        CHECK(answer.find("memory") == std::string::npos);
    }
}

}  // namespace headlight::model_download_test
