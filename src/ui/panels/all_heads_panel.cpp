// The heads of all attentions at a glance: small pictures, sorted by a number of each head, and two
// of their metrics against each other.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure_parts.h"
#include "figure/heads_figure.h"
#include "figure/number_format.h"
#include "figure/panels/panels_figure.h"
#include "ui/compat.h"
#include "ui/panel.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/heads_order.h"
#include "views/listed_heads.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kOfFrame{6};

std::string pattern_path(const PanelContext& context, const ListedHead& head) {
    const Tensor* pattern = find_of_head(*context.trace, *head.attention, head.head, Role::Pattern);
    return pattern ? pattern->path() : "";
}

/// Draws the letter of a head that is one of the panels at its corner; nothing for others.
void draw_panel_letter(const PanelContext& context, const ListedHead& head, Box at) {
    const std::vector<std::string>& panels = context.selection.looks.panels.matrices;
    const auto panel = std::find(panels.begin(), panels.end(), pattern_path(context, head));
    if (panel == panels.end()) return;
    const std::string letter = panel_letter(static_cast<std::size_t>(panel - panels.begin()));
    const ImVec2 size = ImGui::CalcTextSize(letter.c_str());
    const ImVec2 corner{at.right() - size.x - 6, at.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, {at.right(), at.y + size.y + 4}, im_color(context.theme.accent), 4);
    list.AddText({corner.x + 3, corner.y + 2}, im_color(context.theme.on_accent), letter.c_str());
}

/// Makes the head one of the panels, or removes it from them.
void toggle_panel(PanelContext& context, const ListedHead& head) {
    std::vector<std::string>& panels = context.selection.looks.panels.matrices;
    const std::string path = pattern_path(context, head);
    const auto at = std::find(panels.begin(), panels.end(), path);
    if (at != panels.end())
        panels.erase(at);
    else if (!path.empty())
        panels.push_back(path);
}

/// Draws a line where the colours of all heads show little, or are others than usual.
void draw_heads_scale(PanelContext& context, const std::vector<ListedHead>& heads, float margin) {
    if (const std::string unmeasured = unmeasured_heads_text(heads); !unmeasured.empty()) {
        ImGui::SetCursorPosX(margin);
        widgets::hint(context, unmeasured);
    }
    if (const std::string text =
            heads.empty() ? "" : overview_text(*context.trace, *heads.front().pattern);
        !text.empty()) {
        ImGui::SetCursorPosX(margin);
        widgets::hint(context, "These are overviews " + text + ". A click asks for a pattern.");
    }
    const std::string blank = blank_heads_text(context.scene, heads);
    const std::string text = blank.empty() ? colors_of_heads(context.scene) : blank;
    if (text.empty() || heads.empty()) return;
    PictureSettings& settings = context.selection.scales.of(heads.front().pattern->quantity());
    ImGui::SetCursorPosX(margin);
    if (!blank.empty()) {
        if (widgets::button(context, "Log scale", "Equal ratios look equally different"))
            settings.scale = PictureSettings::Scale::Log;
    } else if (widgets::button(context, "0 to 1", "The usual scale, the same for all heads")) {
        settings.scale = PictureSettings::Scale::Linear;
        settings.range = PictureSettings::Range::Standard;
    }
    ImGui::SameLine(0, 10);
    ImGui::AlignTextToFramePadding();
    widgets::hint(context, text);
    ImGui::Dummy({0, 4});
}

/// Says in place of the heads why there are none.
void hint_in(PanelContext& context, Box box, const std::string& text) {
    ImGui::SetCursorScreenPos({box.x, box.y + 8});
    compat::begin_child("hint", {box.width, box.height}, compat::Border::No);
    widgets::hint(context, text);
    ImGui::EndChild();
}

constexpr float kHeadsMargin = 16, kHeadsPad = 14, kHeadGap = 12, kBelow = 236;
constexpr float kLeastForScatter = 640, kScatterShare = 0.36f;
constexpr float kSidesGap = 18;
using By = HeadsOrder::By;

