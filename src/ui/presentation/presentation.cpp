#include "ui/presentation/presentation.h"

#include <algorithm>
#include <cfloat>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <utility>

#include "figure/labels.h"
#include "io/host.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench_state.h"
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

void Presentation::follow(const Pick& held) {
    const bool is_pressed =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    n_frames_since_press_ = is_pressed ? 0 : n_frames_since_press_ + 1;
    constexpr int kMostFramesToHold = 2;
    if (n_frames_since_press_ > kMostFramesToHold && held_last_ == held_before_)
        held_before_ = held;
    held_last_ = held;
}

void begin_presentation(WorkbenchState& bench) {
    if (shows_lecture(bench)) return begin_lecture(bench);
    Selection& selection = bench.space().selection;
    bench.presentation.begin(selection.held());
    if (bench.space().trace && presented_view(make_scene(bench))) return;
    selection.view = ViewId::Matrix;
    selection.paints_mask = false;  // its switch is not on a slide
}

void turn_presentation(WorkbenchState& bench) {
    if (bench.presentation.stays()) return;
    if (bench.presentation.is_on()) return bench.presentation.end();
    begin_presentation(bench);
}

namespace {

/// Begins the presentation that a command found by its name needs, unless there is one.
Presentation& need_presentation(WorkbenchState& bench) {
    if (!bench.presentation.is_on()) begin_presentation(bench);
    return bench.presentation;
}

}  // namespace

const Tensor* predictable(const WorkbenchState& bench) {
    if (shows_lecture(bench)) return PageCanvas::predictable(bench.lecture.opened.shown());
    const Workspace& space = bench.space();
    const bool is_step = space.trace && !presented_view(make_scene(bench));
    return is_step ? &space.trace->at(space.selection.chosen) : nullptr;
}

void turn_prediction(WorkbenchState& bench) {
    need_presentation(bench).prediction.change_covers();
}

void ask_for_text(WorkbenchState& bench) {
    need_presentation(bench).ask_for_text();
}

void turn_cover(WorkbenchState& bench) {
    LectureEditor& lecture = bench.lecture;
    if (shows_lecture(bench) && lecture.of_class.is_on(lecture.opened))
        return lecture.of_class.turn_reveal(lecture.opened);
    if (const Tensor* matrix = predictable(bench)) bench.presentation.prediction.turn(*matrix);
}

