// A lecture in the window: which one a page goes into, and what closing asks.
#include <doctest/doctest.h>
#include <vector>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "io/studies/journal.h"
#include "long_checks.h"
#include "present/file/lecture_work.h"
#include "present/open_lecture.h"

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
    // A lecture with other changes is asked about; the page stays in it if the user stays.
    d.press(Key::A, Modifier::CtrlShift);
    d.click("button New lecture instead");
    CHECK(says(d, "“New lecture” has changes that are not saved."));
    d.click("button Stay");
    d.click("tab Lecture");
    CHECK(d.has("page 1"));
    CHECK(d.has("page 2"));
}

TEST_CASE("lecture: a page of the large explanation tells the arithmetic of the cell") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    d.click("tab Sentence");
    d.click(CellPlace{"blocks.0.attn.heads.0.pattern", 7, 3});
    d.press(Key::I);
    d.press(Key::A, Modifier::CtrlShift);
    d.click("tab Lecture");
    CHECK(says(d, "Softmax of 12 scores"));
    // The study of the page shows in its workspace what the page shows.
    d.click("button Open the study");
    CHECK(d.has("button Close explanation"));
}

TEST_CASE("lecture: another one asks about the unsaved changes of the one that is open") {
    const TemporaryFolder folder;
    const std::string other = folder.with("other.lecture", "# Other\n\n## Only\n\nTheirs.\n");
    LectureWindow d(folder, "state");
    const auto ways = {std::function<void()>([&] { d.drop(other); }), std::function<void()>([&] {
                           d.press(Key::O, Modifier::Ctrl);
                           d.answer_dialog(other);
                       }),
                       std::function<void()>([&] {
                           d.click("tab Lecture");
                           d.click("button Other lectures…");
                       })};
    for (const auto& way : ways) {
        way();
        CHECK(says(d, kUnsaved));
        CHECK(count_pages(d.file) == 1);
        d.click("button Stay");
        CHECK(!says(d, kUnsaved));
        d.click("tab Lecture");
        CHECK(d.has("page 2"));
    }
    d.drop(other);
    d.click("button Save…");
    CHECK(count_pages(d.file) == 2);
    CHECK(says(d, "Theirs."));
    CHECK(!d.has("page 2"));
}

TEST_CASE("lecture: given up for another one, it is as in its file") {
    const TemporaryFolder folder;
    const std::string other = folder.with("other.lecture", "# Other\n\n## Only\n\nTheirs.\n");
    {
        LectureWindow d(folder, "state");
        d.drop(other);
        d.click("button Close without saving");
        CHECK(says(d, "Theirs."));
        d.drop(d.file);
        CHECK(says(d, "Words."));
        CHECK(!d.has("page 2"));
        CHECK(d.message() == "");
    }
    Driver next;
    next.program().workbench().use_state_folder(folder.file("state"));
    next.settle();
    CHECK(next.message() == "");
}

