// The inspector's head: the cell's name, its value, and the arithmetic that made it.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/labels.h"
#include "figure/number_format.h"
#include "figure/terms_figure.h"
#include "figure/words/formula.h"
#include "ui/panel.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/explanation_view.h"

namespace headlight {
namespace {

constexpr float kWideHeader = 12;   // size of the heads of columns
constexpr float kCloseButton = 40;  // room at the upper right

/// Draws the title and the value into the current window, as large as fits, at most `size`.
void draw_cell_title(PanelContext& context, const CellPlace& cell, float size) {
    widgets::place_figure(
        context, cell_title_figure(context.scene, cell, size, ImGui::GetContentRegionAvail().x,
                                   context.painter.measure()));
}

/// Draws the arithmetic of all steps.
void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                     const StoryStyle& style) {
    widgets::place_figure(
        context, story_figure(context.scene, steps, style, ImGui::GetContentRegionAvail().x,
                              context.painter.measure()));
}

/// Draws a link back to what was shown before a term was followed; nothing if none was.
void draw_way_back(PanelContext& context) {
    if (!context.selection.can_go_back()) return;
    if (widgets::button(context, "← Back", "Back to the previous cell (Alt+←)"))
        context.selection.go_back(*context.trace, context.components);
}

/// Draws text that is pressed like a button, and looks like one only under the pointer.
bool link(PanelContext& context, const std::string& text, const std::string& name) {
    const ImVec4 ink = im_vec(context.theme.accent), none{0, 0, 0, 0};
    ImGui::PushStyleColor(ImGuiCol_Text, ink);
    ImGui::PushStyleColor(ImGuiCol_Button, none);
    ImGui::PushStyleColor(ImGuiCol_Border, none);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {3, 1});
    const bool is_pressed = ImGui::Button(fmt::format("{}##{}", text, name).c_str());
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    widgets::name_item(context, name);
    return is_pressed;
}

/// Highlights the cells of a row that is pointed at; a click goes to the target.
void point_at_cells(PanelContext& context, const TermRow& row, std::size_t target) {
    const Trace& trace = *context.trace;
    std::vector<CellPlace> highlighted;
    for (const TermCell& cell : row.cells)
        highlighted.push_back({trace[cell.tensor].path(), cell.row, cell.column});
    const CellPlace& goal = highlighted[target];
    // Only the indices are hovered: the inspector would show the cell, and the row would move under
    // the pointer.
    const AxisIndices indices = axis_indices(trace, trace.at(goal.path), goal.row, goal.column);
    context.selection.hover({indices, std::nullopt});
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        context.selection.go_to(trace, context.components, goal);
    context.selection.highlight(std::move(highlighted));
}

/// The terms of a cell's arithmetic as a list: sorted, alive under the pointer, each leading to its
/// cells.
class TermList {
  public:
    explicit TermList(TermForm form) : form_(form) {}

    /// Draws in the current window. Compact: the first `most_rows` rows, then a line that leads to
    /// all of them; Wide: in all that is left of the window, scrolling.
    void draw(PanelContext& context, const std::vector<ArithmeticStep>& steps, Index most_rows);

  private:
    const ArithmeticStep* choose_step(PanelContext& context,
                                      const std::vector<ArithmeticStep>& steps);
    void draw_heading(PanelContext& context, const TermTable& table) const;
    void draw_order(PanelContext& context);
    TermColumns lay_out_columns(const TermTable& table) const;
    void draw_headers(PanelContext& context, const TermTable& table,
                      const TermColumns& columns) const;
    void draw_rows(PanelContext& context, const TermTable& table, const TermColumns& columns,
                   std::pair<Index, Index> shown) const;
    void draw_scrolling(PanelContext& context, const TermTable& table, const TermColumns& columns);
    void draw_row(PanelContext& context, const TermRow& row, const TermColumns& columns,
                  Index number) const;
    void draw_rest(PanelContext& context, const TermTable& table) const;

    TermForm form_;
};

void TermList::draw(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                    Index most_rows) {
    const ArithmeticStep* step = choose_step(context, steps);
    if (!step) return;
    const TermTable table(*context.trace, *step, context.selection.looks.explanation.order);
    draw_heading(context, table);
    draw_order(context);
    if (const std::string remark = table.remark(); !remark.empty()) widgets::hint(context, remark);
    if (const std::string idle = table.why_idle(); !idle.empty()) widgets::hint(context, idle);
    const TermColumns columns = lay_out_columns(table);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 0});
    draw_headers(context, table, columns);
    if (form_ == TermForm::Wide) {
        draw_scrolling(context, table, columns);
    } else {
        draw_rows(context, table, columns, {0, std::min(most_rows, table.size())});
        if (table.size() > most_rows) draw_rest(context, table);
    }
    ImGui::PopStyleVar();
}

