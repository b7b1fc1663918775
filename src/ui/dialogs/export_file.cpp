#include "ui/dialogs/export_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <string>

#include "io/files/folder.h"
#include "io/pictures/figure_text.h"
#include "paint/number_format.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

fs::path without_ending(const fs::path& file) {
    return file.parent_path() / file.stem();
}

fs::path ending_in(fs::path file, const std::string& ending) {
    return file.replace_extension(ending);
}

}  // namespace

void ExportFile::fill(const fs::path& file) {
    text_ = file.string();
    ++filled_;
}

fs::path ExportFile::propose(const fs::path& wanted) {
    const std::string ending = wanted.extension().string();
    const bool is_own = !proposed_.empty() && without_ending(wanted) == without_ending(proposed_);
    wanted_ = is_own ? ending_in(wanted_, ending) : wanted;
    proposed_ = free_name(wanted_);
    fill(proposed_);
    confirmed_.clear();
    return proposed_;
}

void ExportFile::take(const fs::path& chosen) {
    fill(chosen);
    confirmed_ = chosen;
}

fs::path ExportFile::with_ending(const fs::path& file, const std::string& ending) {
    if (file == proposed_) return propose(ending_in(wanted_, ending));
    const fs::path other = ending_in(file, ending);
    fill(other);
    return other;
}

ExportFile::Answer ExportFile::draw(PanelContext& context) {
    const float browse = ImGui::CalcTextSize("Browse…").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(widgets::right_edge() - ImGui::GetCursorPosX() - browse - 10);
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    const std::string id = fmt::format("##file{}", filled_);
    const bool is_entered =
        widgets::text_field(context, id.c_str(), "", text_, ImGuiInputTextFlags_EnterReturnsTrue);
    widgets::name_item(context, "text File");
    ImGui::SameLine(0, 10);
    if (widgets::button(context, "Browse…", "Choose a folder")) return Answer::Browse;
    return is_entered ? Answer::Export : Answer::None;
}

bool ExportFile::may_write(const std::optional<fs::path>& existing) {
    if (!existing || confirmed_ == text_) return true;
    confirmed_ = text_;
    return false;
}

/// After Enter the field does not have the keyboard any more.
bool ExportFile::is_confirmed() const {
    return !text_.empty() && confirmed_ == text_ && !ImGui::IsAnyItemActive() &&
           compat::is_key_pressed(Key::Enter);
}

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
    return fmt::format(
        "{} × {} mm · {} × {} pixels{}", mm(figure.width), mm(figure.height), pixels(figure.width),
        pixels(figure.height),
        view.look.type ? fmt::format(" · labels {} pt", format_value(sheet.scale * kLabelType, 1))
                       : "");
}

/// The chessboard stands for the parts that are clear.
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
    // A figure that is arranged for paper keeps its size there, whatever its type is.
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
