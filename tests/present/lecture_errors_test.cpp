// What a check says of a lecture that is wrong: never silence, never an abort, always the line.
#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <utility>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/files/file.h"
#include "present/check.h"
#include "present/file/page_directives.h"
#include "present/handout.h"
#include "present/page/page_control.h"
#include "present/page/page_scope.h"

using namespace headlight;

namespace {

const std::string kHead =
    "# T\n\n```study s\n{\"kind\": \"sentence\", \"text\": \"the cat saw the dog run\", \"layer\": "
    "{\"n_layers\": 2, \"d_model\": 8, \"attention\": {\"n_heads\": 2}, \"mask\": {\"causal\": "
    "true}}}\n```\n\n## P\n\n";

/// One page; the first line of `block` is line 14 of the file.
struct OnePage {
    explicit OnePage(const std::string& block, const std::string& text = "x")
        : OnePage(kHead + text +
                      "\n\n```headlight\nstudy: s\ntensor: blocks.0.attn.heads.0.pattern\n" +
                      block + "\n```\n",
                  std::filesystem::path()) {}
    OnePage(const std::string& bytes, const std::filesystem::path& folder)
        : lecture(read_lecture(bytes, "a.lecture")),
          documents(lecture, folder, "a.lecture"),
          source{lecture, documents, "a.lecture"} {}

