#include "ui/presentation/slide.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/explain.h"
#include "figure/figure_parts.h"
#include "figure/guess_marks.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/tensor_figure.h"
#include "figure/words/arithmetic.h"
#include "figure/words/formula.h"
#include "present/page/page_figure.h"
#include "present/page_from_view.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "ui/pictures/canvas.h"
#include "ui/pictures/image_canvas.h"
#include "ui/presentation/guesses.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench_state.h"
#include "views/graph_view.h"
#include "views/held.h"
#include "views/image_view.h"
#include "views/row_bars.h"
#include "views/step_figure.h"

namespace headlight {
namespace {

constexpr double kTrail_secs = 0.45;
constexpr float kRadius = 5, kGlow = 13;  // of a window of 800 points' height
constexpr int kRings = 6;

ImU32 red(float strength) {
    return IM_COL32(255, 30, 45, static_cast<int>(255 * strength));
}

}  // namespace

bool Laser::draw() {
    if (!is_on_) return false;
    const ImGuiIO& io = ImGui::GetIO();
    const double now = ImGui::GetTime();
    while (!trail_.empty() && now - trail_.front().when_secs > kTrail_secs) trail_.pop_front();
    if (!ImGui::IsMousePosValid()) return !trail_.empty();
    const ImVec2 at = io.MousePos;
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) trail_.push_back({{at.x, at.y}, now});
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float scale = io.DisplaySize.y / 800;
    for (std::size_t i = 1; i < trail_.size(); ++i) {
        const Point a = trail_[i - 1].at, b = trail_[i].at;
        const auto left = static_cast<float>(1 - (now - trail_[i].when_secs) / kTrail_secs);
        list.AddLine({a.x, a.y}, {b.x, b.y}, red(0.55f * left), 2 * kRadius * scale * left);
    }
    for (int ring = kRings; ring > 0; --ring)
        list.AddCircleFilled(
            at, scale * (kRadius + (kGlow - kRadius) * static_cast<float>(ring) / kRings),
            red(0.07f));
    list.AddCircleFilled(at, kRadius * scale, red(0.95f));
    list.AddCircleFilled(at, 0.4f * kRadius * scale, IM_COL32(255, 225, 225, 255));
    return trail_.size() > 1;
}

void Presentation::follow(const Pointed& held) {
    const bool is_pressed =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    n_frames_since_press_ = is_pressed ? 0 : n_frames_since_press_ + 1;
    constexpr int kMostFramesToHold = 2;
    if (n_frames_since_press_ > kMostFramesToHold && held_last_ == held_before_)
        held_before_ = held;
    held_last_ = held;
}

void Presentation::begin(Of of, Selection& selection) {
    is_on_ = true;
    held_before_ = held_last_ = selection.held();
    if (of != Of::Steps) return;
    selection.view = ViewId::Matrix;
    selection.paints_mask = false;  // its switch is not on a slide
}

namespace {

/// Returns the slide. A command found by its name where there is no slide yet begins one.
Slide& need_slide(WorkbenchState& bench) {
    if (!bench.presentation.is_on()) begin_presentation(bench);
    return bench.presentation.slide;
}

/// Returns the lecture's slide. A command found by its name where the lecture is not presented yet
/// presents it.
LectureEditor& need_page_slide(WorkbenchState& bench) {
    if (!bench.presentation.is_on()) begin_lecture(bench);
    return bench.lecture;
}

}  // namespace

void begin_presentation(WorkbenchState& bench) {
    if (shows_lecture(bench)) return begin_lecture(bench);
    const bool has_view = bench.space().trace && presented_view(make_scene(bench));
    bench.presentation.begin(has_view ? Presentation::Of::View : Presentation::Of::Steps,
                             bench.space().selection);
}

void turn_presentation(WorkbenchState& bench) {
    if (bench.presentation.is_on()) return bench.presentation.end();
    begin_presentation(bench);
}

void turn_prediction(WorkbenchState& bench) {
    shows_lecture(bench) ? need_page_slide(bench).page.turn_prediction()
                         : need_slide(bench).change_covers();
}

void ask_for_text(WorkbenchState& bench) {
    shows_lecture(bench) ? need_page_slide(bench).slide.ask_for_text()
                         : need_slide(bench).ask_for_text();
}

