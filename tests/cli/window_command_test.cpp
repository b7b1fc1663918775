#include <doctest/doctest.h>

#include "../io/models/golden_model.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"
#include "source_folder.h"

namespace headlight::window_command_test {

TEST_CASE("window: a picture of the requested size, of a study or the built-in one") {
    const TemporaryFolder folder;
    const std::string output = folder.file("the window.png");
    for (const std::vector<std::string>& study :
         {std::vector<std::string>{}, {small_sentence(folder)}, {small_graph(folder)}}) {
        std::vector<std::string> args = {"window",  "-o",   output,    "--size", "1280x720",
                                         "--theme", "dark", "--scale", "1.5"};
        args.insert(args.end(), study.begin(), study.end());
        const Ran ran = headlight_run(args);
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        const PngSize size = png_size(read_file(output));
        CHECK(size.width == 1280);
        CHECK(size.height == 720);
        std::filesystem::remove(output);
    }
}

TEST_CASE("window: light and dark differ; the same call gives the same bytes") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.png");
    const auto bytes = [&](const char* theme) {
        REQUIRE(
            headlight_run({"window", study, "-o", output, "--theme", theme, "--size", "800x600"})
                .code == kExitDone);
        return read_file(output);
    };
    const std::string light = bytes("light");
    CHECK(light != bytes("dark"));
    CHECK(light == bytes("light"));
}

TEST_CASE("window: a picture that would take all memory is refused before it is drawn") {
    const TemporaryFolder folder;
    const std::string picture = folder.file("large.png");
    const Ran ran =
        headlight_run({"window", "-o", picture, "--size", "16384x16384", "--scale", "4"});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "it cannot be 16384 × 16384 pixels"));
    CHECK_FALSE(std::filesystem::exists(picture));
}

TEST_CASE("window: a broken study or another extension is an error, and nothing is written") {
    const TemporaryFolder folder;
    const std::string broken = folder.with("a.headlight", "{");
    const Ran ran = headlight_run({"window", broken, "-o", folder.file("a.png")});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "[" + broken + "] line 1"));
    CHECK(!std::filesystem::exists(folder.file("a.png")));
    const Ran jpeg = headlight_run({"window", "-o", folder.file("a.jpg")});
    CHECK(jpeg.code == kExitError);
    CHECK(contains(jpeg.err, "the extension must be .png"));
}

TEST_CASE("window: the slides of two steps differ") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("slide.png");
    const auto slide = [&](const char* step) {
        const Ran ran = headlight_run(
            {"window", study, "-o", output, "--present", "--step", step, "--size", "1280x720"});
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        return read_file(output);
    };
    const std::string second = slide("2");
    CHECK(second == slide("2"));
    CHECK(second != slide("3"));
    const Ran bare = headlight_run({"window", study, "-o", output, "--step", "3"});
    CHECK(bare.code == kExitError);
    CHECK(contains(bare.err, "needs --present"));
}

TEST_CASE("script: the head that a pretrained network needs is found, ablated, and drawn") {
    const GoldenModel golden("gpt2-trained");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    REQUIRE(headlight_run({"new", "model", golden.folder().string(), golden.text(), "-o", study})
                .code == 0);
    const std::string script = (source_folder() / "tests/ui/gpt2_heads.script").string();
    const Ran ran = headlight_run({"script", study, script, "--folder", folder.file("")});
    CHECK(ran.err == "");
    CHECK(ran.code == 0);
}

TEST_CASE(
    "script: a pretrained model's text keeps pasted lines and tabs, and its field has a name") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    REQUIRE(headlight_run({"new", "model", golden.folder().string(), "a", "-o", study}).code == 0);
    const auto play = [&](const std::string& lines) {
        write_file(folder.file("a.script"), lines);
        return headlight_run(
            {"script", study, folder.file("a.script"), "--folder", folder.file("")});
    };
    const Ran ran = play(
        "click text Text\npress Ctrl+A\npaste The\\tcat\\nthe cat\n"
        "expect thing text Line 2\nclick text Line 2\npress End\n"
        "press Ctrl+Enter\nexpect thing text Line 3\ntype it\n"
        "press Ctrl+S\n");
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(read_file(study).find(R"("The\u0009cat\nthe cat\nit")") != std::string::npos);
    const Ran missing = play("replace Sentence with x\n");
    CHECK(missing.code == 1);
    CHECK(contains(missing.err, "nothing in the window is called “text Sentence”; there is "));
    CHECK(contains(missing.err, "'text Text'"));
}

}  // namespace headlight::window_command_test
