#include "ui/dialogs/comparison_chooser.h"

#include <algorithm>
#include <imgui.h>

#include "paint/labels.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kChooserTitle = "Compare A with";
constexpr float kChoiceRow = 38, kChoicePad = 8;

}  // namespace

void ComparisonChooser::open(std::vector<ComparisonChoice> choices) {
    choices_ = std::move(choices);
    heads_.clear();
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (const auto* head = std::get_if<OtherHead>(&choices_[i].other))
            heads_[{head->attention, head->head}] = i;
    is_open_ = must_open_ = true;
}

ComparisonChooser::Answer ComparisonChooser::draw(PanelContext& context) {
    if (!is_open_) return Answer::None;
    if (must_open_) ImGui::OpenPopup(kChooserTitle);
    must_open_ = false;
    answer_ = Answer::None;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize({std::min(700.0f, screen.x - 40), std::min(520.0f, screen.y - 80)});
    ImGui::SetNextWindowPos({screen.x / 2, 56}, ImGuiCond_Always, {0.5f, 0});
    if (!ImGui::BeginPopup(kChooserTitle, ImGuiWindowFlags_NoMove)) {
        is_open_ = false;  // a click beside it
        return Answer::None;
    }
    context.regions.begin_popup();
    context.painter.push_font(Font::Bold, 16);
    ImGui::TextUnformatted("Compare with …");
    context.painter.pop_font();
    widgets::hint(context,
                  "A is what the window shows. What you choose here is B; both stay alive.");
    const float width = ImGui::GetContentRegionAvail().x;
    compat::begin_child("own", {width * 0.47f, 0}, compat::Border::No);
    draw_own(context);
    ImGui::EndChild();
    ImGui::SameLine(0, 14);
    compat::begin_child("others", {0, 0}, compat::Border::No);
    draw_others(context);
    ImGui::EndChild();
    if (answer_ != Answer::None || context.regions.is_dismissed()) {
        is_open_ = false;
        ImGui::CloseCurrentPopup();
    }
    context.regions.end_popup();
    ImGui::EndPopup();
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

/// Each head of the study; A's own is none of them.
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
    if (const auto head = draw_head_chooser(context, chooser)) choose(choice_of(*head)->second);
}

/// A name, and under it what it is.
void ComparisonChooser::draw_row(PanelContext& context, std::size_t i) {
    const ComparisonChoice& choice = choices_[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable(("##" + choice.name).c_str(), false, 0, {width, kChoiceRow})) choose(i);
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

}  // namespace headlight
