// Answers of students: how they are judged, kept and graded.
#include "present/answers.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/changes.h"
#include "present/check.h"
#include "present/page/page_scope.h"
#include "present/page_from_view.h"
#include "present/tasks/goal.h"
#include "present/tasks/task.h"
#include "written_lecture.h"

using namespace headlight;

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
    CHECK(judge_on(0, " CAT ") == Is::Right);
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

TEST_CASE("answers: what is written is read again") {
    const AnswerSheet sheet{"A “lecture”",
                            {{"Page 1", {"cat", ""}}, {"Page 2", {"", "{\"seed\": 2}"}}}};
    std::vector<std::string> notes;
    CHECK(read_answers(write_answers(sheet), "t", notes) == sheet);
    const auto error = [&](const std::string& bytes) -> std::string {
        try {
            read_answers(bytes, "t", notes);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(error("{}").find("headlight-answers") != std::string::npos);
    CHECK(error("[1]").starts_with("[t]"));
    CHECK(error("{\"headlight-answers\": 2, \"lecture\": \"\", \"answers\": {}}")
              .starts_with("[t] line 1"));
    CHECK(notes.empty());
}

TEST_CASE("answers: an unknown key takes nothing away, and a broken entry leaves the others") {
    std::vector<std::string> notes;
    const AnswerSheet sheet = read_answers(
        "{\"headlight-answers\": 1, \"lecture\": \"Test\", \"student\": \"Ada\",\n"
        " \"answers\": {\n"
        "  \"Page\": {\"answer\": \"b\", \"set\": 1},\n"
        "  \"Page (2)\": {\"shown\": true},\n"
        "  \"Page (3)\": {\"answer\": 5},\n"
        "  \"Page (4)\": 3}}",
        "ada.answers", notes);
    CHECK(notes == std::vector<std::string>{
                       "[ada.answers] line 1, student: the key 'student' is not known; it is "
                       "ignored",
                       "[ada.answers] line 3, answers.Page.set: the key 'set' is not known; it is "
                       "ignored"});
    REQUIRE(sheet.answers.size() == 4);
    CHECK(sheet.answers.at("Page") == GivenAnswer{"b", ""});
    for (const char* page : {"Page (2)", "Page (3)", "Page (4)"})
        CHECK(sheet.answers.at(page).problem.find(page) != std::string::npos);
}

TEST_CASE("grading: whoever handed a file in counts, and notes name the file") {
    TestLecture test(
        {"task: Which?\nchoice: a\nright: b", kWho + "\ntask: q\ngoal: pattern[it, cat] < 0.5"});
    const std::string broken = R"({"edits": {}, "study": "{}"})";
    std::vector<AnswerSheet> sheets = {
        {"Test", {{"Page", {"b", ""}}, {"Page (2)", {"", broken}}}, "ada.answers"},
        {"Test", {{"Page", {.text = "", .change = "", .problem = "is broken"}}}, "ben.answers"},
        {"", {}, "eve.answers", "not readable"}};
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(test.source, sheets, notes);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].given == std::vector<std::string>{"b", "cannot be judged", "not readable"});
    CHECK(tasks[1].given == std::vector<std::string>{"cannot be judged", "", "not readable"});
    CHECK(tasks[0].is_right == std::vector<bool>{true, false, false});
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] == "ben.answers: Page: the answer cannot be judged: is broken");
    CHECK(notes[1].starts_with("ada.answers: Page (2): the answer cannot be judged: "));
    for (const char* word : {"journal", "line ", "Undo"})
        CHECK(notes[1].find(word) == std::string::npos);
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