TEST_CASE("lecture: what a killed window left is offered, and comes back at its page") {
    const TemporaryFolder folder;
    std::string file;
    {
        LectureWindow d(folder, "state");
        file = d.file;
        d.click("tab Lecture");
        d.click("page 2");
    }
    const auto next_window = [&](Driver& d) {
        d.program().workbench().use_state_folder(folder.file("state"));
        d.program().loop().wake();
        d.settle();
        CHECK(says(d, "The lecture “Mine”"));
        CHECK(says(d, "1 step, the last one: Add a page"));
    };
    {
        Driver d;
        next_window(d);
        d.click("button Not now");
        d.drop(file);
        CHECK(!d.has("page 2"));
    }
    {
        // It does not take the place of other changes.
        LectureWindow d(folder);
        next_window(d);
        d.click("button Restore");
        CHECK(d.message().find("“mine.lecture” has changes that are not saved") !=
              std::string::npos);
        close_window(d);
        d.click("button Close without saving");
        CHECK(d.program().loop().has_quit());
    }
    Driver d;
    next_window(d);
    d.click("button Restore");
    CHECK(d.has("page 2"));
    CHECK(says(d, "2 / 2"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.has("page 2"));
    d.press(Key::Y, Modifier::Ctrl);
    d.press(Key::S, Modifier::Ctrl);
    CHECK(count_pages(file) == 2);
}

TEST_CASE("lecture: one that a killed window left can be saved without being opened") {
    const TemporaryFolder folder;
    { LectureWindow d(folder, "state"); }
    Driver d;
    d.program().workbench().use_state_folder(folder.file("state"));
    d.program().loop().wake();
    d.settle();
    d.click("button Save as a file");
    CHECK(count_pages(folder.file("mine-recovered.lecture")) == 2);
    CHECK(count_pages(folder.file("mine.lecture")) == 1);
}

TEST_CASE("lecture: one that stands in its file as it was left is not offered") {
    const TemporaryFolder folder;
    { LectureWindow d(folder, "state"); }
    {
        const std::vector<LeftJournal> left = find_left_journals(folder.file("state/unsaved"));
        REQUIRE(left.size() == 1);
        write_file(folder.file("mine.lecture"),
                   file_text(left[0].unsaved.lecture->history.state()));
    }
    Driver d;
    d.program().workbench().use_state_folder(folder.file("state"));
    d.program().loop().wake();
    d.settle();
    CHECK(!says(d, "Headlight ended before this was saved"));
}

TEST_CASE("lecture: a click below a wrapped line puts the cursor where the words are seen") {
    const TemporaryFolder folder;
    constexpr float kLine = 16;  // its height
    std::string words;
    for (int k = 0; k < 20; ++k) words += "many words ";
    words.pop_back();
    const std::string file =
        folder.with("long.lecture", "# L\n\n## P\n\n" + words + "\nsecond\nthird\n");
    Driver d;
    d.drop(file);
    const auto click_line = [&](int line) {
        d.press(Key::Escape);
        const Box field = *d.regions().find("text Page text");
        d.click(Point{field.x + 10, field.y + 4 + kLine * (static_cast<float>(line) + 0.5f)});
    };
    // The 219 letters of the first one take four lines of the field.
    click_line(4);
    d.type("A");
    CHECK(says(d, "Asecond"));
    click_line(5);
    d.type("B");
    CHECK(says(d, "Bthird"));
    click_line(1);
    d.type("C");
    d.press(Key::S, Modifier::Ctrl);
    const std::string text = read_file(file);
    CHECK(text.find("\nAsecond\nBthird\n") != std::string::npos);
    const std::size_t typed = text.find('C');  // in the second of the four lines
    REQUIRE(typed != std::string::npos);
    CHECK(typed - text.find("many") > 40);
    CHECK(typed - text.find("many") < 90);
}

TEST_CASE("lecture: a window opens again at the page that it was closed at") {
    const TemporaryFolder folder;
    const std::string file = folder.with("mine.lecture", "# M\n\n## A\n\n## B\n\n## C\n");
    WindowState state;
    {
        Driver d;
        d.drop(file);
        d.click("page 3");
        d.program().workbench().keep(state);
    }
    Driver d;
    d.program().workbench().restore_lecture(state);
    d.click("tab Lecture");
    CHECK(says(d, "3 / 3"));
}

namespace {

constexpr const char* kLive =
    "# Live\n\n## A\n\n```headlight\nstudy: who-is-it\ncontrol: layer.attention.temperature = "
    "0.2:4\n```\n\n## B\n\n```headlight\nstudy: copy\n```\n";

/// It is presented; on its first page the temperature was changed.
struct LiveLecture : Driver {
    explicit LiveLecture(const TemporaryFolder& folder) : file(folder.with("l.lecture", kLive)) {
        drop(file);
        press(Key::F5);
        drag("slider layer.attention.temperature", 60, 0);
        changed = temperature();
    }
    double temperature() { return document().sentence()->layer.attention.temperature; }

    std::string file;
    double changed = 1;
};

}  // namespace

TEST_CASE("lecture: what is changed live stays on its page until it is presented again") {
    const TemporaryFolder folder;
    LiveLecture d(folder);
    REQUIRE(d.changed != 1);
    CHECK(d.has("button Keep changes"));
    d.press(Key::Right);
    CHECK(says(d, "2 / 2"));
    CHECK(!d.has("button Keep changes"));
    d.press(Key::Left);
    CHECK(d.temperature() == d.changed);
    CHECK(d.has("button Keep changes"));
    d.press(Key::Z, Modifier::Ctrl);  // its steps are there as well
    CHECK(d.temperature() == 1);
    d.press(Key::Y, Modifier::Ctrl);
    CHECK(d.temperature() == d.changed);
    d.press(Key::Escape);
    d.click("page 2");
    d.click("page 1");
    CHECK(d.temperature() == d.changed);
    d.press(Key::F5);
    CHECK(d.temperature() == 1);
    d.press(Key::Right);
    d.press(Key::Left);
    CHECK(d.temperature() == 1);
    CHECK(!says(d, "edited"));  // the lecture was never changed
}

TEST_CASE("lecture: a page is as written again, or keeps what was changed live") {
    const TemporaryFolder folder;
    LiveLecture d(folder);
    d.press(Key::Right);
    d.press(Key::Left);
    d.click("button As written");
    CHECK(d.temperature() == 1);
    d.press(Key::Right);
    d.press(Key::Left);
    CHECK(d.temperature() == 1);
    d.drag("slider layer.attention.temperature", 60, 0);
    d.click("button Keep changes");
    CHECK(d.temperature() == d.changed);
    d.press(Key::Escape);
    CHECK(d.undo_label() == "Keep the changes");
    d.press(Key::F5);
    CHECK(d.temperature() == d.changed);
    d.press(Key::Escape);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.temperature() == 1);
}

