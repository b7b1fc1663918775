// A lecture in the window: which one a page goes into, and what closing asks.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "lecture/lecture.h"

namespace headlight::program_lecture_test {
namespace {

constexpr const char* kOnePage = "# Mine\n\n## First\n\nWords.\n";
constexpr const char* kUnsaved = "“mine.lecture” has changes that are not saved.";

bool says(Driver& d, const std::string& text) {
    return d.texts().find(text) != std::string::npos;
}

void close_window(Driver& d) {
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
}

std::size_t count_pages(const std::string& file) {
    return read_lecture(read_file(file), file).pages.size();
}

/// A window with a lecture of one page, and one more page that is not saved.
struct LectureWindow : Driver {
    explicit LectureWindow(const TemporaryFolder& folder, const char* state = nullptr)
        : file(folder.with("mine.lecture", kOnePage)) {
        if (state) program().workbench().use_state_folder(folder.file(state));
        program().workbench().open_file(file);
        settle();
        click("tab Sentence");
        press(Key::A, Modifier::CtrlShift);
    }

    std::string file;
};

}  // namespace

TEST_CASE("lecture: an added page says into which lecture it went, and can begin another one") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    CHECK(d.message().starts_with("Page 2 of the lecture “Mine” shows this"));
    d.click("button New lecture instead");
    CHECK(d.message().starts_with("Page 1 of the lecture “New lecture” shows this"));
    CHECK(!d.has("button New lecture instead"));
    CHECK(count_pages(folder.file("mine.lecture")) == 1);
    // Of a lecture with other changes nothing is lost.
    d.press(Key::A, Modifier::CtrlShift);
    d.click("button New lecture instead");
    CHECK(d.message().find("its changes would be lost") != std::string::npos);
    d.click("tab Lecture");
    CHECK(d.has("page 1"));
    CHECK(d.has("page 2"));
}

TEST_CASE("lecture: closing the window asks about it as about a study") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    close_window(d);
    CHECK(!d.program().loop().has_quit());
    CHECK(says(d, kUnsaved));
    d.click("button Stay");
    CHECK(!says(d, kUnsaved));
    CHECK(!d.program().loop().has_quit());
    close_window(d);
    d.click("button Save…");
    CHECK(d.program().loop().has_quit());
    CHECK(count_pages(d.file) == 2);
}

TEST_CASE("lecture: given up, it is not offered again; a study is asked about after it") {
    const TemporaryFolder folder;
    {
        LectureWindow d(folder, "state");
        d.replace_sentence("mine");
        close_window(d);
        d.click("button Close without saving");
        CHECK(!d.program().loop().has_quit());
        CHECK(says(d, "“mine” has changes that are not saved."));
        d.click("button Close without saving");
        CHECK(d.program().loop().has_quit());
    }
    Driver d;
    d.program().workbench().use_state_folder(folder.file("state"));
    d.settle();
    CHECK(d.message() == "");
    CHECK(count_pages(folder.file("mine.lecture")) == 1);
}

}  // namespace headlight::program_lecture_test
