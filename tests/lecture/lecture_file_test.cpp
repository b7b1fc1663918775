#include <doctest/doctest.h>

#include "core/error.h"
#include "expression/expression.h"
#include "io/files/file.h"
#include "lecture/faults.h"
#include "lecture/lecture.h"
#include "lecture/lessons.h"
#include "scene/options/shown_options.h"
#include "source_folder.h"
#include "temporary_folder.h"

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
    ShownOptions shown;
    for (const TextOption& option : shown_options(shown))
        if (option.names == "--" + std::string(key.key)) return false;
    return true;
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
    CHECK(page.text_line == 11);
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
    CHECK(error_in("text").starts_with("[a.lecture line 1] a lecture begins"));
    CHECK(error_in("# A\n# B\n").starts_with("[a.lecture line 2] there is one title"));
    CHECK(error_in("# A\n## B\n```headlight\nrow it\n```\n").starts_with("[a.lecture line 4]"));
    CHECK(error_in("# A\n## B\n```headlight\nrwo: it\n```\n").find("'row'") != std::string::npos);
    CHECK(error_in("# A\n## B\n```headlight\nrow: it\n").starts_with("[a.lecture line 3]"));
    CHECK(error_in("# A\n```headlight\nrow: it\n```\n").starts_with("[a.lecture line 3]"));
    CHECK(error_in("# A\n> note\n").starts_with("[a.lecture line 2] notes belong"));
    CHECK(error_in("# A\n```study x\n{}\n```\n```study x\n{}\n```\n")
              .starts_with("[a.lecture line 5] there are two studies"));
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

TEST_CASE("a line like ##A is no heading, which is said with its line and what would be one") {
    Faults faults;
    const Lecture read =
        read_lecture("# T\n\n## P\n\n##A\n\n###  B\n##\n\n\\#c\n", "a.lecture", &faults);
    REQUIRE(faults.size() == 3);
    CHECK(
        std::string(faults[0].what()) ==
        "[a.lecture line 5] '##A' is no heading: a page begins with '## A'; as text it is '\\##A'");
    CHECK(std::string(faults[1].what()).starts_with("[a.lecture line 7] '###  B' is no heading"));
    CHECK(std::string(faults[2].what()).starts_with("[a.lecture line 8] '##' is no heading"));
    CHECK(read.pages.size() == 1);
    CHECK(read.pages[0].text == "##A\n\n###  B\n##\n\n#c");
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
             {"[a.lecture line 5] '##A'", "[a.lecture line 8] there is no key 'studi'",
              "[a.lecture line 9] there is no key 'tensr'"})
            CHECK(said.find(fault) != std::string::npos);
    }
    CHECK(read_right_lecture("# T\n\n## P\n", "a").pages.size() == 1);
}