/// Draws the steps that have a table, side by side where there are several. Returns the chosen one,
/// by default the last.
const ArithmeticStep* TermList::choose_step(PanelContext& context,
                                            const std::vector<ArithmeticStep>& steps) {
    const ArithmeticStep* shown = listed_step(context.scene, steps);
    if (!shown) return nullptr;
    std::vector<const ArithmeticStep*> with_table;
    for (const ArithmeticStep& step : steps)
        if (has_table(step)) with_table.push_back(&step);
    for (const ArithmeticStep* step : with_table) {
        if (with_table.size() == 1) break;
        const Tensor& tensor = (*context.trace)[step->tensor];
        const Color background = step == shown ? context.theme.accent_soft : context.theme.field;
        ImGui::PushStyleColor(ImGuiCol_Button, im_vec(background));
        const std::string text = plain_formula(tensor.symbol());
        const std::string name = (form_ == TermForm::Wide ? "large terms of " : "terms of ") +
                                 std::string(tensor.name());
        if (ImGui::SmallButton(fmt::format("{}##{}", text, name).c_str()))
            context.selection.looks.explanation = {std::string(tensor.name()),
                                                   context.selection.looks.explanation.order};
        widgets::name_item(context, name);
        ImGui::PopStyleColor();
        ImGui::SameLine(0, 6);
    }
    if (with_table.size() > 1 && form_ == TermForm::Compact) ImGui::NewLine();
    return shown;
}

/// In the wide form the heading stands beside the choice of steps, which leaves the line open.
void TermList::draw_heading(PanelContext& context, const TermTable& table) const {
    if (form_ == TermForm::Wide) ImGui::BeginGroup();
    widgets::heading(context, table.title());
    if (form_ == TermForm::Wide) ImGui::EndGroup();
}

void TermList::draw_order(PanelContext& context) {
    TermOrder& order = context.selection.looks.explanation.order;
    const bool is_sorted = order == TermOrder::Strongest;
    const char* text = is_sorted ? "by size" : "in order";
    context.painter.push_font(Font::Regular, 11);
    const float closer = form_ == TermForm::Wide ? kCloseButton : 0;
    ImGui::SameLine(widgets::right_edge() - ImGui::CalcTextSize(text).x - 8 - closer);
    const char* name = form_ == TermForm::Wide ? "large order of terms" : "order of terms";
    if (link(context, text, name)) order = is_sorted ? TermOrder::AsComputed : TermOrder::Strongest;
    context.painter.pop_font();
    widgets::tooltip("The largest first, or as they are computed");
}

TermColumns TermList::lay_out_columns(const TermTable& table) const {
    Point room{ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y};
    if (form_ == TermForm::Wide) {
        room.x -= ImGui::GetStyle().ScrollbarSize;
        room.y = std::max(1.0f, room.y - kWideHeader - 8);
    }
    return term_columns(table, form_, room);
}

void TermList::draw_headers(PanelContext& context, const TermTable& table,
                            const TermColumns& columns) const {
    widgets::place_figure(
        context, term_head_figure(table, form_, columns, context.theme, context.painter.measure()));
}

void TermList::draw_scrolling(PanelContext& context, const TermTable& table,
                              const TermColumns& columns) {
    // The rows below the edge are counted, and reached with the wheel.
    const float rows_height = columns.row_height * static_cast<float>(table.size());
    const bool is_cut = rows_height > ImGui::GetContentRegionAvail().y + 1;
    const float room = ImGui::GetContentRegionAvail().y - ImGui::GetTextLineHeightWithSpacing();
    const float whole_rows = std::floor(room / columns.row_height) * columns.row_height;
    compat::begin_child("terms", {0, is_cut ? std::max(columns.row_height, whole_rows) : 0},
                        compat::Border::No);
    const ImVec2 start = ImGui::GetCursorPos();
    const float top = ImGui::GetScrollY(), height = ImGui::GetWindowSize().y;
    const auto first = static_cast<Index>(top / columns.row_height);
    const auto last = static_cast<Index>((top + height) / columns.row_height) + 1;
    const Index begin = std::min(first, table.size()), end = std::min(last, table.size());
    ImGui::SetCursorPosY(start.y + static_cast<float>(begin) * columns.row_height);
    draw_rows(context, table, columns, {begin, end});
    ImGui::SetCursorPosY(start.y + static_cast<float>(table.size()) * columns.row_height);
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    const auto n_whole = static_cast<Index>(height / columns.row_height);
    if (is_cut)
        widgets::hint(context, fmt::format("… {} of {} terms; the wheel shows the others",
                                           format_count(n_whole), format_count(table.size())));
}

void TermList::draw_rows(PanelContext& context, const TermTable& table, const TermColumns& columns,
                         std::pair<Index, Index> shown) const {
    for (Index k = shown.first; k < shown.second; ++k)
        draw_row(context, table.row(k, form_), columns, k);
}

void TermList::draw_row(PanelContext& context, const TermRow& row, const TermColumns& columns,
                        Index number) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Box box{0, 0, columns.width, columns.row_height};
    const Point pointer = widgets::pointer_in({at.x, at.y});
    const bool is_pointed = box.contains(pointer);
    const TermRowFigure made = term_row_figure(row, columns, is_pointed ? pointer.x : -1,
                                               context.theme, context.painter.measure());
    widgets::place_figure(context, made.figure);
    const std::string name = (form_ == TermForm::Wide ? "large term " : "term ");
    context.regions.add(name + std::to_string(number), {at.x, at.y, box.width, box.height});
    if (is_pointed) point_at_cells(context, row, made.target);
}

