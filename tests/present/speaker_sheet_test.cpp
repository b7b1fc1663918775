#include "present/speaker_sheet.h"

#include <doctest/doctest.h>

#include "io/pictures/figure_text.h"
#include "present/page/page_thumbnails.h"

using namespace headlight;

namespace {

Lecture short_lecture() {
    Lecture lecture;
    lecture.title = "Attention";
    for (const char* title : {"First", "Second", "Third"})
        lecture.pages.push_back({.title = title, .text = {}, .notes = {}});
    lecture.pages[1].notes = "Ask first.\n\nThen wait.";
    lecture.pages[0].directives = {{"minutes", "2"}};
    lecture.pages[1].directives = {{"minutes", "1.5"}};
    return lecture;
}

std::string sheet_text(const Lecture& lecture, std::size_t at, double elapsed_secs) {
    const SpeakerView view{.lecture = lecture,
                           .at = at,
                           .paper = {255, 255, 255, 255},
                           .clock = "14:05",
                           .elapsed_secs = elapsed_secs};
    const Figure sheet =
        speaker_sheet(view, {960, 540}, theme_named(ThemeName::Dark), pango_measure());
    std::string all;
    for (const Mark& mark : sheet.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) {
            CHECK(text->at.y < 540);
            all += text->text + "\n";
        }
    return all;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the speaker sees the notes, the next page, the clock and the plan") {
    const Lecture lecture = short_lecture();
    const std::string text = sheet_text(lecture, 1, 200);
    for (const char* part : {"14:05", "3:20 of 3:30", "on time", "Page 2 of 3", "Second", "Third",
                             "Ask first.", "Then wait."})
        CHECK_MESSAGE(holds(text, part), part);
    CHECK(holds(sheet_text(lecture, 1, 60), "1:00 ahead"));
    CHECK(holds(sheet_text(lecture, 1, 3600), "56:30 behind"));
    CHECK(holds(sheet_text(lecture, 2, 0), "The end"));
}

TEST_CASE("the speaker sees the task of the page, its choices and which is right") {
    Lecture lecture = short_lecture();
    lecture.pages[1].directives = {
        {"task", "Who reads *it*?"}, {"choice", "the cat"}, {"right", "nobody"}};
    const PageTask task = *read_task(lecture.pages[1], "t");
    const std::string lines = task_lines(task, read_task_text(task, "t"), "");
    CHECK(lines == "Who reads it?\n1  the cat\n2  nobody  (right)");
    CHECK(task_lines(task, read_task_text(task, "t"), "Right: 2").ends_with("(right)\nRight: 2"));
    const SpeakerView view{
        .lecture = lecture, .at = 1, .paper = {255, 255, 255, 255}, .task = lines, .clock = ""};
    const Figure sheet =
        speaker_sheet(view, {960, 540}, theme_named(ThemeName::Dark), pango_measure());
    float task_at = 0, notes_at = 0;
    for (const Mark& mark : sheet.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) {
            if (holds(text->text, "nobody")) task_at = text->at.y;
            if (text->text == "Notes") notes_at = text->at.y;
        }
    CHECK(task_at > 0);
    CHECK(notes_at > task_at);
}

TEST_CASE("words of a page's small picture keep their blanks, as the speaker's window draws them") {
    Lecture written;
    written.title = "T";
    written.pages.push_back(
        {.title = "P", .text = "The **score** of the row of *cat*", .notes = {}});
    OpenLecture lecture;
    lecture.open(written, {});
    Workspace space(no_study(), {});
    static_cast<void>(lecture.show(space));
    PageThumbnails thumbnails;
    while (thumbnails.advance(lecture, theme_named(ThemeName::Light))) {
    }
    REQUIRE(thumbnails.find(0));
    const MeasureText measure = pango_measure();
    const TextMark* before = nullptr;
    int n_words = 0;
    for (const Mark& mark : thumbnails.find(0)->marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text) continue;
        if (before && before->at.y == text->at.y && before->align == Align::Start) {
            const float end = before->at.x + measure(before->text, before->size, before->font);
            CHECK(text->at.x >= end + 0.5f * measure(" ", text->size, text->font));
            ++n_words;
        }
        before = text;
    }
    CHECK(n_words >= 3);
}

TEST_CASE("a page's small picture covers what is to be predicted, and has the question") {
    const auto texts = [](const std::string& cover) {
        OpenLecture lecture;
        lecture.open(read_lecture("# T\n\n## P\n\nx\n\n```headlight\nstudy: who-is-it\ntensor: "
                                  "blocks.1.attn.heads.0.pattern\ntask: How much?\npredict: "
                                  "pattern[it, cat]\nrange: probability:0:0.25\n" +
                                      cover + "```\n",
                                  "t"),
                     {});
        Workspace space(no_study(), {});
        static_cast<void>(lecture.show(space));
        PageThumbnails thumbnails;
        while (thumbnails.advance(lecture, theme_named(ThemeName::Light))) {
        }
        REQUIRE(thumbnails.find(0));
        CHECK_FALSE(thumbnails.has_failed(0));
        std::string all;
        for (const Mark& mark : thumbnails.find(0)->marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) all += text->text + "\n";
        return all;
    };
    const std::string covered = texts(""), open = texts("cover: off\n");
    CHECK(holds(covered, "How"));
    CHECK(holds(open, "0.25"));  // the end of the colour bar
    CHECK_FALSE(holds(covered, "0.25"));
}

TEST_CASE("a lecture that says how long it is plans its pages equally long") {
    Lecture lecture = short_lecture();
    CHECK(*planned_secs(lecture, 3) == doctest::Approx(210));
    for (LecturePage& page : lecture.pages) page.directives.clear();
    CHECK_FALSE(planned_secs(lecture, 3));
    CHECK_FALSE(holds(sheet_text(lecture, 1, 60), " of 0:00"));
    lecture.directives = {{"minutes", "20"}};
    CHECK(*planned_secs(lecture, 3) == doctest::Approx(1200));
    CHECK(*planned_secs(lecture, 1) == doctest::Approx(400));
}

TEST_CASE("times are short") {
    CHECK(elapsed_text(0) == "0:00");
    CHECK(elapsed_text(65.9) == "1:05");
    CHECK(elapsed_text(3760) == "1:02:40");
    CHECK(elapsed_text(-3) == "0:00");
}

TEST_CASE("notes without end are cut, and say so") {
    Lecture lecture = short_lecture();
    for (int k = 0; k < 400; ++k) lecture.pages[1].notes += " and one more sentence of this";
    CHECK(holds(sheet_text(lecture, 1, 0), "…\n"));
    CHECK_FALSE(holds(sheet_text(short_lecture(), 1, 0), "…"));
}
