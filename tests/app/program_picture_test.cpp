// The large picture: zoomed, moved and coloured by hand.
#include <cmath>
#include <doctest/doctest.h>

#include "app/driver.h"
#include "figure/heatmap_figure.h"
#include "views/view_figure.h"

namespace headlight::program_picture_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";

/// A window with a text of so many words.
struct TextDriver : Driver {
    explicit TextDriver(int n_words) {
        SentenceStudy study{.text = "", .layer = {}};
        for (int i = 0; i < n_words; ++i) study.text += "w" + std::to_string(i) + " ";
        program().workbench().open({.study = std::move(study), .seed = 1, .interventions = {}}, {});
        move_to({5, 5});
    }

    PictureView view() { return selection().views.of(trace().at(kPattern)); }
    Point middle() { return locate("picture"); }
    void press_key(Key key, bool down) {
        InputEvent event = make_event(InputEvent::Kind::Key);
        event.key = key;
        event.down = down;
        push(event);
        settle();
    }
    bool sees(Index row, Index column) {
        return regions().find_cell(kPattern, row, column).has_value();
    }
    PictureSettings& settings() { return selection().scales.of(Quantity::Probability); }
};

const HeatmapMark& cells_of(const Figure& figure) {
    for (const Mark& mark : figure.marks)
        if (const auto* cells = std::get_if<HeatmapMark>(&mark)) return *cells;
    FAIL("no cells");
    return std::get<HeatmapMark>(figure.marks[0]);
}

Figure exported(Driver& d) {
    const Scene scene = d.scene();
    const auto measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    return view_figure(scene, shown_view(scene), {}, measure).figure;
}

}  // namespace

TEST_CASE("picture: the wheel zooms at the pointer, and out to the whole matrix") {
    TextDriver d(200);
    const CellPlace cell{kPattern, 40, 150};
    const Point at = d.locate(cell);
    d.wheel(at, 6);
    CHECK(d.view().zoom > 4);
    const Point now = d.locate(cell);
    CHECK(std::abs(now.x - at.x) < 12);
    CHECK(std::abs(now.y - at.y) < 12);
    CHECK_FALSE(d.sees(199, 0));
    CHECK(d.has("overview"));
    d.wheel(at, -9);
    CHECK(d.view().is_whole());
    CHECK_FALSE(d.has("overview"));
    CHECK(d.undo_label() == "");
}

TEST_CASE(
    "picture: a drag with another button, or with Space, moves the view and changes no value") {
    TextDriver d(200);
    const Point at = d.middle();
    d.wheel(at, 8);
    const std::size_t n_interventions = d.document().interventions.size();
    for (const Button button : {Button::Right, Button::Middle}) {
        const PictureView before = d.view();
        d.drag(at, {at.x - 60, at.y - 40}, Modifier::None, {}, button);
        CHECK(d.view().row > before.row + 1);
        CHECK(d.view().column > before.column + 1);
    }
    const PictureView before = d.view();
    d.press_key(Key::Space, true);
    d.drag(at, {at.x + 60, at.y + 40});
    d.press_key(Key::Space, false);
    CHECK(d.view().row < before.row - 1);
    CHECK(d.document().interventions.size() == n_interventions);
}

TEST_CASE("picture: a drag in the overview moves the view") {
    TextDriver d(200);
    d.wheel(d.middle(), 8);
    const Box overview = *d.regions().find("overview");
    d.drag({overview.x + overview.width / 2, overview.y + overview.height / 2},
           {overview.right() - 1, overview.bottom() - 1});
    CHECK(d.sees(199, 199));
    d.click(Point{overview.x + 1, overview.y + 1});
    CHECK(d.sees(0, 0));
}

TEST_CASE("picture: keys zoom to the held cell, arrows keep it visible, Home shows everything") {
    TextDriver d(200);
    d.click(CellPlace{kPattern, 100, 100});
    for (int k = 0; k < 12; ++k) d.press(Key::Plus);
    CHECK(d.view().zoom > 10);
    CHECK(d.sees(100, 100));
    CHECK_FALSE(d.sees(100, 130));
    for (int k = 0; k < 30; ++k) d.press(Key::Right);
    CHECK(d.sees(100, 130));
    CHECK(d.selection().held().cell->column == 130);
    const double zoom = d.view().zoom;
    d.press(Key::Escape);  // with a cell held, a minus begins a number
    d.press(Key::Minus);
    CHECK(d.view().zoom < zoom);
    d.press(Key::Home);
    CHECK(d.view().is_whole());
    d.press(Key::Plus);
    d.click("button Whole");
    CHECK(d.view().is_whole());
}

TEST_CASE("picture: all heads share the view; typing keeps it, another study resets it") {
    TextDriver d(60);
    d.wheel(d.middle(), 5);
    const PictureView view = d.view();
    d.selection().choose_head(d.trace(), d.scene().components, 1);
    d.settle();
    CHECK(d.selection().views.of(d.trace().at("blocks.0.attn.heads.1.pattern")) == view);
    CHECK(d.selection().views.of(d.trace().at("embed")).is_whole());
    d.click("text Sentence");
    d.type(" more");
    CHECK(d.view() == view);
    d.program().workbench().open(
        {.study = SentenceStudy{.text = "a b", .layer = {}}, .seed = 1, .interventions = {}}, {});
    d.program().loop().wake();
    d.settle();
    CHECK(d.view().is_whole());
}

TEST_CASE("picture: an exported figure has the window's view and colours") {
    TextDriver d(200);
    d.settings().scale = PictureSettings::Scale::Log;
    d.settings().colors = "Ember";
    d.wheel(d.middle(), 8);
    const Figure figure = exported(d);
    const HeatmapMark& cells = cells_of(figure);
    CHECK(cells.scale.steps == ColorScale::Steps::Log);
    CHECK(cells.scale.colors.front().r < 40);
    CHECK(cells.box.width > 3 * cells.seen().width);
    const double middle =
        (cells.seen().center().y - cells.box.y) / cells.box.height * cells.values->rows();
    CHECK(middle == doctest::Approx(d.view().row).epsilon(0.01));
}

TEST_CASE("picture: a form sets colours, scale, range and numbers") {
    TextDriver d(12);
    d.click("button Colours");
    d.choose("option colors", "Dusk");
    CHECK(d.settings().colors == "Dusk");
    d.choose("option steps", "per-row");
    d.click("button fixed");  // each row has a range of its own
    CHECK(d.settings().range == PictureSettings::Range::Standard);
    CHECK(cells_of(exported(d)).values->row(3).maxCoeff() == doctest::Approx(1));
    d.choose("option steps", "log");
    d.click("button fixed");
    d.set_number("To", "0.5");
    CHECK(d.settings().high == Scalar(0.5));
    CHECK(cells_of(exported(d)).scale.high == Scalar(0.5));
    d.choose("option far-out", "mean");
    CHECK(cells_of(exported(d)).far_out == FarOut::Mean);
    d.choose("option decimals", "3");
    CHECK(d.settings().decimals == 3);
    d.choose("option numbers", "never");
    CHECK(d.settings().numbers == PictureSettings::Numbers::Never);
    d.click("button As at first");
    CHECK(d.settings() == PictureSettings{});
    d.press(Key::Escape);
    CHECK_FALSE(d.has("button As at first"));
    // The legend opens it as well. Nothing of this is an edit.
    d.click("legend");
    CHECK(d.has("field option steps"));
    CHECK(d.undo_label() == "");
}

}  // namespace headlight::program_picture_test
