// Painter: draws figures, and text in the right font, for panels.
#pragma once

#include <imgui.h>

#include "ui/compat.h"
#include "ui/fonts/fonts.h"
#include "ui/pictures/figure_view.h"

namespace headlight {

class Painter {
  public:
    /// Both outlive this.
    Painter(FigureView& view, Fonts& fonts)
        : view_(view), fonts_(fonts), measure_(fonts.measure()) {}

    /// Into the current ImGui window, the figure's origin at `at`; each of its points is `scale`
    /// points.
    void draw(const Figure& figure, Point at, float scale = 1) {
        view_.draw(figure, *ImGui::GetWindowDrawList(), {at.x, at.y}, scale);
    }
    /// The same for a figure that many frames show.
    void draw_kept(const KeptFigure& kept, const Box& place) {
        view_.draw_kept(kept, *ImGui::GetWindowDrawList(), place);
    }
    const MeasureText& measure() const { return measure_; }

    void push_font(Font font, float size) { fonts_.push(font, size); }
    void pop_font() { compat::pop_font(); }
    /// For text that ImGui draws: right-to-left words in the order in which they are drawn.
    std::string drawn_text(const std::string& text, Font font) const {
        return fonts_.drawn_text(text, font);
    }
    void need_glyphs(const std::string& text) { fonts_.need_glyphs(text); }
    std::vector<const Script*> take_lacking_scripts() { return fonts_.take_lacking_scripts(); }

  private:
    FigureView& view_;
    Fonts& fonts_;
    MeasureText measure_;
};

}  // namespace headlight
