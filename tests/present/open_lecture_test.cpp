// A lecture that is open in the window: steps, faults, what the speaker reads.
#include "present/open_lecture.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "written_lecture.h"

using namespace headlight;

TEST_CASE("a lecture in the window: changes are steps, and the page follows") {
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture(lecture_text({kWho, "what: heads"}), "t"), {});
    CHECK(lecture.show(space).problem.empty());
    lecture.change(
        "Type", [](Lecture& lecture) { lecture.pages[0].text = "{pattern[it, cat]:2}"; }, "typing");
    lecture.change(
        "Type", [](Lecture& lecture) { lecture.pages[0].text += "!"; }, "typing");
    CHECK(lecture.history().undo_label() == "Type");
    // Words alone do not open the page anew: what was changed on it stays.
    space.session.apply({.label = "Set", .change = [](Document& d) { d.seed = 5; }});
    CHECK(plain_text(lecture.show(space).text) == "0.98!");
    CHECK(space.session.document().seed == 5);
    lecture.undo();
    CHECK(lecture.lecture().pages[0].text.empty());
    CHECK_FALSE(lecture.has_changes());
    lecture.redo();
    lecture.go_to(1);
    CHECK(lecture.show(space).page.view == ViewId::Heads);
    lecture.change("Delete", [](Lecture& lecture) { lecture.pages.pop_back(); });
    CHECK(lecture.at() == 0);
    lecture.change("Bad", [](Lecture& lecture) {
        for (Directive& directive : lecture.pages[0].directives)
            if (directive.key == "tensor") directive.value = "nothing";
    });
    CHECK(lecture.show(space).problem.find("nothing") != std::string::npos);
}

TEST_CASE("a lecture in the window: a fault is at the line that the file will have") {
    OpenLecture lecture;
    Workspace space(no_study(), {});
    Lecture written = read_lecture(lecture_text({kWho, "what: heads"}), "t");
    written.studies["s"] = "{\"kind\": \"sentence\",\n\"text\": \"a\"}\n";
    written.curves["c"] = "step,loss\n1,2\n";
    lecture.open(written, {});
    lecture.change("Type", [](Lecture& changed) {
        changed.pages[0].text = "one\n\ntwo\n\n{nobody}\n\n{nothing}";
        changed.pages[1].directives.push_back({"what", "nowhere"});
    });
    const auto line_of = [&](const std::string& words) {
        const std::string file = write_lecture(lecture.lecture());
        return "line " +
               std::to_string(1 + std::ranges::count(file.substr(0, file.find(words)), '\n')) + ":";
    };
    CHECK(lecture.show(space).text_problem.find(line_of("{nobody}")) != std::string::npos);
    CHECK(lecture.lecture().study_lines.at("s") ==
          1 + std::ranges::count(write_lecture(lecture.lecture())
                                     .substr(0, write_lecture(lecture.lecture()).find("{\"kind")),
                                 '\n'));
    CHECK(lecture.lecture().curve_lines.at("c") ==
          1 + std::ranges::count(write_lecture(lecture.lecture())
                                     .substr(0, write_lecture(lecture.lecture()).find("step,loss")),
                                 '\n'));
    lecture.go_to(1);
    CHECK(lecture.show(space).problem.find(line_of("what: nowhere")) != std::string::npos);
    lecture.change("Type", [](Lecture& changed) { changed.pages[1].text = "more\n\nlines"; });
    CHECK(lecture.show(space).problem.find(line_of("what: nowhere")) != std::string::npos);
}

TEST_CASE("a page in the window: the speaker's notes have numbers, and the task its answer") {
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture(lecture_text({kWho + "\ntask: How much?\npredict: pattern[it, cat]",
                                            kWho + "\ntask: Flatten it\ngoal: max(pattern[it]) < "
                                                   "0.3\nsolution: set embed = 0"}),
                              "t"),
                 {});
    lecture.change("Type", [](Lecture& lecture) {
        lecture.pages[0].notes = "**Ask** first: {pattern[it, cat]:1}\n\n{nobody} and {…}\n- 5 * 3";
    });
    const OpenLecture::Shown& shown = lecture.show(space);
    CHECK(shown.notes == "Ask first: 1.0\n\n{nobody} and {…}\n• 5 * 3");
    CHECK(shown.answer.starts_with("Right: 0.98"));
    lecture.go_to(1);
    CHECK(lecture.show(space).answer == "Solution: set embed = 0");
}

