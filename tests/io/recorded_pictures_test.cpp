// Recordings of attention between the patches of a picture.
#include <doctest/doctest.h>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/arrays/recording.h"
#include "io/open_document.h"
#include "io/pictures/png_image.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::recorded_pictures_test {
namespace {

constexpr const char* kPictures = R"({
  "attention": 1,
  "texts": [{"patches": {"rows": 2, "columns": 3, "before": ["[CLS]"], "picture": "a.png",
                         "pixels": [4, 6]}},
            {"patches": {"rows": 1, "columns": 2, "picture": "b.png", "pixels": [2, 4]}}],
  "attentions": [{"kind": "self", "layers": 1, "heads": 2}],
  "shards": ["a.safetensors"],
  "arrays": [
    {"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 2], "pattern": "p0"},
    {"shard": 0, "text": 1, "kind": "self", "layers": [0, 1], "heads": [0, 2], "pattern": "p1"}]})";

/// Every pixel another colour.
std::string picture(int width, int height) {
    Pixels pixels{width, height, {}};
    for (int k = 0; k < width * height; ++k)
        for (const int value : {k, 255 - k, 2 * k, 255})
            pixels.rgba.push_back(static_cast<std::uint8_t>(value));
    return write_pixels(pixels);
}

std::string pictures(const TemporaryFolder& folder, const std::string& index = kPictures) {
    folder.with("a.safetensors", shard_bytes(0, {{"p0", {1, 2, 7, 7}}, {"p1", {1, 2, 2, 2}}}));
    folder.with("a.png", picture(6, 4));
    folder.with("b.png", picture(4, 2));
    return folder.with("v.attention.json", index);
}

std::string error_with(const std::string& old, const std::string& now) {
    const TemporaryFolder folder;
    std::string index = kPictures;
    REQUIRE(index.find(old) != std::string::npos);
    index.replace(index.find(old), old.size(), now);
    return error_of([&] {
        const Document document = open_document(pictures(folder, index)).document;
        evaluate(document, nullptr, {.everything = true, .globs = {}});
    });
}

}  // namespace

TEST_CASE("recorded pictures: patterns bit for bit, over the pixels of the picture") {
    const TemporaryFolder folder;
    const Document document = open_document(pictures(folder)).document;
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    CHECK(trace.items() ==
          std::vector<std::string>{"[CLS]", "0,0", "0,1", "0,2", "1,0", "1,1", "1,2"});
    CHECK(trace.grid_columns() == 3);
    CHECK(trace.grid_begin() == 1);
    CHECK(trace.image_columns() == 6);
    const Matrix& pattern = *trace.at("blocks.0.attn.heads.1.pattern").value;
    for (Index i = 0; i < pattern.size(); ++i)
        CHECK(pattern.data()[i] == cell_value(0, 49 + static_cast<std::size_t>(i)));
    const Matrix& image = *trace.at("image").value;
    REQUIRE(image.rows() == 24);
    REQUIRE(image.cols() == 3);
    CHECK(image(7, 0) == 7 / 255.0f);
    CHECK(image(7, 1) == 248 / 255.0f);
    CHECK(image(23, 2) == 46 / 255.0f);
    CHECK(trace.find("across.rollout"));
    CHECK(trace.find("metrics.entropy"));
}

TEST_CASE("recorded pictures: another one of the file, and a study that is saved") {
    const TemporaryFolder folder;
    Document document = open_document(pictures(folder)).document;
    choose_recorded_text(document, 1);
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    CHECK(trace.items() == std::vector<std::string>{"0,0", "0,1"});
    CHECK(trace.at("image").value->rows() == 8);
    const std::string saved =
        folder.with("s.headlight", write_study(document, {.folder = folder.file("")}));
    const Document again = open_document(saved).document;
    CHECK(again == document);
    CHECK(again.recorded()->text.patches);
    const auto files = files_read_by(again, saved);
    CHECK(std::ranges::count(files, std::filesystem::path(folder.file("b.png"))) == 1);
}

TEST_CASE("recorded pictures: what is wrong is told with its place") {
    CHECK(contains(error_with("\"picture\": \"b.png\"", "\"picture\": \"c.png\""),
                   "c.png] is missing or no file; the recording's index names it as a picture"));
    CHECK(contains(error_with("\"picture\": \"a.png\"", "\"picture\": \"../a.png\""),
                   "texts[0].patches.picture: '../a.png' is not the name of a file"));
    CHECK(contains(error_with("\"picture\": \"a.png\"", "\"picture\": \"v.attention.json\""),
                   "v.attention.json] is no picture that is read"));
    CHECK(contains(error_with("\"pixels\": [4, 6]", "\"pixels\": [6, 4]"),
                   "a.png] is 4 rows of 6 pixels, but the recording's index says 6 rows of 4"));
    CHECK(contains(error_with("\"rows\": 2", "\"rows\": 3"),
                   "is (1, 2, 7, 7), but its index says (1, 2, 10, 10)"));
    CHECK(contains(error_with("\"columns\": 3", "\"columns\": 4000"),
                   "texts[0].patches: are 8001 tokens; at most 4096 are shown"));
    CHECK(contains(
        error_with("{\"patches\": {\"rows\": 1", "{\"tokens\": [\"a\"], \"patches\": {\"rows\": 1"),
        "texts[1].patches: stand in place of tokens"));
    CHECK(contains(error_with("{\"patches\": {\"rows\": 1, \"columns\": 2, \"picture\": \"b.png\", "
                              "\"pixels\": [2, 4]}}",
                              "{\"tokens\": [\"a\", \"b\"]}"),
                   "texts[1]: is of patches, or the first text is; all texts are or none"));
}

TEST_CASE("recorded pictures: an index within its file has none") {
    const TemporaryFolder folder;
    const std::string index =
        R"({\"attention\": 1, \"texts\": [{\"patches\": {\"rows\": 1, \"columns\": 2, )"
        R"(\"picture\": \"b.png\", \"pixels\": [2, 4]}}], \"attentions\": [{\"kind\": \"self\", )"
        R"(\"layers\": 1, \"heads\": 1}], \"arrays\": []})";
    const std::string file = folder.with(
        "one.safetensors", shard_bytes(0, {{"p", {1, 1, 2, 2}}},
                                       R"("__metadata__":{"attention_index":")" + index + "\"}"));
    CHECK(contains(error_of([&] { open_document(file); }),
                   "an index within its file has no pictures beside it"));
}

}  // namespace headlight::recorded_pictures_test
