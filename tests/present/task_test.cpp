// The words of tasks and their figure.
#include "present/tasks/task.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "core/compute.h"
#include "core/error.h"
#include "figure/figure_parts.h"
#include "present/check.h"
#include "present/handout.h"
#include "present/lecture_export.h"
#include "present/lessons.h"
#include "present/open_lecture.h"
#include "present/page/page_figure.h"
#include "present/page/page_scope.h"

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
    CHECK_FALSE(text.choices[1].blocks[0].spans.back().is_bold);
    CHECK(text.choices[1].blocks[0].spans.back().kind == TextSpan::Kind::Words);
    CHECK(without_values(read_task_text(*read_task(test.lecture.pages[0], "t"), "t"))
              .choices[1]
              .blocks[0]
              .spans.back()
              .kind == TextSpan::Kind::Words);
    CHECK(plain_text(text.hints[0]) == "cat");
    CHECK(error(1).find("[t] line 25: ") != std::string::npos);
    CHECK(error(2).find("[t] line 38: ") != std::string::npos);
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

TEST_CASE("pages of 4 : 3: names of columns are whole, and a held row has its name") {
    const std::string with =
        "\nwith: text The cat didn't cross the street because it was too wide\nsides: both";
    const std::string once =
        "study: language-model\ntext: once upon a time there was a little boy\n"
        "tensor: blocks.0.attn.heads.0.pattern\nrow: little\nnumbers: never\n"
        "sides: all\nwith: text once upon a time there was a little girl";
    const std::string task = "\ntask: What have they done?\nright: one\nchoice: two\nchoice: three";
    TaskLecture test({"study: who-is-it\ntensor: answer" + with + task, once + task});
    for (LecturePage& page : test.lecture.pages)
        page.text =
            "A first line of words that is long enough to be broken into two on this page, "
            "and more.\n\nAnother paragraph.";
    std::vector<std::multiset<std::string>> texts;
    Progress progress;
    print_pages(test.source, {.size = {640, 480}}, progress, [&](const PrintedPage& page) {
        texts.emplace_back();
        for (const Mark& mark : page.figure.figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) texts.back().insert(text->text);
    });
    REQUIRE(texts.size() == 2);
    for (const char* word : {"The", "cat", "didn't", "cross", "street", "because"}) {
        CAPTURE(word);
        CHECK(texts[0].count(word) == 2);
    }
    CHECK(texts[1].count("little") == 6);  // over three matrices, and beside them
    CHECK(texts[1].count("time") == 6);
    CHECK(texts[1].count("reads key →") == 3);
}