    std::string failure() const {
        const CheckedPage page = check_page(source, 0);
        return page.failures.empty() ? std::string() : page.failures.front().what();
    }
    /// As a handout says it.
    std::string refusal() const {
        try {
            Progress progress;
            print_pages(source, {}, progress, [](const PrintedPage&) {});
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    Lecture lecture;
    mutable PageDocuments documents;
    PageSource source;
};

std::vector<std::string> texts(const Faults& failures) {
    std::vector<std::string> all;
    for (const Error& failure : failures) all.emplace_back(failure.what());
    return all;
}

std::string failure(const std::string& block, const std::string& text = "x") {
    return OnePage(block, text).failure();
}

bool says(const std::string& text, const std::string& part) {
    const bool is_there = text.find(part) != std::string::npos;
    if (!is_there) MESSAGE(text, " does not say ", part);
    return is_there;
}

const std::string kHere = "[a.lecture] line 14: “P” ";

}  // namespace

TEST_CASE("check says every fault of a page, each with its line, in their order") {
    const OnePage page(
        "row: nobody\ncolumn: nothing\nrows: nowhere\ncontrol: no.such = 0:1\ntop: many\n"
        "theme: drak\nclaim: pattern[it\nclaim: 1 = 2\nclaim: pattern[dog, cat] > 2\n"
        "task: q {no_such}\ngoal: 1 = 1\nhint: {pattern[cat\nsolution: set embed[nobody, 0] = 1\n"
        "solution: set layer.attention.temperature = 1",
        std::string(
            "{no_such_name} and {pattern[nobody, cat]}\n\n{pattern[cat, cat] +} {1 +}\n\n**open"));
    const std::vector<std::string> failures = texts(check_page(page.source, 0).failures);
    std::string all;
    for (const std::string& failure : failures) all += failure + "\n";
    CAPTURE(all);
    const std::pair<int, const char*> expected[] = {
        {9, "no_such_name"}, {9, "nobody"},
        {11, "column"},      {11, "column"},
        {13, "no end"},      {18, "nobody"},
        {19, "nothing"},     {20, "nowhere"},
        {21, "no.such"},     {22, "many"},
        {23, "drak"},        {24, "pattern[it"},
        {25, "the claim"},   {26, "does not hold"},
        {27, "no_such"},     {27, "the goal is true"},
        {29, "no end"},      {30, "the solution cannot be made"}};
    for (const auto& [line, words] : expected) {
        CAPTURE(line);
        CAPTURE(words);
        CHECK(std::ranges::any_of(failures, [&, line = line, words = words](const auto& failure) {
            return failure.starts_with("[a.lecture] line " + std::to_string(line) + ": “P” ") &&
                   failure.find(words) != std::string::npos;
        }));
    }
    CHECK(std::set(failures.begin(), failures.end()).size() == failures.size());
    CHECK(failures.size() == std::size(expected));
}

TEST_CASE("check says that a view is none, where the matrix is none as well") {
    const OnePage page(
        kHead + "```headlight\nstudy: s\nwhat: matrx\ntensor: no.such\nwith: nobody\n```\n",
        std::filesystem::path());
    const std::vector<std::string> failures = texts(check_page(page.source, 0).failures);
    REQUIRE(failures.size() == 3);
    CHECK(failures[0] ==
          "[a.lecture] line 11: “P” there is no view 'matrx'; did you mean 'matrix'?");
    CHECK(failures[1].starts_with("[a.lecture] line 12: “P” "));
    CHECK(failures[1].find("no.such") != std::string::npos);
    CHECK(failures[2].starts_with("[a.lecture] line 13: “P” "));
}

TEST_CASE("check says that an answer cannot be computed, where the question is missing as well") {
    const OnePage page("predict: no_such[it]");
    const std::vector<std::string> failures = texts(check_page(page.source, 0).failures);
    const auto has = [&](const char* words) {
        return std::ranges::any_of(failures, [&](const std::string& failure) {
            return failure.find(words) != std::string::npos;
        });
    };
    CHECK(has("no_such"));
    CHECK(has("the task needs its question"));
}

TEST_CASE("check says that a solution leads to a study that cannot be computed") {
    const OnePage page("task: q\ngoal: 1 = 2\nsolution: set layer.d_model = 100000");
    const std::vector<std::string> failures = texts(check_page(page.source, 0).failures);
    REQUIRE(failures.size() == 1);
    INFO(failures[0]);
    CHECK(failures[0].starts_with("[a.lecture] line "));
    CHECK(failures[0].find("“P” the study cannot be computed: ") != std::string::npos);
}

TEST_CASE("check says every change that cannot be made, and then evaluates nothing") {
    const OnePage page("set: embed[nobody, 0] = 1\nset: no.such = 1\nclaim: 1 = 2\nclaim: pattern[",
                       std::string("{no_such_name}"));
    const std::vector<std::string> failures = texts(check_page(page.source, 0).failures);
    REQUIRE(failures.size() == 3);
    CHECK(failures[0].starts_with("[a.lecture] line 14: "));
    CHECK(failures[1].starts_with("[a.lecture] line 15: "));
    CHECK(failures[2].starts_with("[a.lecture] line 17: "));
}

TEST_CASE("tasks: what cannot be predicted or put in order is an error, not an abort") {
    for (const char* order : {"pattern", "1", "argmax(pattern[cat])", "pattern[cat] > 0", "[1]",
                              "exp(1000 * pattern[the])", "'a'"}) {
        CAPTURE(order);
        CHECK(
            failure(std::string("order: ") + order + "\ntask: q").starts_with("[a.lecture] line "));
    }
    for (const char* asked : {"pattern", "pattern[cat]", "1 = 1", "exp(1000)", "0 / 0", "-∞"}) {
        CAPTURE(asked);
        CHECK(failure(std::string("predict: ") + asked + "\ntask: q")
                  .starts_with("[a.lecture] line 14: “P” column "));
    }
    CHECK(says(failure("order: pattern\ntask: q"), "this is a matrix of 6 × 6 numbers"));
    CHECK(says(failure("predict: 1 = 1\ntask: q"), "this is a condition"));
    for (const char* right : {"order: pattern[run]", "order: pattern[*, the]", "order: [2, 1]",
                              "predict: pattern[cat, the]", "predict: argmax(pattern[cat])"}) {
        CAPTURE(right);
        CHECK(failure(std::string(right) + "\ntask: q").empty());
    }
}

TEST_CASE("tasks: a value on the boundary of the tolerance is right") {
    const auto judged = [](const std::string& block, const std::string& answer) {
        const OnePage page("task: q\n" + block);
        Workspace space(no_study(), {});
        OpenPage open = open_page(page.source, 0, space);
        const auto task = read_task(page.lecture.pages[0], "t");
        const PageScope scope(page.source, open, {task->expression});
        return judge(*task, answer, scope.scope()).is;
    };
    using Is = Verdict::Is;
    CHECK(judged("predict: 1/2\nwithin: 0.05", "0.55") == Is::Right);
    CHECK(judged("predict: 1/2\nwithin: 0.05", "0.45") == Is::Right);
    CHECK(judged("predict: 1/2\nwithin: 0.05", "0.5501") == Is::Wrong);
    CHECK(judged("predict: 3\nwithin: 0", "3.0001") == Is::Wrong);
    CHECK(judged("predict: 1/2", "50%") == Is::Right);
    CHECK(judged("predict: 1/2\nwithin: 0.01", "47,5 %") == Is::Wrong);
    CHECK(judged("predict: 1/2", "% 50") == Is::Unreadable);
    CHECK(failure("claim: near([1, 2], [1, 2.1], 0.1)\nclaim: not near(2, 2.1001, 0.1)\nclaim: "
                  "near(-∞, -∞, 0) and not near(-∞, 1, 9)")
              .empty());
}

TEST_CASE("handouts: names that are to be put in order stand below the question") {
    const OnePage words("task: Sort them\norder: pattern[cat]\nhint: h");
    Progress progress;
    print_pages(words.source, {}, progress, [&](const PrintedPage& printed) {
        REQUIRE(printed.task_text.choices.size() == 6);
        CHECK(plain_text(printed.task_text.choices[1]) == "cat");
    });
    const std::string html = at_once(write_handout_html(words.source, {}, progress));
    CHECK(says(html, "<p>the · cat · saw · the · dog · run</p>"));
    CHECK(html.find("checkbox") == std::string::npos);
}

TEST_CASE("check: a value or a key that is wrong is an error with its line") {
    struct Wrong {
        const char *block, *says;
    };
    for (const Wrong& wrong : {
             Wrong{"theme: drak", "theme: is light, dark or contrast, not 'drak'"},
             {"minutes: -3", "minutes: is a number of minutes, from 0, not '-3'"},
             {"minutes: nan", "minutes: is a number"},
             {"minutes: soon", "minutes: is a number"},
             {"animate: -2", "animate: is a number of seconds from 0 to 60"},
             {"animate: x", "animate: is a number of seconds"},
             {"tensor: embed", "tensor: is given twice"},
             {"study: karate", "study: is given twice"},
             {"names: a\nwith: before", "names: 'a' is not two names with | between them"},
             {"control: layer.attention.temperature = 0:1e9",
              "'layer.attention.temperature' goes from"},
             {"part: blocks.7", "part: the study has no part 'blocks.7'"},
             {"text:", "there is no word to attend to"},
             {"with: text ", "there is no word to attend to"},
             {"with: other.lecture", "'other.lecture' is a lecture; a page is about a study"},
         }) {
        CAPTURE(wrong.block);
        const std::string said = failure(wrong.block);
        CHECK(said.starts_with(kHere));
        CHECK(says(said, wrong.says));
    }
    const std::string twice = "control: embed[cat, 0] = 0:1\ncontrol: embed[1, 0] = -1:1";
    CHECK(failure(twice).starts_with("[a.lecture] line 15: “P” 'embed[1, 0]' has a control"));
    CHECK(failure("row: cat\ncolumn: elephant").starts_with("[a.lecture] line 15:"));
    CHECK(failure("what: panels\npanel: *.patern").starts_with("[a.lecture] line 15:"));
    CHECK(failure("what: panels\nacross: 99").starts_with("[a.lecture] line 15:"));
    const std::string mixed = failure(
        "what: panels\npanel: blocks.0.attn.heads.0.pattern\npanel: blocks.0.attn.heads.0.W_Q");
    CHECK(mixed.starts_with(kHere));
    CHECK(says(mixed,
               "panels have one shape: blocks.0.attn.heads.0.pattern is 6 × 6, "
               "blocks.0.attn.heads.0.W_Q is 8 × 4"));
    for (const char* right :
         {"theme: dark\nminutes: 0.5\nanimate: 0", "claim: 1 = 1\nclaim: 2 = 2",
          "control: layer.attention.temperature = 0.2:4\ncontrol: text", "rows: cat\nrows: saw",
          "what: panels", "what: panels\npanel: blocks.*.attn.heads.0.pattern\nacross: 2",
          "with: text the cat saw a dog run\nnames: a|b\nsides: both"}) {
        CAPTURE(right);
        CHECK(failure(right).empty());
    }
}

TEST_CASE("check: what an export cannot draw fails before it, with the same words") {
    for (const char* block : {"what: plane", "what: graph", "with: text ", "what: image"}) {
        CAPTURE(block);
        const OnePage page(block);
        CHECK(page.failure().starts_with("[a.lecture] line "));
        CHECK(page.refusal() == page.failure());
    }
    CHECK(OnePage("what: plane").failure().starts_with(kHere));
    const OnePage text("# T\n\n## Words\n\n{1 + 2}\n\n```headlight\nclaim: 1 = 1\n```\n",
                       std::filesystem::path());
    CHECK(text.failure().starts_with("[a.lecture] line 5: “Words” the page has no study"));
    CHECK(text.refusal() == text.failure());
    const OnePage task("# T\n\n## W\n\n```headlight\ntask: q\nright: a\nchoice: b\n```\n",
                       std::filesystem::path());
    CHECK(task.failure().empty());
    CHECK(task.refusal().empty());
    for (const char* kind : {"predict: 1 + 2", "order: [1, 2]", "goal: 1 > 2"}) {
        CAPTURE(kind);
        const OnePage other(
            "# T\n\n## W\n\n```headlight\ntask: q\n" + std::string(kind) + "\n```\n",
            std::filesystem::path());
        CHECK(
            says(other.failure(), "[a.lecture] line 6: “W” a task without choices needs a study"));
        CHECK(other.refusal() == other.failure());
    }
}

TEST_CASE("check: what stands inside the file is named with the file's line") {
    const auto at_page = [](const std::string& text) {
        return OnePage(text, std::filesystem::path()).failure();
    };
    const std::string page = "## P\n\n```headlight\nstudy: s\n```\n";
    const std::string study =
        "# T\n\n```study s\n{\"kind\": \"sentence\",\n \"txt\": \"a\"}\n```\n\n";
    CHECK(at_page(study + page).starts_with("[a.lecture] line 5: “P” "));
    CHECK(says(at_page(study + page), "txt"));
    const OnePage unused(study + "## P\n\nx\n", std::filesystem::path());
    CHECK(unused.failure().empty());
    REQUIRE(check_rest(unused.source).size() == 1);
    CHECK(check_rest(unused.source)[0].place() == ErrorPlace{"a.lecture", 5, "txt"});
    const std::string curve = "# T\n\n```curve C\nstep,loss\n2,2\n1,1\n```\n\n";
    CHECK(at_page(curve + "## P\n\n```headlight\ncurve: C\n```\n")
              .starts_with("[a.lecture] line 6: “P” "));
    REQUIRE(check_rest(OnePage(curve + "## P\n\nx\n", std::filesystem::path()).source).size() == 1);
    CHECK(check_rest(
              OnePage(kHead + "x\n\n```headlight\nstudy: s\n```\n", std::filesystem::path()).source)
              .empty());
}

TEST_CASE("check: the name of a setting that is mistyped is near one that there is") {
    CHECK(says(failure("set: layer.atention.temperature = 1"),
               "did you mean 'layer.attention.temperature'?"));
    CHECK(says(failure("set: layer.attention.temprature = 1"),
               "did you mean 'layer.attention.temperature'?"));
    CHECK(says(failure("set: temperature = 1"), "did you mean 'layer.attention.temperature'?"));
    CHECK(says(failure("set: embd = 1"), "did you mean 'embed'?"));
}

TEST_CASE("check: another file is named with the page's line") {
    const TemporaryFolder folder;
    write_file(folder.file("b.headlight"), "{\"kind\": \"sentence\",\n\"txt\": 1}");
    write_file(folder.file("c.lecture"), "# T\n\n## P\n");
    const auto of = [&](const std::string& study) {
        return OnePage("# T\n\n## P\n\n```headlight\nstudy: " + study + "\n```\n",
                       std::filesystem::path(folder.file("")))
            .failure();
    };
    CHECK(of("b.headlight").starts_with("[a.lecture] line 6: “P” "));
    CHECK(says(of("b.headlight"), "b.headlight: line 2"));
    CHECK(says(of("c.lecture"), "'c.lecture' is a lecture"));
}

TEST_CASE("lectures: a second block, and a byte order mark") {
    const std::string block = "```headlight\nstudy: karate\n```\n";
    CHECK_THROWS_WITH_AS(read_lecture("# T\n\n## P\n" + block + "\n" + block, "a.lecture"),
                         "[a.lecture] line 8: there is one block ```headlight here already, in "
                         "line 4",
                         Error);
    CHECK_NOTHROW(read_lecture("# T\n\n## P\n" + block + "\n## Q\n" + block, "a.lecture"));
    CHECK_THROWS_WITH_AS(read_lecture("# T\n\n\xff\n", "a.lecture"),
                         "[a.lecture] line 3: not UTF-8 at byte 5; save it as UTF-8", Error);
    CHECK(read_lecture("\xef\xbb\xbf# T\n\n## P\n", "a.lecture").title == "T");
}

TEST_CASE("names: the second of equal words can be meant wherever an index stands") {
    for (const char* block :
         {"row: the#2", "row: the#2\ncolumn: the#2", "rows: the, the#2", "rows: the..the#2",
          "columns: cat, the#2", "set: embed[the#2, 0] = 3\nclaim: embed[3, 0] = 3",
          "control: embed[the#2, 0] = 0:1",
          "with: set embed[the#2, 0] = 3\nclaim: b.embed[3, 0] = 3",
          "claim: pattern[the#2, the#1] = pattern[3, 0]"}) {
        CAPTURE(block);
        CHECK(failure(block).empty());
    }
    CHECK(says(failure("row: the#3"), "has no row 'the#3': there are 2 called 'the'"));
    CHECK(says(failure("set: embed[no#2, 0] = 1"), "has no row 'no#2'"));
    const OnePage page("row: the#2");
    Workspace space(no_study(), {});
    open_page(page.source, 0, space);
    CHECK(space.selection.held().indices.query == 3);
}

TEST_CASE("handouts: what is to be predicted is covered, on paper and in a browser") {
    const auto marks = [](const std::string& block) {
        const OnePage page(block);
        Progress progress;
        std::string texts;
        bool has_colors = false;
        print_pages(page.source, {}, progress, [&](const PrintedPage& printed) {
            for (const Mark& mark : printed.figure.figure.marks) {
                if (const auto* text = std::get_if<TextMark>(&mark)) texts += text->text + "\n";
                const auto* map = std::get_if<HeatmapMark>(&mark);
                if (map && map->values && map->values->size() == 36)
                    has_colors = has_colors || map->values->maxCoeff() > 0;
            }
        });
        return std::pair(texts, has_colors);
    };
    const auto [covered, has_colors] = marks("task: q\npredict: pattern[cat, the]");
    const auto [open, has_open_colors] = marks("task: q\npredict: pattern[cat, the]\ncover: off");
    CHECK(says(open, "1.000"));
    CHECK(has_open_colors);
    CHECK(covered.find("1.000") == std::string::npos);
    CHECK_FALSE(has_colors);
    CHECK(marks("task: q\nright: a\nchoice: b").second);
    const auto html = [](const std::string& block) {
        Progress progress;
        return at_once(write_handout_html(OnePage(block).source, {}, progress));
    };
    const std::string asked = html("task: q\npredict: pattern[cat, the]");
    const std::size_t answer = asked.find("<summary>Answer"), maps = asked.find("&quot;v&quot;");
    REQUIRE(answer != std::string::npos);
    CHECK(maps > answer);  // the numbers are behind the click
    CHECK(html("task: q\npredict: pattern[cat, the]\ncover: off").find("&quot;v&quot;") < answer);
    const std::string goal = html(
        "task: q\ngoal: embed[cat, 0] = 7\nsolution: set embed[cat, 0] = 7\nsolution: text the "
        "cat");
    CHECK(says(goal, "<summary>Answer</summary>embed[cat, 0] = 7; the text “the cat”</details>"));
}

TEST_CASE("check: a claim that fails says enough digits to see why") {
    CHECK(says(failure("claim: 1.00001 > 1.00002"), "1.00001 > 1.00002"));
    CHECK(says(failure("claim: 0.5 > 0.7"), "0.500 > 0.700"));
}