TEST_CASE("grading: an answer whose study cannot be computed is not right, the others are judged") {
    TestLecture test({kWho + "\ntask: q\ngoal: pattern[it, cat] < 0.5"});
    const std::string without_weights =
        R"({"edits": {}, "weights": {"checksum": "0000000000000000", "origin": "x", "file": "x",)"
        R"( "inside": true, "model": false}})";
    Document flat = *test.documents.at(0);
    flat.sentence()->layer.attention.temperature = 100;
    const std::string right = change_directive(*test.documents.at(0), flat)->value;
    Document large = *test.documents.at(0);
    large.weights = nullptr;
    large.sentence()->layer.d_model = 100000;
    const std::string too_large = change_directive(*test.documents.at(0), large)->value;
    std::vector<AnswerSheet> sheets;
    for (const std::string& change :
         {without_weights, std::string(R"({"layer": {"d_model": 100000}})"), too_large, right})
        sheets.push_back({"Test", {{"Page", {"", change}}}});
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(test.source, sheets, notes);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0].is_right == std::vector<bool>{false, false, false, true});
    REQUIRE(notes.size() == 3);
    CHECK(notes[0].find("its study cannot be computed: ") != std::string::npos);
    CHECK(notes[1].find("layer: unknown key") != std::string::npos);
    INFO(notes[2]);
    CHECK(notes[2].find("its study is too large to be judged: ") != std::string::npos);
    for (const std::string& note : notes) {
        INFO(note);
        CHECK(note.find("the answer cannot be judged") != std::string::npos);
    }
}

