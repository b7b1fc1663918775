#include "ui/window/comparison_bar.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/error.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "model/changes.h"
#include "text/words.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kChooserTitle = "Compare A with";
constexpr float kChoiceRow = 38, kChoicePad = 8;

}  // namespace

void ComparisonChooser::open(std::vector<ComparisonChoice> choices,
                             std::vector<ComparedText> texts) {
    choices_ = std::move(choices);
    texts_ = std::move(texts);
    heads_.clear();
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (const auto* head = std::get_if<OtherHead>(&choices_[i].other))
            heads_[{head->attention, head->head}] = i;
    dialog_.open();
}

ComparisonChooser::Answer ComparisonChooser::draw(PanelContext& context) {
    answer_ = Answer::None;
    const Dialog::Look look{
        .title = kChooserTitle, .size = {700, 520}, .kind = Dialog::Kind::Form, .top = 56};
    if (!dialog_.begin(context, look)) return Answer::None;
    context.painter.push_font(Font::Bold, 16);
    ImGui::TextUnformatted("Compare with …");
    context.painter.pop_font();
    widgets::hint(context,
                  "A is what the window shows. What you choose here is B; both stay alive.");
    // A text has all of the width: a word at its end is the one that is changed most.
    if (!texts_.empty()) widgets::heading(context, "Another text");
    for (ComparedText& text : texts_) draw_text(context, text);
    // Both lists stand one below the other where two columns have no room.
    constexpr float kTwoColumns = 500, kLeastList = 150;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool is_narrow = room.x < kTwoColumns;
    const ImVec2 own =
        is_narrow ? ImVec2{0, std::max(kLeastList, 0.4f * room.y)} : ImVec2{room.x * 0.47f, 0};
    compat::begin_child("own", own, compat::Border::No);
    draw_own(context);
    ImGui::EndChild();
    if (!is_narrow) ImGui::SameLine(0, 14);
    compat::begin_child("others", {0, 0}, compat::Border::No);
    draw_others(context);
    ImGui::EndChild();
    if (answer_ != Answer::None) dialog_.close();
    dialog_.end(context);
    return answer_;
}

void ComparisonChooser::draw_own(PanelContext& context) {
    widgets::heading(context, "This study");
    draw_rows(context, Kind::State);
    if (has(Kind::Sentence)) {
        widgets::heading(context, "Another sentence");
        draw_rows(context, Kind::Sentence);
    }
    if (has(Kind::Head)) {
        widgets::heading(context, "Another head");
        draw_heads(context);
    }
}

/// Lets B be the study with the text that is typed here. Lines of a text stay lines: it is typed as
/// one of them where it has only one.
void ComparisonChooser::draw_text(PanelContext& context, ComparedText& text) {
    const std::string id = std::string("##") + text.name;
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue;
    bool is_entered = false;
    ImGui::SetNextItemWidth(width);
    if (text.text.find('\n') == std::string::npos) {
        is_entered = widgets::text_field(context, id.c_str(), text.name, text.text,
                                         kFlags | ImGuiInputTextFlags_AutoSelectAll);
    } else {
        std::string held = context.codes.encode(text.text);
        is_entered =
            ImGui::InputTextMultiline(id.c_str(), &held, {width, 3.5f * ImGui::GetTextLineHeight()},
                                      kFlags | ImGuiInputTextFlags_CtrlEnterForNewLine);
        text.text = context.codes.decode(held);
    }
    widgets::name_item(context, std::string("text ") + text.name);
    widgets::draw_as_read_below(context, text.text);
    const bool has_words = !split_words(text.text).empty();
    const std::string label = fmt::format("Compare with {}", text.name + std::strlen("Another "));
    const bool is_pressed = widgets::button(
        context, label.c_str(), "B is this study with the text of this field  (Enter in it)",
        has_words ? widgets::Enabled::Yes : widgets::Enabled::No);
    if ((is_entered || is_pressed) && has_words) choose(text.other(text.text));
}

void ComparisonChooser::draw_others(PanelContext& context) {
    if (has(Kind::Tab)) {
        widgets::heading(context, "Another tab");
        draw_rows(context, Kind::Tab);
    }
    widgets::heading(context, "Another study");
    for (const bool is_own : {true, false}) {
        if (!is_own) ImGui::SameLine();
        const Chosen chosen = on_own_input_ == is_own ? Chosen::Yes : Chosen::No;
        if (draw_chip(context, is_own ? "On my input" : "As it is",
                      is_own ? "Its settings, applied to this study"
                             : "The whole study, with its own input",
                      chosen))
            on_own_input_ = is_own;
    }
    ImGui::SameLine();
    if (widgets::button(context, "File…", "A study of the same kind")) answer_ = Answer::File;
    compat::begin_child("presets", {0, 0}, compat::Border::No);
    draw_rows(context, on_own_input_ ? Kind::Settings : Kind::Study);
    ImGui::EndChild();
}