namespace {

constexpr float kBetweenButtons = 2, kFootSize = 11;

/// The buttons of the foot, which fingers press where there is a touch screen.
struct FootLook {
    Point padding{6, 2};
    float size = kFootSize;
    float below = 10;  // the top of the foot
};
FootLook foot_look() {
    return host().has_touch ? FootLook{{8, 7}, 14, 2} : FootLook{};
}

float width_of(const std::vector<SlideButton>& buttons) {
    float width = 0;
    for (const SlideButton& button : buttons)
        width +=
            ImGui::CalcTextSize(button.shown()).x + 2 * foot_look().padding.x + kBetweenButtons;
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

/// Goes to another slide; a covered matrix is revealed before the next one.
void go(PanelContext& context, const Slide& slide, const Prediction& prediction, WalkMove how) {
    const bool is_hidden = slide.matrix && prediction.hides(*slide.matrix);
    is_hidden&& how == WalkMove::Next ? context.requests.run("reveal") : slide.go(how);
}

std::vector<SlideButton> foot_buttons(PanelContext& context, const Slide& slide,
                                      const Prediction& prediction, bool can_leave) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    std::vector<SlideButton> buttons;
    if (slide.go) {
        buttons.push_back({"Back", fmt::format("The previous {}  (← or Page Up)", slide.unit),
                           [&slide] { slide.go(WalkMove::Back); }});
        buttons.push_back({"Next", fmt::format("The next {}  (→, Space or Page Down)", slide.unit),
                           [&] { go(context, slide, prediction, WalkMove::Next); }});
    }
    buttons.insert(buttons.end(), slide.buttons.begin(), slide.buttons.end());
    buttons.push_back({"Text", "Change the text  (T)", run("change-text"), true});
    if (slide.can_be_covered) {
        buttons.push_back({"Predict",
                           "Cover matrices until they are revealed, so that people can guess  (P)",
                           run("predict"), true});
        const bool is_of_patterns = prediction.covers == Prediction::Covers::Patterns;
        if (prediction.is_on())
            buttons.back().text =
                fmt::format("Predict: {}", is_of_patterns ? "patterns" : slide.everything);
        buttons.back().is_on = prediction.is_on();
        buttons.push_back(
            {"Reveal", "Reveal the matrix, or cover it again  (R)", run("reveal"), true});
    }
    buttons.push_back({"Laser", "A red dot that follows the pointer  (L)", run("laser"), true});
    buttons.push_back(
        {"Zoom", "A magnifying glass; the wheel changes it  (Z)", run("magnify"), true});
    if (can_leave) buttons.push_back({"Leave", "Back to the window  (Esc or F5)", run("present")});
    buttons.insert(buttons.end(), slide.last_buttons.begin(), slide.last_buttons.end());
    return buttons;
}

/// Draws the buttons in a row from there on, and presses those that were clicked.
void draw_buttons(PanelContext& context, const std::vector<SlideButton>& buttons, Point at,
                  Color background) {
    const Theme& theme = context.theme;
    ImGui::SetCursorScreenPos({at.x, at.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {foot_look().padding.x, foot_look().padding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    for (const SlideButton& button : buttons) {
        ImGui::PushStyleColor(ImGuiCol_Button,
                              im_vec(button.is_on ? theme.accent_soft : background));
        ImGui::PushStyleColor(ImGuiCol_Text, im_vec(button.is_on ? theme.accent : theme.muted));
        const bool is_pressed =
            ImGui::Button(fmt::format("{}##{}", button.shown(), button.name).c_str());
        ImGui::PopStyleColor(2);
        widgets::name_item(context, std::string("button ") + button.name);
        widgets::tooltip(button.tooltip.c_str());
        ImGui::SameLine(0, kBetweenButtons);
        if (is_pressed) button.press();
    }
    ImGui::NewLine();
    ImGui::PopStyleVar(2);
}

/// Draws the buttons and, where there is room, the slide's words and what had no room on it; under
/// a line that tells how far the way is.
void draw_foot(PanelContext& context, const Slide& slide, const Prediction& prediction,
               bool can_leave, Point size, const std::string& missing) {
    constexpr float kTextBelow = 24, kGap = 16;
    const FootLook look = foot_look();
    const Theme& theme = context.theme;
    const MeasureText& measure = context.painter.measure();
    const Box box{kSlidePad, size.y - kSlideFoot, size.x - 2 * kSlidePad, kSlideFoot};
    Figure foot;
    if (slide.progress) {
        foot.add(RectMark{{box.x, box.y + 3, box.width, 3}, theme.border, {}, 0, 1.5f});
        const float done = box.width * *slide.progress;
        foot.add(RectMark{{box.x, box.y + 3, done, 3}, theme.accent, {}, 0, 1.5f});
    }
    context.painter.push_font(Font::Regular, look.size);
    std::vector<SlideButton> buttons = foot_buttons(context, slide, prediction, can_leave);
    leave_out(buttons, box.width);
    const float room = box.width - width_of(buttons) - kGap;
    draw_buttons(context, buttons, {box.x - look.padding.x, box.y + look.below}, slide.background);
    context.painter.pop_font();
    TextMark said{{0, box.y + kTextBelow}, missing, kFootSize, slide.said_color};
    for (const std::string& text : slide.said) {
        said.text = text;
        if (!missing.empty()) append_part(said.text, "  ·  ", missing);
        if (measure(said.text, kFootSize, Font::Regular) <= room) break;
    }
    shorten(said, room, measure);
    said.at.x = box.right() - measure(said.text, kFootSize, Font::Regular);
    foot.add(std::move(said));
    context.painter.draw(foot, {0, 0});
}

}  // namespace

/// Puts away a pointer that rests since the slide was opened, so that it names and marks nothing:
/// nobody points with it. Returns where it is, if it was put away.
std::optional<Point> Presentation::put_away_resting_pointer(std::uint64_t opening) {
    ImGuiIO& io = ImGui::GetIO();
    const Point pointer{io.MousePos.x, io.MousePos.y};
    const bool is_used = ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                         ImGui::IsMouseReleased(ImGuiMouseButton_Left) || io.MouseWheel != 0;
    if (std::exchange(opening_, opening) != opening) rests_at_ = pointer;
    const bool rests = rests_at_ && rests_at_->x == pointer.x && rests_at_->y == pointer.y;
    if (is_used || !rests || opening == 0) rests_at_.reset();
    if (rests_at_) io.MousePos = {-FLT_MAX, -FLT_MAX};
    return rests_at_;
}

void Presentation::draw(PanelContext& context, const Slide& slide, Panel& input,
                        const SlideRoom& room) {
    const Point size = room.size;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(slide.background));
    ImGui::Begin(slide.window, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const std::optional<Point> pointer = put_away_resting_pointer(slide.opening);
    const float foot = kSlideFoot + room.notice;
    const std::string missing =
        slide.draw({0, 0, size.x, size.y - kSlideFoot}, room.notice + text_height_);
    if (pointer) ImGui::GetIO().MousePos = {pointer->x, pointer->y};
    draw_foot(context, slide, prediction, !stays_, size, missing);
    ImGui::End();
    draw_text_field(context, input, size, foot);
}

void Presentation::draw_text_field(PanelContext& context, Panel& input, Point size, float foot) {
    constexpr const char* kTitle = "Text of the study";
    if (std::exchange(is_text_asked_, false)) ImGui::OpenPopup(kTitle);
    ImGui::SetNextWindowPos({size.x / 2, size.y - foot}, ImGuiCond_Always, {0.5f, 1});
    ImGui::SetNextWindowSize({size.x * 0.86f, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, 14});
    // The slide makes room for it, and takes the room back, in the frame after this one.
    const float before = std::exchange(text_height_, 0.0f);
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
    text_height_ = ImGui::GetWindowHeight();
    if (text_height_ != before) context.requests.look_again(0);
    context.regions.add("slide text", {at.x, at.y, ImGui::GetWindowWidth(), text_height_});
    if (compat::is_key_pressed(Key::Enter) || compat::is_key_pressed(Key::Escape))
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void Presentation::press_keys(PanelContext& context, const Slide& slide) const {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::No); };
    // No field of a slide has pages: a presenter's remote works while one has the keyboard.
    const auto move = [&](WalkMove how) { go(context, slide, prediction, how); };
    if (slide.go && pressed(Key::PageDown)) move(WalkMove::Next);
    if (slide.go && pressed(Key::PageUp)) move(WalkMove::Back);
    if (io.WantTextInput) return;
    if (pressed(Key::T)) context.requests.run("change-text");
    if (pressed(Key::P)) context.requests.run("predict");
    const bool has_cover = slide.matrix && prediction.is_on() && !slide.has_answer;
    if (has_cover && pressed(Key::R)) context.requests.run("reveal");
    const std::pair<Key, WalkMove> keys[] = {
        {Key::Right, io.KeyShift ? WalkMove::NextComponent : WalkMove::Next},
        {Key::Left, io.KeyShift ? WalkMove::ComponentBefore : WalkMove::Back},
        {Key::Space, WalkMove::Next},
        {Key::Home, WalkMove::First},
        {Key::End, WalkMove::Last},
        {Key::Down, WalkMove::NextHead},
        {Key::Up, WalkMove::HeadBefore}};
    for (const auto& [key, how] : keys)
        if (slide.go && !context.requests.keeps_arrows() && pressed(key)) move(how);
    if (slide.press_keys) slide.press_keys();
}

}  // namespace headlight
