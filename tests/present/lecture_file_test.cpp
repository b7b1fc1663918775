#include <doctest/doctest.h>

#include "core/error.h"
#include "expression/expression.h"
#include "io/files/file.h"
#include "present/lecture.h"
#include "present/lessons.h"
#include "present/page/page_text.h"
#include "source_folder.h"
#include "temporary_folder.h"
#include "views/view_state.h"

using namespace headlight;

namespace {

constexpr const char* kSmall = R"(# Attention in 20 minutes

What a lecture is about.

```headlight
minutes: 20
```

## Who is “it”?

One adjective decides.
\# no page

> Ask first.

```headlight
study: who-is-it
row: it
claim: pattern[it, cat] > 0.5
```

## Another page

```study mine
{"headlight": 1}
```
)";

std::string error_in(const std::string& text) {
    try {
        read_lecture(text, "a.lecture");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// True unless it is an option of a view.
bool is_own_key(const DirectiveKey& key) {
    return !find_view_option(key.key);
}

}  // namespace

TEST_CASE("a lecture: pages with text, notes and directives are read") {
    const Lecture lecture = read_lecture(kSmall, "a.lecture");
    CHECK(lecture.title == "Attention in 20 minutes");
    CHECK(lecture.text == "What a lecture is about.");
    REQUIRE(lecture.pages.size() == 2);
    const LecturePage& page = lecture.pages[0];
    CHECK(page.title == "Who is “it”?");
    CHECK(page.text == "One adjective decides.\n# no page");
    CHECK(page.text_lines.front() == 11);
    CHECK(page.notes == "Ask first.");
    REQUIRE(find_value(page.directives, "row"));
    CHECK(*find_value(page.directives, "row") == "it");
    CHECK(page.directives[2].line == 19);
    CHECK(lecture.studies.at("mine") == "{\"headlight\": 1}\n");
}

TEST_CASE("a lecture: writing what was read gives the same text") {
    const Lecture lecture = read_lecture(kSmall, "a.lecture");
    CHECK(write_lecture(lecture) == kSmall);
    CHECK(read_lecture(write_lecture(lecture), "a.lecture") == lecture);
}

TEST_CASE("a lecture: what is wrong is named with its line") {
    CHECK(error_in("text").starts_with("[a.lecture] line 1: a lecture begins"));
    CHECK(error_in("# A\n# B\n").starts_with("[a.lecture] line 2: there is one title"));
    CHECK(error_in("# A\n## B\n```headlight\nrow it\n```\n").starts_with("[a.lecture] line 4:"));
    CHECK(error_in("# A\n## B\n```headlight\nrwo: it\n```\n").find("'row'") != std::string::npos);
    CHECK(error_in("# A\n## B\n```headlight\nrow: it\n").starts_with("[a.lecture] line 3:"));
    CHECK(error_in("# A\n```headlight\nrow: it\n```\n").starts_with("[a.lecture] line 3:"));
    CHECK(error_in("# A\n> note\n").starts_with("[a.lecture] line 2: notes belong"));
    CHECK(error_in("# A\n```study x\n{}\n```\n```study x\n{}\n```\n")
              .starts_with("[a.lecture] line 5: there are two studies"));
}

TEST_CASE("docs/lectures.md: all keys and functions are there, in the program's words") {
    const std::string page = read_file(source_folder() / "docs/lectures.md");
    for (const DirectiveKey& key : directive_keys()) {
        CAPTURE(key.key);
        const std::string row = "| `" + std::string(key.key) + "` | " + key.what + " |";
        // Those of views are described by `headlight export --help`.
        if (is_own_key(key)) CHECK(page.find(row) != std::string::npos);
    }
    for (const FunctionWords& function : expression_functions()) {
        const std::string row = "| `" + std::string(function.name) + "(" + function.arguments +
                                ")` | " + function.what + " |";
        CAPTURE(row);
        CHECK(page.find(row) != std::string::npos);
    }
}

TEST_CASE("a lesson is known by the name of its file where there is no such file") {
    CHECK(read_lecture_or_lesson("masks.lecture").title == read_lesson("masks").title);
    CHECK_THROWS_AS(read_lecture_or_lesson("nowhere/masks.lecture"), Error);
    CHECK_THROWS_AS(read_lecture_or_lesson("nothing.lecture"), Error);
    TemporaryFolder folder;
    const std::string own = folder.file("masks.lecture");
    write_file(own, "# Mine\n\n## Page\n");
    CHECK(read_lecture_or_lesson(own).title == "Mine");
}

TEST_CASE("a lecture: what is too long to be drawn is named with its line and the limit") {
    const auto error = [](const std::string& text) -> std::string {
        try {
            read_lecture(text, "a.lecture");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    const std::string long_line(kMostPageBytes + 1, 'a'), title(kMostTitleBytes + 1, 'a');
    const std::string limit = " has 20001 bytes; it can have 20000";
    CHECK(error("# T\n\n" + long_line) == "[a.lecture] line 3: the text below the title" + limit);
    CHECK(error("# T\n\n## P\n\n" + long_line + "\n\n## Q\n") ==
          "[a.lecture] line 5: the text of the page" + limit);
    CHECK(error("# T\n\n## P\n\n> " + long_line) ==
          "[a.lecture] line 5: the notes of the page" + limit);
    CHECK(error("# T\n## P\n```headlight\ntask: " + long_line + "\n```\n")
              .starts_with("[a.lecture] line 4: 'task' has 20007 bytes"));
    CHECK(error("# " + title) == "[a.lecture] line 1: the title has 501 bytes; it can have 500");
    CHECK(error("# T\n## " + title)
              .starts_with("[a.lecture] line 2: the title of the page has 501 bytes"));
    CHECK(error("# T\n## P\n```headlight\ntext: " + long_line + "\n```\n").empty());
    CHECK(error("# T\n\n## P\n\n" + long_line.substr(1)).empty());
}

TEST_CASE("read_lecture says every fault of a file, and reads what is around them") {
    const std::string bytes =
        "# T\n\n> lost\n\n```study s\n{}\n\n## P\n\n```python\nx = 1\n```\n\n"
        "```headlight\nstudy: attention\nno such: 1\n\nwords\n\n## Q\n\n"
        "```headlight\nrow it\nrow: cat\n```\n\n```headlight\nrow: it\n```\n```\n";
    Faults faults;
    const Lecture lecture = read_lecture(bytes, "a.lecture", &faults);
    const std::pair<int, const char*> expected[] = {
        {5, "no end"},  {3, "notes belong"}, {10, "a block is"}, {16, "no key 'no such'"},
        {14, "no end"}, {23, "key: value"},  {27, "one block"},  {30, "a block is"}};
    REQUIRE(faults.size() == std::size(expected));
    for (std::size_t k = 0; k < faults.size(); ++k) {
        CHECK(faults[k].place() == ErrorPlace{"a.lecture", expected[k].first});
        CHECK(faults[k].problem().find(expected[k].second) != std::string::npos);
    }
    CHECK(lecture.studies.at("s") == "{}\n");
    REQUIRE(lecture.pages.size() == 2);
    CHECK(lecture.pages[0].directives == Directives{{"study", "attention"}});
    CHECK(lecture.pages[0].text == "words");
    CHECK(lecture.pages[1].directives == Directives{{"row", "cat"}});
    CHECK_THROWS_WITH_AS(read_lecture(bytes, "a.lecture"),
                         "[a.lecture] line 5: the block that begins here has no end, a line ```",
                         Error);
    CHECK_THROWS_AS(read_lecture("words\n", "a.lecture", &faults), Error);
}

TEST_CASE("a fault in a text is at its line, also after a block and before the pages") {
    const Lecture lecture = read_lecture(
        "# T\n\n{0 +}\n\n## P\n\na\n\n```headlight\nwhat: none\n```\nb\n{1 +}\n\n{2 +}\n",
        "a.lecture");
    Faults faults;
    static_cast<void>(read_page_text(lecture.text, "a", lecture.text_lines, &faults));
    const LecturePage& page = lecture.pages.front();
    static_cast<void>(read_page_text(page.text, "a", page.text_lines, &faults));
    REQUIRE(faults.size() == 3);
    CHECK(faults[0].place() == ErrorPlace{"a", 3});
    CHECK(faults[1].place() == ErrorPlace{"a", 13});
    CHECK(faults[2].place() == ErrorPlace{"a", 15});
}

TEST_CASE("a line like ##A is no heading, which is said with its line and what would be one") {
    Faults faults;
    const Lecture read =
        read_lecture("# T\n\n## P\n\n##A\n\n###  B\n##\n\n\\#c\n", "a.lecture", &faults);
    REQUIRE(faults.size() == 3);
    CHECK(std::string(faults[0].what()) ==
          "[a.lecture] line 5: '##A' is no heading: a page begins with '## A'; as text it is "
          "'\\##A'");
    CHECK(std::string(faults[1].what()).starts_with("[a.lecture] line 7: '###  B' is no heading"));
    CHECK(std::string(faults[2].what()).starts_with("[a.lecture] line 8: '##' is no heading"));
    CHECK(read.pages.size() == 1);
    CHECK(read.pages[0].text == "##A\n\n###  B\n##\n\n#c");
}

TEST_CASE("a heading or a block after blanks is not taken for text in silence") {
    Faults faults;
    const Lecture read = read_lecture(
        "# T\n\n## P\n\n ## A\n\n  ```headlight\n\\ ## as text\n # 1\n#", "a.lecture", &faults);
    REQUIRE(faults.size() == 4);
    CHECK(
        std::string(faults[0].what()) ==
        "[a.lecture] line 5: blanks stand before '## A': a heading begins its line; as text it is "
        "'\\ ## A'");
    CHECK(std::string(faults[1].what())
              .starts_with("[a.lecture] line 7: blanks stand before '```headlight': a block "));
    CHECK(faults[2].place() == ErrorPlace{"a.lecture", 9});
    CHECK(read.pages[0].text.find(" ## as text") != std::string::npos);

    Lecture typed;
    typed.title = "T";
    typed.pages.push_back({.title = "P", .text = "x\n ## as text\n  ```\n\\ # y", .notes = {}});
    CHECK(read_lecture(write_lecture(typed), "a.lecture") == typed);
}

TEST_CASE("a lecture that is not right is refused with all that is wrong in its form") {
    const std::string text =
        "# T\n\n## P\n\n##A\n\n```headlight\nstudi: who-is-it\ntensr: embed\n```\n";
    try {
        static_cast<void>(read_right_lecture(text, "a.lecture"));
        FAIL("it was read");
    } catch (const Error& error) {
        const std::string said = error.what();
        CAPTURE(said);
        CHECK(said.starts_with("[a.lecture] is not opened: it has 3 faults\n"));
        for (const char* fault :
             {"[a.lecture] line 5: '##A'", "[a.lecture] line 8: there is no key 'studi'",
              "[a.lecture] line 9: there is no key 'tensr'"})
            CHECK(said.find(fault) != std::string::npos);
    }
    CHECK(read_right_lecture("# T\n\n## P\n", "a").pages.size() == 1);
}
