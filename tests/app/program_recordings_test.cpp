// Recordings of pictures and graphs in the window.
#include <doctest/doctest.h>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/open_document.h"
#include "io/pictures/png_image.h"

namespace headlight::program_recordings_test {
namespace {

std::string picture_recording(const TemporaryFolder& folder) {
    Pixels pixels{6, 4, std::vector<std::uint8_t>(6 * 4 * 4, 200)};
    folder.with("a.png", write_pixels(pixels));
    folder.with("a.safetensors", shard_bytes(0, {{"p", {1, 2, 7, 7}}}));
    return folder.with("v.attention.json", R"({"attention": 1,
        "texts": [{"patches": {"rows": 2, "columns": 3, "before": ["[CLS]"], "picture": "a.png",
                               "pixels": [4, 6]}}],
        "attentions": [{"kind": "self", "layers": 1, "heads": 2}], "shards": ["a.safetensors"],
        "arrays": [{"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 2],
                    "pattern": "p"}]})");
}

std::string graph_recording(const TemporaryFolder& folder) {
    folder.with("a.safetensors", shard_bytes(1, {{"p", {2, 2, 4, 1}}, {"r", {2, 2, 2, 1}}}));
    return folder.with("g.attention.json", R"({"attention": 1,
        "texts": [{"nodes": ["Ada", "Bob", "Cy"], "edges": [[2, 1, 1, 0], [1, 2, 0, 1]]},
                  {"nodes": ["Dan", "Eve"], "edges": [[0, 1], [1, 0]]}],
        "attentions": [{"kind": "edges", "layers": 2, "heads": 2}], "shards": ["a.safetensors"],
        "arrays": [{"shard": 0, "text": 0, "kind": "edges", "layers": [0, 2], "heads": [0, 2],
                    "pattern": "p"},
                   {"shard": 0, "text": 1, "kind": "edges", "layers": [0, 2], "heads": [0, 2],
                    "pattern": "r"}]})");
}

}  // namespace

TEST_CASE("recordings: a picture opens among images, and its patches can be pointed at") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(picture_recording(folder));
    CHECK(d.message() == "");
    REQUIRE(d.document().recorded());
    CHECK(d.has("canvas Image"));
    CHECK(d.has("canvas Attention"));
    CHECK(d.texts().find("2 × 3 patches and 1 other token") != std::string::npos);
    CHECK(d.texts().find("What the class token reads") != std::string::npos);
    d.click("canvas Image");
    CHECK(d.selection().held().indices.query);
    d.press(Key::F5);  // a slide has the picture, too
    CHECK(d.has("canvas Image"));
    d.press(Key::Escape);
    d.click("tab Sentence");
    d.click("tab Image");
    CHECK(d.document().recorded());
}

TEST_CASE("recordings: the first start suggests nothing that a recording cannot do") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(picture_recording(folder));
    d.program().workbench().greet();
    d.program().loop().wake();
    d.settle();
    REQUIRE(d.has("greeting"));
    CHECK(d.texts().find("Choose another head") != std::string::npos);
    CHECK(d.texts().find("Change a word") == std::string::npos);
    CHECK(d.texts().find("Drag a number") == std::string::npos);
}

TEST_CASE("recordings: a graph opens among graphs; nodes can be moved, and nothing else") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(graph_recording(folder));
    REQUIRE(d.document().recorded());
    CHECK(d.has("node Ada"));
    CHECK(d.texts().find("3 nodes · 4 edges") != std::string::npos);
    CHECK(d.texts().find("This head: α of") != std::string::npos);  // they are larger than 2
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 0, 0}) == cell_value(1, 2));
    const Graph before = *d.document().drawn_graph();
    d.drag("node Ada", 20, 10);
    CHECK(d.undo_label() == "Move node Ada");
    CHECK(!(*d.document().drawn_graph() == before));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(*d.document().drawn_graph() == before);
    d.click("node Bob");
    d.press(Key::Delete);
    CHECK(d.message().find("its nodes can be moved") != std::string::npos);
    CHECK(*d.document().drawn_graph() == before);
    d.double_click(d.locate("node Bob"));
    CHECK(d.message().find("its nodes can be moved") != std::string::npos);
    CHECK(!d.has("text Node name"));
    CHECK(d.document().drawn_graph()->nodes.size() == 3);
}

TEST_CASE("recordings: the next graph of a file takes the place of the first") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(graph_recording(folder));
    d.click("button Next");
    CHECK(d.message() == "");
    CHECK(d.has("node Eve"));
    CHECK(!d.has("node Ada"));
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 0, 0}) == cell_value(1, 16 + 1));
    d.click("button Side by side");
    CHECK(d.message() == "");
}

}  // namespace headlight::program_recordings_test
