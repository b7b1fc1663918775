#include "ui/dialogs/export_preview.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <string>

#include "io/pictures/figure_text.h"
#include "paint/number_format.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kPreviewedPaper = 1.4f;  // points of the window to a point on paper

std::string size_text(const ViewFigure& view, const FigureSheet& sheet) {
    const Figure& figure = view.figure;
    const auto mm = [&](float points) {
        return format_value(points * sheet.scale / kPointsPerInch * kMillimetresPerInch, 1);
    };
    const auto pixels = [&](float points) {
        return format_count(
            static_cast<Index>(std::ceil(points * sheet.pixels_per_point() - 1e-3f)));
    };
    return mm(figure.width) + " × " + mm(figure.height) + " mm · " + pixels(figure.width) + " × " +
           pixels(figure.height) + " pixels" +
           (view.look.type ? " · labels " + format_value(sheet.scale * kLabelType, 1) + " pt" : "");
}

/// What is clear looks like a chessboard.
void draw_chessboard(const Theme& theme, Box box) {
    constexpr float kSide = 8;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, im_color(theme.card));
    const ImU32 dark = im_color(theme.border);
    for (int row = 0; row * kSide < box.height; ++row)
        for (int column = row % 2; column * kSide < box.width; column += 2) {
            const float x = box.x + column * kSide, y = box.y + row * kSide;
            list.AddRectFilled(
                {x, y}, {std::min(x + kSide, box.right()), std::min(y + kSide, box.bottom())},
                dark);
        }
}

}  // namespace

void draw_export_preview(PanelContext& context, const ViewFigure& view, const FigureSheet& sheet,
                         Point size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Figure& figure = view.figure;
    context.painter.push_font(Font::Regular, 11);
    const std::string sizes = size_text(view, sheet);
    const float width = ImGui::CalcTextSize(sizes.c_str()).x;
    context.painter.pop_font();
    const float line = width < size.x ? 22 : 38;  // or two lines
    // What is arranged for paper keeps its size there, whatever its type is.
    const float most = view.look.type ? kPreviewedPaper * sheet.scale : 1.0f;
    const float scale = std::min({size.x / figure.width, (size.y - line) / figure.height, most});
    const Box box{at.x + (size.x - figure.width * scale) / 2, at.y, figure.width * scale,
                  figure.height * scale};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (sheet.background.a == 0)
        draw_chessboard(context.theme, box);
    else
        list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, im_color(sheet.background));
    context.painter.draw(figure, {box.x, box.y}, scale);
    list.AddRect({box.x, box.y}, {box.right(), box.bottom()}, im_color(context.theme.border));
    context.regions.add("preview", box);
    const float left = std::max(at.x, std::min(box.x, at.x + size.x - width));
    ImGui::SetCursorScreenPos({left, box.bottom() + 5});
    widgets::hint(context, sizes);
}

}  // namespace headlight