/// Draws a line that leads to all terms.
void TermList::draw_rest(PanelContext& context, const TermTable& table) const {
    context.painter.push_font(Font::Regular, 11);
    const std::string text = fmt::format("all {}, larger  (I)", format_count(table.size()));
    if (link(context, text, "button all terms")) context.selection.explains = true;
    context.painter.pop_font();
}

/// Returns the end of a path, which says most, where there is no room for all of it.
std::string fitting_path(const std::string& path, float width) {
    std::string text = path;
    for (std::size_t at = 0; ImGui::CalcTextSize(text.c_str()).x > width;) {
        const std::size_t dot = path.find('.', at);
        if (dot == std::string::npos) break;
        at = dot + 1;
        text = "…" + path.substr(at);
    }
    return text;
}

/// Returns the most terms that leave room for the panels below.
Index most_terms() {
    return static_cast<Index>(std::clamp((ImGui::GetIO().DisplaySize.y - 700) / 25, 3.0f, 12.0f));
}

class CellPanel final : public Panel {
  public:
    const char* title() const override { return "Cell"; }
    const char* help() const override {
        return "The cell under the pointer, or the held one, with the numbers that it is computed "
               "from. Rows are queries, columns are keys. Point at a term to see its cells, click "
               "it to go there; I shows everything larger.";
    }

    void draw(PanelContext& context) override {
        const auto& cell = context.selection.current_cell();
        if (!context.trace || !cell) return draw_empty(context);
        const Trace& trace = *context.trace;
        if (!trace.at(cell->path).value) return draw_empty(context);
        draw_path(context, cell->path);
        draw_cell_title(context, *cell, 22);
        draw_compared_cell(context, *cell);
        const auto steps =
            arithmetic_steps(trace, trace.id_at(cell->path), cell->row, cell->column);
        draw_arithmetic(context, steps, {});
        terms_.draw(context, steps, most_terms());
        draw_way_back(context);
    }

  private:
    static void draw_empty(PanelContext& context) {
        widgets::hint(context,
                      "Point at a cell of any matrix to read the arithmetic that made it. "
                      "A click holds it; Esc lets it go.");
    }

    static void draw_path(PanelContext& context, const std::string& path) {
        context.painter.push_font(Font::Mono, 12);
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::TextDisabled("%s", fitting_path(path, width).c_str());
        widgets::tooltip(path.c_str());
        context.painter.pop_font();
    }

    TermList terms_{TermForm::Compact};
};

}  // namespace

std::unique_ptr<Panel> make_cell_panel() {
    return std::make_unique<CellPanel>();
}

namespace {

class ExplanationPanel final : public Panel {
  public:
    const char* title() const override { return "Explanation"; }
    const char* help() const override {
        return "The arithmetic of the cell with its real numbers. Point at a term to see its cells "
               "in the matrices above, click it to go there.";
    }

    void draw(PanelContext& context) override {
        const float width = ImGui::GetContentRegionAvail().x;
        const auto& cell = context.selection.current_cell();
        const bool has_value = cell && context.trace && context.trace->at(cell->path).value;
        if (!has_value) {
            widgets::hint(context, "Point at a cell, or click it, to see how it is computed.");
            return draw_close(context, width);
        }
        const Trace& trace = *context.trace;
        const auto steps =
            arithmetic_steps(trace, trace.id_at(cell->path), cell->row, cell->column);
        const float share = std::clamp(0.38f * width, 200.0f, 640.0f);
        compat::begin_child("story", {share, 0}, compat::Border::No);
        draw_cell_title(context, *cell, 24);
        const float button = ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().ItemSpacing.y;
        const float back = context.selection.can_go_back() ? button : 0;
        draw_arithmetic(context, steps,
                        {.size = 18,
                         .smallest = 12,
                         .most_terms = 4,
                         .height = ImGui::GetContentRegionAvail().y - back});
        draw_way_back(context);
        ImGui::EndChild();
        ImGui::SameLine(0, 22);
        compat::begin_child("table", {0, 0}, compat::Border::No);
        const float table_width = ImGui::GetContentRegionAvail().x;
        draw_close(context, table_width);
        ImGui::SetCursorPos({0, 0});
        terms_.draw(context, steps, 0);
        ImGui::EndChild();
    }

  private:
    static void draw_close(PanelContext& context, float width) {
        ImGui::SetCursorPos({width - 30, 0});
        const bool is_pressed = ImGui::Button("×##explanation");
        widgets::name_item(context, "button Close explanation");
        widgets::tooltip("Closes the explanation (I)");
        if (is_pressed) context.selection.explains = false;
    }

    TermList terms_{TermForm::Wide};
};

}  // namespace

std::unique_ptr<Panel> make_explanation_panel() {
    return std::make_unique<ExplanationPanel>();
}

}  // namespace headlight
