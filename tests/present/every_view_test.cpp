// Every view in every face: as a figure for paper and for a screen, in the middle of the window, as
// a page, in every format, as numbers, with its caption, saved and opened again. Nothing is empty,
// no text meets another one, leaves the figure or is too small.
#include <algorithm>
#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "../figure/marks.h"
#include "app_state/workspace.h"
#include "core/error.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/png_image.h"
#include "io/studies/ready_studies.h"
#include "io/text/csv.h"
#include "model/changes.h"
#include "present/lecture.h"
#include "present/open_lecture.h"
#include "present/page/page_figure.h"
#include "present/page/page_thumbnails.h"
#include "views/export/export_arguments.h"
#include "views/export/export_work.h"
#include "views/export/figure_caption.h"
#include "views/export/look_names.h"
#include "views/panels_view.h"
#include "views/saved_view.h"

namespace headlight::every_view_test {
namespace {

/// A study, all of it computed, seen in a window.
struct Opened : Workspace {
    explicit Opened(Document document) : Workspace(std::move(document), [] {}) {
        exported = {"*"};
        settle();
    }
    void settle() {
        for (int k = 0; k < 6; ++k) {
            prepare(*this);
            session.wait();
            comparison.wait();
        }
        prepare(*this);
    }
    Scene scene(ThemeName theme = ThemeName::Light) {
        return make_scene(*this, theme_named(theme));
    }
    /// The last cell of the chosen matrix.
    void hold_last() {
        const Tensor& tensor = trace->at(selection.chosen);
        selection.keep_held(
            pick_at(*trace, tensor, tensor.rows().size - 1, tensor.columns().size - 1));
    }
};

Document sentence_of(const std::string& text) {
    Document document = find_ready_study("attention")->make();
    set_text(document, text);
    return document;
}

std::string many_words(int n) {
    std::string text;
    for (int k = 0; k < n; ++k) text += fmt::format("{}word{}", k == 0 ? "" : " ", k);
    return text;
}

/// A matrix, or a text that is no heading.
bool has_content(const Figure& figure) {
    std::size_t n_texts = 0;
    for (const Mark& mark : figure.marks) {
        if (std::holds_alternative<HeatmapMark>(mark)) return true;
        n_texts += std::holds_alternative<TextMark>(mark);
    }
    return n_texts > 1;
}

float least_text(const Figure& figure) {
    float least = 1000;
    for (const TextMark& text : test::texts_of(figure))
        if (!text.text.empty()) least = std::min(least, text.size);
    return least;
}

/// Of formulas the letters on the line: W_QK^T has its scripts above each other.
Figure without_scripts(Figure figure) {
    float letters = 0;
    for (const TextMark& text : test::texts_of(figure))
        if (text.font == Font::Math) letters = std::max(letters, text.size);
    std::erase_if(figure.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->font == Font::Math && text->size < 0.8f * letters;
    });
    return figure;
}

struct Face {
    std::string name;
    float slack = 1;  // by which a mark may leave the figure
    float least = 0;  // size of its smallest text
};

/// What is wrong with it, "" if nothing is.
std::string fault_of(const Figure& figure, const Face& face) {
    if (!has_content(figure)) return "is empty";
    if (std::string texts = test::overlapping_texts(without_scripts(figure)); !texts.empty())
        return texts + " overlap";
    if (std::string mark = test::outside_mark(figure, face.slack); !mark.empty())
        return mark + " outside";
    const float least = least_text(figure);
    if (least < face.least) return fmt::format("has text of {:.1f}", least);
    return "";
}

void check_paper(const Scene& scene, const ViewEntry& view) {
    constexpr float kLeastOnPaper = 3.5f;  // numbers in cells; labels have five points
    for (const float width_mm : {85.0f, 178.0f}) {
        FigureLook look;
        look.width = FigureLength{FigureLength::Unit::Millimetres, width_mm};
        look.theme = theme_name(scene.theme);
        CAPTURE(width_mm);
        try {
            ViewFigure made = view_figure(scene, view.id, look, test::fake_measure);
            const float times = width_mm / kMillimetresPerInch * kPointsPerInch / made.figure.width;
            CHECK(fault_of(made.figure, {.name = "paper", .least = kLeastOnPaper / times}) == "");
        } catch (const Error& error) {  // which says what would help
            CHECK_MESSAGE(error.place().name.starts_with("--"), error.what());
        }
    }
}

/// In the middle of the window, between its columns.
void check_desk(const Scene& scene, const ViewEntry& view) {
    for (const Point room : {Point{640, 380}, {700, 460}, {1180, 700}}) {
        CAPTURE(room.x);
        FigureLook look;
        look.room = room;
        look.theme = theme_name(scene.theme);
        look.has_origin = false;
        try {
            const Figure figure = view_figure(scene, view.id, look, test::fake_measure).figure;
            CHECK(fault_of(figure, {.name = "desk", .slack = 2, .least = 6}) == "");
        } catch (const Error& error) {  // which says what would help
            CHECK_MESSAGE(error.place().name.starts_with("--"), error.what());
        }
    }
}

void check_screens(const Scene& scene, const ViewEntry& view) {
    for (const Point size : {Point{1280, 720}, {1280, 800}, {1920, 1080}}) {
        CAPTURE(size.x);
        CAPTURE(size.y);
        const float unit = size.y / kPageHeight;
        const Point room{size.x - 2 * kPageMargin * unit, 0.72f * size.y};
        const Figure figure =
            page_view_figure(scene, view.id, {room, unit}, test::fake_measure).figure;
        // Names of a matrix that nobody could read from afar are thinned, not shrunk to nothing.
        CHECK(fault_of(figure, {.name = "page", .slack = 2, .least = 6}) == "");
    }
}

void check_table(const Scene& scene, const ViewEntry& view) {
    if (!view.table) return;
    const Table table = view.table(scene).table;
    REQUIRE(!table.columns.empty());
    const std::string lines = write_csv(table, ReadBy::Spreadsheet);
    CHECK(lines.find('\n') + 1 < lines.size());  // numbers follow the names of the columns
}

/// The words of a caption are options of the view, and say the same when they are read.
void check_caption(const Scene& scene, const ViewEntry& view) {
    ExportChoice choice;
    choice.view = view.id;
    choice.file = "figure.svg";
    CHECK(view_caption(scene, view.id) != "");
    ViewWords words = export_words(scene, choice);
    const ViewState state = read_view_words(words);
    std::erase_if(words, [](const ViewWord& word) { return !find_view_option(word.name); });
    const ViewWords again = write_view(state);
    for (const ViewWord& word : words) CHECK(std::ranges::find(again, word) != again.end());
    CHECK(again.size() == words.size());
}

/// Every format of figures has the view: pixels of more than two colours, texts as texts, a page.
void check_formats(const Scene& scene, const ViewEntry& view) {
    FigureLook look;
    look.dpi = 36;
    const ViewFigure made = view_figure(scene, view.id, look, test::fake_measure);
    const FigureSheet sheet = sheet_for(made.figure, look, made.background);
    const Pixels pixels = rasterize(made.figure, sheet);
    std::set<std::array<std::uint8_t, 3>> colors;
    for (int y = 0; y < pixels.height; ++y)
        for (int x = 0; x < pixels.width; ++x) {
            const std::uint8_t* at = pixels.at(x, y);
            colors.insert({at[0], at[1], at[2]});
        }
    CHECK(colors.size() > 2);
    CHECK(write_svg(made.figure, sheet).find("<text") != std::string::npos);
    CHECK(write_pdf(made.figure, sheet).starts_with("%PDF"));
}

/// A view that the window shows, saved with a study and opened again, is the same.
void check_saved(Opened& study, const ViewEntry& view) {
    if (!view.stands_in_middle()) return;
    study.selection.view = view.id;
    study.settle();
    const ViewWords words = saved_view(study.scene());
    study.selection.view = ViewId::Matrix;
    show_saved_view(study, words);
    study.settle();
    CHECK(study.selection.view == view.id);
    CHECK(saved_view(study.scene()) == words);
    study.selection.view = ViewId::Matrix;
}

/// True if the matrices of the study cannot stand beside each other: those of edges are lists.
bool lacks_panels(const Scene& scene, const ViewEntry& view) {
    return view.id == ViewId::Panels &&
           !list_panels(scene, FigureLook::Heading::Shown).problem.empty();
}

void check_views(Opened& study, const std::string& held) {
    CAPTURE(held);
    for (const ViewEntry& view : list_views(study.scene())) {
        if (!view.draw) continue;
        const std::string word = view.word;
        CAPTURE(word);
        const Scene scene = study.scene();
        if (lacks_panels(scene, view)) continue;
        check_paper(scene, view);
        check_desk(scene, view);
        check_screens(scene, view);
        check_table(scene, view);
        check_caption(scene, view);
    }
}

void check_study(const std::string& name, Document document) {
    CAPTURE(name);
    Opened study(std::move(document));
    REQUIRE(study.trace);
    study.selection.release();
    check_views(study, "nothing");
    study.hold_last();
    check_views(study, "a cell");
    for (const ViewEntry& view : list_views(study.scene())) {
        const std::string word = view.word;
        CAPTURE(word);
        check_saved(study, view);
        const Scene scene = study.scene();
        if (view.draw && !lacks_panels(scene, view)) check_formats(scene, view);
    }
}

}  // namespace

