#include "present/file/lecture_work.h"

#include <doctest/doctest.h>
#include <memory>
#include <string>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/files/file.h"

namespace headlight::lecture_work_test {
namespace {

Lecture two_pages() {
    return read_lecture("# Mine\n\n## A\n\n## B\n", "t");
}

void type(OpenLecture& lecture, const std::string& text, const std::string& gesture = {}) {
    lecture.change(
        "Type " + text, [&](Lecture& lecture) { lecture.pages[0].text = text; }, gesture);
}

/// What a journal has of a lecture, opened anew.
OpenLecture opened_again(const Journal& journal) {
    const JournalContents contents = read_journal(read_file(journal.file()));
    CHECK(contents.problem.empty());
    REQUIRE(contents.unsaved.lecture);
    OpenLecture lecture;
    open_work(lecture, *contents.unsaved.lecture);
    return lecture;
}

void check_same(const OpenLecture& a, const OpenLecture& b) {
    const auto &steps = a.history().steps(), &others = b.history().steps();
    REQUIRE(steps.size() == others.size());
    CHECK(a.history().at() == b.history().at());
    for (std::size_t k = 0; k < steps.size(); ++k) {
        CAPTURE(k);
        CHECK(steps[k].label == others[k].label);
        CHECK(*steps[k].state == *others[k].state);
    }
    CHECK(*a.saved() == *b.saved());
    CHECK(a.file() == b.file());
    CHECK(a.at() == b.at());
}

std::string message_of(const std::string& text) {
    try {
        read_kept_text(text, "left");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("an open lecture is read from a journal as it was, whatever was typed and undone") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    LectureWork work;
    OpenLecture lecture;
    lecture.open(two_pages(), "/a b/mine.lecture");
    const auto check = [&] {
        journal.write({.lecture = work.make(lecture)});
        check_same(opened_again(journal), lecture);
    };
    for (const char* text : {"größe", "grün", "→ ⟨x⟩ → \"quoted\"\nsecond", "", "a ", "a  \n\n",
                             "\n\n a", " ", "a\n \t", "a\r\nb\r", "## a "}) {
        type(lecture, text);
        lecture.go_to(1);
        check();
    }
    lecture.change("Type", [](Lecture& lecture) {
        lecture.title = "Mine  ", lecture.text = "below \n", lecture.pages[1].title = " B ";
        lecture.pages[1].notes = "\nsay \n";
    });
    check();
    for (int k = 0; k < 4; ++k) lecture.undo(), check();
    type(lecture, "b");
    check();
    for (const char* text : {"c", "cd", "cde"}) type(lecture, text, "typing"), check();
}

TEST_CASE("a long history of a lecture is kept as what each step changed") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    LectureWork work;
    OpenLecture lecture;
    lecture.open(two_pages(), {});
    for (std::size_t k = 0; k < 100; ++k) {
        lecture.change("Type", [&](Lecture& lecture) {
            lecture.pages[0].text = std::string(10'000, 'x') + std::string(k, 'y');
        });
        lecture.change("x", [](Lecture&) {});  // changes nothing, and is no step
        journal.write({.lecture = work.make(lecture)});
    }
    const std::string bytes = read_file(journal.file());
    CHECK(bytes.size() < 40'000);
    CHECK(read_journal(bytes).unsaved.lecture->history.steps().size() ==
          lecture.history().steps().size());
}

TEST_CASE("a journal drops a lecture that is saved, and keeps the studies beside it") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    LectureWork work;
    OpenLecture lecture;
    lecture.open(two_pages(), {});
    type(lecture, "a");
    const Document document;
    OpenWorks works;
    works.emplace(0, OpenWork{.history = History(document),
                              .saved = std::make_shared<const Document>(document)});
    journal.write({.works = works, .lecture = work.make(lecture)});
    CHECK(read_journal(read_file(journal.file())).unsaved.lecture);
    journal.write({works});
    const JournalContents contents = read_journal(read_file(journal.file()));
    CHECK_FALSE(contents.unsaved.lecture);
    CHECK(contents.unsaved.works.size() == 1);
    journal.write({.lecture = work.make(lecture)});
    CHECK(read_journal(read_file(journal.file())).unsaved.works.empty());
    journal.write({});
    CHECK_FALSE(std::filesystem::exists(journal.file()));
}

TEST_CASE("a broken kept lecture says where, and states that are no lecture are left out") {
    CHECK(message_of("# A\n\n```headlight\nno-such-key: 1\n```\n").find("no-such-key") !=
          std::string::npos);
    CHECK(message_of("# A\n\x1e{\"9\": \"b\"}").find("is the text of no page") !=
          std::string::npos);
    CHECK(message_of("# A\n\x1e{").find("[left]") == 0);
    CHECK(message_of("# A\n") == "");
    const HistoryOf<std::string>::Steps steps = {
        {"", std::make_shared<const std::string>("no lecture")},
        {"Type", std::make_shared<const std::string>("# A\n\n## P\n")}};
    OpenLecture lecture;
    open_work(lecture, {.history = HistoryOf<std::string>(steps, 1), .saved = steps[0].state});
    CHECK(lecture.history().steps().size() == 1);
    CHECK(lecture.lecture().title == "A");
    CHECK(lecture.has_changes());
    CHECK_THROWS_AS(
        open_work(lecture, {.history = HistoryOf<std::string>(steps, 0), .saved = steps[0].state}),
        Error);
    CHECK(lecture.lecture().title == "A");
}

}  // namespace headlight::lecture_work_test
