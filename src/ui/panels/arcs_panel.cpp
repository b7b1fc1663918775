// The lines between the words, small: on one line, or on two, source and target.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <imgui.h>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "scene/figures/word_lines_view.h"
#include "ui/panels/panels.h"
#include "ui/pictures/canvas.h"
#include "ui/pictures/content_sum.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// Takes the curves that a figure begins with; the figure keeps the other marks.
Figure take_arcs(Figure& figure) {
    const auto begin = figure.marks.begin();
    const auto end = std::ranges::find_if_not(
        figure.marks, [](const Mark& mark) { return std::holds_alternative<CurveMark>(mark); });
    Figure arcs{figure.width, figure.height};
    arcs.marks.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
    figure.marks.erase(begin, end);
    return arcs;
}

/// Many arcs are drawn once while they stay the same: one over another, they have more pixels than
/// the whole window.
class KeptArcs {
  public:
    void draw(PanelContext& context, Figure arcs) {
        constexpr std::size_t kMany = 100;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (arcs.marks.size() < kMany) return context.painter.draw(arcs, {at.x, at.y});
        ContentSum sum;
        for (const Mark& mark : arcs.marks)
            sum.add(std::span<const CurveMark>(&std::get<CurveMark>(mark), 1));
        const Box place = whole_pixels({at.x, at.y, arcs.width, arcs.height});
        if (!figure_ || sum.value() != sum_)
            figure_ = std::make_shared<const Figure>(std::move(arcs));
        sum_ = sum.value();
        const Box part{place.x - at.x, place.y - at.y, place.width, place.height};
        context.painter.draw_kept({figure_, part, context.theme.panel}, place);
    }

  private:
    /// Returns a box from the beginning of a pixel of the window to the end of one.
    static Box whole_pixels(const Box& box) {
        const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
        const float left = std::floor(box.x * scale.x), top = std::floor(box.y * scale.y);
        return {left / scale.x, top / scale.y, (std::ceil(box.right() * scale.x) - left) / scale.x,
                (std::ceil(box.bottom() * scale.y) - top) / scale.y};
    }

    std::shared_ptr<const Figure> figure_;
    std::uint64_t sum_ = 0;
};

class ArcsPanel final : public Panel {
  public:
    const char* title() const override { return "Arcs"; }
    const char* help() const override {
        return "The patterns of the shown heads as arcs between the words, or as curves from the "
               "target to the source, as wide as the weights. Wide ones show what the chosen words "
               "read, thinner ones which words read them. “Words” above the matrices shows them "
               "large.";
    }

    void draw(PanelContext& context) override {
        const Scene& scene = context.scene;
        WordLinesInput input = word_lines_input(scene, WordLinesInput::Detail::Small, memory_);
        const ImVec2 size = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
        input.width = size.x;
        input.height = size.y;
        const MeasureText& measure = context.painter.measure();
        WordLinesFigure lines = word_lines_figure(scene, input, measure);
        arcs_.draw(context, take_arcs(lines.figure));
        const Point origin = widgets::place_figure(context, lines.figure);
        add_words(lines, scene, "arc");
        point_at_targets(context, lines.figure, origin);
        context.painter.draw(
            notes_figure(word_lines_notes(scene, input), size.x, context.theme, measure),
            {at.x, at.y - 4});
    }

  private:
    WordLinesMemory memory_;
    KeptArcs arcs_;
};

}  // namespace

std::unique_ptr<Panel> make_arcs_panel() {
    return std::make_unique<ArcsPanel>();
}

}  // namespace headlight