class AllHeadsPanel final : public Panel {
  public:
    const char* title() const override { return "All heads"; }
    const char* help() const override {
        return "The pattern of every head of every layer, named layer.head: rows are queries, "
               "columns are keys. Sort the heads by a metric, or show only those where it is high; "
               "the plot at the right compares two metrics. By the held word: what the queries "
               "give it, as their mean. A label says what a head does if the share of attention is "
               "at least 0.4 and more than heads with random weights reach by chance. A click "
               "opens a head; with Ctrl or Shift heads become panels of one figure. "
               "docs/mechanisms.md explains the metrics. In a comparison the heads of A, B and "
               "A − B stand beside each other, and can be sorted by how much they differ: "
               "½ Σ |A − B| of a row, as the mean over the rows, "
               "0 to 1. Special, punctuation and same word are what the queries give tokens of "
               "that kind. Own metric is an expression of one head's matrices, in the language of "
               "lectures: 1 - mean(pattern[*, cat]), norm(z); before a colon stands its name. "
               "Copy puts the numbers of the heads that are listed on the clipboard, for a "
               "spreadsheet; Export writes them as a table.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        const std::vector<HeadsOfSide> sides = list_sides(context.scene, memory_);
        // A's heads, or its differences from B's, which know A's metrics, too.
        const std::vector<ListedHead>& all = sides.front().heads;
        const bool has_metrics = std::any_of(all.begin(), all.end(),
                                             [](const ListedHead& head) { return head.metrics; });
        is_compared_ = sides.size() > 1 || sides.front().side == ComparedSide::Difference;
        follow(context, all);
        const bool has_numbers = is_compared_ || numbers_.look().order.by != By::Difference;
        is_sorting_ = has_metrics && has_numbers && numbers_.is_sorting();
        if (has_metrics) draw_bar(context, all);
        draw_heads_scale(context, all, kHeadsMargin);
        const std::vector<ListedHead> heads = chosen(all);
        context.selection.listed_heads = numbers_.list(heads);
        pointed_ = next_pointed_;
        next_pointed_.clear();
        const bool is_by_layer = !is_sorting_;
        const bool has_scatter = has_metrics && sides.size() == 1;
        const Places places = place(context, has_scatter, is_by_layer);
        draw_sides(context, sides, heads, places.grid);
        if (places.scatter.width > 0) draw_scatter(context, heads, places.scatter);
    }

  private:
    struct Places {
        Box grid, scatter;  // no width: there is none
    };