bool ComparisonChooser::has(Kind kind) const {
    return std::any_of(choices_.begin(), choices_.end(),
                       [&](const ComparisonChoice& choice) { return choice.kind == kind; });
}

void ComparisonChooser::draw_rows(PanelContext& context, Kind kind) {
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (choices_[i].kind == kind) draw_row(context, i);
}

/// Draws a choice of each head of the study, but A's own.
void ComparisonChooser::draw_heads(PanelContext& context) {
    const auto choice_of = [&](const GridHead& head) {
        return heads_.find({head.attention->path, head.head});
    };
    const HeadChooser chooser{
        .mark =
            [&](const GridHead& head) {
                return choice_of(head) == heads_.end() ? HeadMark::Absent : HeadMark::None;
            },
        .name =
            [&](const GridHead& head) {
                const auto choice = choice_of(head);
                return "choice " +
                       (choice == heads_.end() ? head.place() : choices_[choice->second].name);
            }};
    if (const auto head = draw_head_chooser(context, chooser))
        choose(choices_[choice_of(*head)->second].other);
}

/// Draws a name, and under it a description.
void ComparisonChooser::draw_row(PanelContext& context, std::size_t i) {
    const ComparisonChoice& choice = choices_[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable(("##" + choice.name).c_str(), false, 0, {width, kChoiceRow}))
        choose(choice.other);
    widgets::name_item(context, "choice " + choice.name);
    widgets::tooltip(choice.what.c_str());
    const MeasureText& measure = context.painter.measure();
    Figure figure{width, kChoiceRow, {}};
    const auto add = [&](float baseline, const std::string& text, float size, Color color,
                         Font font) {
        TextMark mark{{kChoicePad, baseline}, text, size, color, font};
        shorten(mark, width - 2 * kChoicePad, measure);
        if (!mark.text.empty()) figure.add(std::move(mark));
    };
    add(16, choice.name, 13, context.theme.text, Font::Bold);
    add(31, choice.what, 11, context.theme.muted, Font::Regular);
    context.painter.draw(figure, {at.x, at.y});
}

namespace {

constexpr float kBarMargin = 16, kBarText = 12;
constexpr const char* kHelp =
    "A is what the window shows, B is what it is compared with; both follow every change. Their "
    "colours mean the same values; the difference A − B has colours of its own: brown where A is "
    "less, blue where it is more. Point at a cell of any of them: the inspector has both values. "
    "Of patterns the bar says how far apart the rows are, as means over the rows: total variation "
    "½ Σ |A − B|, from 0 (equal) to 1 (nothing in common), and the Jensen–Shannon divergence "
    "½ Σ A log₂(A / M) + ½ Σ B log₂(B / M) with M = (A + B) / 2, from 0 to 1 bit.";

void draw_views(PanelContext& context) {
    using Show = Comparison::Show;
    struct View {
        Show show;
        const char *label, *tooltip;
    };
    const bool has_difference = context.selection.view != ViewId::Readout;
    for (const View& view : {View{Show::Both, "A | B", "Both, beside each other"},
                             View{Show::All, "A | B | A − B", "Both and their difference"},
                             View{Show::Difference, "A − B", "The difference alone, large"}}) {
        if (view.show != Show::Both && !has_difference) break;  // logits have no picture of it
        if (view.show != Show::Both) ImGui::SameLine(0, 4);
        const bool is_chosen = context.comparison.show == view.show || !has_difference;
        const Chosen chosen = is_chosen ? Chosen::Yes : Chosen::No;
        if (draw_chip(context, view.label, view.tooltip, chosen))
            context.requests.sides.ask(view.show);
    }
}

void draw_buttons(PanelContext& context) {
    struct BarButton {
        const char *label, *tooltip;
        CommandId command;
        bool is_enabled;
    };
    const bool is_of_matrix = context.selection.view == ViewId::Matrix;
    const bool has_b = is_of_matrix && context.comparison.chosen.b != nullptr;
    for (const BarButton& button :
         {BarButton{"B…", "Choose what A is compared with  (Ctrl+B)", "compare", true},
          BarButton{"Swap", "A becomes B and B becomes A", "swap-sides", true},
          BarButton{"Patch from B",
                    "Sets the chosen matrix of A to B's values; everything after it follows",
                    "patch-from-b", has_b},
          BarButton{"Stop", "Stop comparing  (Esc when nothing is held)", "stop-comparing",
                    true}}) {
        widgets::same_line_if_fits(button.label);
        if (widgets::button(context, button.label, button.tooltip,
                            button.is_enabled ? widgets::Enabled::Yes : widgets::Enabled::No))
            context.requests.run(button.command);
    }
}

/// Returns "it → cat", "row 3 of W_Q".
std::string place_text(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    const std::string at = shown_label(trace, tensor.rows(), row);
    if (tensor.columns().kind == AxisKind::Single) return at;
    return at + (tensor.columns().kind == AxisKind::Key ? " → " : ", ") +
           shown_label(trace, tensor.columns(), column);
}

/// Draws where the difference is largest; a click holds that cell.
void draw_largest(PanelContext& context, const ComparedTensor& chosen) {
    const Difference& d = *chosen.difference;
    if (d.n_finite == 0) return ImGui::TextDisabled("no cell has a number in both");
    if (d.largest == 0) return ImGui::TextDisabled("A and B are equal, cell by cell");
    const std::string text =
        fmt::format("largest: {}{} at {}", d.largest > 0 ? "+" : "", format_value(d.largest),
                    place_text(*context.trace, *chosen.a, d.row, d.column));
    const std::string drawn = context.painter.drawn_text(text, Font::Regular);
    ImGui::TextColored(im_vec(context.theme.accent), "%s", drawn.c_str());
    widgets::name_item(context, "largest difference");
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked())
        context.selection.keep_held(pick_at(*context.trace, *chosen.a, d.row, d.column));
    widgets::tooltip("Where A and B differ most. A click holds the cell.");
}

