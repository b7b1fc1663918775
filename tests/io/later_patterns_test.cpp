#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/host.h"
#include "io/open_document.h"
#include "model/evaluate.h"
#include "model/session.h"

namespace headlight::later_patterns_test {
namespace {

/// One text of 3 tokens, a layer of 2 heads, each in a shard that is not there at first.
constexpr const char* kIndex = R"({
  "attention": 1, "texts": [{"tokens": ["The", "cat", "sat"]}],
  "attentions": [{"kind": "self", "layers": 1, "heads": 2}],
  "shards": ["0.safetensors", "1.safetensors", "all.safetensors"],
  "arrays": [
    {"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 1], "pattern": "p"},
    {"shard": 1, "text": 0, "kind": "self", "layers": [0, 1], "heads": [1, 2], "pattern": "p"}],
  "summaries": {"shard": 2, "overviews": "o", "metrics": "m"}})";

constexpr const char *kFirst = "blocks.0.attn.heads.0.pattern",
                     *kSecond = "blocks.0.attn.heads.1.pattern";

std::string open_folder(const TemporaryFolder& folder) {
    folder.with("all.safetensors", shard_bytes(2, {{"o", {1, 2, 2, 2}}, {"m", {1, 2, 2, 10}}}));
    return folder.with("run.attention.json", kIndex);
}

void bring(const TemporaryFolder& folder, int head) {
    folder.with(std::to_string(head) + ".safetensors", shard_bytes(head, {{"p", {1, 1, 3, 3}}}));
}

/// Notes which files are asked for, until it ends.
struct Asking {
    Asking() {
        host().ask_file = [this](const std::filesystem::path& file) {
            names.push_back(file.filename().string());
            return true;
        };
    }
    ~Asking() { host().ask_file = {}; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    std::vector<std::string> names;
};

std::string refusal(const std::string& old, const std::string& now) {
    const TemporaryFolder folder;
    std::string index = kIndex;
    index.replace(index.find(old), old.size(), now);
    open_folder(folder);
    return error_of([&] { open_document(folder.with("run.attention.json", index)); });
}

}  // namespace

TEST_CASE("later patterns: overviews and metrics are there before any pattern is") {
    const TemporaryFolder folder;
    const Document document = open_document(open_folder(folder)).document;
    const Trace trace = evaluate(document, nullptr, {.globs = {"*.overview", "*.metrics"}});
    const Tensor& overview = trace.at("blocks.0.attn.heads.1.overview");
    CHECK(overview.rows().size == 2);
    CHECK((*overview.value)(0, 0) == cell_value(2, 4));
    CHECK((*trace.at("blocks.0.attn.heads.1.metrics").value)(1, 0) == cell_value(2, 8 + 30));
    CHECK_FALSE(trace.at(kFirst).value);
}

TEST_CASE("later patterns: without anybody to ask, a pattern is an error that says so") {
    const TemporaryFolder folder;
    const Document document = open_document(open_folder(folder)).document;
    CHECK(error_of([&] { evaluate(document, nullptr, {.globs = {kFirst}}); }) ==
          "[recording] the pattern is not here; it must be asked from a running notebook");
}

TEST_CASE("later patterns: a session asks once for what is watched, and takes it when it comes") {
    const TemporaryFolder folder;
    Asking asking;
    Session session(open_document(open_folder(folder)).document);
    CHECK(asking.names.empty());
    session.watch({.globs = {kSecond, "*.overview"}});
    session.wait();
    REQUIRE(session.trace());
    CHECK(session.trace()->at("blocks.0.attn.heads.0.overview").value);
    CHECK_FALSE(session.trace()->at(kSecond).value);
    session.wait();
    CHECK(asking.names == std::vector<std::string>{"1.safetensors"});
    const auto before = session.trace();
    session.wait();
    CHECK(session.trace() == before);  // nothing has come
    bring(folder, 1);
    session.wait();
    REQUIRE(session.trace()->at(kSecond).value);
    CHECK((*session.trace()->at(kSecond).value)(2, 2) == cell_value(1, 8));
    CHECK(asking.names.size() == 1);
}

TEST_CASE("later patterns: what is made from all of them waits for all of them") {
    const TemporaryFolder folder;
    Asking asking;
    Session session(open_document(open_folder(folder)).document);
    session.watch({.globs = {"across.rollout"}});
    session.wait();
    CHECK(std::ranges::count(asking.names, "0.safetensors") == 1);
    CHECK(std::ranges::count(asking.names, "1.safetensors") == 1);
    bring(folder, 0);
    session.wait();
    CHECK_FALSE(session.trace()->at("across.rollout").value);
    bring(folder, 1);
    session.wait();
    CHECK(session.trace()->at("across.rollout").value);
}

TEST_CASE("later patterns: an index whose summaries do not fit is refused") {
    CHECK(contains(refusal(R"("overviews": "o")", R"("overviews": "none")"),
                   "holds no array 'none'"));
    CHECK(contains(refusal(R"("metrics": "m")", R"("metrics": "o")"),
                   "is (1, 2, 2, 2), but it must be"));
    CHECK(contains(refusal(R"("heads": 2})", R"("heads": 2, "d_v": 4})"), "'v' is missing"));
    CHECK(contains(refusal(R"({"shard": 2,)", R"({"shard": 3,)"), "summaries.shard"));
    CHECK(contains(
        refusal(
            R"("kind": "self", "layers": 1, "heads": 2})",
            R"("kind": "self", "layers": 1, "heads": 2}, {"kind": "source", "layers": 1, "heads": 1})"),
        "source"));
    const TemporaryFolder folder;
    const std::string file = folder.with("run.attention.json", kIndex);
    CHECK(contains(error_of([&] { open_document(file); }), "all.safetensors] is missing"));
}

}  // namespace headlight::later_patterns_test
