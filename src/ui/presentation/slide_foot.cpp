// The slide's last lines: the arithmetic of a cell, how far the walk is, what can be pressed.
#include <algorithm>
#include <imgui.h>
#include <utility>
#include <vector>

#include "core/explain.h"
#include "paint/labels.h"
#include "paint/words/arithmetic.h"
#include "paint/words/formula.h"
#include "ui/compat.h"
#include "ui/presentation/slide.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kLabelSize = 13, kLineSize = 15, kLeastLineSize = 10, kFootSize = 11;
constexpr std::size_t kMostTerms = 4;

std::string joined(const std::vector<std::string>& parts, std::size_t first) {
    std::string line;
    for (std::size_t k = first; k < parts.size(); ++k) line += (k > first ? "  " : "") + parts[k];
    return line;
}

/// The last step of the arithmetic, in one line with as many terms as fit, and without its first
/// parts where even one is too many.
std::string fitting_line(const PanelContext& context, const PointedCell& cell, float width) {
    const Trace& trace = *context.trace;
    const auto steps = arithmetic_steps(trace, trace.id_at(cell.path), cell.row, cell.column);
    const FormulaStyle least{kLeastLineSize, context.theme.text, Font::Math};
    const auto fits = [&](const std::string& line) {
        return formula_width(line, least, context.painter.measure()) <= width;
    };
    std::vector<std::string> parts;
    for (std::size_t terms = kMostTerms; terms > 0; --terms) {
        parts = arithmetic_lines(trace, steps.back(), terms);
        if (fits(joined(parts, 0))) break;
    }
    std::size_t first = 0;
    while (first + 1 < parts.size() && !fits(joined(parts, first))) ++first;
    return joined(parts, first);
}

/// The cell whose arithmetic belongs on the slide: the one under the pointer, which is in a picture
/// there, or the held one if it is of the slide's own matrix.
std::optional<PointedCell> cell_on_slide(const Selection& selection) {
    if (selection.hovered().cell) return selection.hovered().cell;
    const std::optional<PointedCell>& held = selection.held().cell;
    return held && held->path == selection.chosen ? held : std::nullopt;
}

/// What the foot's buttons do, in their order; the keys are in the tooltips.
enum class Press { Back, Next, Text, Predict, Reveal, Laser, Zoom, Leave };
struct FootButton {
    Press press;
    const char *label, *tooltip;
};
enum class HasSteps { No, Yes };
constexpr FootButton kButtons[] = {
    {Press::Back, "Back", "The previous step  (← or Page Up)"},
    {Press::Next, "Next", "The next step  (→, Space or Page Down); Shift+→: the next part"},
    {Press::Text, "Text", "Change the text  (T)"},
    {Press::Predict, "Predict",
     "Cover the patterns until they are revealed, or all steps, or nothing  (P)"},
    {Press::Reveal, "Reveal", "Reveal the matrix, or cover it again  (R)"},
    {Press::Laser, "Laser", "A red dot that follows the pointer  (L)"},
    {Press::Zoom, "Zoom", "A magnifying glass; the wheel changes it  (Z)"},
    {Press::Leave, "Leave", "Back to the window  (Esc or F5)"}};

/// Those that a view without steps has.
bool is_of_every_slide(Press press) {
    return press == Press::Text || press == Press::Laser || press == Press::Zoom ||
           press == Press::Leave;
}

std::vector<FootButton> foot_buttons(HasSteps steps) {
    std::vector<FootButton> buttons;
    for (const FootButton& button : kButtons)
        if (steps == HasSteps::Yes || is_of_every_slide(button.press)) buttons.push_back(button);
    return buttons;
}

std::string press_label(Press press, const Prediction& prediction) {
    const char* label = kButtons[static_cast<std::size_t>(press)].label;
    if (press != Press::Predict || prediction.covers == Prediction::Covers::Nothing) return label;
    const bool covers_all = prediction.covers == Prediction::Covers::EveryStep;
    return std::string(label) + (covers_all ? ": all" : ": patterns");
}

/// In the font that is pushed.
float buttons_width(const std::vector<FootButton>& buttons, const Prediction& prediction) {
    float width = 0;
    for (const FootButton& button : buttons)
        width += ImGui::CalcTextSize(press_label(button.press, prediction).c_str()).x + 14;
    return width;
}

/// Where the walk is, in as many words as there is room for.
std::string progress_text(const Walk& walk, float room, const MeasureText& measure) {
    const std::string at = std::to_string(walk.at + 1), n = std::to_string(walk.steps.size());
    const std::string part =
        "  ·  part " + std::to_string(walk.place) + " of " + std::to_string(walk.n_components);
    for (const std::string& text : {"Step " + at + " of " + n + part, "Step " + at + " of " + n,
                                    at + " of " + n, at + "/" + n})
        if (measure(text, kFootSize, Font::Regular) <= room) return text;
    return "";
}

/// Flat, in the accent's colours while it is on.
enum class Highlighted { No, Yes };
bool draw_button(PanelContext& context, const FootButton& button, const std::string& label,
                 Highlighted highlighted) {
    const Theme& theme = context.theme;
    const bool is_highlighted = highlighted == Highlighted::Yes;
    ImGui::PushStyleColor(ImGuiCol_Button,
                          im_vec(is_highlighted ? theme.accent_soft : theme.canvas));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_highlighted ? theme.accent : theme.muted));
    const bool is_pressed = ImGui::Button((label + "##" + button.label).c_str());
    ImGui::PopStyleColor(2);
    widgets::name_item(context, std::string("button ") + button.label);
    widgets::tooltip(button.tooltip);
    ImGui::SameLine(0, 2);
    return is_pressed;
}

}  // namespace