TEST_CASE(
    "a page in the window: each value is filled in by itself, and one that is missing is a dash") {
    const std::string block = "study: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\n";
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture(lecture_text({block + "task: How much?\npredict: pattern[it, cat]",
                                            block + "task: Less?\ngoal: pattern[it, cat] < 0.5"}),
                              "t"),
                 {});
    const std::string text =
        "{rows(pattern):0} words, {pattern[it, cat]:2} and {argmax(pattern[it])}";
    lecture.change("Type", [&](Lecture& lecture) {
        for (LecturePage& page : lecture.pages) page.text = text;
    });
    const auto write = [&](const std::string& sentence) {
        lecture.show(space);
        space.session.apply(
            {.label = "Text", .change = [&](Document& d) { d.sentence()->text = sentence; }});
        settle(space);
        lecture.follow(space);
    };
    const std::string words = "— has no value now: blocks.1.attn.heads.0.pattern has no row 'it'";
    const auto check_missing = [&] {
        CHECK(plain_text(lecture.shown().text) == "3 words, — and —");
        CHECK(lecture.shown().text_problem == words);
        CHECK(lecture.shown().task_problem == "The question has no answer now.");
    };
    for (const std::size_t page : {0, 1}) {
        CAPTURE(page);
        lecture.go_to(page);
        write("The dog slept");
        check_missing();
        lecture.go_to(1 - page);
        lecture.show(space);
        lecture.go_to(page);
        lecture.show(space);
        check_missing();
        write("The cat slept because it was tired");
        CHECK(plain_text(lecture.shown().text).starts_with("7 words, "));
        CHECK(plain_text(lecture.shown().text).find("—") == std::string::npos);
        CHECK(lecture.shown().text_problem.empty());
        CHECK(lecture.shown().task_problem.empty());
    }
}

TEST_CASE("a page in the window: the words of a task are those of the page as it is written") {
    const std::string block = "study: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\n";
    const std::string it_reads = "{argmax(pattern[it])}";
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture(lecture_text({block + "task: Is it " + it_reads + "?\nright: " +
                                                it_reads + "\nchoice: no\nhint: " + it_reads,
                                            block + "task: It reads " + it_reads +
                                                ".\ngoal: pattern[it, street] > 0.5"}),
                              "t"),
                 {});
    const auto question_on = [&](std::size_t page) {
        lecture.go_to(page);
        lecture.show(space);
        space.session.apply({.label = "Text", .change = [](Document& d) {
                                 d.sentence()->text =
                                     "The cat didn't cross the street because it was too wide";
                             }});
        settle(space);
        lecture.follow(space);
        return plain_text(lecture.shown().task_text.question);
    };
    CHECK(question_on(1) == "It reads street.");
    CHECK(question_on(0) == "Is it cat?");
    CHECK(plain_text(lecture.shown().task_text.choices[0]) == "cat");
    CHECK(plain_text(lecture.shown().task_text.hints[0]) == "cat");
    lecture.change("Type", [](Lecture& lecture) { lecture.pages[0].text = "More."; });
    lecture.show(space);
    CHECK(space.session.history().can_undo());
    CHECK(plain_text(lecture.shown().task_text.question) == "Is it cat?");
}

TEST_CASE("a page in the window: without a study, the words between its values stay") {
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture("# A\n\n## P\n\nHere {1 + 1}.\n", "t"), {});
    const OpenLecture::Shown& shown = lecture.show(space);
    CHECK(plain_text(shown.text) == "Here —.");
    CHECK(shown.text_problem.find("the page has no study") != std::string::npos);
}

TEST_CASE("a page in the window: one that cannot be opened has its own words, and one fault") {
    OpenLecture lecture;
    Workspace space(no_study(), {});
    lecture.open(read_lecture("# A\n\n## First\n\nOne {max(x)}.\n\n> Notes one\n\n## Second\n\nTwo "
                              "{max(y)}.\n\n> Notes two\n\n```headlight\nstudy: who-is\n```\n",
                              "t"),
                 {});
    lecture.go_to(1);
    const OpenLecture::Shown& shown = lecture.show(space);
    CHECK(shown.problem.find("who-is") != std::string::npos);
    CHECK(plain_text(shown.text) == "Two —.");
    CHECK(shown.text_problem.empty());
    CHECK(shown.notes == "Notes two");
}

TEST_CASE("a lecture's version is never that of an earlier state") {
    OpenLecture lecture;
    std::set<std::uint64_t> versions;
    const auto is_new = [&] { return versions.insert(lecture.version()).second; };
    lecture.open(read_lecture("# A\n\n## P\n", "t"), {});
    CHECK(is_new());
    for (int k = 0; k < 50; ++k) {
        lecture.change(
            "Type", [&](Lecture& l) { l.pages[0].text = std::to_string(k); }, "typing");
        CHECK(is_new());
    }
    lecture.undo();
    CHECK(is_new());
    lecture.close();
    lecture.open(read_lecture("# A\n", "t"), {});
    CHECK(is_new());
}
