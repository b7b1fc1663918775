// Pages of a lecture: their studies, their views, their tasks, what a check says of them.
#include <chrono>
#include <doctest/doctest.h>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <unistd.h>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/files/file.h"
#include "present/check.h"
#include "present/handout.h"
#include "present/open_lecture.h"
#include "present/page/page_scope.h"
#include "present/page_from_view.h"
#include "written_lecture.h"

using namespace headlight;

TEST_CASE("a page's study: that of the page before, with its changes") {
    TestLecture test({kWho, "set: layer.attention.temperature = 2\nset: seed = 7",
                      "text: The dog ran\ntext: It slept", "what: none",
                      "study: no-parameters\nset: embed[0, 1] = 0.5"});
    const auto first = test.documents.at(0), second = test.documents.at(1);
    CHECK(second->sentence()->layer.attention.temperature == 2);
    CHECK(second->seed == 7);
    CHECK(are_same(first->weights, second->weights));
    CHECK(test.documents.at(2)->sentence()->text == "The dog ran\nIt slept");
    CHECK(test.documents.at(3) == test.documents.at(2));
    CHECK(test.documents.at(4)->interventions.at("embed").find(0, 1)->value == 0.5f);
}

TEST_CASE("a page's study: what cannot be is named with its line") {
    TestLecture test({"study: nothing-like-it", kWho + "\nset: embed[9999, 0] = 1",
                      kWho + "\nset: layer.attention.score = cosinus",
                      kWho + "\nset: embed = 1 2; 3", kWho + "\nablate: blocks.9",
                      "study: who-is-it\ntensor: nothing", kWho + "\nrow: nobody",
                      kWho + "\nzoom: 3"});
    CHECK(test.error(0).starts_with("[t] line 6: there is no study 'nothing-like-it'"));
    CHECK(test.error(1).find("has no row '9999'") != std::string::npos);
    CHECK(test.error(2).find("cannot be 'cosinus'; it can be scaled_dot, dot, cosine") !=
          std::string::npos);
    CHECK(test.error(3).find("row 1 has 1 number, row 0 has 2") != std::string::npos);
    CHECK(test.error(4).find("there is no head 'blocks.9'") != std::string::npos);
    CHECK(test.error(5).find("no tensor is called 'nothing'") != std::string::npos);
    CHECK(test.error(6).find("has no row 'nobody'") != std::string::npos);
    CHECK(test.error(7).find("zoom: '3' is not a zoom") != std::string::npos);
}

TEST_CASE("a page's view: what is shown, held and compared") {
    TestLecture test({kWho + "\nwith: text The cat didn't cross the street because it was too wide",
                      "study: karate", "study: who-is-it\nwhat: heads", "what: none"});
    Workspace space(no_study(), {});
    OpenPage page = open_page(test.source, 0, space);
    CHECK(page.view == ViewId::Compared);
    CHECK(space.selection.chosen == "blocks.1.attn.heads.0.pattern");
    CHECK_FALSE(space.selection.held().is_empty());
    REQUIRE(space.comparison.now().trace);
    CHECK(space.comparison.now().trace->items().back() == "wide");
    page = open_page(test.source, 1, space);
    CHECK(page.view == ViewId::Graph);
    CHECK(space.selection.held().is_empty());
    CHECK_FALSE(space.comparison.now().is_on());
    CHECK(open_page(test.source, 2, space).view == ViewId::Heads);
    CHECK_FALSE(open_page(test.source, 3, space).view.has_value());
}