TEST_CASE("every view: of a sentence, trained to answer three questions") {
    check_study("three-questions", find_ready_study("three-questions")->make());
}

TEST_CASE("every view: of one word, and of many") {
    check_study("one word", sentence_of("cat"));
    check_study("120 words", sentence_of(many_words(120)));
}

TEST_CASE("every view: of a language model with logits") {
    check_study("language-model", find_ready_study("language-model")->make());
}

TEST_CASE("every view: of two texts") {
    check_study("translation", find_ready_study("translation")->make());
}

TEST_CASE("every view: of a graph and of a picture") {
    check_study("karate", find_ready_study("karate")->make());
    check_study("image", find_ready_study("image")->make());
}

TEST_CASE("every view: of an empty text there is none, and the study says why") {
    const Opened study(sentence_of(""));
    CHECK_FALSE(study.trace);
    CHECK(study.session.why_no_trace() != "");
}

TEST_CASE("every view: as the small picture of a page") {
    const Opened study(find_ready_study("three-questions")->make());
    std::string text = "# Views\n";
    std::vector<std::string> words;
    const Scene scene = make_scene(study, theme_named(ThemeName::Light));
    for (const ViewEntry& view : list_views(scene)) {
        if (!view.draw || lacks_panels(scene, view)) continue;
        const std::string word = view.word;
        words.push_back(word);
        const char* held = view.id == ViewId::Explanation ? "row: it\ncolumn: cat\n" : "";
        text += fmt::format("\n## {0}\n\n```headlight\nstudy: three-questions\nwhat: {0}\n{1}```\n",
                            word, held);
    }
    OpenLecture lecture;
    lecture.open(read_lecture(text, "views"), {});
    Workspace space(no_study(), [] {});
    static_cast<void>(lecture.show(space));
    PageThumbnails thumbnails;
    while (thumbnails.advance(lecture, theme_named(ThemeName::Light))) {
    }
    for (std::size_t page = 0; page < words.size(); ++page) {
        CAPTURE(words[page]);
        CHECK_FALSE(thumbnails.has_failed(page));
        REQUIRE(thumbnails.find(page));
        CHECK(has_content(*thumbnails.find(page)));
    }
}

TEST_CASE("every view: it has the colours of each theme") {
    Opened study(find_ready_study("three-questions")->make());
    for (const ThemeName theme : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast})
        for (const ViewEntry& view : list_views(study.scene())) {
            if (!view.draw) continue;
            const std::string word = view.word;
            CAPTURE(word);
            FigureLook look;
            look.theme = theme;
            const ViewFigure made = view_figure(study.scene(), view.id, look, test::fake_measure);
            const Theme& colors = theme_named(theme);
            const bool has_text_color =
                std::ranges::any_of(test::texts_of(made.figure), [&](const TextMark& text) {
                    return text.color == colors.text || text.color == colors.muted;
                });
            CHECK(has_text_color);
            CHECK((made.background == colors.card || made.background == colors.canvas));
        }
}

}  // namespace headlight::every_view_test