/// Returns the names of what is compared in a view of more than the chosen matrix.
std::string names_text(const PanelContext& context) {
    const Comparison& comparison = context.comparison;
    const bool has_all_heads = context.selection.view != ViewId::Words;
    if (comparison.other<OtherHead>() && has_all_heads)
        return fmt::format("B is {}: both are in this view", comparison.name_b);
    if (!comparison.trace) return comparison.chosen.problem;
    return fmt::format("A is {}, B is {}", comparison.name_a, comparison.name_b);
}

void draw_summary(PanelContext& context) {
    const ComparedTensor& chosen = context.comparison.chosen;
    if (context.selection.view != ViewId::Matrix) {
        const std::string text = names_text(context);
        const std::string drawn = context.painter.drawn_text(text, Font::Regular);
        return ImGui::TextDisabled("%s", drawn.c_str());
    }
    if (!chosen.difference)
        return ImGui::TextDisabled("%s", widgets::as_read(chosen.problem).c_str());
    draw_largest(context, chosen);
    const auto add = [&](const std::string& text) {
        const std::string shown = "·  " + text;
        widgets::same_line_if_fits(shown.c_str());
        ImGui::TextDisabled("%s", shown.c_str());
    };
    add("mean |A − B| " + format_value(chosen.difference->mean_magnitude));
    if (chosen.rows) {
        add("rows: total variation " + format_value(chosen.rows->total_variation));
        add(fmt::format("Jensen–Shannon {} bits", format_value(chosen.rows->jensen_shannon_bits)));
    }
    if (chosen.difference->n_one_sided > 0)
        add(format_count(chosen.difference->n_one_sided) + " masked in one only");
    if (!chosen.matched.has_all())
        add(context.painter.drawn_text(partners_text(chosen.matched), Font::Regular));
}

}  // namespace

void draw_comparison_bar(PanelContext& context) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    context.painter.push_font(Font::Regular, kBarText);
    ImGui::Indent(kBarMargin);
    ImGui::Dummy({0, 3});
    draw_views(context);
    draw_buttons(context);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("?");
    widgets::tooltip(kHelp);
    draw_summary(context);
    ImGui::Unindent(kBarMargin);
    context.painter.pop_font();
    context.regions.add("comparison", {at.x, at.y, ImGui::GetContentRegionAvail().x,
                                       ImGui::GetCursorScreenPos().y - at.y});
}

Edit patch_from_b(const Comparison& comparison, const std::string& path) {
    const Tensor* b = comparison.find(path);
    const Tensor* a = comparison.chosen.a;
    if (!a || !b || a->path() != path)
        throw Error("compare", "there are no values of B for {} to patch A with", path);
    const MatchedValues& matched = comparison.chosen.matched;
    if (!matched.only_in_a.empty())
        throw Error("compare", "{} cannot be patched: {}", path, partners_text(matched));
    return {.label = fmt::format("Patch {} from {}", a->name(), comparison.name_b),
            .change = [target = a->planned(), values = matched.values ? matched.values : b->value](
                          Document& document) { patch_tensor(document, target, *values); }};
}

}  // namespace headlight
