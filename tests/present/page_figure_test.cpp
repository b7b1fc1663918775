// A page laid out: titles with formulas, the place of a task, what has no room.
#include "present/page/page_figure.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "core/error.h"
#include "io/pictures/figure_text.h"
#include "present/handout.h"
#include "present/page/page_text_figure.h"
#include "present/speaker_sheet.h"

using namespace headlight;

namespace {

struct WrittenPages {
    explicit WrittenPages(const std::string& text)
        : lecture(read_lecture(text, "t")), documents(lecture, {}, "t") {}

    std::vector<PageFigure> print(Point size = {kWidePage, kPageHeight}) {
        std::vector<PageFigure> pages;
        Progress progress;
        print_pages(source, {.size = size}, progress,
                    [&](const PrintedPage& page) { pages.push_back(page.figure); });
        return pages;
    }

    Lecture lecture;
    PageDocuments documents;
    PageSource source{lecture, documents, "t"};
};

/// Null if there is none.
const TextMark* find_words(const Figure& figure, const std::string& words) {
    for (const Mark& mark : figure.marks)
        if (const auto* text = std::get_if<TextMark>(&mark); text && text->text == words)
            return text;
    return nullptr;
}

bool has_part(const Figure& figure, const std::string& part) {
    return std::ranges::any_of(figure.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text.find(part) != std::string::npos;
    });
}

/// The least size of numbers such as 0.123.
float least_number(const Figure& figure) {
    float least = 100;
    for (const Mark& mark : figure.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->align != Align::Middle || text->text.size() < 4) continue;
        if (text->text.find_first_not_of("0123456789.") == std::string::npos)
            least = std::min(least, text->size);
    }
    return least;
}

const std::string kStudy =
    "```headlight\nstudy: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\nrow: it\n";

}  // namespace

TEST_CASE("a page: what is to be predicted is not told by the arithmetic of its cell") {
    const std::string cell = kStudy + "what: explain\ncolumn: cat\n";
    WrittenPages pages("# T\n\n## Open\n\n" + cell + "```\n\n## Asked\n\n" + cell +
                       "task: How much?\npredict: pattern[it, cat]\n```\n");
    const auto printed = pages.print();
    CHECK(has_part(printed[0].figure, "Softmax of"));
    CHECK(!has_part(printed[1].figure, "Softmax of"));
    CHECK(!has_part(printed[1].figure, "max S"));
}

TEST_CASE("a page: the lens of all logits has every word, on wide and on square screens") {
    WrittenPages pages(
        "# T\n\n## Logits\n\n```headlight\nstudy: language-model\nwhat: logits\n```\n");
    for (const Point size : {Point{kWidePage, kPageHeight}, Point{640, 480}, Point{1280, 960}}) {
        const PageFigure page = pages.print(size).front();
        CAPTURE(size.x);
        for (const char* card : {"Next word", "Logit lens", "Where the logit comes from"})
            CHECK(has_part(page.figure, card));
        CHECK(!has_part(page.figure, "shown"));  // "1 of 3 words shown", on one line or two
    }
}

TEST_CASE("titles: what stands between two $ is a formula; other dollars are dollars") {
    CHECK(plain_title("Why $\\sqrt{d_k}$") == "Why √d_k");
    CHECK(plain_title("From $5 to $6") == "From $5 to $6");
    CHECK(plain_title("Costs $5") == "Costs $5");
    CHECK(plain_title("$\\unknown$") == "$\\unknown$");
    CHECK(plain_title("snake_case and **stars**, *one* and `code`") ==
          "snake_case and stars, one and code");
    CHECK(plain_title("2*3*4 and a * b * c, **open") == "2*3*4 and a * b * c, **open");
    const auto spans = title_spans("Why $W_Q W_K^T$?");
    REQUIRE(spans.size() == 3);
    CHECK(spans[1].kind == TextSpan::Kind::Formula);
    CHECK(spans[2].text == "?");
}

