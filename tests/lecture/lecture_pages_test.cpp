// Pages of a lecture: their studies, their views, their tasks, what a check says of them.
#include <doctest/doctest.h>
#include <filesystem>
#include <set>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/files/file.h"
#include "lecture/answers.h"
#include "lecture/check.h"
#include "lecture/file/lecture_recovery.h"
#include "lecture/handout.h"
#include "lecture/kept_page.h"
#include "lecture/lecture_book.h"
#include "lecture/page/page_scope.h"

using namespace headlight;

namespace {

/// A lecture of one block a page.
std::string lecture_text(const std::vector<std::string>& blocks) {
    std::string text = "# Test\n";
    for (const std::string& block : blocks)
        text += "\n## Page\n\n```headlight\n" + block + "\n```\n";
    return text;
}

struct TestLecture {
    explicit TestLecture(const std::vector<std::string>& blocks)
        : lecture(read_lecture(lecture_text(blocks), "t")),
          documents(lecture, {}, "t"),
          source{lecture, documents, "t"} {}

    std::string error(std::size_t page) {
        try {
            Workspace space(no_study(), {});
            open_page(source, page, space);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

const std::string kWho = "study: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\nrow: it";

}  // namespace

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
    CHECK(page.view == FigureOf::Compared);
    CHECK(space.selection.chosen == "blocks.1.attn.heads.0.pattern");
    CHECK_FALSE(space.selection.held().is_empty());
    REQUIRE(space.comparison.trace());
    CHECK(space.comparison.trace()->items().back() == "wide");
    page = open_page(test.source, 1, space);
    CHECK(page.view == FigureOf::Graph);
    CHECK(space.selection.held().is_empty());
    CHECK_FALSE(space.comparison.is_on());
    CHECK(open_page(test.source, 2, space).view == FigureOf::Heads);
    CHECK_FALSE(open_page(test.source, 3, space).view.has_value());
}

TEST_CASE("tasks: answers are judged by the trace") {
    TestLecture test({kWho + "\ntask: Which?\npredict: argmax(pattern[it])",
                      kWho + "\ntask: How much?\npredict: pattern[it, cat]\nwithin: 0.1",
                      kWho + "\ntask: Which one?\nchoice: cat\nright: dog",
                      kWho + "\ntask: Order\norder: [3, 1, 2]"});
    Workspace space(no_study(), {});
    const auto judge_on = [&](std::size_t at, const std::string& answer) {
        OpenPage page = open_page(test.source, at, space);
        const auto task = read_task(test.lecture.pages[at], "t");
        const PageScope scope(test.source, page, {task->expression});
        return judge(*task, answer, scope.scope()).is;
    };
    using Is = Verdict::Is;
    CHECK(judge_on(0, "cat") == Is::Right);
    CHECK(judge_on(0, "street") == Is::Wrong);
    CHECK(judge_on(1, "0.95") == Is::Right);
    CHECK(judge_on(1, "0,95") == Is::Right);
    CHECK(judge_on(1, "0.5") == Is::Wrong);
    CHECK(judge_on(1, "much") == Is::Unreadable);
    const auto choice = read_task(test.lecture.pages[2], "t");
    OpenPage page = open_page(test.source, 2, space);
    std::optional<ExpressionSide> b;
    CHECK(judge(*choice, "dog", workspace_scope(space, b)).is == Is::Right);
    CHECK(judge(*choice, "cat", workspace_scope(space, b)).is == Is::Wrong);
    CHECK(right_answer(*choice, workspace_scope(space, b)) == "dog");
    CHECK(judge_on(3, "0, 2, 1") == Is::Right);
    CHECK(judge_on(3, "0, 1, 2") == Is::Wrong);
    CHECK(judge_on(3, "0, 1") == Is::Unreadable);
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

TEST_CASE("tasks: the matrix is covered before a prediction, unless the page says otherwise") {
    const auto covers = [](const std::string& block) {
        return covers_matrix(*read_task(read_lecture(lecture_text({block}), "t").pages[0], "t"));
    };
    CHECK(covers("task: A\npredict: 1 + 2"));
    CHECK(covers("task: A\norder: [1, 2]"));
    CHECK_FALSE(covers("task: A\npredict: 1 + 2\ncover: off"));
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

TEST_CASE("a lecture in the window: changes are steps, and the page follows") {
    LectureBook book;
    Workspace space(no_study(), {});
    book.open(read_lecture(lecture_text({kWho, "what: heads"}), "t"), {});
    CHECK(book.show(space).problem.empty());
    book.change(
        "Type", [](Lecture& lecture) { lecture.pages[0].text = "{pattern[it, cat]:2}"; }, "typing");
    book.change(
        "Type", [](Lecture& lecture) { lecture.pages[0].text += "!"; }, "typing");
    CHECK(book.undo_label() == "Type");
    // Words alone do not open the page anew: what was changed on it stays.
    space.session.apply({.label = "Set", .change = [](Document& d) { d.seed = 5; }});
    CHECK(plain_text(book.show(space).text) == "0.98!");
    CHECK(space.session.document().seed == 5);
    book.undo();
    CHECK(book.lecture().pages[0].text.empty());
    CHECK_FALSE(book.has_changes());
    book.redo();
    book.go_to(1);
    CHECK(book.show(space).page.view == FigureOf::Heads);
    book.change("Delete", [](Lecture& lecture) { lecture.pages.pop_back(); });
    CHECK(book.at() == 0);
    book.change("Bad", [](Lecture& lecture) {
        for (Directive& directive : lecture.pages[0].directives)
            if (directive.key == "tensor") directive.value = "nothing";
    });
    CHECK(book.show(space).problem.find("nothing") != std::string::npos);
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
    LecturePage page{.title = kept_title(scene, FigureOf::Matrix), .text = {}, .notes = {}};
    page.directives = kept_directives(scene, FigureOf::Matrix, {}, lecture);
    CHECK(page.directives.front().key == "study");
    CHECK(page.directives.front().value == "who-is-it");
    lecture.pages.push_back(page);
    // Written and read again, as from its file.
    lecture = read_lecture(write_lecture(lecture), "t");
    PageDocuments documents(lecture, {}, "t");
    CHECK(*documents.at(1) == space.session.document());
    Workspace again(no_study(), {});
    const OpenPage opened = open_page({lecture, documents, "t"}, 1, again);
    CHECK(opened.view == FigureOf::Matrix);
    CHECK(again.selection.chosen == space.selection.chosen);
    CHECK(again.selection.held().focus.query == space.selection.held().focus.query);
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
    const std::string html = write_handout_html(test.source, {}, progress);
    CHECK(html.starts_with("<!doctype html>"));
    CHECK(html.find("&quot;street&quot;") != std::string::npos);  // names for the script
    CHECK(html.find("http") == html.find("http://www.w3.org"));   // nothing is loaded
    CHECK(html.find("<summary>Answer</summary>cat") != std::string::npos);
}

TEST_CASE("answers: what is written is read again") {
    const AnswerSheet sheet{"A “lecture”",
                            {{"Page 1", {"cat", ""}}, {"Page 2", {"", "{\"seed\": 2}"}}}};
    CHECK(read_answers(write_answers(sheet), "t") == sheet);
    const auto error = [](const std::string& bytes) -> std::string {
        try {
            read_answers(bytes, "t");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(error("{}").find("headlight-answers") != std::string::npos);
    CHECK(error("[1]").starts_with("[t]"));
    CHECK(error("{\"headlight-answers\": 2, \"lecture\": \"\", \"answers\": {}}")
              .starts_with("[t] line 1"));
}

TEST_CASE("grading: answers are judged again by the lecture, goals by their change") {
    std::string text = "# Test\n\n## First\n\n```headlight\n" + kWho +
                       "\ntask: Which?\npredict: argmax(pattern[it])\n```\n\n## Second\n\n"
                       "```headlight\ntask: Flatten it\ngoal: max(pattern[it]) < 0.3\n```\n";
    const Lecture lecture = read_lecture(text, "t");
    PageDocuments documents(lecture, {}, "t");
    const PageSource source{lecture, documents, "t"};
    Document flat = *documents.at(1);
    flat.sentence()->layer.attention.temperature = 100;
    const std::string change = change_directive(*documents.at(1), flat)->value;
    const std::vector<AnswerSheet> sheets = {
        {"Test", {{"First", {"cat", ""}}, {"Second", {"", change}}}},
        {"Test", {{"First", {"street", ""}}, {"Second", {"", ""}}}},
        {"Test", {{"Gone", {"x", ""}}, {"Second", {"", "{\"no\": 1}"}}}}};
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(source, sheets, notes);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].right == "cat");
    CHECK(tasks[0].is_right == std::vector<bool>{true, false, false});
    CHECK(tasks[0].given == std::vector<std::string>{"cat", "street", ""});
    CHECK(tasks[1].is_right == std::vector<bool>{true, false, false});
    CHECK(tasks[0].histogram().size() == 2);
    CHECK(notes.size() == 2);  // a page that is gone, a change that is none
}

TEST_CASE("answers: pages of one title are told apart, and what was shown is not right") {
    TestLecture test({"task: Which?\nchoice: a\nright: b", "task: Which?\nright: a\nchoice: b",
                      kWho + "\ntask: Which?\npredict: argmax(pattern[it])"});
    CHECK(answer_name(test.lecture, 0) == "Page");
    CHECK(answer_name(test.lecture, 1) == "Page (2)");
    const AnswerSheet sheet{
        "Test", {{"Page", {"b", ""}}, {"Page (2)", {"a", ""}}, {"Page (3)", {"cat", "", true}}}};
    CHECK(read_answers(write_answers(sheet), "t") == sheet);
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(test.source, {sheet}, notes);
    REQUIRE(tasks.size() == 3);
    CHECK(notes.empty());
    CHECK(tasks[0].is_right == std::vector<bool>{true});
    CHECK(tasks[1].is_right == std::vector<bool>{true});
    CHECK(tasks[2].is_right == std::vector<bool>{false});
    CHECK(tasks[2].given == std::vector<std::string>{"cat (answer shown)"});
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

TEST_CASE("recovery: an unsaved lecture is kept, and taken by the next window") {
    const TemporaryFolder folder;
    const std::filesystem::path kept = folder.file("lectures");
    LectureBook book;
    book.open(read_lecture("# Mine\n\n## A\n", "t"), "/somewhere/mine.lecture");
    LectureRecovery recovery;
    recovery.start(kept);
    recovery.follow(book);
    CHECK_FALSE(std::filesystem::exists(kept));  // there is nothing to lose
    for (const char* text : {"a", "ab", "abc"})
        book.change(
            "Type", [&](Lecture& lecture) { lecture.pages[0].text = text; }, "typing");
    recovery.write_now(book);
    for (const auto& entry : std::filesystem::directory_iterator(kept))
        std::filesystem::rename(entry.path(), kept / "0.kept");  // of a window that is gone
    LectureRecovery next;
    next.start(kept);
    auto left = next.take_left();
    REQUIRE(left);
    CHECK(left->history.now().pages[0].text == "abc");
    CHECK(left->file == "/somewhere/mine.lecture");
    LectureBook again;
    again.open_unsaved(std::move(*left));
    CHECK(again.has_changes());
    CHECK(again.undo_label() == "Type");
    again.undo();
    CHECK(again.lecture().pages[0].text.empty());
}

TEST_CASE("a lecture's version is never that of an earlier state") {
    LectureBook book;
    std::set<std::uint64_t> versions;
    const auto is_new = [&] { return versions.insert(book.version()).second; };
    book.open(read_lecture("# A\n\n## P\n", "t"), {});
    CHECK(is_new());
    for (int k = 0; k < 50; ++k) {
        book.change(
            "Type", [&](Lecture& l) { l.pages[0].text = std::to_string(k); }, "typing");
        CHECK(is_new());
    }
    book.undo();
    CHECK(is_new());
    book.close();
    book.open(read_lecture("# A\n", "t"), {});
    CHECK(is_new());
}