void turn_cover(WorkbenchState& bench) {
    if (shows_lecture(bench)) return bench.lecture.page.turn_cover(bench.lecture.book);
    const Workspace& space = bench.space();
    need_slide(bench).turn_cover(space.trace->at(space.selection.chosen));
}

namespace {

constexpr Point kButtonPadding{6, 2};
constexpr float kBetweenButtons = 2;

}  // namespace

float width_of(const std::vector<SlideButton>& buttons) {
    float width = 0;
    for (const SlideButton& button : buttons)
        width += ImGui::CalcTextSize(button.shown()).x + 2 * kButtonPadding.x + kBetweenButtons;
    return width;
}

void leave_out(std::vector<SlideButton>& buttons, float room) {
    while (width_of(buttons) > room) {
        const auto last =
            std::find_if(buttons.rbegin(), buttons.rend(), [](const auto& b) { return b.has_key; });
        if (last == buttons.rend()) return;
        buttons.erase(std::next(last).base());
    }
}

void draw_slide_buttons(PanelContext& context, const std::vector<SlideButton>& buttons, Point at,
                        Color background) {
    const Theme& theme = context.theme;
    ImGui::SetCursorScreenPos({at.x, at.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {kButtonPadding.x, kButtonPadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    for (const SlideButton& button : buttons) {
        ImGui::PushStyleColor(ImGuiCol_Button,
                              im_vec(button.is_on ? theme.accent_soft : background));
        ImGui::PushStyleColor(ImGuiCol_Text, im_vec(button.is_on ? theme.accent : theme.muted));
        const bool is_pressed =
            ImGui::Button(fmt::format("{}##{}", button.shown(), button.name).c_str());
        ImGui::PopStyleColor(2);
        widgets::name_item(context, std::string("button ") + button.name);
        widgets::tooltip(button.tooltip);
        ImGui::SameLine(0, kBetweenButtons);
        if (is_pressed) button.press();
    }
    ImGui::NewLine();
    ImGui::PopStyleVar(2);
}

void SlideText::draw(PanelContext& context, Panel& input, Point size, float foot) {
    constexpr const char* kTitle = "Text of the study";
    if (std::exchange(is_asked_, false)) ImGui::OpenPopup(kTitle);
    ImGui::SetNextWindowPos({size.x / 2, size.y - foot}, ImGuiCond_Always, {0.5f, 1});
    ImGui::SetNextWindowSize({size.x * 0.86f, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, 14});
    // The slide makes room for it, and takes the room back, in the frame after this one.
    const float before = std::exchange(height_, 0.0f);
    const bool is_open = ImGui::BeginPopup(kTitle, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open && before > 0) context.requests.look_again(0);
    if (!is_open) return;
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    // The letter of the key that opened it is not meant for it.
    if (!ImGui::IsAnyItemActive()) ImGui::GetIO().InputQueueCharacters.resize(0);
    context.painter.push_font(Font::Regular, 16);
    ImGui::PushID("text");
    context.is_on_slide = true;
    input.draw(context);
    context.is_on_slide = false;
    ImGui::PopID();
    context.painter.pop_font();
    const ImVec2 at = ImGui::GetWindowPos();
    height_ = ImGui::GetWindowHeight();
    if (height_ != before) context.requests.look_again(0);
    context.regions.add("slide text", {at.x, at.y, ImGui::GetWindowWidth(), height_});
    if (compat::is_key_pressed(Key::Enter) || compat::is_key_pressed(Key::Escape))
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

namespace {

constexpr float kSlideHeight = 480, kLeastWidth = 640;  // points of a slide
constexpr float kArithmetic = 30;
constexpr float kProblemSize = 22;

Figure text(Point at, const std::string& words, float size, Color color, Font font) {
    Figure figure;
    figure.add(TextMark{at, words, size, color, font});
    return figure;
}

/// True if one of the study's own pictures takes part: a graph's or an image's.
bool has_picture(const PanelContext& context) {
    return shown_pattern(*context.trace, context.components, context.selection) &&
           (context.document.drawn_graph() || has_image(*context.trace));
}

}  // namespace

std::optional<ViewId> presented_view(const Scene& scene) {
    const ViewId view = shown_view(scene);
    const bool has_steps = view == ViewId::Matrix || view == ViewId::Compared ||
                           view == ViewId::Graph || view == ViewId::Image ||
                           view == ViewId::Explanation;  // which lies over a step
    return has_steps ? std::nullopt : std::optional(view);
}

float slide_zoom(Point window) {
    return std::max(0.1f, std::min(window.y / kSlideHeight, window.x / kLeastWidth));
}

void Slide::draw(PanelContext& context, const SlidePanels& panels, const SlideRoom& room) {
    const Point size = room.size;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("slide", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const float width = size.x - 2 * kSlidePad, foot = size.y - kSlideFoot;
    const float arithmetic = foot - room.notice - text_.height() - kArithmetic;
    const Places places{{kSlidePad, 0, width, kSlideHead},
                        {kSlidePad, kSlideHead, width, arithmetic - kSlideHead},
                        {kSlidePad, arithmetic, width, kArithmetic},
                        {kSlidePad, foot, width, kSlideFoot}};
    const auto view = context.trace ? presented_view(context.scene) : std::nullopt;
    if (view == ViewId::Training)
        draw_training(context, panels.training, {kSlidePad, 0, width, foot - room.notice});
    else if (view)
        draw_view(context, *view, {kSlidePad, 0, width, arithmetic});
    else if (context.trace)
        draw_step(context, places);
    else if (context.error)
        context.painter.draw(text({kSlidePad, 40}, text_for_user(*context.error), kProblemSize,
                                  context.theme.text, Font::Bold),
                             {0, 0});
    draw_foot(context, places.foot);
    ImGui::End();
    text_.draw(context, panels.input, size, kSlideFoot + room.notice);
}

void Slide::draw_step(PanelContext& context, const Places& places) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    // The held cell is released, as it may be the very answer.
    if (prediction_.hides(tensor) && context.selection.held().cell) context.selection.release();
    carry_held_cell(context.selection, *context.trace);
    draw_head(context, tensor, places.head);
    Box flow = places.flow;
    if (context.trains) {
        constexpr float kAbove = 6;
        flow.height -= kTrainingTransport + kAbove;
        draw_training_transport(context,
                                {flow.x, flow.bottom() + kAbove, flow.width, kTrainingTransport});
    }
    if (context.comparison.is_on() && !prediction_.hides(tensor)) {
        draw_compared(context, flow);
        return draw_arithmetic(context, places.arithmetic);
    }
    ImGui::SetCursorScreenPos({flow.x, flow.y});
    const auto drawn =
        cards_.draw_cards(context, FlowArrangement::Walk, {flow.width, flow.height}, &prediction_);
    draw_large(context, tensor, drawn.flow.main, drawn.origin);
    draw_arithmetic(context, places.arithmetic);
}

/// Draws A and B as they are chosen in the window, for the step's matrix.
void Slide::draw_compared(PanelContext& context, Box box) {
    const Point origin{box.x, box.y};
    const Box room{0, 0, box.width, box.height};
    const float unit = ImGui::GetIO().DisplaySize.y / kPageHeight;
    const auto graph = compared_.draw(context, room, origin, projector_style(unit));
    if (graph) graph_.point(context, *graph, origin);
    context.regions.add("slide compared", box);
}

/// Draws the view as on a page of a lecture, with the title that it gets there.
void Slide::draw_view(PanelContext& context, ViewId view, Box box) {
    context.painter.draw(view_head(context.scene, view, kept_title(context.scene, view), box,
                                   context.painter.measure()),
                         {0, 0});
    box.y += kViewHead;
    box.height -= kViewHead;
    const PageRoom room{{box.width, box.height}, ImGui::GetIO().DisplaySize.y / kPageHeight};
    const ViewEntry& named = view_of(view);
    context.regions.add(std::string("slide ") + named.word, box);
    try {
        const Figure figure =
            page_view_figure(context.scene, view, room, context.painter.measure()).figure;
        const float left = std::max(0.0f, box.width - figure.width) / 2;
        draw_alive(context, figure, {box.x + left, box.y});
    } catch (const Error& error) {
        context.painter.draw(text({box.x, box.y + kProblemSize}, text_for_user(error), kProblemSize,
                                  context.theme.text, Font::Bold),
                             {0, 0});
    }
}

/// Draws the training as in the window: it plays, and its steps are dragged, on the slide as well.
void Slide::draw_training(PanelContext& context, Panel& panel, Box box) {
    const Figure head = view_head(context.scene, ViewId::Training, training_title(context.training),
                                  {box.x, box.y, box.width, kViewHead}, context.painter.measure());
    context.painter.draw(head, {0, 0});
    box.y += kViewHead;
    box.height -= kViewHead + text_.height();
    context.regions.add("slide training", box);
    ImGui::SetCursorScreenPos({0, box.y});
    compat::begin_child("training", {box.right() + box.x, box.height}, compat::Border::No);
    panel.draw(context);
    ImGui::EndChild();
}

void Slide::draw_head(PanelContext& context, const Tensor& tensor, Box box) {
    SlideHead head{.box = box, .sentence = {}, .verdict = guess_verdict(prediction_, tensor)};
    if (prediction_.hides(tensor)) head.sentence = guess_question(tensor);
    context.painter.draw(slide_head(context.scene, tensor, head, context.painter.measure()),
                         {0, 0});
    context.regions.add("slide " + tensor.path(), box);
}

void Slide::draw_large(PanelContext& context, const Tensor& tensor, Box box, Point origin) {
    if (!has_picture(context)) return draw_matrix(context, tensor, box, origin);
    if (shows_graph_alone(*context.trace, context.selection))
        return draw_picture(context, box, origin);
    Box picture = box;
    picture.width = 0.42f * box.width;
    box.x = picture.right() + 12;
    box.width -= picture.width + 12;
    draw_matrix(context, tensor, box, origin);
    draw_picture(context, picture, origin);
}

void Slide::draw_picture(PanelContext& context, Box box, Point origin) {
    if (!context.document.drawn_graph())
        return draw_image_canvas(context, box, origin, &prediction_);
    graph_.draw(context, box, origin, &prediction_);
    if (!shows_graph_alone(*context.trace, context.selection)) return;
    Figure frame;
    frame.add(RectMark{box, {0, 0, 0, 0}, context.theme.accent, 2, 8});
    context.painter.draw(frame, origin);
}

void Slide::draw_matrix(PanelContext& context, const Tensor& tensor, Box box, Point origin) {
    const Theme& theme = context.theme;
    Figure card;
    card.add(RectMark{{0, 0, box.width, box.height}, theme.card, theme.accent, 2, 8});
    const Point at{origin.x + box.x, origin.y + box.y};
    context.painter.draw(card, at);
    if (!tensor.value) return;
    if (is_shown_as_bars(tensor) && !prediction_.hides(tensor))
        return context.painter.draw(row_bars_figure(context.scene, tensor, {box.width, box.height},
                                                    context.painter.measure()),
                                    at);
    HeatmapInput input = heatmap_input(*context.trace, tensor, theme, context.selection.scales);
    input.title.clear();
    input.formula.clear();
    input.stretch = kSlideStretch;
    input.width = box.width;
    input.height = box.height;
    input.hovered = cell_pick(tensor, context.selection.hovered().focus);
    const bool is_hidden = prediction_.hides(tensor);
    if (is_hidden)
        cover(input, theme, context.painter.measure());
    else
        input.selected = cell_pick(tensor, context.selection.held().focus);
    const HeatmapFigure picture = heatmap_figure(input, theme, context.painter.measure());
    // The picture stands in the middle of its card.
    const Point corner = far_corner(picture.figure, context.painter.measure());
    const Point middle{at.x + std::max(0.0f, (input.width - kFigurePad - corner.x) / 2),
                       at.y + std::max(0.0f, (box.height - kFigurePad - corner.y) / 2)};
    context.painter.draw(picture.figure, middle);
    const PlacedGrid place{picture.grid, middle};
    draw_guesses(context, prediction_, tensor, place);
    if (!is_hidden) return large_.point(context, tensor, picture.grid, middle);
    take_guess(context, prediction_, tensor, place);
}

namespace {

constexpr float kLabelSize = 13, kLineSize = 15, kLeastLineSize = 10, kFootSize = 11;
constexpr std::size_t kMostTerms = 4;

std::string joined_from(const std::vector<std::string>& parts, std::size_t first) {
    return joined(std::span(parts).subspan(first), "  ");
}

/// Returns the last step of the arithmetic, in one line with as many terms as fit, and without its
/// first parts where even one is too many.
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
        if (fits(joined_from(parts, 0))) break;
    }
    std::size_t first = 0;
    while (first + 1 < parts.size() && !fits(joined_from(parts, first))) ++first;
    return joined_from(parts, first);
}

/// Returns the cell whose arithmetic belongs on the slide: the one under the pointer, which is in a
/// picture there, or the held one if it is of the slide's own matrix.
std::optional<PointedCell> cell_on_slide(const Selection& selection) {
    if (selection.hovered().cell) return selection.hovered().cell;
    const std::optional<PointedCell>& held = selection.held().cell;
    return held && held->path == selection.chosen ? held : std::nullopt;
}

/// Returns the place of the walk, in as many words as there is room for.
std::string progress_text(const Walk& walk, float room, const MeasureText& measure) {
    const std::string at = std::to_string(walk.at + 1), n = std::to_string(walk.steps.size());
    const std::string part = fmt::format("  ·  part {} of {}", walk.place, walk.n_components);
    for (const std::string& text :
         {fmt::format("Step {} of {}{}", at, n, part), fmt::format("Step {} of {}", at, n),
          fmt::format("{} of {}", at, n), fmt::format("{}/{}", at, n)})
        if (measure(text, kFootSize, Font::Regular) <= room) return text;
    return "";
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

/// Draws how far the walk has come in its part.
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

std::string Slide::predict_label() const {
    if (prediction_.covers == Prediction::Covers::Nothing) return "Predict";
    const bool covers_all = prediction_.covers == Prediction::Covers::EveryStep;
    return covers_all ? "Predict: all" : "Predict: patterns";
}

/// Returns the buttons of the foot; a view without steps has fewer.
std::vector<SlideButton> Slide::foot_buttons(PanelContext& context, bool has_steps) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    std::vector<SlideButton> buttons;
    if (has_steps)
        buttons = {
            {"Back", "The previous step  (← or Page Up)", [&] { walk(context, WalkMove::Back); }},
            {"Next", "The next step  (→, Space or Page Down); Shift+→: the next part",
             [&] { walk(context, WalkMove::Next); }}};
    buttons.push_back({"Text", "Change the text  (T)", [&] { ask_for_text(); }});
    if (has_steps) {
        buttons.push_back(
            {"Predict", "Cover the patterns until they are revealed, or all steps, or nothing  (P)",
             [&] { change_covers(); }});
        buttons.back().text = predict_label();
        buttons.back().is_on = prediction_.covers != Prediction::Covers::Nothing;
        buttons.push_back({"Reveal", "Reveal the matrix, or cover it again  (R)", run("reveal")});
    }
    buttons.push_back({"Laser", "A red dot that follows the pointer  (L)", run("laser")});
    buttons.push_back({"Zoom", "A magnifying glass; the wheel changes it  (Z)", run("magnify")});
    buttons.push_back({"Leave", "Back to the window  (Esc or F5)", run("present")});
    return buttons;
}

/// Draws how far the walk is, and the buttons.
void Slide::draw_foot(PanelContext& context, Box box) {
    const bool has_steps = !context.trace || !presented_view(context.scene);
    const std::vector<SlideButton> buttons = foot_buttons(context, has_steps);
    context.painter.push_font(Font::Regular, kFootSize);
    const float width = width_of(buttons);
    if (context.trace && has_steps) draw_progress(context, box, width);
    draw_slide_buttons(context, buttons, {box.right() - width, box.y + 10}, context.theme.canvas);
    context.painter.pop_font();
}

void Slide::press_keys(PanelContext& context) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || io.KeyCtrl || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const bool is_walked = !context.requests.keeps_arrows();
    using compat::Repeat;
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, Repeat::No); };
    if (pressed(Key::T)) ask_for_text();
    if (context.trace && presented_view(context.scene)) {
        if (pressed(Key::P)) context.requests.run("predict");
        if (pressed(Key::R)) context.requests.run("reveal");
        if (pressed(Key::Space) && context.scene.training) context.requests.run("train-play");
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
        if (is_walked && pressed(key)) walk(context, how);
}

/// Goes on with the walk; a covered matrix is revealed before that.
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
