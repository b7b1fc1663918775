// Files with matrices or recorded attention, opened or dropped in the window.
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/files/file.h"
#include "io/studies/study.h"

namespace headlight::program_import_test {
namespace {

const std::string kQuery = "blocks.0.attn.heads.0.W_Q", kPattern = "blocks.0.attn.heads.1.pattern";

/// A state folder of its own.
struct OwnState {
    explicit OwnState(const TemporaryFolder& folder) {
        ::setenv("XDG_STATE_HOME", folder.file("state").c_str(), 1);
    }
    ~OwnState() { ::unsetenv("XDG_STATE_HOME"); }
};

/// An NPY file of three tokens, two layers and two heads; every token reads itself.
std::string recording() {
    Matrix values(12, 3);
    for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < 3; ++j) values(i, j) = i % 3 == j ? Scalar(1) : Scalar(0);
    std::string bytes = write_npy(values);
    bytes.replace(bytes.find("(12, 3), }"), 16, "(2, 2, 3, 3), } ");
    return bytes;
}

}  // namespace

TEST_CASE("import: a dropped file lists its contents, and Import sets them in one step") {
    const TemporaryFolder folder;
    const OwnState state(folder);
    const std::string file =
        folder.with("weights.npz", write_npz({{kQuery, Matrix::Constant(32, 8, Scalar(0.5))},
                                              {"other", Matrix::Constant(32, 8, Scalar(0.25))},
                                              {"strange", Matrix::Ones(5, 7)}}));
    Driver d;
    const Document before = d.document();
    d.drop(file);
    d.settle();
    REQUIRE(d.has("field other"));
    d.choose("other", "blocks.0.attn.heads.1.W_K");
    d.click("button Import");
    CHECK_FALSE(d.has("field other"));
    CHECK(d.undo_label() == "Import 2 matrices from weights.npz");
    CHECK(d.value({kQuery, 3, 2}) == Scalar(0.5));
    CHECK(d.value({"blocks.0.attn.heads.1.W_K", 3, 2}) == Scalar(0.25));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == before);

    d.drop(file);  // the mapping is remembered
    d.settle();
    d.click("button Import");
    CHECK(d.undo_label() == "Import 2 matrices from weights.npz");
    CHECK(d.value({"blocks.0.attn.heads.1.W_K", 3, 2}) == Scalar(0.25));
}

TEST_CASE("import: a saved study keeps the imported weights; typing does not copy them") {
    const TemporaryFolder folder;
    const OwnState state(folder);
    const std::string study = folder.file("a.headlight");
    {
        Driver d;
        const Document before = d.document();
        const std::string file =
            folder.with("model.npz", write_npz({{kQuery, Matrix::Ones(32, 8)}}));
        d.drop(file);
        d.settle();
        d.click("button Import");
        const SharedWeights weights = d.document().weights;
        REQUIRE(weights);
        CHECK(d.document().interventions.empty());
        d.replace_sentence("another text");
        CHECK(d.document().weights == weights);
        CHECK(d.trace().at(kQuery).value == weights->matrices.at(kQuery).values);
        d.press(Key::S, Modifier::Ctrl);
        d.answer_dialog(study);
        CHECK(std::filesystem::exists(folder.file("a.weights.safetensors")));
        CHECK(std::filesystem::file_size(study) < 10'000);
        while (d.session().history().can_undo()) d.press(Key::Z, Modifier::Ctrl);
        CHECK(d.document() == before);
    }
    Driver d;
    d.drop(study);
    CHECK(d.document().sentence()->text == "another text");
    CHECK(d.value({kQuery, 3, 2}) == 1);
}

TEST_CASE("import: a cancelled import, or one of an unreadable file, changes nothing") {
    const TemporaryFolder folder;
    const OwnState state(folder);
    Driver d;
    const Document before = d.document();
    d.drop(folder.with("weights.npz", write_npz({{kQuery, Matrix::Ones(32, 8)}})));
    d.settle();
    d.click("button Cancel");
    CHECK(d.document() == before);
    d.drop(folder.with("broken.npz", write_npz({{kQuery, Matrix::Ones(32, 8)}}).substr(0, 700)));
    d.settle();
    CHECK(d.message().find("broken.npz] is not a sound zip archive") != std::string::npos);
    CHECK(d.document() == before);
}

TEST_CASE("recordings: a dropped recording opens in the sentence workspace with its heads") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention.npy", recording());
    folder.with("attention.txt", "The cat sat");
    Driver d;
    d.click("tab Graph");
    d.drop(file);
    d.settle();
    REQUIRE(d.document().recorded());
    CHECK(d.document().recorded()->text.tokens == std::vector<std::string>{"The", "cat", "sat"});
    CHECK(d.value({kPattern, 1, 1}) == 1);
    CHECK(d.trace().find("blocks.1.attn.heads.1.pattern"));
    CHECK(d.message() == "");
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(folder.file("a.headlight"));
    CHECK(read_file(folder.file("a.headlight")).find("\"file\": \"attention.npy\"") !=
          std::string::npos);
}

TEST_CASE("recordings: Next, Previous and a number choose one of several texts") {
    const TemporaryFolder folder;
    const OwnState state(folder);
    folder.with("a.safetensors", shard_bytes(0, {{"p", {1, 2, 2, 2}}, {"p1", {1, 2, 3, 3}}}));
    const std::string index = folder.with("a.attention.json", R"({"attention": 1, "model": "small",
        "texts": [{"tokens": ["a", "b"]}, {"tokens": ["c", "d", "e"]}],
        "attentions": [{"kind": "self", "layers": 1, "heads": 2}], "shards": ["a.safetensors"],
        "arrays": [{"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 2],
                    "pattern": "p"},
                   {"shard": 0, "text": 1, "kind": "self", "layers": [0, 1], "heads": [0, 2],
                    "pattern": "p1"}]})");
    Driver d;
    d.drop(index);
    d.settle();
    CHECK(d.message() == "");
    CHECK(d.texts().find("from small") != std::string::npos);
    CHECK(d.value({kPattern, 1, 1}) == cell_value(0, 7));
    d.click("button Next");
    CHECK(d.undo_label() == "Show text 2");
    CHECK(d.document().recorded()->text.tokens == std::vector<std::string>{"c", "d", "e"});
    CHECK(d.value({kPattern, 2, 2}) == cell_value(0, 8 + 17));
    d.click("button Side by side");
    d.settle();
    CHECK(d.texts().find("text 1") != std::string::npos);
    d.click("button Alone");
    d.click("button Previous");
    CHECK(d.value({kPattern, 1, 1}) == cell_value(0, 7));
    d.set_number("Text", "2");
    CHECK(d.document().recorded()->text_number == 1);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().recorded()->text_number == 0);
}

TEST_CASE("recordings: a file that disappears is reported, and the window keeps working") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention.npy", recording());
    Document document;
    {
        Driver d;
        d.drop(file);
        document = d.document();
    }
    std::filesystem::remove(file);
    {
        Driver d;  // which has read none of it
        d.session().replace(History(document));
        d.push(make_event(InputEvent::Kind::Refresh));
        d.settle();
        CHECK(d.session().why_no_trace().find("was removed or replaced while it was open") !=
              std::string::npos);
        d.click("tab Graph");
        CHECK(!d.session().error());
    }
    Driver d;
    d.drop(folder.with("attention.npy", recording()));
    CHECK(!d.session().error());
    CHECK(d.value({kPattern, 1, 1}) == 1);
}

}  // namespace headlight::program_import_test
