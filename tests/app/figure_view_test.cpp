// Figures in the window: every mark is in its place, to the pixel.
#include "ui/pictures/figure_view.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <memory>

#include "few_fonts.h"
#include "test_window.h"

namespace headlight::figure_view_test {
namespace {

constexpr Color kBlack{0, 0, 0, 255}, kRed{255, 0, 0, 255};

// Draws one figure on white.
Pixels picture_of(const Figure& figure, ImVec2 offset = {0, 0}, float scale = 1,
                  float pixels_per_point = 1) {
    TestWindow window({200, 120, pixels_per_point});
    window.draw = [&](FrameContext& context) {
        context.figures.draw(figure, *ImGui::GetBackgroundDrawList(), offset, scale);
    };
    window.loop.run_until_idle();
    return window.loop.screenshot();
}

// The box of everything that is not white, in pixels.
Box ink(const Pixels& pixels) {
    int left = pixels.width, top = pixels.height, right = 0, bottom = 0;
    for (int y = 0; y < pixels.height; ++y) {
        for (int x = 0; x < pixels.width; ++x) {
            const std::uint8_t* p = pixels.at(x, y);
            if (std::min({p[0], p[1], p[2]}) > 160) continue;
            left = std::min(left, x);
            top = std::min(top, y);
            right = std::max(right, x + 1);
            bottom = std::max(bottom, y + 1);
        }
    }
    return {float(left), float(top), float(right - left), float(bottom - top)};
}

void check_box(const Box& found, const Box& wanted, float tolerance) {
    CHECK(std::abs(found.x - wanted.x) <= tolerance);
    CHECK(std::abs(found.y - wanted.y) <= tolerance);
    CHECK(std::abs(found.right() - wanted.right()) <= tolerance);
    CHECK(std::abs(found.bottom() - wanted.bottom()) <= tolerance);
}

Figure one(Mark mark) {
    Figure figure{200, 120, {}};
    figure.add(std::move(mark));
    return figure;
}

TextMark letter(const char* text, Align align = Align::Start, float angle_deg = 0) {
    return {{100, 60}, text, 22, kBlack, Font::Regular, align, angle_deg};
}

HeatmapMark heatmap(const Box& box) {
    Matrix values(1, 2);
    values << 0, 1;
    HeatmapMark mark{box, std::make_shared<Matrix>(values), {}};
    mark.scale.colors.assign(256, kBlack);
    mark.scale.colors[255] = kRed;
    return mark;
}

}  // namespace

TEST_CASE("figure_view: a rectangle covers its box, whatever offset and scale") {
    check_box(ink(picture_of(one(RectMark{{10, 20, 50, 30}, kBlack}))), {10, 20, 50, 30}, 0);
    check_box(ink(picture_of(one(RectMark{{10, 20, 50, 30}, kBlack}), {5, 7}, 2)),
              {25, 47, 100, 60}, 0);
    check_box(ink(picture_of(one(RectMark{{10, 20, 50, 30}, kBlack}), {0, 0}, 1, 2)),
              {20, 40, 100, 60}, 0);
}

TEST_CASE("figure_view: an outline is centred on the edge of its box") {
    RectMark mark{{50, 30, 60, 40}};
    mark.stroke = kBlack;
    mark.stroke_width = 4;
    check_box(ink(picture_of(one(mark))), {48, 28, 64, 44}, 0);
}

TEST_CASE("figure_view: a circle, a line, a curve and a triangle are where they should be") {
    check_box(ink(picture_of(one(CircleMark{{60, 60}, 20, kBlack}))), {40, 40, 40, 40}, 1);
    check_box(ink(picture_of(one(LineMark{{20, 40}, {80, 40}, kBlack, 4}))), {20, 38, 60, 4}, 1);
    check_box(ink(picture_of(one(CurveMark{{20, 40}, {40, 40}, {60, 40}, {80, 40}, kBlack, 4}))),
              {20, 38, 60, 4}, 1);
    check_box(ink(picture_of(one(TriangleMark{{20, 20}, {60, 20}, {20, 70}, kBlack}))),
              {20, 20, 40, 50}, 2);
}

TEST_CASE("figure_view: a letter stands on its baseline") {
    for (float pixels_per_point : {1.f, 2.f}) {
        const Box box = ink(picture_of(one(letter("H")), {0, 0}, 1, pixels_per_point));
        CHECK(box.bottom() == doctest::Approx(60 * pixels_per_point).epsilon(0.01));
        CHECK(box.height == doctest::Approx(22 * 0.73f * pixels_per_point).epsilon(0.08));
        CHECK(box.x >= 100 * pixels_per_point);
        CHECK(box.x <= 104 * pixels_per_point);
    }
}

TEST_CASE("figure_view: text is right-aligned at its position, or centred on it") {
    const Box start = ink(picture_of(one(letter("HHHHH"))));
    const Box middle = ink(picture_of(one(letter("HHHHH", Align::Middle))));
    const Box end = ink(picture_of(one(letter("HHHHH", Align::End))));
    CHECK(std::abs(middle.center().x - 100) <= 1);
    CHECK(std::abs(end.right() - (200 - start.x)) <= 1);
}

TEST_CASE("figure_view: text is rotated clockwise around its position") {
    const Box flat = ink(picture_of(one(letter("HHHHH"))));
    const Box down = ink(picture_of(one(letter("HHHH", Align::Start, 90))));
    CHECK(down.y >= 60);
    CHECK(down.x >= 99);  // letters stand on a line that runs down, so they lie to its right
    CHECK(down.width == doctest::Approx(flat.height).epsilon(0.15));
    const Box up = ink(picture_of(one(letter("HHHH", Align::Start, -90))));
    CHECK(up.bottom() <= 61);
    CHECK(up.right() <= 101);
}

TEST_CASE("figure_view: a heatmap fills its box and does not change later marks") {
    Figure figure = one(heatmap({40, 20, 80, 60}));
    figure.add(RectMark{{130, 20, 20, 20}, kBlack});
    figure.add(TextMark{{160, 60}, "H", 22, kBlack});
    const Pixels pixels = picture_of(figure);
    check_box(ink(picture_of(one(heatmap({40, 20, 80, 60})))), {40, 20, 80, 60}, 0);
    CHECK(pixels.at(50, 30)[0] == 0);
    CHECK(pixels.at(110, 30)[0] == 255);
    CHECK(pixels.at(110, 30)[1] == 0);
    CHECK(pixels.at(140, 30)[0] == 0);
    CHECK(ink(pixels).right() >= 160);
}

TEST_CASE("figure_view: a heatmap is clipped by the child window that shows it") {
    TestWindow window({200, 120, 2});
    const HeatmapMark mark = heatmap({0, 0, 150, 100});
    window.draw = [&](FrameContext& context) {
        ImGui::SetNextWindowPos({20, 10});
        ImGui::SetNextWindowSize({60, 40});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
        ImGui::Begin("small", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
        context.figures.draw(Mark(mark), *ImGui::GetWindowDrawList(), {0, 0});
        ImGui::End();
        ImGui::PopStyleVar();
    };
    window.loop.run_until_idle();
    check_box(ink(window.loop.screenshot()), {40, 20, 120, 80}, 2);
}

TEST_CASE("figure_view: the glyphs of a text are loaded on demand") {
    const Pixels pixels = picture_of(one(letter("Ж")));
    const Pixels missing = picture_of(one(letter("\uFFFD")));
    CHECK(ink(pixels).width > 5);
    CHECK(pixels.rgba != missing.rgba);
}

TEST_CASE("figure_view: right-to-left text is drawn from the right, Arabic letters joined") {
    const auto picture = [](const char* text, Align align) {
        return picture_of(one(letter(text, align))).rgba;
    };
    for (Align align : {Align::Start, Align::Middle, Align::End}) {
        // The override makes no difference to what is drawn, but keeps the second text in order.
        CHECK(picture("שלום", align) == picture("\u202Dםולש", align));
        CHECK(picture("مرحبا", align) == picture("\u202D\uFE8E\uFE92\uFEA3\uFEAE\uFEE3", align));
        CHECK(picture("שלום", align) != picture("\u202Dשלום", align));
    }
}

TEST_CASE("figure_view: a family emoji without a glyph is one replacement") {
    const FewFonts dejavu_alone;
    CHECK(picture_of(one(letter("👩‍👩‍👧"))).rgba ==
          picture_of(one(letter("\uFFFD"))).rgba);
}

TEST_CASE("figure_view: an invalid colour scale is reported after the frame, not during it") {
    HeatmapMark mark = heatmap({0, 0, 50, 50});
    mark.scale.colors.resize(3);
    CHECK_THROWS_WITH_AS(picture_of(one(mark)), doctest::Contains("3 colours"), std::exception);
}

TEST_CASE("figure: kept in a texture it looks as if it were drawn, and a new one replaces it") {
    Figure figure{200, 120, {}};
    for (int k = 0; k < 12; ++k) {
        const float at = static_cast<float>(10 + 8 * k);
        figure.add(CurveMark{{at, 20}, {at + 30, 30}, {at - 10, 60}, {at + 20, 100}, kRed, 1.5f});
        figure.add(CircleMark{{at + 20, 100}, 4, {0, 0, 255, 255}, kBlack, 1});
    }
    for (const float pixels_per_point : {1.0f, 2.0f}) {
        const Pixels drawn = picture_of(figure, {20, 0}, 1, pixels_per_point);
        TestWindow window({200, 120, pixels_per_point});
        auto kept = std::make_shared<const Figure>(figure);
        window.draw = [&](FrameContext& context) {
            context.figures.draw_kept({kept, {5, 5, 150, 110}, {255, 255, 255, 255}},
                                      *ImGui::GetBackgroundDrawList(), {25, 5, 150, 110});
        };
        window.loop.run_until_idle();
        const Pixels shown = window.loop.screenshot();
        int n_different = 0;
        for (std::size_t k = 0; k < shown.rgba.size(); ++k)
            n_different += std::abs(int(shown.rgba[k]) - int(drawn.rgba[k])) > 8;
        CHECK(n_different == 0);
        kept = std::make_shared<const Figure>(one(RectMark{{20, 20, 40, 40}, kBlack}));
        window.loop.wake();
        window.loop.run_until_idle();
        const float scale = pixels_per_point;
        check_box(ink(window.loop.screenshot()), {40 * scale, 20 * scale, 40 * scale, 40 * scale},
                  0);
    }
}

TEST_CASE("figure: one kept where OpenGL had another is drawn, however few frames were rendered") {
    TestWindow window({200, 120, 1});
    std::shared_ptr<const Figure> kept;
    window.draw = [&](FrameContext& context) {
        if (kept)
            context.figures.draw_kept({kept, {0, 0, 150, 110}, {255, 255, 255, 255}},
                                      *ImGui::GetBackgroundDrawList(), {25, 5, 150, 110});
    };
    // The texture that was seen is let go, and its number is free, before anything is rendered.
    for (const float x : {20, 60, 100}) {
        kept = std::make_shared<const Figure>(one(RectMark{{x, 20, 20, 40}, kBlack}));
        for (int frame = 0; frame < 6; ++frame) {
            window.loop.wake();
            window.loop.run_until_idle();
        }
        check_box(ink(window.loop.screenshot()), {x + 25, 25, 20, 40}, 0);
        kept = nullptr;
        for (int frame = 0; frame < 6; ++frame) {
            window.loop.wake();
            window.loop.run_until_idle();
        }
    }
}

}  // namespace headlight::figure_view_test
