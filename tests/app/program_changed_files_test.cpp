// Files that another program changes, and saving that fails.
#include <doctest/doctest.h>

#include "crashing_window.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "present/lecture.h"

namespace headlight::program_changed_files_test {

namespace fs = std::filesystem;

namespace {

const CellPlace kWeight{"blocks.0.attn.heads.0.W_Q", 3, 2};

using Window = CrashingWindow;

constexpr const char* kMine = "# Mine\n\n## First\n\nWords.\n";
constexpr const char* kTheirs = "# Mine\n\n## First\n\nTheirs.\n";

/// With an open lecture, in which a page is added in each round.
struct LectureWindow : Window {
    explicit LectureWindow(const TemporaryFolder& folder)
        : Window(folder), file(folder.with("mine.lecture", kMine)) {
        drop(file);
    }
    void add_page_and_save() {
        click("tab Sentence");
        press(Key::A, Modifier::CtrlShift);
        click("tab Lecture");
        press(Key::S, Modifier::Ctrl);
    }
    bool asks() { return has("button Overwrite"); }
    std::size_t pages_in(const std::string& in_file) {
        return read_lecture(read_file(in_file), in_file).pages.size();
    }

    std::string file;
};

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

TEST_CASE("saving: a lecture that another program changed is not overwritten without a question") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    d.add_page_and_save();
    CHECK(!d.asks());
    CHECK(d.pages_in(d.file) == 2);
    write_file(d.file, kTheirs);
    d.add_page_and_save();
    REQUIRE(d.asks());
    CHECK(d.texts().find("mine.lecture was changed by another program") != std::string::npos);
    d.click("button Cancel");
    CHECK(read_file(d.file) == kTheirs);
    d.press(Key::S, Modifier::Ctrl);
    d.click("button Overwrite");
    CHECK(d.pages_in(d.file) == 3);
    CHECK(read_file(d.file + "~") == kTheirs);
    d.add_page_and_save();
    CHECK(!d.asks());
    CHECK(d.pages_in(d.file) == 4);
}

TEST_CASE(
    "saving: of a lecture changed on disk, the file is loaded, or the other one saved apart") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    write_file(d.file, kTheirs);
    d.add_page_and_save();
    d.click("button Reload");
    CHECK(d.texts().find("Theirs.") != std::string::npos);
    CHECK(!d.has("page 2"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.has("page 2"));
    d.press(Key::S, Modifier::Ctrl);
    CHECK(!d.asks());
    CHECK(d.pages_in(d.file) == 2);

    write_file(d.file, kTheirs);
    d.add_page_and_save();
    d.click("button Save as…");
    d.answer_dialog(folder.file("other.lecture"));
    CHECK(read_file(d.file) == kTheirs);
    CHECK(d.pages_in(folder.file("other.lecture")) == 3);
}

TEST_CASE("saving: a lecture is closed only when it is settled what becomes of another's changes") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    const std::string other = folder.with("other.lecture", "# Other\n\n## Only\n\nElse.\n");
    const auto shows_other = [&] { return d.texts().find("Else.") != std::string::npos; };
    d.add_page_and_save();
    d.click("tab Sentence");
    d.press(Key::A, Modifier::CtrlShift);
    write_file(d.file, kTheirs);
    d.drop(other);
    d.click("button Save…");
    REQUIRE(d.asks());
    CHECK(!shows_other());
    d.click("button Cancel");
    CHECK(!shows_other());
    CHECK(read_file(d.file) == kTheirs);
    d.drop(other);
    d.click("button Save…");
    d.click("button Overwrite");
    CHECK(shows_other());
    CHECK(d.pages_in(d.file) == 3);
}

TEST_CASE("saving: a lecture that a killed window left knows which file it was of") {
    const TemporaryFolder folder;
    std::string file;
    {
        LectureWindow d(folder);
        file = d.file;
        d.click("tab Sentence");
        d.press(Key::A, Modifier::CtrlShift);
        d.rest(1.1);
    }
    fs::copy(folder.file("state"), folder.file("second"), fs::copy_options::recursive);
    const auto is_asked_with = [&](const std::string& state) {
        Driver d;
        d.program().workbench().use_state_folder(folder.file(state));
        d.program().loop().wake();
        d.settle();
        d.click("button Restore");
        d.press(Key::S, Modifier::Ctrl);
        return d.has("button Overwrite");
    };
    CHECK(!is_asked_with("state"));
    write_file(file, kTheirs);
    CHECK(is_asked_with("second"));
    CHECK(read_file(file) == kTheirs);
}

TEST_CASE("saving: a change of an open lecture by another program is reported, and loaded") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    const auto look = [&] {
        d.program().loop().let_pass(3);
        d.program().loop().wake();
        d.settle();
    };
    look();
    CHECK(!d.has("button Reload"));
    write_file(d.file, kTheirs);
    look();
    CHECK(d.texts().find("mine.lecture was changed outside this window.") != std::string::npos);
    // The notice covers none of the fields.
    const auto bottom_of = [&](const char* field) { return d.regions().find(field)->bottom(); };
    REQUIRE(d.regions().find("bar notice"));
    const float notice = d.regions().find("bar notice")->y;
    CHECK(bottom_of("text Page text") <= notice);
    CHECK(bottom_of("text Page notes") <= notice);
    d.click("button Dismiss");
    look();
    CHECK(!d.has("button Reload"));
    CHECK(bottom_of("text Page text") > notice);
    write_file(d.file, std::string(kTheirs) + "\n## More\n");
    look();
    REQUIRE(d.has("button Reload"));
    d.click("button Reload");
    CHECK(d.has("page 2"));
    CHECK(d.texts().find("Theirs.") != std::string::npos);
    CHECK(!d.has("button Reload"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.has("page 2"));
}

TEST_CASE("saving: what is wrong with a changed lecture is said until its file is another one") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    const auto look = [&] {
        d.program().loop().let_pass(3);
        d.program().loop().wake();
        d.settle();
    };
    const auto says = [&](const std::string& words) {
        return d.texts().find(words) != std::string::npos;
    };
    const std::string as_read = read_file(d.file);
    const std::string broken = "# Mine\n\n## Page\n\n```headlight\ntusk: Why?\n```\n";
    const auto break_it = [&](const std::string& with) {
        write_file(d.file, with);
        look();
        d.click("button Reload");
        look();
        CHECK(says("tusk"));
    };
    break_it(broken);
    write_file(d.file, as_read);
    look();
    CHECK(!says("tusk"));
    CHECK(!d.has("button Reload"));

    break_it(broken);
    write_file(d.file, kTheirs);
    look();
    CHECK(!says("tusk"));
    CHECK(says("mine.lecture was changed outside this window."));
    d.click("button Reload");
    look();
    CHECK(says("Theirs."));
    CHECK(!d.has("button Reload"));
    break_it(broken);
    d.click("button Dismiss");
    CHECK(!says("tusk"));
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