TEST_CASE("pages: the line at the end says where weights come from that the page shows") {
    WrittenPages pages(
        "# T\n\n## Picture\n\nWords.\n\n" + kStudy +
        "```\n\n## Curves\n\nThey rise.\n\n```headlight\ncurve: c\n```\n\n## Value\n\nIt is "
        "{pattern[it, cat]:2}.\n\n```headlight\nwhat: none\n```\n\n## Words\n\nNo number.\n\n"
        "```headlight\nwhat: none\n```\n\n```curve c\nstep,loss\n1,3\n2,1\n```\n");
    const std::vector<PageFigure> printed = pages.print();
    REQUIRE(printed.size() == 4);
    const char* origin = "trained: Who is it?";
    CHECK(has_part(printed[0].figure, origin));
    CHECK_FALSE(has_part(printed[1].figure, origin));
    CHECK(has_part(printed[2].figure, origin));
    CHECK_FALSE(has_part(printed[3].figure, origin));
}

TEST_CASE("pages: on a page of words alone the question follows the words, which are larger") {
    const std::string task = "task: Why?\nright: So.\nchoice: No.\n```\n";
    WrittenPages pages("# T\n\n## Alone\n\nOne line.\n\n```headlight\nwhat: none\n" + task +
                       "\n## Shown\n\nOne line.\n\n" + kStudy + task);
    const std::vector<PageFigure> printed = pages.print();
    const TextMark *words = find_words(printed[0].figure, "One line."),
                   *question = find_words(printed[0].figure, "Why?"),
                   *shown = find_words(printed[1].figure, "One line.");
    REQUIRE((words && question && shown));
    CHECK(words->size > 1.2f * shown->size);
    CHECK(question->at.y > words->at.y);
    CHECK(question->at.y < words->at.y + 3 * words->size);
}

TEST_CASE("titles: a formula is set as one on the page, for the speaker and in a browser") {
    WrittenPages written("# On $W_Q$\n\n## Why $W_Q W_K^T$\n\nWords.\n");
    const Figure page = written.print().front().figure;
    const TextMark* low = find_words(page, "Q");
    const TextMark* high = find_words(page, "T");
    REQUIRE(low);
    REQUIRE(high);
    CHECK(high->at.y < low->at.y);
    CHECK(low->size < 0.8f * find_words(page, "Why ")->size);
    CHECK_FALSE(has_part(page, "_"));

    const SpeakerView view{.lecture = written.lecture, .paper = {255, 255, 255, 255}, .clock = ""};
    const Figure sheet =
        speaker_sheet(view, {960, 540}, theme_named(ThemeName::Light), pango_measure());
    CHECK(find_words(sheet, "Q"));
    CHECK_FALSE(has_part(sheet, "W_Q"));

    Progress progress;
    const std::string html = at_once(write_handout_html(written.source, {}, progress));
    CHECK(html.find("<h2>Why <i class=\"f\">W<sub>Q</sub> W<sub>K</sub><sup>T</sup></i></h2>") !=
          std::string::npos);
    CHECK(html.find("<title>On W_Q</title>") != std::string::npos);
}

TEST_CASE("titles: one that is too long is shortened in plain letters") {
    WrittenPages written("# T\n\n## " + std::string(300, 'x') + " $W_Q$\n\nWords.\n");
    const Figure page = written.print().front().figure;
    CHECK(has_part(page, "…"));
    for (const Mark& mark : page.marks)
        if (const auto* text = std::get_if<TextMark>(&mark))
            CHECK(text->at.x + pango_measure()(text->text, text->size, text->font) <=
                  kWidePage + 1);
}

TEST_CASE("a short question has its line for the answer beside it, a long one below") {
    const auto line_of = [](const std::string& question) {
        WrittenPages written("# T\n\n## P\n\nWords.\n\n" + kStudy +
                             "cover: off\ntask: " + question + "\npredict: 1\n```\n");
        const Figure page = written.print().front().figure;
        const TextMark* line = find_words(page, "Answer: ______________________");
        REQUIRE(line);
        return line->at;
    };
    CHECK(line_of("Which?").x > kWidePage / 2);
    CHECK(line_of(std::string(90, 'n') + "?").x < kWidePage / 2);
}