TEST_CASE("views of a page: a row, the plane, a part of a matrix, curves") {
    const std::string curves = "```curve learned\nstep,loss,accuracy\n10,4,0\n20,1,0.5\n```\n";
    TaskLecture test({kTaskPage + "\nwhat: row\ntop: 3", "study: who-is-it\nwhat: plane",
                      kTaskPage + "\nrows: it, 2..4\ncolumns: cat, street",
                      kTaskPage + "\nrows: it, nobody",
                      "what: none\ncurve: learned\nseries: accuracy",
                      "what: none\ncurve: learned\nseries: speed", "what: none\ncurve: forgotten",
                      "what: none\nseries: loss"});
    test.lecture = read_lecture(write_lecture(test.lecture) + curves, "t");
    CHECK(test.lecture.curves.at("learned").starts_with("step,loss"));
    CHECK(read_lecture(write_lecture(test.lecture), "t") == test.lecture);
    Workspace space(no_study(), {});
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    const auto error = [&](std::size_t at) -> std::string {
        try {
            open_page(test.source, at, space);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    OpenPage page = open_page(test.source, 0, space);
    CHECK(page.view == ViewId::Row);
    std::set<std::string> texts;
    const auto look_at = [&](std::size_t at) {
        page = open_page(test.source, at, space);
        texts.clear();
        const Scene scene = make_scene(space, theme_named(ThemeName::Light));
        const ViewFigure shown = page_view_figure(scene, *page.view, {{800, 400}}, measure);
        for (const Mark& mark : shown.figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) texts.insert(text->text);
    };
    look_at(0);
    CHECK(texts.contains("cat"));
    CHECK(texts.contains("street"));
    CHECK_FALSE(texts.contains("tired"));
    look_at(2);
    CHECK(texts.contains("didn't"));
    CHECK(texts.contains("street"));
    CHECK_FALSE(texts.contains("tired"));
    CHECK(texts.contains("A · head 0 · 4 of 11 rows · 2 of 11 columns"));
    CHECK_THROWS_WITH_AS(look_at(1), doctest::Contains("nothing to show as 'plane'"), Error);
    CHECK(error(3).find("has no row 'nobody'") != std::string::npos);
    page = open_page(test.source, 4, space);
    REQUIRE(page.curves);
    CHECK_FALSE(page.view.has_value());
    CHECK(page.curves->logs[0].csv.values(1, 2) == 0.5f);
    CHECK(error(5).find("no column is called 'speed'; there are accuracy, loss") !=
          std::string::npos);
    CHECK(error(6).find("there is no curve 'forgotten'") != std::string::npos);
    CHECK(error(7).find("a series belongs to a curve") != std::string::npos);
}

TEST_CASE("a control that is wrong: what is wrong is said, and what is possible") {
    const auto error = [](const std::string& control) -> std::string {
        TaskLecture test({kTaskPage + "\ncontrol: " + control});
        try {
            Workspace space(no_study(), {});
            open_page(test.source, 0, space);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(error("layer.attention.temperature = 0.2:4").empty());
    CHECK(error("embed[cat, 0] = -1:1").empty());
    CHECK(error("layer.attention.temprature = 0.2:4").find("layer.attention.temperature") !=
          std::string::npos);
    CHECK(error("layer.attention.temperature").find("between which numbers") != std::string::npos);
    CHECK(error("layer.attention.temperature = 1").find("is two numbers, LOW:HIGH, not '1'") !=
          std::string::npos);
    CHECK(error("layer.attention.temperature = 4:1").find("ends before it begins") !=
          std::string::npos);
    CHECK(error("embed[dog, 0] = -1:1").find("has no row 'dog'") != std::string::npos);
    CHECK(error("embed[cat = -1:1").find("is no cell") != std::string::npos);
}

TEST_CASE("a matrix of a page: every label is there, and its numbers can be read from far away") {
    TaskLecture test({kTaskPage});
    Workspace space(no_study(), {});
    open_page(test.source, 0, space);
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    for (const float unit : {1.0f, 1.5f, 2.25f}) {
        const PageRoom room{{797 * unit, 360 * unit}, unit};
        const Figure figure = page_view_figure(scene, ViewId::Matrix, room, measure).figure;
        CHECK(figure.left_out.empty());
        float smallest = 1000;
        int n_numbers = 0;
        for (const Mark& mark : figure.marks) {
            const auto* text = std::get_if<TextMark>(&mark);
            if (!text || text->align != Align::Middle || !text->text.starts_with("0.")) continue;
            ++n_numbers;
            smallest = std::min(smallest, text->size);
        }
        CHECK(n_numbers >= 11 * 11);
        CHECK(smallest >= 0.025f * kPageHeight * unit);
    }
}

TEST_CASE("words of a page: they and their numbers can be read from far away, in 4 : 3 as well") {
    TaskLecture test({kTaskPage + "\nwhat: words", kTaskPage + "\nwhat: words\nwords-in: line"});
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    for (const std::size_t page : {std::size_t(0), std::size_t(1)})
        for (const Point room : {Point{797, 360}, Point{584, 360}, Point{584, 260}}) {
            CAPTURE(page);
            CAPTURE(room.y);
            Workspace space(no_study(), {});
            open_page(test.source, page, space);
            const Scene scene = make_scene(space, theme_named(ThemeName::Light));
            const Figure figure = page_view_figure(scene, ViewId::Words, {room, 1}, measure).figure;
            float smallest = 1000;
            int n_texts = 0;
            for (const Mark& mark : figure.marks)
                if (const auto* text = std::get_if<TextMark>(&mark)) {
                    ++n_texts;
                    smallest = std::min(smallest, text->size);
                }
            CHECK(n_texts >= 2 * 11);
            CHECK(smallest >= 0.025f * kPageHeight);
            const Point corner = far_corner(figure, measure);
            CHECK(corner.x <= room.x + 1);
            CHECK(corner.y <= room.y + 1);
        }
}

TEST_CASE("the title of an image does not say its class before it was predicted") {
    TaskLecture test({"study: shapes\nwhat: image"});
    Workspace space(no_study(), {});
    open_page(test.source, 0, space);
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    const auto tells_class = [&](PageRoom::Cover cover) {
        const ViewFigure shown =
            page_view_figure(scene, ViewId::Image, {{800, 400}, 1, cover}, measure);
        return std::ranges::any_of(shown.figure.marks, [](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text.starts_with("Image · ");
        });
    };
    CHECK(tells_class(PageRoom::Cover::Off));
    CHECK_FALSE(tells_class(PageRoom::Cover::On));
}

TEST_CASE("pages: the text has the numbers of the picture in the same frame") {
    TaskLecture test({kTaskPage});
    test.lecture.pages[0].text = "{pattern[it, cat]:3}";
    Workspace space(no_study(), {});
    OpenLecture lecture;
    lecture.open(test.lecture, {});
    lecture.show(space);
    settle(space);
    lecture.follow(space);
    CHECK(plain_text(lecture.shown().text) != "0.500");
    const std::string path = "blocks.1.attn.heads.0.pattern";
    const Matrix& pattern = *space.trace->at(path).value;
    const Matrix half = Matrix::Constant(pattern.rows(), pattern.cols(), 0.5f);
    space.session.apply({.label = "Pin", .change = [&](Document& d) {
                             d.interventions[path] = intervene_on_all(half);
                         }});
    settle(space);
    lecture.follow(space);
    CHECK(plain_text(lecture.shown().text) == "0.500");
}

TEST_CASE("pages: the output of a head runs to zero when it is ablated, and back") {
    const std::string head = "blocks.0.attn.heads.1.z";
    TaskLecture test({kTaskPage, "ablate: blocks.0.attn.heads.1", kTaskPage});
    Workspace space(no_study(), {});
    OpenLecture lecture;
    lecture.open(test.lecture, {});
    const auto scale = [&] {
        settle(space);
        return (*compute_value(*space.batch, space.batch->id_at(head))).cwiseAbs().maxCoeff();
    };
    lecture.show(space);
    const Scalar whole = scale();
    REQUIRE(whole > 0);
    const auto step_to = [&](std::size_t page) {
        lecture.animate_next();
        lecture.go_to(page);
        lecture.show(space);
        CHECK(lecture.advance(space, 10) == 1);  // numbers run, rows do not appear
        CHECK(lecture.is_animating());
    };
    step_to(1);
    CHECK(scale() == doctest::Approx(whole));
    static_cast<void>(lecture.advance(space, 10.3));
    CHECK(scale() == doctest::Approx(whole / 2).epsilon(0.01));
    static_cast<void>(lecture.advance(space, 11));
    CHECK(scale() == 0);
    CHECK(space.session.document() == *lecture.source().documents.at(1));
    CHECK_FALSE(lecture.is_animating());
    step_to(2);
    CHECK(scale() == 0);
    static_cast<void>(lecture.advance(space, 10.3));
    CHECK(scale() == doctest::Approx(whole / 2).epsilon(0.01));
    static_cast<void>(lecture.advance(space, 11));
    CHECK(scale() == doctest::Approx(whole));
}

TEST_CASE("lessons: in the window a goal is reached when its solution is made") {
    int n_of_before = 0;
    for (const Lesson& lesson : lessons()) {
        OpenLecture lecture;
        Workspace space(no_study(), {});
        lecture.open(read_lesson(lesson.name), {});
        for (std::size_t k = 0; k < lecture.lecture().pages.size(); ++k) {
            const auto task = read_task(lecture.lecture().pages[k], "t");
            if (!task || task->kind != PageTask::Kind::Goal) continue;
            INFO(lesson.name << ": " << lecture.lecture().pages[k].title);
            n_of_before += task->expression.text.find("before.") != std::string::npos;
            lecture.go_to(k);
            lecture.show(space);
            CHECK(judge(*task, "", PageScope(lecture.shown().page).scope()).is ==
                  Verdict::Is::Wrong);
            space.session.apply({.label = "Solution", .change = [&](Document& document) {
                                     for (const Directive& change : task->solution)
                                         change_study(document, change);
                                 }});
            settle(space);
            lecture.follow(space);
            CHECK(judge(*task, "", PageScope(lecture.shown().page).scope()).is ==
                  Verdict::Is::Right);
        }
    }
    CHECK(n_of_before > 0);
}

TEST_CASE("pages: a claim about the page before holds where the page is shown") {
    TaskLecture test({kTaskPage, "ablate: blocks.0.attn.heads.1"});
    const std::string claim = "norm(before.blocks.0.attn.heads.1.z) > 0";
    test.lecture.pages[1].directives.push_back({"claim", claim});
    Workspace space(no_study(), {});
    OpenLecture lecture;
    lecture.open(test.lecture, {});
    lecture.go_to(1);
    lecture.show(space);
    CHECK(holds(read_expression(claim, "claim"), PageScope(lecture.shown().page).scope()));
}

TEST_CASE("a film of a lecture: each page for a while, and the numbers on their way") {
    TaskLecture test({"study: no-parameters\nanimate: 0.5",
                      "set: layer.attention.temperature = 2\nanimate: 0.5", "study: karate"});
    Progress progress;
    const LectureExport film{.dpi = 18, .page_secs = 0.3f};
    const std::string gif = write_lecture_film(test.source, film, progress);
    CHECK(gif.starts_with("GIF89a"));
    int n_frames = 0, hundredths = 0;
    const std::string control("\x21\xF9\x04", 3);
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(gif.at(at)); };
    for (std::size_t at = gif.find(control); at != std::string::npos;
         at = gif.find(control, at + 1)) {
        ++n_frames;
        hundredths += byte(at + 4) + 256 * byte(at + 5);
    }
    CHECK(n_frames == 1 + 5 + 1 + 1);  // a page that rests is one
    CHECK(hundredths == 10 * (3 + 5 + 3 + 3));
}
