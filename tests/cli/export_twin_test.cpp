// Twins: what the window exports has the bytes of what `headlight export` writes.
#include <doctest/doctest.h>

#include "app/driver.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/file.h"

using namespace headlight;

namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern";

/// Exports in the window, with a caption.
std::string exported(Driver& d, const std::string& file) {
    d.click("text File");
    d.answer_dialog(file);
    CHECK(d.message() == "Exported to " + file);
    d.click("button Dismiss");
    return read_file(file);
}

/// Exports with the command that the caption of `file` names.
std::string exported_again(const std::string& file, const std::string& study) {
    std::vector<std::string> words = command_in(read_file(file + ".txt"));
    const std::string output = file + ".again" + std::filesystem::path(file).extension().string();
    words[1] = study;
    words.back() = output;
    const Ran ran = headlight_run(words);
    CHECK(ran.err == "");
    return ran.code == kExitDone ? read_file(output) : "";
}

}  // namespace

TEST_CASE("twins: every view of a sentence, with what is held, in every format of pictures") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    Driver d;
    d.program().open_file(study);
    d.settle();
    d.click("head 1");
    d.click(CellPlace{kPattern, 1, 0});
    d.press(Key::E, Modifier::Ctrl);
    d.choose("Caption", "yes");
    d.press(Key::Escape);
    const auto check = [&](const std::string& view, const std::string& name) {
        INFO(view, " ", name);
        d.press(Key::E, Modifier::Ctrl);
        d.choose("What", view);
        const std::string file = folder.file(name);
        const std::string from_window = exported(d, file);
        CHECK(from_window == exported_again(file, study));
    };
    for (const char* extension : {"png", "svg", "pdf", "gif"})
        check("Matrix", std::string("matrix.") + extension);
    check("Lines between words", "words.svg");
    check("All heads", "heads.svg");
    check("Flow of the part", "flow.svg");
    check("Flow of the layer", "layer.svg");
    check("Step as a slide", "step.svg");
}

TEST_CASE("twins: theme, ground, width, title and selection of the dialog are options") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    Driver d;
    d.program().open_file(study);
    d.settle();
    d.press(Key::E, Modifier::Ctrl);
    d.choose("Theme", "dark");
    d.choose("Ground", "transparent");
    d.choose("Title", "no");
    d.choose("Selection", "no");
    d.choose("Caption", "yes");
    d.choose("Dpi", "300");
    d.click("field Width");
    d.type("85mm");
    const std::string file = folder.file("look.png");
    const std::string from_window = exported(d, file);
    CHECK(png_size(from_window).width == 1004);
    CHECK(from_window == exported_again(file, study));
    CHECK(contains(read_file(file + ".txt"), "--width 85mm --dpi 300 --theme dark"));
}

TEST_CASE("twins: a graph and an image") {
    const TemporaryFolder folder;
    const std::string image = folder.file("image.headlight");
    REQUIRE(headlight_run({"new", "image", "-o", image}).err == "");
    for (const std::string& study : {small_graph(folder), image}) {
        Driver d;
        d.program().open_file(study);
        d.settle();
        d.press(Key::E, Modifier::Ctrl);
        d.choose("Caption", "yes");
        const std::string file = folder.file("picture.svg");
        const std::string from_window = exported(d, file);
        CHECK(from_window == exported_again(file, study));
    }
}