TEST_CASE("lecture: what was changed live moves with its page, and goes with it") {
    const TemporaryFolder folder;
    LiveLecture d(folder);
    d.press(Key::Escape);
    d.click("page 2");
    const auto choose = [&](const char* page, const char* item) {
        d.click(d.locate(page), Button::Right);
        d.click(item);
    };
    choose("page 1", "item Move down");
    d.click("page 1");
    CHECK(says(d, "1 / 2"));
    d.click("page 2");
    CHECK(d.temperature() == d.changed);
    choose("page 2", "item Delete");
    d.press(Key::Z, Modifier::Ctrl);
    d.click("page 2");
    CHECK(d.temperature() == 1);
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

TEST_CASE("lecture: a goal whose solution cannot be computed says why, and the window goes on") {
    const TemporaryFolder folder;
    const std::string file =
        folder.with("a.lecture",
                    "# T\n\n## C\n\n```headlight\nstudy: who-is-it\ntask: Do it\n"
                    "goal: pattern[0, 0] = 2\nsolution: set layer.d_model = 100000\n```\n");
    Driver d;
    d.program().workbench().open_file(file);
    d.settle();
    d.press(Key::F5);
    CHECK(says(d, "Do it"));
    d.press(Key::R, Modifier::Shift);
    CHECK(says(d, "The study cannot be computed: this needs "));
    CHECK(says(d, "Do it"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK_FALSE(says(d, "The study cannot be computed"));
}

TEST_CASE("lecture: a slider that is dragged to what is too large says so, and comes back") {
    const TemporaryFolder folder;
    const std::string file =
        folder.with("a.lecture",
                    "# T\n\n## C\n\nIt is {settings.layer.d_model}, {pattern[0, 0]:2}.\n\n"
                    "```headlight\nstudy: attention\ncontrol: layer.d_model = 1:100000\n"
                    "task: Do it\ngoal: pattern[0, 0] = 2\n```\n");
    Driver d;
    d.program().workbench().open_file(file);
    d.settle();
    d.press(Key::F5);
    const Document before = d.document();
    d.drag("slider layer.d_model", 1000, 0);
    CHECK(says(d, "The study cannot be computed: this needs "));
    CHECK(says(d, "its largest matrix, "));
    CHECK(says(d, "Do it"));
    d.drag("slider layer.d_model", -1000, 0);
    CHECK_FALSE(says(d, "The study cannot be computed"));
    d.press(Key::Z, Modifier::Ctrl);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == before);
    CHECK_FALSE(says(d, "The study cannot be computed"));
}

TEST_CASE("lecture: every control of a page is drawn where its study cannot be computed") {
    const TemporaryFolder folder;
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    const std::string file = folder.with(
        "a.lecture",
        "# T\n\n## C\n\n{pattern[0, 0]:2}\n\n```headlight\nstudy: attention\ntensor: " + pattern +
            "\nwith: set layer.attention.temperature = 2\n"
            "control: layer.d_model = 1:100000\ncontrol: embed[0, 0] = -1:1\n"
            "control: blocks.0.attn.heads.0.scores[0, 0] = -1:1\ncontrol: heads\n"
            "control: layer.mask.causal\ncontrol: text\nclaim: pattern[0, 0] > 0\n"
            "task: How much?\npredict: pattern[0, 0]\ncover: off\n```\n");
    Driver d({1600, 900, 1});
    d.program().workbench().open_file(file);
    d.settle();
    d.click("tab Lecture");
    for (const bool presents : {false, true}) {
        CAPTURE(presents);
        if (!presents && !is_long_check()) continue;  // it takes a minute
        if (presents) d.press(Key::F5);
        d.drag("slider layer.d_model", 1000, 0);
        CHECK(says(d, "The study cannot be computed: this needs "));
        CHECK(says(d, "embed[0, 0]: not computed"));
        d.drag("slider layer.d_model", -1000, 0);
        CHECK_FALSE(says(d, "not computed"));
        CHECK(d.has("slider blocks.0.attn.heads.0.scores[0, 0]"));
    }
}

TEST_CASE("lecture: the speaker's window ends with the slides, and no slides open it again") {
    const TemporaryFolder folder;
    LectureWindow d(folder);
    d.click("tab Lecture");
    const auto has_window = [&] { return d.program().loop().second_picture().width > 0; };
    d.press(Key::F5);
    CHECK(!has_window());
    d.press(Key::S);
    CHECK(has_window());
    d.press(Key::Escape);
    CHECK(!has_window());
    d.press(Key::F5);
    CHECK(!has_window());
}

namespace {

constexpr const char* kAnswered =
    "# Tasks\n\n## A\n\n```headlight\ntask: Which?\nchoice: this\nright: that\n```\n\n## B\n\n"
    "```headlight\nstudy: no-parameters\ntask: Make the first number 9.\n"
    "goal: embed[0, 0] = 9\nsolution: set embed[0, 0] = 9\n```\n";

}  // namespace

TEST_CASE("lecture: cleared answers are brought back by the notice, by Ctrl+Z and by the command") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("tasks.lecture", kAnswered));
    d.press(Key::F5);
    d.press(Key::Two);
    REQUIRE(says(d, "✓ Right."));
    d.press(Key::Right);
    d.press(Key::R, Modifier::Shift);
    REQUIRE(says(d, "✓ Reached."));
    const auto check_cleared = [&] {
        CHECK(d.message() == "Cleared 2 answers");
        CHECK(says(d, "Not yet."));
        CHECK(!d.has("button Clear answers"));
    };
    d.click("button Clear answers");
    check_cleared();
    CHECK(d.undo_label() == "Clear answers");
    d.click("button Bring them back");
    CHECK(says(d, "✓ Reached."));
    d.press(Key::Left);
    CHECK(says(d, "✓ Right."));
    d.press(Key::Right);

    d.click("button Clear answers");
    check_cleared();
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(says(d, "✓ Reached."));  // with what was changed on the page for it
    CHECK(d.undo_label() != "Clear answers");

    d.click("button Clear answers");
    d.press(Key::Left);
    d.press(Key::One);  // what is answered since stays
    CHECK(says(d, "Not so."));
    CHECK(d.undo_label() == "");
    d.press(Key::K, Modifier::Ctrl);
    d.type("Bring answers back");
    d.press(Key::Enter);
    CHECK(says(d, "Not so."));
    d.press(Key::Right);
    CHECK(says(d, "✓ Reached."));
}

