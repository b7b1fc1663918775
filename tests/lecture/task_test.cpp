// The words of tasks and their figure.
#include <doctest/doctest.h>
#include <set>

#include "core/error.h"
#include "lecture/check.h"
#include "lecture/page_figure.h"

using namespace headlight;

namespace {

const std::string kTaskPage = "study: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\nrow: it";

/// A lecture of these blocks, one a page.
struct TaskLecture {
    explicit TaskLecture(const std::vector<std::string>& blocks)
        : lecture(read_lecture(text(blocks), "t")),
          documents(lecture, {}, "t"),
          source{lecture, documents, "t"} {}

    static std::string text(const std::vector<std::string>& blocks) {
        std::string text = "# Test\n";
        for (const std::string& block : blocks)
            text += "\n## Page\n\n```headlight\n" + block + "\n```\n";
        return text;
    }

    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

}  // namespace

TEST_CASE("a task's words: markup and values as in the text of a page, errors with the line") {
    const std::string block =
        kTaskPage +
        "\ntask: What of *it*, $A_{ij}$?\nchoice: `street`\n"
        "right: the **cat**: {pattern[it, cat]:1}\nhint: {argmax(pattern[it])}";
    TaskLecture test({block, block + "\nhint: {nobody[1]}", block + "\nhint: a `quote"});
    const auto words = [&](std::size_t at) {
        Workspace space(no_study(), {});
        OpenPage page = open_page(test.source, at, space);
        return filled_task(test.source, page, *read_task(test.lecture.pages[at], "t"));
    };
    const auto error = [&](std::size_t at) -> std::string {
        try {
            words(at);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    const TaskText text = words(0);
    CHECK(plain_text(text.question) == "What of it, A_ij?");
    CHECK(text.question.blocks[0].spans[0].is_bold);
    CHECK(text.choices[0].blocks[0].spans[0].kind == TextSpan::Kind::Code);
    CHECK(plain_text(text.choices[1]) == "the cat: 1.0");
    CHECK(plain_text(text.hints[0]) == "cat");
    CHECK(error(1).find("t, line 25") != std::string::npos);
    CHECK(error(2).find("t, line 38") != std::string::npos);
    CHECK(check_page(test.source, 0).failures.empty());
    CHECK(check_page(test.source, 1).failures.size() == 1);
}

TEST_CASE("a task as a figure: choices stand inside the width, numbered, none over another") {
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    TaskText text{.question = plain_words("Which one of them is it, do you think?")};
    for (int k = 0; k < 11; ++k)
        text.choices.push_back(plain_words("answer " + std::string(9 * k, 'x')));
    for (const float width : {240.0f, 600.0f}) {
        const TaskPicture picture = task_picture(
            text, {.width = width, .theme = theme_named(ThemeName::Light), .measure = measure});
        REQUIRE(picture.choices.size() == 11);
        std::set<std::string> numbers;
        for (const Mark& mark : picture.figure.marks)
            if (const auto* label = std::get_if<TextMark>(&mark))
                if (label->align == Align::Middle) numbers.insert(label->text);
        CHECK(numbers.size() == 9);
        for (std::size_t a = 0; a < 11; ++a) {
            CHECK(picture.choices[a].right() <= width + 0.5f);
            CHECK(picture.choices[a].bottom() <= picture.figure.height + 0.5f);
            for (std::size_t b = a + 1; b < 11; ++b)
                CHECK(common_part(picture.choices[a], picture.choices[b]).is_empty());
        }
    }
}
