// Files that another program changes, and saving that fails.
#include <doctest/doctest.h>

#include "crashing_window.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"

namespace headlight::program_changed_files_test {

namespace fs = std::filesystem;

namespace {

const CellPlace kWeight{"blocks.0.attn.heads.0.W_Q", 3, 2};

using Window = CrashingWindow;

}  // namespace

TEST_CASE("saving: a file that another program changed is not overwritten without a question") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    const auto text_in_file = [&] { return read_study(read_file(file), file).sentence()->text; };
    const auto write_elsewhere = [&](const std::string& text) {
        Document other = built_in_sentence();
        other.sentence()->text = text;
        write_file(file, write_study(other));
    };
    Window d(folder);
    d.replace_sentence("mine");
    d.save(file);
    write_elsewhere("theirs");
    d.replace_sentence("mine again");
    d.press(Key::S, Modifier::Ctrl);
    CHECK(d.has("button Overwrite"));
    d.click("button Cancel");
    CHECK(text_in_file() == "theirs");
    d.press(Key::S, Modifier::Ctrl);
    d.click("button Overwrite");
    CHECK(text_in_file() == "mine again");
    CHECK(read_study(read_file(file + "~"), file).sentence()->text == "theirs");

    write_elsewhere("theirs again");
    d.replace_sentence("mine once more");
    d.press(Key::S, Modifier::Ctrl);
    d.click("button Reload");
    CHECK(d.document().sentence()->text == "theirs again");
    CHECK(d.undo_label() == "Reload a.headlight");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == "mine once more");
    d.press(Key::S, Modifier::Ctrl);
    CHECK(text_in_file() == "mine once more");

    write_elsewhere("theirs");
    d.replace_sentence("elsewhere");
    d.press(Key::S, Modifier::Ctrl);
    d.click("button Save as…");
    d.answer_dialog(folder.file("b.headlight"));
    CHECK(text_in_file() == "theirs");
    CHECK(read_file(folder.file("b.headlight")).find("elsewhere") != std::string::npos);
}

TEST_CASE("saving: a change by another program is reported when the window gets the focus") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    Window d(folder);
    d.replace_sentence("mine");
    d.save(file);
    const auto look = [&] {
        d.program().loop().let_pass(3);
        d.program().loop().wake();
        d.settle();
    };
    look();
    CHECK(!d.has("button Reload"));
    Document other = built_in_sentence();
    other.sentence()->text = "theirs";
    write_file(file, write_study(other));
    look();
    CHECK(d.texts().find("a.headlight was changed outside this window.") != std::string::npos);
    d.click("button Dismiss");
    look();
    CHECK(!d.has("button Reload"));
    other.sentence()->text = "theirs once more";
    write_file(file, write_study(other));
    look();
    d.click("button Reload");
    CHECK(!d.has("button Reload"));
    CHECK(d.document().sentence()->text == "theirs once more");
    CHECK(d.session().history().can_undo());
    fs::remove(file);
    look();
    CHECK(!d.has("button Reload"));
    d.press(Key::S, Modifier::Ctrl);
    CHECK(fs::exists(file));
}

TEST_CASE("saving: on failure the work stays open, with the reason and another place to save") {
    const TemporaryFolder folder;
    fs::create_directory(folder.file("stick"));
    Window d(folder);
    d.replace_sentence("one");
    d.save(folder.file("stick/a.headlight"));
    d.replace_sentence("two");
    fs::remove_all(folder.file("stick"));
    d.press(Key::S, Modifier::Ctrl);
    CHECK(d.texts().find("its folder does not exist") != std::string::npos);
    d.answer_dialog(folder.file("b.headlight"));
    CHECK(!d.has("text File"));
    CHECK(read_file(folder.file("b.headlight")).find("two") != std::string::npos);
}

}  // namespace headlight::program_changed_files_test