TEST_CASE("lecture: before its day the answer's button says when it comes, and no key shows it") {
    const TemporaryFolder folder;
    const auto ask = [&](const std::string& day) {
        Driver d;
        d.drop(folder.with("day.lecture",
                           "# L\n\n## One\n\n```headlight\ntask: q\nchoice: a\n"
                           "right: b\nanswer-from: " +
                               day + "\n```\n"));
        d.press(Key::F5);
        d.press(Key::R);
        return d.texts();
    };
    const std::string early = ask("9999-12-01"), late = ask("2000-01-01");
    CHECK(early.find("Answer from 9999-12-01") != std::string::npos);
    CHECK(early.find("Answer: 2: b") == std::string::npos);
    CHECK(late.find("Answer from") == std::string::npos);
    CHECK(late.find("Answer: 2: b") != std::string::npos);
}

TEST_CASE("lecture: its page can be chosen from outside, and is told only while it is shown") {
    const TemporaryFolder folder;
    Driver d;
    Workbench& workbench = d.program().workbench();
    workbench.show_lecture_page(1);  // none is open
    CHECK(!workbench.lecture_page());
    d.drop(folder.with("two.lecture", "# L\n\n## One\n\nWords.\n\n## Two\n\nMore words.\n"));
    CHECK(workbench.lecture_page() == 0);
    workbench.show_lecture_page(1);
    d.settle();
    CHECK(workbench.lecture_page() == 1);
    CHECK(says(d, "More words."));
    workbench.show_lecture_page(7);
    CHECK(workbench.lecture_page() == 1);
    d.click("tab Sentence");
    CHECK(!workbench.lecture_page());
    workbench.show_lecture_page(0);
    CHECK(workbench.lecture_page() == 0);
}

}  // namespace headlight::program_lecture_test