TEST_CASE(
    "grading: an answer that asks for too much is not computed, and what it says is one line") {
    TestLecture test(
        {kWho + "\ntask: q\ngoal: pattern[it, cat] < 0.5", "task: Which?\nchoice: a\nright: b"});
    std::string words;
    for (int k = 0; k < 1500; ++k) words += "w" + std::to_string(k) + " ";
    Document large = *test.documents.at(0);
    large.sentence()->text = words;
    const std::string change = change_directive(*test.documents.at(0), large)->value;
    const std::vector<AnswerSheet> sheets{
        {"Test", {{"Page", {"", change}}, {"Page (2)", {"x\rVictim,1\n", ""}}}},
        {"Test", {{"Page", {"", std::string(300'000, ' ')}}, {"Page (2)", {"\x1b[2J", ""}}}},
        {"Test", {{"Page (2)", {std::string(100'000, 'a'), ""}}}}};
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(test.source, sheets, notes);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].given[0] == "cannot be judged");
    CHECK(tasks[0].given[1] == "cannot be judged");
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].find("too large to be judged") != std::string::npos);
    CHECK(notes[0].find("Undo") == std::string::npos);
    CHECK(notes[1].find("at most 256000 are read") != std::string::npos);
    CHECK(tasks[1].given[0] == "x\\x0dVictim,1\\n");
    CHECK(tasks[1].given[1] == "\\x1b[2J");
    CHECK(tasks[1].given[2].size() < 1000);
}

TEST_CASE("answers: a choice is judged on a page whose study cannot be computed any more") {
    TestLecture test({kWho + "\ntask: q\nchoice: a\nright: b"});
    Workspace space(no_study(), {});
    const OpenPage page = open_page(test.source, 0, space);
    const auto task = read_task(test.lecture.pages[0], "t");
    space.session.apply({.label = "Set", .change = [](Document& document) {
                             document.sentence()->layer.d_model = 100000;
                         }});
    settle(space);
    CHECK(judge_on_page(test.source, page, *task, "b").counted.is == Verdict::Is::Right);
    std::optional<ExpressionSide> b;
    CHECK_THROWS_AS(workspace_scope(space, b), Error);
    CHECK_THROWS_AS(static_cast<void>(space.trace->tensors()), Error);
}

TEST_CASE("tasks: names in another case are right, unless two differ in nothing else") {
    TestLecture test({kWho + "\ntask: Which?\npredict: argmax(pattern[it])",
                      kWho + "\ntext: The Cat didn't cross the street because it was too tired"
                             "\ntask: Which?\npredict: argmax(pattern[0])",
                      kWho + "\ntext: The the it\ntask: Order\norder: pattern[it]"});
    Workspace space(no_study(), {});
    const auto judge_on = [&](std::size_t at, const std::string& answer) {
        OpenPage page = open_page(test.source, at, space);
        const auto task = read_task(test.lecture.pages[at], "t");
        const PageScope scope(test.source, page, {task->expression});
        return judge(*task, answer, scope.scope()).is;
    };
    const auto right_on = [&](std::size_t at) {
        OpenPage page = open_page(test.source, at, space);
        const auto task = read_task(test.lecture.pages[at], "t");
        const PageScope scope(test.source, page, {task->expression});
        return right_answer(*task, scope.scope());
    };
    using Is = Verdict::Is;
    CHECK(judge_on(0, "Cat") == Is::Right);
    CHECK(judge_on(0, "Dog") == Is::Wrong);
    const std::string right = right_on(2);
    CHECK(judge_on(2, right) == Is::Right);
    std::string upper = right;
    std::ranges::replace(upper, 'i', 'I');
    CHECK(judge_on(2, upper) == Is::Right);
    std::ranges::replace(upper, 'T', 't');  // "the" twice
    CHECK(judge_on(2, upper) != Is::Right);
}

TEST_CASE("grading: questions and choices are as students read them") {
    TestLecture test({kWho + "\ntask: Is **it** {argmax(pattern[it])}?\nchoice: `no`\nright: "
                             "*yes*, {pattern[it, cat]:1}"});
    const AnswerSheet sheet{"Test", {{"Page", {"*yes*, {pattern[it, cat]:1}", ""}}}};
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(test.source, {sheet}, notes);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0].question == "Is it cat?");
    CHECK(tasks[0].right == "yes, 1.0");
    CHECK(tasks[0].given == std::vector<std::string>{"yes, 1.0"});
    CHECK(tasks[0].is_right == std::vector<bool>{true});
}

TEST_CASE("answers: pages of one title are told apart, and what was shown is not right") {
    TestLecture test({"task: Which?\nchoice: a\nright: b", "task: Which?\nright: a\nchoice: b",
                      kWho + "\ntask: Which?\npredict: argmax(pattern[it])"});
    CHECK(answer_name(test.lecture, 0) == "Page");
    CHECK(answer_name(test.lecture, 1) == "Page (2)");
    const AnswerSheet sheet{
        "Test", {{"Page", {"b", ""}}, {"Page (2)", {"a", ""}}, {"Page (3)", {"cat", "", true}}}};
    std::vector<std::string> notes;
    CHECK(read_answers(write_answers(sheet), "t", notes) == sheet);
    const std::vector<GradedTask> tasks = grade(test.source, {sheet}, notes);
    REQUIRE(tasks.size() == 3);
    CHECK(notes.empty());
    CHECK(tasks[0].is_right == std::vector<bool>{true});
    CHECK(tasks[1].is_right == std::vector<bool>{true});
    CHECK(tasks[2].is_right == std::vector<bool>{false});
    CHECK(tasks[2].given == std::vector<std::string>{"cat (answer shown)"});
}

TEST_CASE("answers: a page whose study was changed is judged as it is written, and both are said") {
    TestLecture test({kWho + "\ntask: Which?\npredict: argmax(pattern[it])",
                      kWho + "\ntask: Which?\nchoice: a\nright: b"});
    Workspace space(no_study(), {});
    OpenPage page = open_page(test.source, 0, space);
    const PageTask task = *read_task(test.lecture.pages[0], "t");
    const auto on_page = [&](const std::string& answer) {
        return judge_on_page(test.source, page, task, answer);
    };
    const auto graded = [&](const std::string& answer) -> bool {
        std::vector<std::string> notes;
        const AnswerSheet sheet{"Test", {{"Page", {answer, ""}}}};
        return grade(test.source, {sheet}, notes).front().is_right.front();
    };
    using Is = Verdict::Is;
    CHECK(on_page("cat").said == "Right.");
    const auto type = [&](const std::string& text) {
        space.session.apply(
            {.label = "Type", .change = [&](Document& document) { set_text(document, text); }});
        settle(space);
    };
    type("The cat didn't cross the street because it was too wide");
    for (const char* answer : {"cat", "street", "didn't"})
        CHECK((on_page(answer).counted.is == Is::Right) == graded(answer));
    CHECK(on_page("cat").counted.is == Is::Right);
    CHECK(on_page("cat").said ==
          "The page as it is written counts: Right. As it is changed here: Not so.");
    CHECK(on_page("street").counted.is == Is::Wrong);
    CHECK(on_page("street").seen.is == Is::Right);
    CHECK(on_page("didn't").said == "Not so.");
    type("a dog");  // there is no “it” any more
    CHECK(on_page("cat").counted.is == Is::Right);
    CHECK(on_page("cat").seen.is == Is::Unreadable);
    const OpenPage choices = open_page(test.source, 1, space);
    type("a dog");
    CHECK(judge_on_page(test.source, choices, *read_task(test.lecture.pages[1], "t"), "b").said ==
          "Right.");
}

namespace {

const std::string kPattern = "blocks.1.attn.heads.0.pattern";

/// Whether a change of the first page's study reaches its goal: as `grade` judges it, and as the
/// slide does. The two must agree.
bool is_reached(TestLecture& test, const std::function<void(Document&)>& change) {
    Document changed = *test.documents.at(0);
    change(changed);
    const AnswerSheet sheet{
        "Test", {{"Page", {"", change_directive(*test.documents.at(0), changed)->value}}}};
    std::vector<std::string> notes;
    const bool is_graded = grade(test.source, {sheet}, notes).front().is_right.front();
    CHECK(notes.empty());
    Workspace space(no_study(), {});
    OpenPage page = open_page(test.source, 0, space);
    const PageTask task = *read_task(test.lecture.pages[0], "t");
    space.session.apply({.label = "Set", .change = change});
    const PageScope scope(test.source, page, {task.expression});
    const Verdict seen = judge_goal(test.source, page, task);
    CHECK((seen.is == Verdict::Is::Right) == is_graded);
    const bool is_condition_true = holds(task.expression, scope.scope());
    CHECK((is_graded || !is_condition_true || seen.said.find("does not count") != seen.said.npos));
    CHECK(is_condition_true);
    return is_graded;
}

std::function<void(Document&)> cell_set(const std::string& path, Index row, Index column,
                                        Scalar value) {
    return [=](Document& document) { set_cell(document, path, row, column, value); };
}

std::function<void(Document&)> all_set(const std::string& path, Scalar value) {
    return [=](Document& document) {
        const auto planned = plan(document);
        const PlannedTensor& tensor = planned->at(path);
        set_tensor(document, tensor,
                   Matrix::Constant(tensor.rows.size, tensor.columns.size, value));
    };
}

constexpr Index kIt = 7, kCat = 1;  // in the sentence of the study

}  // namespace

TEST_CASE("goals: numbers set by hand count only where the page lets one set them") {
    TestLecture test({kWho + "\ncontrol: layer.attention.temperature = 0.2:100"
                             "\ncontrol: embed[cat, 0] = -90:90\ntask: q\ngoal: "
                             "pattern[it, cat] < 0.5"});
    CHECK(is_reached(
        test, [](Document& document) { document.sentence()->layer.attention.temperature = 100; }));
    const auto with_temperature = [](const std::function<void(Document&)>& more) {
        return [more](Document& document) {
            document.sentence()->layer.attention.temperature = 100;
            more(document);
        };
    };
    CHECK(is_reached(test, with_temperature(cell_set("embed", kCat, 0, 0.5f))));
    CHECK_FALSE(is_reached(test, with_temperature(cell_set("embed", kCat, 1, 0.5f))));
    CHECK_FALSE(is_reached(test, cell_set(kPattern, kIt, kCat, 0)));  // what the goal reads
    CHECK_FALSE(is_reached(test, all_set("blocks.1.attn.heads.0.scores", 0)));  // before it
    CHECK_FALSE(is_reached(test, all_set("blocks.1.attn.heads.0.W_Q", 0)));     // a weight
}

TEST_CASE("goals: heads count where they can be switched off, their results do not") {
    const std::string goal = "\ntask: q\ngoal: norm(blocks.1.attn.heads.0.z) = 0";
    TestLecture with({kWho + "\ncontrol: blocks.1.attn.heads" + goal}),
        of_others({kWho + "\ncontrol: blocks.0.attn.heads" + goal});
    const std::string z = "blocks.1.attn.heads.0.z";
    const auto switched_off = [&](Document& document) { ablate(document, z, Ablation::Zero); };
    CHECK(is_reached(with, switched_off));
    CHECK_FALSE(is_reached(of_others, switched_off));
    CHECK_FALSE(is_reached(with, all_set(z, 0)));
    CHECK_FALSE(is_reached(with, all_set(kPattern, 0)));
}

TEST_CASE("goals: the matrix of a page can be set, unless the goal reads what it gives") {
    const std::string mask = "study: who-is-it\ntensor: mask",
                      z_is_0 = "\ntask: q\ngoal: norm(blocks.1.attn.heads.0.z[it]) = 0";
    const auto closed = cell_set("mask", kIt, kCat, -std::numeric_limits<Scalar>::infinity());
    const std::string goal = "\ntask: q\ngoal: " + kPattern + "[it, cat] = 0";
    TestLecture of_mask({mask + goal}),
        of_mask_and_slider({mask + "\ncontrol: layer.attention.temperature = 0.2:4" + goal}),
        of_pattern({kWho + goal}), of_z({kWho + z_is_0}),
        of_z_and_slider({kWho + "\ncontrol: layer.attention.temperature = 0.2:4" + z_is_0}),
        solved({kWho + goal + "\nsolution: set " + kPattern + "[it, cat] = 0"});
    CHECK(is_reached(of_mask, closed));
    CHECK(is_reached(of_mask_and_slider, closed));
    CHECK_FALSE(is_reached(of_pattern, closed));
    CHECK_FALSE(is_reached(of_pattern, cell_set(kPattern, kIt, kCat, 0)));
    CHECK(is_reached(of_z, all_set(kPattern, 0)));
    CHECK_FALSE(is_reached(of_z_and_slider, all_set(kPattern, 0)));
    CHECK(is_reached(solved, cell_set(kPattern, kIt, kCat, 0)));
    CHECK(check_page(solved.source, 0).failures.empty());
}

TEST_CASE("goals: what the page itself has set moves with its words and is no change") {
    TestLecture test({kWho + "\nset: embed[cat, 0] = 0.25\ncontrol: text\ntask: q\n"
                             "goal: rows(pattern) = 12"});
    CHECK(is_reached(
        test, [](Document& document) { set_text(document, "Now " + document.sentence()->text); }));
    CHECK_FALSE(is_reached(test, [](Document& document) {
        set_text(document, "Now " + document.sentence()->text);
        set_cell(document, "embed", kCat + 1, 0, 0.5f);
    }));
}

TEST_CASE("grading: a page whose own study cannot be computed is in the table, and says so") {
    const std::string broken = "study: nowhere.headlight";
    TestLecture test({kWho + "\nset: layer.d_model = 100000\ntask: q\ngoal: pattern[0, 0] > 2",
                      broken + "\ntask: Which?\npredict: argmax(pattern[it])",
                      broken + "\ntask: Which one?\nchoice: a\nright: b",
                      kWho + "\ntask: Which?\npredict: no_such[it]",
                      kWho + "\ntask: q\npredict: 1 +",
                      kWho + "\ntask: Which?\npredict: "
                             "argmax(pattern[it])"});
    const AnswerSheet sheet{"Test",
                            {{"Page", {"", "{}"}},
                             {"Page (2)", {"cat", ""}},
                             {"Page (3)", {"b", ""}},
                             {"Page (4)", {"cat", ""}},
                             {"Page (5)", {"2", ""}},
                             {"Page (6)", {"cat", ""}}}};
    std::vector<std::string> notes;
    std::vector<GradedTask> tasks;
    REQUIRE_NOTHROW(tasks = grade(test.source, {sheet, sheet}, notes));
    REQUIRE(tasks.size() == 6);
    const std::vector<std::string> given{"cannot be judged",       "cat (cannot be judged)", "b",
                                         "cat (cannot be judged)", "2 (cannot be judged)",   "cat"};
    for (std::size_t k = 0; k < 6; ++k) {
        CAPTURE(k);
        CHECK(tasks[k].given == std::vector<std::string>(2, given[k]));
        CHECK(tasks[k].count_right() == (k == 2 || k == 5 ? 2 : 0));
    }
    CHECK(notes.size() == 4);  // one a page
    CHECK(notes.front().starts_with("Page: no answer can be judged: [t] line "));
    CHECK(notes.front().find("this needs ") != std::string::npos);
}
