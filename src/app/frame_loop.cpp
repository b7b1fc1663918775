// The life of a window: wait for events, feed ImGui, draw, and rest.
#include "app/frame_loop.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <chrono>
#include <cmath>
#include <future>
#include <imgui.h>
#include <optional>
#include <span>
#include <utility>

#include "app/frame_changes.h"
#include "app/imgui_session.h"
#include "app/second_window.h"
#include "core/error.h"
#include "render/heatmap_renderer.h"
#include "ui/fonts/screen_text.h"
#include "ui/input/input_queue.h"
#include "ui/pictures/content_sum.h"

namespace headlight {
namespace {

using EventKind = InputEvent::Kind;

constexpr double kScriptFrame_secs = 1.0 / 60;
constexpr double kLongestWait_secs = 3600;
constexpr float kWheelStep = 1.1f;  // of the magnifying glass
constexpr int kFramesBeforeRest = 20000;

double now_secs() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

}  // namespace

// In the order in which each needs the ones before it.
struct FrameLoop::Parts {
    Parts(const WindowOptions& options, const WindowMaker& make_window, EventSink sink)
        : early_fonts(std::async(std::launch::async,
                                 [scale = options.size.pixels_per_point] {
                                     return std::make_unique<Fonts>(FontScale{1, scale});
                                 })),
          window(make_window(options, std::move(sink))),
          fonts(early_fonts.get()),
          clipboard{[this] { return codes.encode(window.clipboard()); },
                    [this](const std::string& text) { window.set_clipboard(codes.decode(text)); },
                    {}},
          imgui(fonts->atlas()),
          figures(*fonts, heatmaps) {
        compat::set_clipboard(clipboard);
    }