TEST_CASE("tasks: half of one is an error with its line") {
    const auto error = [](const std::string& block) -> std::string {
        try {
            read_task(read_lecture(lecture_text({block}), "t").pages[0], "t");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(error("task: A") ==
          "[t] line 6: the task needs choices, or one of predict, order and goal");
    CHECK(error("task: A\nchoice: a\nchoice: b").find("none of the choices") != std::string::npos);
    CHECK(error("goal: 1 > 2").find("needs its question") != std::string::npos);
    CHECK(error("task: A\ngoal: 1 > 2\npredict: 3").find("one kind") != std::string::npos);
    CHECK(error("task: A\npredict: 3\nsolution: set a = 1").find("belongs to a goal") !=
          std::string::npos);
    CHECK(error("task: A\ngoal: 1 > 2\nsolution: dance").find("a solution is") !=
          std::string::npos);
}

TEST_CASE("tasks: an answer can be shown from its day on, which is a day of the calendar") {
    const auto task = [](const std::string& day) {
        return *read_task(read_lecture(lecture_text({"task: A\npredict: 1" + day}), "t").pages[0],
                          "t");
    };
    CHECK(may_show_answer(task(""), "2000-01-01"));
    CHECK_FALSE(may_show_answer(task("\nanswer-from: 2026-12-01"), "2026-11-30"));
    CHECK(may_show_answer(task("\nanswer-from: 2026-12-01"), "2026-12-01"));
    CHECK(may_show_answer(task("\nanswer-from: 2026-12-01"), "2027-01-01"));
    for (const char* wrong :
         {"tomorrow", "2026-02-30", "2026-13-01", "26-12-01", "2026-12-01 8:00"})
        CHECK_THROWS_WITH(task(std::string("\nanswer-from: ") + wrong),
                          "[t] line 8: answer-from: is a day, such as 2026-12-01");
    CHECK(today().size() == 10);
    CHECK(today() > "2025-01-01");
}

TEST_CASE("tasks: the matrix is covered before a prediction, unless the page says otherwise") {
    const auto covers = [](const std::string& block) {
        return covers_matrix(*read_task(read_lecture(lecture_text({block}), "t").pages[0], "t"));
    };
    CHECK(covers("task: A\npredict: 1 + 2"));
    CHECK(covers("task: A\norder: [1, 2]"));
    CHECK_FALSE(covers("task: A\npredict: 1 + 2\ncover: off"));
    CHECK(covers("task: A\nchoice: a\nright: b\ncover: on"));
    CHECK_FALSE(covers("task: A\ngoal: 1 > 2"));
    CHECK_FALSE(covers("task: A\nchoice: a\nright: b"));
}

TEST_CASE("check: a claim, a value, a goal and a solution that fail are named") {
    TestLecture test(
        {kWho + "\nclaim: pattern[it, cat] > 0.5", kWho + "\nclaim: pattern[it, cat] < 0.5",
         kWho + "\ntask: T\ngoal: pattern[it, cat] > 0.5\nsolution: set seed = 2",
         kWho + "\ntask: T\ngoal: pattern[it, cat] < 0.1\nsolution: set seed = 2",
         kWho + "\ntask: T\ngoal: pattern[it, cat] < 0.3\nsolution: set "
                "layer.attention.temperature = 100",
         kWho + "\ntask: T\ngoal: pattern[it, cat] < 0.3\nsolution: set layer.temprature = 1"});
    CHECK(check_page(test.source, 0).failures.empty());
    CHECK(check_page(test.source, 0).n_claims == 1);
    const auto failure = [&](std::size_t page) {
        const CheckedPage checked = check_page(test.source, page);
        return checked.failures.empty() ? std::string() : checked.failures.front().what();
    };
    CHECK(failure(1).find("the claim does not hold: 0.98") != std::string::npos);
    CHECK(failure(2).find("the goal is true before anything is done") != std::string::npos);
    CHECK(failure(3).find("the solution does not reach the goal") != std::string::npos);
    CHECK(failure(4).empty());
    CHECK(failure(5).find(": “Page” the solution cannot be made: ") != std::string::npos);
    CHECK(failure(5).starts_with("[t] line "));
}

TEST_CASE("a kept page: its directives show the same again") {
    TestLecture test({kWho});
    Workspace space(no_study(), {});
    open_page(test.source, 0, space);
    space.session.apply({.label = "Set", .change = [](Document& document) {
                             document.sentence()->layer.attention.temperature = 3;
                         }});
    settle(space);
    Lecture lecture = test.lecture;
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    LecturePage page{.title = title_from_view(scene, ViewId::Matrix), .text = {}, .notes = {}};
    page.directives = directives_from_view(scene, ViewId::Matrix, {}, lecture);
    CHECK(page.directives.front().key == "study");
    CHECK(page.directives.front().value == "who-is-it");
    lecture.pages.push_back(page);
    // Written and read again, as from its file.
    lecture = read_lecture(write_lecture(lecture), "t");
    PageDocuments documents(lecture, {}, "t");
    CHECK(*documents.at(1) == space.session.document());
    Workspace again(no_study(), {});
    const OpenPage opened = open_page({lecture, documents, "t"}, 1, again);
    CHECK(opened.view == ViewId::Matrix);
    CHECK(again.selection.chosen == space.selection.chosen);
    CHECK(again.selection.held().indices.query == space.selection.held().indices.query);
}

TEST_CASE("handouts: sheets of paper, and a page for a browser") {
    TestLecture test(
        {kWho + "\ntask: Which?\npredict: argmax(pattern[it])", "what: none", "study: karate"});
    Progress progress;
    std::vector<PageFigure> pages;
    print_pages(test.source, {}, progress,
                [&](const PrintedPage& page) { pages.push_back(page.figure); });
    REQUIRE(pages.size() == 3);
    const auto count_sheets = [](const std::string& pdf) {
        const std::size_t at = pdf.find("/Count ");
        return at == std::string::npos ? 0 : std::stoi(pdf.substr(at + 7));
    };
    CHECK(count_sheets(write_handout_pdf(pages, 1)) == 3);
    CHECK(count_sheets(write_handout_pdf(pages, 2)) == 2);
    CHECK(count_sheets(write_handout_pdf(pages, 4)) == 1);
    CHECK_THROWS_AS(write_handout_pdf(pages, 3), Error);
    const std::string html = at_once(write_handout_html(test.source, {}, progress));
    CHECK(html.starts_with("<!doctype html>"));
    CHECK(html.find("&quot;street&quot;") != std::string::npos);  // names for the script
    CHECK(html.find("http") == html.find("http://www.w3.org"));   // nothing is loaded
    CHECK(html.find("<summary>Answer</summary>cat") != std::string::npos);
}

TEST_CASE("a page without a block has text alone; its values are those of the page before") {
    Lecture lecture =
        read_lecture("# T\n\n## A\n\n```headlight\n" + kWho +
                         "\n```\n\n## B\n\n{blocks.1.attn.heads.0.pattern[it, cat] > 0.5}\n",
                     "t");
    PageDocuments documents(lecture, {}, "t");
    Workspace space(no_study(), {});
    OpenPage page = open_page({lecture, documents, "t"}, 1, space);
    CHECK_FALSE(page.view);
    CHECK(plain_text(filled_text({lecture, documents, "t"}, page)) == "true");
}

TEST_CASE("text that has no room on its page is cut, and said to be") {
    TestLecture test({kWho});
    const auto note_for = [&](int n_lines) {
        test.lecture.pages[0].text.clear();
        for (int k = 0; k < n_lines; ++k) test.lecture.pages[0].text += "- one more line\n";
        const CheckedPage checked = check_page(test.source, 0);
        CHECK(checked.failures.empty());
        return checked.notes.empty() ? "" : checked.notes.front();
    };
    CHECK(note_for(5).empty());
    CHECK(note_for(80).find("the text is too long for the page") != std::string::npos);
}