    /// Places the points beside the pictures or below them, whichever leaves these larger.
    static Places place(PanelContext& context, bool has_scatter, bool is_by_layer) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const Box all{at.x + kHeadsMargin, at.y, room.x - 2 * kHeadsMargin, room.y - kHeadsMargin};
        Places places{all, {}};
        if (!has_scatter || all.width < kLeastForScatter) return places;
        const float right = std::floor(all.width * kScatterShare);
        Box &grid = places.grid, &scatter = places.scatter;
        if (is_by_layer) {
            int columns = 1;
            const std::vector<const Component*> attentions = all_attentions(context.components);
            for (const Component* attention : attentions)
                columns = std::max(columns, attention->n_heads);
            const auto across = static_cast<float>(columns);
            const auto down = static_cast<float>(attentions.size());
            const float beside = std::min((all.width - right) / across, all.height / down);
            const float above = std::min(all.width / across, (all.height - kBelow) / down);
            if (above > beside) {
                grid.height -= kBelow + kHeadGap;
                scatter = {all.x, all.bottom() - kBelow, all.width, kBelow};
                return places;
            }
        }
        grid.width -= right + kHeadGap;
        scatter = {all.right() - right, all.y, right, std::min(all.height, right)};
        return places;
    }

    /// Computes the heads' numbers for a few milliseconds, and asks for a frame if some are left.
    void follow(PanelContext& context, const std::vector<ListedHead>& heads) {
        const HeadsOrder before = numbers_.look().order;
        const auto followed =
            numbers_.follow(context.scene, heads, HeadNumbers::Clock::now() + kOfFrame);
        if (followed == HeadNumbers::Followed::Unfinished) context.requests.look_again(0);
        const bool is_new = followed == HeadNumbers::Followed::JustCompleted;
        if (is_new || numbers_.look().order != before) least_ = lowest(heads);
    }

    MetricRows rows() const { return numbers_.look().rows; }

    /// Returns the heads whose number is high enough, highest first; or all, in the order of the
    /// layers.
    std::vector<ListedHead> chosen(const std::vector<ListedHead>& heads) const {
        return is_sorting_ ? numbers_.sorted(heads, static_cast<Scalar>(least_)) : heads;
    }

    /// The entries of the list of orders. The own metric is whatever measure is none of the others.
    struct Entry {
        std::string name;
        HeadsOrder order;
    };
    std::vector<Entry> entries(By now) const {
        std::vector<Entry> entries{{"layer", {}}};
        for (const HeadsOrder& order : named_orders())
            if (order.by == By::Metric || order.by == By::Measure)
                entries.push_back({write_heads_order(order), order});
        entries.push_back({"own metric…", {.by = By::Measure, .measure = own_text_}});
        entries.push_back({"held word", {.by = By::HeldWord}});
        if (is_compared_ || now == By::Difference)
            entries.push_back({"A − B", {.by = By::Difference}});
        return entries;
    }

    /// Draws the list of orders. Returns true if the order is an own metric.
    bool draw_orders(PanelContext& context) {
        HeadsOrder& order = context.selection.looks.heads.order;
        std::vector<Entry> all = entries(order.by);
        const auto own = std::ranges::find(all, "own metric…", &Entry::name);
        // A typed metric stays there, even if it is the name of another entry.
        auto now = own->order == order ? own : std::ranges::find(all, order, &Entry::order);
        if (now == all.end()) {  // an option has said it
            now = own;
            own_text_ = order.measure;
            own_buffer_ = context.codes.encode(own_text_);
        }
        std::vector<const char*> names;
        for (const Entry& entry : all) names.push_back(entry.name.c_str());
        int picked = static_cast<int>(now - all.begin());
        if (!widgets::row_choice(context, "Sort by", picked, names, 124)) return now == own;
        order = all[static_cast<std::size_t>(picked)].order;
        context.requests.look_again(0);
        focuses_own_ = picked == own - all.begin();
        return focuses_own_;
    }

    void draw_bar(PanelContext& context, const std::vector<ListedHead>& heads) {
        ImGui::SetCursorPosX(kHeadsMargin);
        const auto names = head_metric_names();
        static constexpr std::array kTokens = {"all tokens", "all but the first"};
        ImGui::BeginGroup();
        const bool is_own = draw_orders(context);
        if (is_sorting_) draw_least(context, heads);
        if (is_own) draw_own(context);
        next_in_bar("Of", 130);
        int without_first = rows() == MetricRows::WithoutFirst;
        if (widgets::row_choice(context, "Of", without_first, kTokens, 130))
            context.selection.looks.heads.rows = MetricRows(without_first);
        next_in_bar("Across", 96);
        widgets::row_choice(context, "Across", x_, names, 96);
        next_in_bar("Up", 96);
        widgets::row_choice(context, "Up", y_, names, 96);
        widgets::same_line_if_fits("Copy");
        if (widgets::button(context, "Copy",
                            "The numbers of these heads, a row a head, for a spreadsheet  "
                            "(Ctrl+C); of a comparison A − B"))
            context.requests.run("copy");
        ImGui::EndGroup();
        ImGui::Dummy({0, 4});
    }

    static void next_in_bar(const char* name, float width) {
        widgets::same_line_if_fits(widgets::labelled_width(name, width) + kHeadsMargin, 18);
    }

    Scalar lowest(const std::vector<ListedHead>& heads) const {
        Scalar least = 0;
        for (const ListedHead& head : heads) least = std::min(least, numbers_.of(head).value_or(0));
        return least;
    }

    void draw_least(PanelContext& context, const std::vector<ListedHead>& heads) {
        float most = 0;
        for (const ListedHead& head : heads)
            most = std::max(most, static_cast<float>(numbers_.of(head).value_or(0)));
        ImGui::SameLine(0, 10);
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("at least");
        ImGui::SameLine(0, 6);
        ImGui::SetNextItemWidth(64);
        ImGui::DragFloat("##least", &least_, std::max(0.001f, most / 200), 0, most, "%.4g");
        widgets::name_item(context, "field at least");
    }

    void draw_own(PanelContext& context) {
        next_in_bar("", 280);
        ImGui::SetNextItemWidth(280);
        if (std::exchange(focuses_own_, false)) compat::focus_next_item();
        std::string& shown = own_buffer_;
        HeadsOrder& order = context.selection.looks.heads.order;
        if (ImGui::InputTextWithHint("##own", "mean(pattern[*, 0])", &shown))
            own_text_ = order.measure = context.codes.decode(shown);
        widgets::name_item(context, "text own metric");
        widgets::tooltip("An expression of one head's matrices: pattern, q, k, v, z, result");
    }

    bool is_open(const PanelContext& context, const ListedHead& head) const {
        const Component* shown = shown_attention(context.components, context.selection);
        return shown && shown->path == head.attention->path && context.selection.head == head.head;
    }

    /// Draws the sides of a comparison beside each other, their heads in the order of A's.
    void draw_sides(PanelContext& context, const std::vector<HeadsOfSide>& sides,
                    const std::vector<ListedHead>& heads, Box box) {
        const std::string why = is_sorting_ ? numbers_.why_none(sides.front().heads) : "";
        if (heads.empty() && !why.empty()) return hint_in(context, box, why);
        if (heads.empty() && is_sorting_)
            return hint_in(
                context, box,
                fmt::format("No head has {} of at least {}; lower the number above.",
                            numbers_.name(), format_value(static_cast<Scalar>(least_), 2)));
        const std::vector<Box> boxes =
            place_pictures(box, static_cast<int>(sides.size()), kSidesGap);
        for (std::size_t k = 0; k < sides.size(); ++k)
            draw_side(context, sides[k],
                      is_sorting_ ? in_order_of(heads, sides[k].heads) : sides[k].heads, boxes[k]);
    }

    void draw_side(PanelContext& context, const HeadsOfSide& side,
                   const std::vector<ListedHead>& heads, Box box) {
        SideOfHeads shown{.side = side, .is_by_layer = !is_sorting_, .pictures = {}};
        for (const ListedHead& head : heads) {
            HeadPicture picture = numbers_.picture(head, context.theme);
            picture.is_chosen = is_open(context, head) || head.place() == pointed_;
            shown.pictures.push_back(std::move(picture));
        }
        const HeadGridFigure grid =
            side_figure(shown, {box.width, box.height}, context.theme, context.painter.measure());
        ImGui::SetCursorScreenPos({box.x, box.y});
        const Point origin = widgets::place_figure(context, grid.figure);
        const std::string of =
            side.side == ComparedSide::A ? "head " : fmt::format("head {} ", side_text(side.side));
        for (std::size_t i = 0; i < heads.size(); ++i) {
            Box at = grid.boxes[i];
            at.x += origin.x, at.y += origin.y;
            context.regions.add(of + heads[i].place(), at);
            draw_panel_letter(context, heads[i], at);
        }
        point_at(context, heads, grid.head_at(widgets::pointer_in(origin)));
    }

    void draw_scatter(PanelContext& context, const std::vector<ListedHead>& heads, Box box) {
        ScatterInput input{.points = {},
                           .x_name = head_metric_names()[std::size_t(x_)],
                           .y_name = head_metric_names()[std::size_t(y_)],
                           .width = box.width - 2 * kHeadsPad,
                           .height = box.height - 2 * kHeadsPad};
        std::vector<ListedHead> drawn;
        for (const ListedHead& head : heads) {
            if (!head.metrics) continue;
            input.points.push_back({head.metric(HeadMetric(x_), rows()),
                                    head.metric(HeadMetric(y_), rows()),
                                    head_color(context.theme, head.head), is_open(context, head),
                                    head.place() == pointed_});
            drawn.push_back(head);
        }
        Figure card{box.width, box.height, {}};
        card.add(RectMark{{0.5f, 0.5f, card.width - 1, card.height - 1},
                          context.theme.card,
                          context.theme.border,
                          1,
                          8});
        ImGui::SetCursorScreenPos({box.x, box.y});
        widgets::place_figure(context, card);
        const ScatterFigure scatter =
            scatter_figure(input, context.theme, context.painter.measure());
        ImGui::SetCursorScreenPos({box.x + kHeadsPad, box.y + kHeadsPad});
        const Point origin = widgets::place_figure(context, scatter.figure);
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if (const auto at = scatter.centers[i])
                context.regions.add("point " + drawn[i].place(),
                                    {origin.x + at->x - 4, origin.y + at->y - 4, 8, 8});
        point_at(context, drawn, scatter.dot_at(widgets::pointer_in(origin)));
    }

    /// Shows the head under the pointer in both pictures; a click opens it, with Ctrl or Shift it
    /// is a panel.
    void point_at(PanelContext& context, const std::vector<ListedHead>& heads,
                  std::optional<std::size_t> at) {
        if (!at) return;
        const ListedHead& head = heads[*at];
        next_pointed_ = head.place();
        draw_tooltip(*context.trace, head);
        if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
        Selection& selection = context.selection;
        if (!find_component(context.components, head.attention->path)) return;  // only B has it
        if (ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift) return toggle_panel(context, head);
        selection.choose_component(*context.trace, context.components, head.attention->path);
        selection.choose_head(*context.trace, context.components, head.head);
    }

    void draw_tooltip(const Trace& trace, const ListedHead& head) const {
        std::string text =
            fmt::format("{} · {}", head.attention->group, head_title(*head.attention, head.head));
        if (const std::string label = head.short_label(); !label.empty()) text += " · " + label;
        if (head.ablation) text += std::string(" · ") + ablation_words(*head.ablation);
        const bool is_measured = numbers_.look().order.by == By::Measure;
        if (const auto own = numbers_.of(head); own && is_measured)
            text += fmt::format("\n{}  {}", numbers_.name(), format_value(*own, 3));
        if (head.on_held) text += "\non the held word  " + format_value(*head.on_held, 3);
        if (head.distance()) text += "\nA − B  " + format_value(*head.distance(), 3);
        for (std::size_t m = 0; head.metrics && m < head_metric_names().size(); ++m)
            text += fmt::format("\n{}  {}", head_metric_names()[m],
                                head.metric_text(HeadMetric(m), rows()));
        if (const std::string place = induction_place(trace); head.metrics && !place.empty())
            text += "\ninduction " + place;
        widgets::draw_tooltip(text);
    }

    HeadsMemory memory_;
    HeadNumbers numbers_;
    std::string own_text_, own_buffer_;  // own_text_: as it is; own_buffer_: as the field has it
    bool focuses_own_ = false;           // its field takes the keyboard
    bool is_compared_ = false, is_sorting_ = false;
    int x_ = static_cast<int>(HeadMetric::Entropy), y_ = static_cast<int>(HeadMetric::Distance);
    float least_ = 0;
    std::string pointed_, next_pointed_;  // "layer.head"
};

}  // namespace

std::unique_ptr<Panel> make_all_heads_panel() {
    return std::make_unique<AllHeadsPanel>();
}

}  // namespace headlight