TEST_CASE("a high task stands under the text where the matrix is larger then") {
    const std::string choices =
        "task: Which of these is right?\nright: one\nchoice: " + std::string(70, 'a') +
        "\nchoice: " + std::string(70, 'b') + "\nchoice: " + std::string(70, 'c') + "\n```\n";
    WrittenPages words("# T\n\n## P\n\nShort.\n\n" + kStudy + "what: words\n" + choices);
    const PageFigure tall = words.print().front();
    const TextMark* question = find_words(tall.figure, "Which of these is right?");
    REQUIRE(question);
    const TextMark* word = find_words(tall.figure, "tired");
    REQUIRE(word);
    CHECK(word->at.y > question->at.y);  // beside the card, not above it
    CHECK(word->size >= 0.025f * kPageHeight);
}

TEST_CASE("under a question eleven rows have numbers that can be read from the last row") {
    WrittenPages written("# T\n\n## P\n\nOne line of words.\n\n" + kStudy +
                         "cover: off\ntask: Which?\npredict: 1\n```\n");
    for (const Point size : {Point{kWidePage, kPageHeight}, Point{640, kPageHeight}}) {
        const float least = least_number(written.print(size).front().figure);
        CHECK(least >= 0.025f * kPageHeight);
        CHECK(least < 100);
    }
}

TEST_CASE("a page of logits shows words, layers and parts, with a task as well") {
    const std::string block =
        "\n\n```headlight\nstudy: language-model\ntext: once upon a time there was a little "
        "boy\nwhat: logits\n";
    WrittenPages written("# T\n\n## P\n\nWhat comes next?" + block + "```\n\n## Q\n\nWhat comes " +
                         "next? The model was trained on stories.\n\n- one\n- two" + block +
                         "task: Which?\nchoice: named\nright: none\n```\n");
    const std::vector<PageFigure> pages = written.print();
    for (const PageFigure& page : pages) {
        for (const char* words : {"Next word", "called", " more, in sum ", "Logit lens", "began",
                                  "Where the logit comes from", "MLP 1"})
            CHECK_MESSAGE(has_part(page.figure, words), words);
        CHECK(page.note.find("cards") == std::string::npos);
    }
}

TEST_CASE("labels that have no room are counted in the foot of the page, and in its note") {
    WrittenPages written(
        "# T\n\n## P\n\n" + std::string(300, 'w') +
        "\n\n- a\n- b\n\n```headlight\nstudy: "
        "who-is-it\ntext: a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff gg "
        "hh ii jj kk ll mm nn oo\ntensor: blocks.1.attn.heads.0.pattern\n```\n");
    const PageFigure page = written.print().front();
    CHECK(page.note.find("row labels") != std::string::npos);
    CHECK(has_part(page.figure, "no room for"));
}

TEST_CASE("pages: a narrow screen has all of a page, in letters that can be read") {
    const Point telephone{390, 800};
    WrittenPages pages(
        "# L\n\n## Which word?\n\nThe pattern of one head, of which one row is held.\n\n"
        "```headlight\nstudy: attention\ntensor: blocks.0.attn.heads.0.pattern\ntask: Which key "
        "does it read most?\n"
        "choice: the street, which it does not cross\nright: the cat, which is too tired\n```\n");
    const Figure figure = pages.print(telephone).at(0).figure;
    CHECK(page_unit(telephone) * 14 > 12);
    CHECK(page_unit({640, kPageHeight}) == doctest::Approx(1));  // 4:3
    CHECK(has_part(figure, "The pattern"));
    CHECK(has_part(figure, "too tired"));
    CHECK_FALSE(has_part(figure, "no room on this page"));
    int n_texts = 0;
    for (const Mark& mark : figure.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->text.empty()) continue;
        ++n_texts;
        INFO(text->text);
        CHECK(text->at.x >= 0);
        CHECK(text->at.x <= telephone.x);
        CHECK(text->at.y > 0);
        CHECK(text->at.y <= telephone.y);
    }
    CHECK(n_texts > 20);
}