void Slide::draw_arithmetic(PanelContext& context, Box box) {
    const auto cell = cell_on_slide(context.selection);
    const Tensor* tensor = cell ? context.trace->find(cell->path) : nullptr;
    if (!tensor || !tensor->value || prediction_.hides(*tensor)) return;
    const Trace& trace = *context.trace;
    const TensorId id = trace.id_at(cell->path);
    if (id > trace.id_at(context.selection.chosen)) return;  // it is still to come
    const MeasureText& measure = context.painter.measure();
    const Theme& theme = context.theme;
    Figure figure;
    const float baseline = box.y + 20;
    const std::string name = shown_cell_name(trace, id, cell->row, cell->column);
    figure.add(TextMark{{box.x, baseline}, name, kLabelSize, theme.text, Font::Bold});
    const float left = box.x + measure(name, kLabelSize, Font::Bold) + 14;
    const std::string line = fitting_line(context, *cell, box.right() - left);
    FormulaStyle style{kLineSize, theme.text, Font::Math};
    while (style.size > kLeastLineSize && formula_width(line, style, measure) > box.right() - left)
        style.size -= 0.5f;
    add_formula(figure, {left, baseline}, line, style, measure);
    context.painter.draw(figure, {0, 0});
    context.regions.add("slide arithmetic", box);
}

/// How far the walk is in its part.
void Slide::draw_progress(PanelContext& context, Box box, float buttons) {
    const Theme& theme = context.theme;
    const Walk walk = make_walk(*context.trace, context.components, context.selection);
    const auto n = static_cast<float>(walk.steps.size());
    const float done = static_cast<float>(walk.at + 1) / n;
    Figure figure;
    figure.add(RectMark{{box.x, box.y + 3, box.width, 3}, theme.border, {}, 0, 1.5f});
    figure.add(RectMark{{box.x, box.y + 3, box.width * done, 3}, theme.accent, {}, 0, 1.5f});
    figure.add(TextMark{{box.x, box.y + 24},
                        progress_text(walk, box.width - buttons - 12, context.painter.measure()),
                        kFootSize,
                        theme.muted});
    context.painter.draw(figure, {0, 0});
}

/// How far the walk is, and the buttons.
void Slide::draw_foot(PanelContext& context, Box box) {
    const bool has_steps = !context.trace || !presented_view(context.scene);
    const std::vector<FootButton> buttons = foot_buttons(has_steps ? HasSteps::Yes : HasSteps::No);
    context.painter.push_font(Font::Regular, kFootSize);
    const float width = buttons_width(buttons, prediction_);
    if (context.trace && has_steps) draw_progress(context, box, width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6, 2});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::SetCursorScreenPos({box.right() - width, box.y + 10});
    for (const FootButton& button : buttons) {
        const bool is_highlighted =
            button.press == Press::Predict && prediction_.covers != Prediction::Covers::Nothing;
        if (!draw_button(context, button, press_label(button.press, prediction_),
                         is_highlighted ? Highlighted::Yes : Highlighted::No))
            continue;
        switch (button.press) {
            case Press::Back:
                walk(context, WalkMove::Back);
                break;
            case Press::Next:
                walk(context, WalkMove::Next);
                break;
            case Press::Text:
                ask_for_text();
                break;
            case Press::Predict:
                change_covers();
                break;
            case Press::Reveal:
                context.requests.run("reveal");
                break;
            case Press::Laser:
                context.requests.run("laser");
                break;
            case Press::Zoom:
                context.requests.run("magnify");
                break;
            case Press::Leave:
                context.requests.run("present");
                break;
        }
    }
    ImGui::NewLine();
    ImGui::PopStyleVar(2);
    context.painter.pop_font();
}

void Slide::press_keys(PanelContext& context) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || io.KeyCtrl || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    using compat::Repeat;
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, Repeat::No); };
    if (pressed(Key::T)) ask_for_text();
    if (context.trace && presented_view(context.scene)) {
        if (pressed(Key::P)) context.requests.run("predict");
        if (pressed(Key::R)) context.requests.run("reveal");
        return;
    }
    if (pressed(Key::P)) change_covers();
    if (pressed(Key::R) && context.trace) turn_cover(context.trace->at(context.selection.chosen));
    const std::pair<Key, WalkMove> keys[] = {
        {Key::Right, io.KeyShift ? WalkMove::NextComponent : WalkMove::Next},
        {Key::Left, io.KeyShift ? WalkMove::ComponentBefore : WalkMove::Back},
        {Key::PageDown, WalkMove::Next},
        {Key::Space, WalkMove::Next},
        {Key::PageUp, WalkMove::Back},
        {Key::Home, WalkMove::First},
        {Key::End, WalkMove::Last},
        {Key::Down, WalkMove::NextHead},
        {Key::Up, WalkMove::HeadBefore}};
    for (const auto& [key, how] : keys)
        if (pressed(key)) walk(context, how);
}

/// What is covered is revealed before the walk goes on.
void Slide::walk(PanelContext& context, WalkMove how) {
    if (!context.trace) return;
    if (how == WalkMove::Next && prediction_.hides(context.trace->at(context.selection.chosen)))
        return turn_cover(context.trace->at(context.selection.chosen));
    move(*context.trace, context.components, context.selection, how);
}

void Slide::change_covers() {
    using Covers = Prediction::Covers;
    Covers& covers = prediction_.covers;
    covers = covers == Covers::Nothing    ? Covers::Patterns
             : covers == Covers::Patterns ? Covers::EveryStep
                                          : Covers::Nothing;
}

}  // namespace headlight