    std::future<std::unique_ptr<Fonts>> early_fonts;  // made while the window opens
    WindowBackend window;
    InputQueue queue;
    std::unique_ptr<Fonts> fonts;
    compat::AstralCodes& codes = fonts->codes();
    compat::Clipboard clipboard;
    ImGuiSession imgui;
    HeatmapRenderer heatmaps;
    FigureView figures;
    Color background;
    std::vector<PartBackground> part_backgrounds;
    std::optional<Framebuffer> picture;
    FrameChanges changes{
        // against what is in the picture
        [this](const ImDrawCmd& command) { return figures.texture_content(command); }};
    SecondWindow second;
};

FrameLoop::FrameLoop(const WindowOptions& options, const WindowMaker& make_window) {
    parts_ = std::make_unique<Parts>(options, make_window,
                                     [this](InputEvent event) { push(std::move(event)); });
    size_ = parts_->window.size();
    parts_->fonts->set_scale({1, size_.pixels_per_point});
    frames_left_ = kFramesPerEvent;
    last_frame_at_ = now_secs();
}

FrameLoop::~FrameLoop() = default;

void FrameLoop::set_draw(std::function<void(FrameContext&)> draw) {
    draw_ = std::move(draw);
}

void FrameLoop::run() {
    if (!parts_->window.is_on_screen) return run_until_idle();
    while (!has_quit_) {
        wait_for_event(kLongestWait_secs);
        if (must_draw()) frame();
    }
}

void FrameLoop::run_for(double secs) {
    const double end = now_secs() + secs;
    for (double left = secs; left > 0 && !has_quit_; left = end - now_secs()) {
        wait_for_event(left);
        if (must_draw()) frame();
    }
}

WindowSize FrameLoop::size() const {
    return parts_->window.is_on_screen ? parts_->window.size() : size_;
}

WindowPlace FrameLoop::place() const {
    return parts_->window.place();
}

void FrameLoop::wake() {
    woken_ = true;
    parts_->window.wake();
}

void FrameLoop::push(InputEvent event) {
    // The glyph is there before the text box that shows it.
    if (event.kind == EventKind::Character) parts_->fonts->need_glyph(event.character);
    if (event.kind == EventKind::MouseMove) {
        event.x /= zoom_;
        event.y /= zoom_;
    }
    if (event.kind == EventKind::Wheel && magnified_ > 1) {
        magnified_ =
            std::clamp(magnified_ * std::pow(kWheelStep, event.y), kLeastMagnified, kMostMagnified);
        event.kind = EventKind::Refresh;
    }
    parts_->queue.push(std::move(event));
}

void FrameLoop::run_until_idle() {
    for (int n = 0; n < kFramesBeforeRest; ++n) {
        if (has_quit_ || !must_draw()) return;
        frame();
    }
    throw Error("window", "the window does not come to rest: every frame requests another one");
}

Pixels FrameLoop::screenshot() {
    return draw_picture().read();
}

const Pixels& FrameLoop::second_picture() const {
    return parts_->second.shown();
}

void FrameLoop::finish_drawing() {
    draw_picture().finish();
}

std::string FrameLoop::read_texts() {
    if (n_frames_ == 0) frame();
    return parts_->codes.decode(screen_text(*ImGui::GetDrawData(), *ImGui::GetIO().Fonts));
}

bool FrameLoop::must_draw() const {
    const bool due = parts_->window.is_on_screen && now_secs() >= next_frame_at_;
    return frames_left_ > 0 || !parts_->queue.empty() || woken_ || due;
}

void FrameLoop::wait_for_event(double at_most_secs) {
    const double left = must_draw() ? 0 : next_frame_at_ - now_secs();
    parts_->window.wait(std::clamp(left, 0.0, at_most_secs));
}

void FrameLoop::frame() {
    const bool answers = !parts_->queue.empty() || woken_.exchange(false);
    frames_left_ = answers ? kFramesPerEvent - 1 : std::max(frames_left_ - 1, 0);
    next_frame_at_ = kNever;

    FrameContext context{*parts_->fonts, parts_->figures, parts_->codes, content_size()};
    context.zoom = zoom_;
    context.magnified = magnified_;
    context.screen = screen_;
    context.second_closed = parts_->second.take_closed();
    for (const InputEvent& event : parts_->queue.feed(ImGui::GetIO(), parts_->codes)) {
        apply(event, context);
    }
    context.window = content_size();
    context.unzoomed = {size_.width, size_.height};
    begin_frame();
    draw(context);
    ImGui::EndFrame();
    compat::drop_overfull_lists();
    ImGui::Render();
    magnify();
    parts_->background = context.background;
    parts_->part_backgrounds = context.part_backgrounds;
    take_requests(context);
    ++n_frames_;
    render();
    parts_->second.follow(parts_->window.second, context.second);
    if (context.take_picture) context.take_picture(screenshot());
}

/// ImGui cannot be put away in the middle of a frame; what there is of it can be seen.
void FrameLoop::draw(FrameContext& context) {
    try {
        if (draw_) draw_(context);
    } catch (...) {
        compat::end_everything();
        ImGui::EndFrame();
        compat::drop_overfull_lists();
        ImGui::Render();
        throw;
    }
}

void FrameLoop::apply(const InputEvent& event, FrameContext& context) {
    switch (event.kind) {
        case EventKind::Resize:
            size_.width = std::max(event.x, 1.f);
            size_.height = std::max(event.y, 1.f);
            break;
        case EventKind::Scale:
            size_.pixels_per_point = event.scale;
            scale_fonts();
            break;
        case EventKind::Drop:
            context.dropped_paths.push_back(event.path);
            break;
        case EventKind::Quit:
            context.close_asked = true;
            has_quit_ = has_quit_ || event.down;
            break;
        default:
            break;
    }
}

void FrameLoop::begin_frame() {
    if (parts_->fonts->rebuild()) forget_picture();
    parts_->figures.begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    // ImGui's renderer cuts fractions off: a little more than the whole pixel keeps the pixel.
    const float scale = content_size().pixels_per_point;
    io.DisplaySize = {(static_cast<float>(size_.width_px()) + 0.01f) / scale,
                      (static_cast<float>(size_.height_px()) + 0.01f) / scale};
    io.DisplayFramebufferScale = {scale, scale};
    // Curves and circles are made of straight parts: fine ones, by the pixel.
    ImGui::GetStyle().CurveTessellationTol = 0.4f / scale;
    ImGui::GetStyle().CircleTessellationMaxError = 0.2f / scale;
    io.DeltaTime = static_cast<float>(seconds_since_last_frame());
    ImGui_ImplOpenGL3_NewFrame();
    compat::begin_frame();
}

WindowSize FrameLoop::content_size() const {
    return {size_.width / zoom_, size_.height / zoom_, size_.pixels_per_point * zoom_};
}

double FrameLoop::seconds_since_last_frame() {
    const double extra = std::exchange(extra_secs_, 0);
    if (!parts_->window.is_on_screen) return kScriptFrame_secs + extra;
    const double now = now_secs();
    const double passed = now - std::exchange(last_frame_at_, now);
    return std::max(passed, 1e-5) + extra;
}

void FrameLoop::take_requests(const FrameContext& context) {
    if (context.quit || (context.close_asked && !context.stay_open)) has_quit_ = true;
    if (!context.title.empty()) parts_->window.set_title(context.title);
    zoom_ = context.zoom;
    magnified_ = context.magnified;
    if (context.screen != screen_) parts_->window.set_screen(screen_ = context.screen);
    scale_fonts();
    if (parts_->fonts->must_rebuild()) frames_left_ = kFramesPerEvent;
    if (context.next_frame_secs <= 0) {
        frames_left_ = std::max(frames_left_, 1);
    } else {
        next_frame_at_ = now_secs() + context.next_frame_secs;
    }
}

/// What is under the pointer stays there, so that the pointer means what it would mean without the
/// glass. Everything that renders reads its place and its pixels from here.
void FrameLoop::magnify() {
    if (magnified_ <= 1) return;
    ImDrawData& data = *ImGui::GetDrawData();
    const ImVec2 pointer = ImGui::GetIO().MousePos, size = data.DisplaySize;
    if (ImGui::IsMousePosValid(&pointer))
        magnified_at_ = {std::clamp(pointer.x, 0.0f, size.x), std::clamp(pointer.y, 0.0f, size.y)};
    const float hidden = 1 - 1 / magnified_;
    data.DisplayPos = {magnified_at_.x * hidden, magnified_at_.y * hidden};
    data.DisplaySize = {size.x / magnified_, size.y / magnified_};
    data.FramebufferScale.x *= magnified_;
    data.FramebufferScale.y *= magnified_;
}

/// Magnified glyphs are baked for whole steps only: each takes a moment.
void FrameLoop::scale_fonts() {
    const float sharp = std::round(std::max(magnified_, 1.0f));
    parts_->fonts->set_scale({1, content_size().pixels_per_point * sharp});
}

void FrameLoop::render() {
    if (!parts_->window.is_on_screen) return;
    draw_picture().show();
    parts_->window.present();
    parts_->window.set_cursor(wanted_cursor());
}

const Framebuffer& FrameLoop::draw_picture() {
    if (n_frames_ == 0) frame();
    const int width = size_.width_px(), height = size_.height_px();
    std::optional<Framebuffer>& picture = parts_->picture;
    if (!picture || picture->width() != width || picture->height() != height) {
        picture.emplace(width, height);
        forget_picture();
    }
    if (compat::upload_textures(*ImGui::GetDrawData())) forget_picture();
    parts_->figures.draw_new_textures(ImGui_ImplOpenGL3_RenderDrawData);
    picture->bind();
    draw_changes();
    return *picture;
}

void FrameLoop::forget_picture() {
    parts_->changes.forget();
}

/// Whatever goes wrong on the way, the next frame is drawn as a whole.
void FrameLoop::draw_changes() {
    try {
        ImDrawData& data = *ImGui::GetDrawData();
        if (parts_->heatmaps.has_live_shaders()) forget_picture();
        const Box all{0, 0, static_cast<float>(size_.width_px()),
                      static_cast<float>(size_.height_px())};
        if (const auto changed = parts_->changes.next(data, sum_of_backgrounds())) {
            for (const Box& box : *changed) {
                const ClippedDrawData clipped(data, box);
                fill_backgrounds(box);
                ImGui_ImplOpenGL3_RenderDrawData(&data);
            }
        } else {
            fill_backgrounds(all);
            ImGui_ImplOpenGL3_RenderDrawData(&data);
        }
        parts_->figures.end_frame();
    } catch (...) {
        forget_picture();
        throw;
    }
}

void FrameLoop::fill_backgrounds(const Box& part_px) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const ImVec2 factor = data.FramebufferScale;
    const int height = size_.height_px();
    clear_box(part_px, height, parts_->background);
    for (const auto& [box, color] : parts_->part_backgrounds)
        clear_box(common_part({(box.x - data.DisplayPos.x) * factor.x,
                               (box.y - data.DisplayPos.y) * factor.y, box.width * factor.x,
                               box.height * factor.y},
                              part_px),
                  height, color);
}

std::uint64_t FrameLoop::sum_of_backgrounds() const {
    ContentSum sum;
    sum.add(std::span<const Color>(&parts_->background, 1));
    for (const auto& [box, color] : parts_->part_backgrounds) {
        for (const float side : {box.x, box.y, box.width, box.height}) sum.add(side);
        sum.add(std::span<const Color>(&color, 1));
    }
    return sum.value();
}

}  // namespace headlight
