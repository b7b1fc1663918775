// Getting a pretrained model by the window: from a server on this machine, and from a folder.
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>

#include "../download/local_server.h"
#include "../io/models/golden_model.h"
#include "app/driver.h"
#include "download/known_models.h"
#include "io/files/file.h"

namespace headlight::program_models_test {
namespace {

constexpr std::string_view kPath = "/us/tiny/resolve/main/";

/// Answers as the hub, with the files of that folder.
ServerReply from_folder(const GoldenModel& golden, const ServerRequest& request) {
    const std::string name =
        request.path.starts_with(kPath) ? request.path.substr(kPath.size()) : "";
    if (name.empty() || !std::filesystem::exists(golden.file(name)))
        return {.status = 404, .body = "no such page"};
    ServerReply reply = reply_with(read_file(golden.file(name)), request);
    Progress progress;
    reply.headers.push_back("X-Linked-Etag: \"" +
                            checksum_of(golden.file(name), std::string(64, '0'), progress) + "\"");
    return reply;
}

void set_field(Driver& d, const std::string& name, const std::string& text) {
    d.click("text " + name);
    d.press(Key::A, Modifier::Ctrl);
    d.paste(text);
}

void ask_for(Driver& d, const std::string& folder, const std::string& from) {
    d.press(Key::O, Modifier::Ctrl);
    d.click("button Get a model…");
    set_field(d, "Model", "us/tiny");
    set_field(d, "Folder", folder);
    set_field(d, "From", from);
}

}  // namespace

TEST_CASE("models: one is listed, downloaded from a server and opened; nothing is asked before") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const LocalServer server(
        [&](const ServerRequest& request) { return from_folder(golden, request); });
    Driver d;
    ask_for(d, folder.file("tiny"), server.url());
    CHECK(d.has("model all-minilm-l6-v2"));
    CHECK(d.texts().find("548 MB") != std::string::npos);
    CHECK(server.requests().empty());
    d.click("button Get");
    d.settle();
    CHECK(d.message() == "");
    REQUIRE(d.document().weights);
    CHECK(d.document().weights->is_model);
    CHECK(!server.requests().empty());
    CHECK(std::filesystem::exists(folder.file("tiny/config.json")));
}

TEST_CASE("models: the licence and the address of a known one are seen") {
    Driver d;
    d.press(Key::O, Modifier::Ctrl);
    d.click("button Get a model…");
    d.click("model roberta-base");
    CHECK(d.texts().find("https://huggingface.co/FacebookAI/roberta-base · licence: MIT") !=
          std::string::npos);
    d.press(Key::Escape);
    CHECK(!d.has("model roberta-base"));
}

TEST_CASE("models: what cannot be got is said with its address, and what is there is opened") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const LocalServer server([](const ServerRequest&) { return ServerReply{.status = 404}; });
    Driver d;
    ask_for(d, folder.file("tiny"), server.url());
    d.click("button Get");
    d.settle();
    CHECK(d.message().find(server.url() + "/us/tiny/resolve/main/tokenizer.json") !=
          std::string::npos);
    CHECK(!d.document().weights);
    ask_for(d, golden.folder().string(), server.url());
    const std::size_t asked = server.requests().size();
    d.click("button Open");
    d.settle();
    CHECK(server.requests().size() == asked);
    CHECK(d.document().weights);
}

TEST_CASE("models: a download that broke off goes on where it stopped") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    std::atomic<bool> is_cut = true;
    const LocalServer server([&](const ServerRequest& request) {
        ServerReply reply = from_folder(golden, request);
        if (is_cut && request.method == "GET" && request.path.ends_with("model.safetensors")) {
            reply.said_length = reply.body.size();
            reply.body.resize(reply.body.size() / 2);
        }
        return reply;
    });
    Driver d;
    ask_for(d, folder.file("tiny"), server.url());
    d.click("button Get");
    d.settle();
    CHECK(d.message().find("model.safetensors") != std::string::npos);
    CHECK(!std::filesystem::exists(folder.file("tiny/config.json")));
    is_cut = false;
    ask_for(d, folder.file("tiny"), server.url());
    d.click("button Get");
    d.settle();
    CHECK(d.document().weights);
    const auto requests = server.requests();
    const std::string half =
        std::to_string(std::filesystem::file_size(golden.file("model.safetensors")) / 2);
    CHECK(std::ranges::count(requests, "GET " + std::string(kPath) + "model.safetensors " + half) ==
          1);
}

TEST_CASE("models: the pieces of words are joined and parted again, and the head stays") {
    const GoldenModel golden("bert");
    Driver d;
    d.drop(golden.folder().string());
    d.settle();
    const std::size_t n_tokens = d.trace().items().size();
    d.click("head 1");
    d.click("button Join pieces");
    d.settle();
    REQUIRE(d.document().recorded());
    CHECK(d.trace().items().size() < n_tokens);
    CHECK(d.selection().head == 1);
    CHECK(d.texts().find("Words, joined from their pieces") != std::string::npos);
    d.press(Key::F5);
    CHECK(d.texts().find("The attention between words") != std::string::npos);
    d.press(Key::Escape);
    d.click("button Part into pieces");
    d.settle();
    CHECK(d.trace().items().size() == n_tokens);
    d.press(Key::Z, Modifier::Ctrl);
    d.settle();
    CHECK(d.document().recorded());
    CHECK(d.message() == "");
}

}  // namespace headlight::program_models_test
