#include "ui/widgets/head_chooser.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "core/analyses/head_metrics.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/head_thumbnail.h"

namespace headlight {
namespace {

constexpr float kLargestCellSide = 26, kSmallestCellSide = 12, kCellGap = 2, kNamesGap = 8;
constexpr float kNumberSize = 10;
constexpr float kChooserPad = 13;

/// Draws one grid, cell by cell.
class DrawnChooser {
  public:
    DrawnChooser(PanelContext& context, const HeadChooser& chooser)
        : context_(context), chooser_(chooser), attentions_(all_attentions(context.components)) {}

    std::optional<GridHead> draw() {
        measure();
        const ImVec2 start = ImGui::GetCursorScreenPos();
        draw_numbers(start);
        for (std::size_t row = 0; row < attentions_.size(); ++row) draw_row(start, row);
        const float rows = static_cast<float>(attentions_.size());
        ImGui::SetCursorScreenPos(start);
        ImGui::Dummy(
            {names_ + static_cast<float>(columns_) * pitch_, kNumberSize + 4 + rows * pitch_});
        return clicked_;
    }

    /// Returns the width with cells of the usual size.
    float width() {
        measure_names();
        return names_ + static_cast<float>(columns_) * (kLargestCellSide + kCellGap);
    }

  private:
    void measure_names() {
        names_ = 0;
        for (const Component* attention : attentions_) {
            columns_ = std::max(columns_, attention->n_heads);
            names_ = std::max(names_, ImGui::CalcTextSize(attention_name(*attention).c_str()).x);
        }
        names_ += kNamesGap;
    }

    void measure() {
        measure_names();
        const float room = ImGui::GetContentRegionAvail().x - names_;
        const float each = room / static_cast<float>(columns_) - kCellGap;
        side_ = std::clamp(each, kSmallestCellSide, kLargestCellSide);
        pitch_ = side_ + kCellGap;
    }

    void draw_numbers(ImVec2 start) const {
        context_.painter.push_font(Font::Regular, kNumberSize);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float widest = ImGui::CalcTextSize(std::to_string(columns_ - 1).c_str()).x;
        const int every = widest + 2 > pitch_ ? 4 : 1;
        for (int h = 0; h < columns_; h += every) {
            const std::string number = std::to_string(h);
            const float width = ImGui::CalcTextSize(number.c_str()).x;
            const float left = start.x + names_ + static_cast<float>(h) * pitch_;
            list.AddText({left + (side_ - width) / 2, start.y}, im_color(context_.theme.muted),
                         number.c_str());
        }
        context_.painter.pop_font();
    }

    void draw_row(ImVec2 start, std::size_t row) {
        const Component& attention = *attentions_[row];
        const float y = start.y + kNumberSize + 4 + static_cast<float>(row) * pitch_;
        const float text = y + (side_ - ImGui::GetTextLineHeight()) / 2;
        ImGui::GetWindowDrawList()->AddText({start.x, text}, im_color(context_.theme.text),
                                            attention_name(attention).c_str());
        for (int h = 0; h < attention.n_heads; ++h) {
            const float x = start.x + names_ + static_cast<float>(h) * pitch_;
            draw_cell({&attention, static_cast<int>(row), h}, {x, y});
        }
    }

    void draw_cell(const GridHead& head, ImVec2 at) {
        const HeadMark mark = chooser_.mark(head);
        ImGui::SetCursorScreenPos(at);
        const std::string name = chooser_.name(head);
        const bool is_pressed = ImGui::InvisibleButton(name.c_str(), {side_, side_});
        const bool is_hovered = ImGui::IsItemHovered();
        fill_cell(head, at, mark, is_hovered);
        if (mark == HeadMark::Absent) return;
        widgets::name_item(context_, name);
        if (is_hovered) {
            std::string text = words_of(head);
            if (chooser_.note) text += chooser_.note(head);
            widgets::draw_tooltip(text);
        }
        if (is_pressed) clicked_ = head;
    }

    /// Returns "Layer 9 · head 3 · previous token 0.81".
    std::string words_of(const GridHead& head) const {
        std::string text = fmt::format("{} · {}", attention_name(*head.attention),
                                       head_title(*head.attention, head.head));
        const Trace* trace = context_.trace;
        if (!trace) return text;
        if (const auto label = head_label(*trace, head.attention->path, head.head))
            text += " · " + label_and_value(*label);
        return text;
    }

    void fill_cell(const GridHead& head, ImVec2 at, HeadMark mark, bool is_hovered) const {
        const Theme& theme = context_.theme;
        const Color color = head_color(theme, head.head);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 end{at.x + side_, at.y + side_};
        if (mark == HeadMark::Absent) return list.AddRect(at, end, im_color(theme.border), 3);
        const bool is_chosen = mark == HeadMark::Chosen;
        list.AddRectFilled(at, end, im_color(is_chosen ? color : theme.field), 3);
        list.AddRect(at, end,
                     im_color(is_hovered  ? theme.accent
                              : is_chosen ? color
                                          : theme.border),
                     3, 0, is_hovered ? 2.0f : 1.0f);
    }

    PanelContext& context_;
    const HeadChooser& chooser_;
    const std::vector<const Component*> attentions_;
    int columns_ = 1;
    float names_ = 0, side_ = kLargestCellSide, pitch_ = 0;
    std::optional<GridHead> clicked_;
};

}  // namespace

std::optional<GridHead> draw_head_chooser(PanelContext& context, const HeadChooser& chooser) {
    return DrawnChooser(context, chooser).draw();
}

std::optional<GridHead> head_chooser_button(PanelContext& context, const char* name,
                                            const std::string& text, const HeadChooser& chooser) {
    const std::string popup = std::string("heads of ") + name;
    if (ImGui::Button(fmt::format("{}  ▾##{}", text, name).c_str()))
        ImGui::OpenPopup(popup.c_str());
    widgets::name_item(context, std::string("button ") + name);
    const float most = ImGui::GetIO().DisplaySize.x - 40;
    const float width = DrawnChooser(context, chooser).width() + 2 * kChooserPad;
    ImGui::SetNextWindowSize({std::min(most, width), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {kChooserPad, kChooserPad});
    const bool is_open = ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return std::nullopt;
    context.regions.begin_popup();
    const std::optional<GridHead> clicked = draw_head_chooser(context, chooser);
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_done = clicked && !io.KeyCtrl && !io.KeyShift;
    if (is_done || compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    return clicked;
}

}  // namespace headlight
