// The life of a window: wait for events, feed ImGui, draw, and rest.
#include "app/frame_loop.h"

#include <algorithm>
#include <array>
#include <backends/imgui_impl_opengl3.h>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <imgui.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/frame_changes.h"
#include "app/window_backend.h"
#include "core/address_space.h"
#include "core/error.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "model/workers.h"
#include "render/gl_context.h"
#include "render/heatmap_renderer.h"
#include "ui/compat.h"
#include "ui/input/input_queue.h"
#include "ui/pictures/content_sum.h"
#include "ui/window/workbench_frame.h"

namespace headlight {
namespace {

constexpr float kSpace = 0.12f, kFarther = 1.2f, kOtherLine = 0.15f;  // em

using Corners = std::array<float, 4>;
using Glyphs = std::map<Corners, compat::DrawnGlyph>;

/// The place of a letter on the screen: along its line and across it, in points.
struct Letter {
    const compat::DrawnGlyph* glyph;
    ImVec2 start;      // of its line's top, where the pen was
    ImVec2 direction;  // of the line, length 1
    float scale;       // points a point of the font

    float em() const { return glyph->size * scale; }
    ImVec2 end() const {
        const float advance = glyph->advance * scale;
        return {start.x + advance * direction.x, start.y + advance * direction.y};
    }
};

class Reader {
  public:
    explicit Reader(const ImFontAtlas& atlas) {
        for (const compat::DrawnGlyph& glyph : compat::drawn_glyphs(atlas))
            glyphs_.insert({{glyph.uv.x, glyph.uv.y, glyph.uv.z, glyph.uv.w}, glyph});
    }

    void read(const ImDrawList& list) {
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback) continue;
            const unsigned int end = command.IdxOffset + command.ElemCount;
            for (unsigned int at = command.IdxOffset; at + 6 <= end;)
                at += read_letter(list, command, static_cast<int>(at)) ? 6 : 3;
        }
    }

    std::string take() { return std::move(text_); }

  private:
    /// Reads a letter, which is two triangles, from its upper left corner clockwise.
    bool read_letter(const ImDrawList& list, const ImDrawCmd& command, int at) {
        const auto vertex = [&](int k) -> const ImDrawVert& {
            const auto index = static_cast<int>(list.IdxBuffer[at + k] + command.VtxOffset);
            return list.VtxBuffer[index];
        };
        const ImDrawVert &low = vertex(0), &right = vertex(1), &high = vertex(2);
        const auto found = glyphs_.find({low.uv.x, low.uv.y, high.uv.x, high.uv.y});
        if (found == glyphs_.end()) return false;
        const ImVec2 middle{(low.pos.x + high.pos.x) / 2, (low.pos.y + high.pos.y) / 2};
        const ImVec4& clip = command.ClipRect;
        if (middle.x >= clip.x && middle.y >= clip.y && middle.x < clip.z && middle.y < clip.w)
            add(place(found->second, low.pos, right.pos));
        return true;
    }

    static Letter place(const compat::DrawnGlyph& glyph, ImVec2 low, ImVec2 right) {
        const float width = std::hypot(right.x - low.x, right.y - low.y);
        const ImVec2 along{(right.x - low.x) / width, (right.y - low.y) / width};
        const float scale = width / (glyph.high.x - glyph.low.x);
        const float x = glyph.low.x * scale, y = glyph.low.y * scale;
        const ImVec2 start{low.x - x * along.x + y * along.y, low.y - x * along.y - y * along.x};
        return {&glyph, start, along, scale};
    }

    void add(const Letter& letter) {
        if (last_) text_ += between(*last_, letter);
        text_ += compat::to_utf8(letter.glyph->character);
        last_ = letter;
    }

    static const char* between(const Letter& last, const Letter& next) {
        const ImVec2 pen = last.end();
        const ImVec2 gap{next.start.x - pen.x, next.start.y - pen.y};
        const float along = gap.x * last.direction.x + gap.y * last.direction.y;
        const float across = gap.y * last.direction.x - gap.x * last.direction.y;
        const float em = last.em();
        if (std::abs(across) > kOtherLine * em || along < -kSpace * em || along > kFarther * em)
            return "\n";
        return along > kSpace * em ? " " : "";
    }

    Glyphs glyphs_;
    std::optional<Letter> last_;
    std::string text_;
};

/// Returns every text in the order in which it was drawn, one a line, as far as it is not clipped.
/// A text that is turned or written from right to left is read in the order of its letters on the
/// screen.
std::string screen_text(const ImDrawData& frame, const ImFontAtlas& atlas) {
    Reader reader(atlas);
    for (int i = 0; i < frame.CmdListsCount; ++i) reader.read(*frame.CmdLists[i]);
    return reader.take();
}

class ImGuiSession {
  public:
    explicit ImGuiSession(ImFontAtlas& atlas);
    ImGuiSession(const ImGuiSession&) = delete;
    ImGuiSession& operator=(const ImGuiSession&) = delete;
    ~ImGuiSession();
};

ImGuiSession::ImGuiSession(ImFontAtlas& atlas) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext(&atlas);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigDragClickToInputText = true;   // one click on a number types it
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would never let the loop rest
    compat::set_up_keys(io);
    ImGui_ImplOpenGL3_Init(is_gles() ? "#version 300 es" : "#version 330 core");
}

ImGuiSession::~ImGuiSession() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

/// Returns the shape of the pointer that ImGui asks for.
CursorShape wanted_cursor() {
    switch (ImGui::GetMouseCursor()) {
        case ImGuiMouseCursor_TextInput:
            return CursorShape::Text;
        case ImGuiMouseCursor_Hand:
            return CursorShape::Hand;
        case ImGuiMouseCursor_ResizeEW:
            return CursorShape::ResizeHorizontal;
        case ImGuiMouseCursor_ResizeNS:
            return CursorShape::ResizeVertical;
        case ImGuiMouseCursor_ResizeAll:
        case ImGuiMouseCursor_ResizeNESW:
        case ImGuiMouseCursor_ResizeNWSE:
            return CursorShape::Cross;
        default:
            return CursorShape::Arrow;
    }
}

class SecondWindow {
  public:
    /// Called once a frame: opens and closes the window, and shows the picture.
    void follow(PictureWindow& window, const SecondPicture& picture);
    /// Returns why the window came to an end, once.
    SecondEnd take_end() { return std::exchange(end_, SecondEnd::None); }
    /// Returns the shown picture; no pixels while the window is closed.
    const Pixels& shown() const { return shown_; }

  private:
    void turn(PictureWindow& window, bool is_wanted);

    bool is_open_ = false;
    SecondEnd end_ = SecondEnd::None;
    std::uint64_t content_ = 0;
    WindowSize size_;
    Pixels shown_;
};

void SecondWindow::follow(PictureWindow& window, const SecondPicture& picture) {
    const bool is_wanted = picture.content != 0;
    if (is_open_ && is_wanted && !window.size()) end_ = SecondEnd::Closed;
    if (is_wanted && end_ == SecondEnd::None && !window.has_place()) end_ = SecondEnd::NoPlace;
    turn(window, is_wanted && end_ == SecondEnd::None);
    const auto size = is_open_ ? window.size() : std::nullopt;
    if (!size || size->width_px() <= 0 || size->height_px() <= 0) return;
    const bool is_same = content_ == picture.content && size_.width_px() == size->width_px() &&
                         size_.height_px() == size->height_px();
    if (is_same) return;
    content_ = picture.content;
    size_ = *size;
    const Figure figure = picture.draw({size_.width, size_.height}, pango_measure());
    shown_ = rasterize(figure, {.dpi = kPointsPerInch * size_.pixels_per_point});
    window.show(shown_);
}

void SecondWindow::turn(PictureWindow& window, bool is_wanted) {
    if (is_wanted == is_open_) return;
    is_wanted ? window.open() : window.close();
    is_open_ = is_wanted;
    content_ = 0;
    shown_ = {};
}

using EventKind = InputEvent::Kind;

constexpr double kScriptFrame_secs = 1.0 / 60;
constexpr double kLongestWait_secs = 3600;
constexpr double kTurn_secs = 0.01;  // of frames that are shown as one
constexpr float kWheelStep = 1.1f;   // of the magnifying glass
constexpr int kFramesBeforeRest = 20000;
constexpr std::size_t kRoomForWindow = std::size_t{448} << 20;  // for OpenGL and its compiler

double now_secs() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

}  // namespace

// The parts are in the order in which each needs the ones before it.
struct FrameLoop::Parts {
    Parts(const WindowOptions& options, const WindowMaker& make_window, EventSink sink)
        : window(
              (begin_fonts(options.size.pixels_per_point), make_window(options, std::move(sink)))),
          fonts(early_fonts.take()),
          clipboard{[this] { return codes.encode(window.clipboard()); },
                    [this](const std::string& text) { window.set_clipboard(codes.decode(text)); },
                    {}},
          imgui(fonts->atlas()),
          figures(*fonts, heatmaps) {
        compat::set_clipboard(clipboard);
        ImGui::GetIO().UserData = fonts.get();
    }

    void begin_fonts(float pixels_per_point) {
        early_fonts.start(
            [pixels_per_point](Progress&) -> Pieces<std::unique_ptr<Fonts>> {
                co_return std::make_unique<Fonts>(FontScale{1, pixels_per_point});
            },
            {});
    }

    Background<std::unique_ptr<Fonts>> early_fonts;  // made while the window opens
    WindowBackend window;
    InputQueue queue;
    std::unique_ptr<Fonts> fonts;
    compat::PrivateUseCodes& codes = fonts->codes();
    compat::Clipboard clipboard;
    ImGuiSession imgui;
    HeatmapRenderer heatmaps;
    FigureView figures;
    Color background;
    std::vector<PartBackground> part_backgrounds;
    std::optional<Framebuffer> picture;
    FrameChanges changes{
        // Changes are those against the content of `picture`.
        [this](const ImDrawCmd& command) { return figures.texture_content(command); }};
    SecondPicture second_picture;  // that of the last frame
    SecondWindow second;
};

FrameLoop::FrameLoop(const WindowOptions& options, const WindowMaker& make_window) {
    need_address_space(kRoomForWindow, "the window");
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
        turn();
    }
}

double FrameLoop::turn() {
    const double end = now_secs() + kTurn_secs;
    // A motion is seen in each frame, but an answer only when it has settled.
    const int n_settling = parts_->queue.empty() ? 1 : kFramesPerEvent;
    int n_new = 0;
    const auto is_seen = [&] {
        return n_new > 0 && (now_secs() >= end || (moves_ && n_new >= n_settling));
    };
    while (!has_quit_ && must_draw() && !is_seen()) {
        compute_frame();
        ++n_new;
    }
    if (n_new > 0) show_frame();
    return must_draw() ? 0 : std::max(next_frame_at_ - now_secs(), 0.0);
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

void FrameLoop::run_frames(int n_most) {
    for (int n = 0; n < n_most && !has_quit_ && must_draw(); ++n) frame();
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
    compute_frame();
    show_frame();
}

void FrameLoop::compute_frame() {
    const bool answers = !parts_->queue.empty() || woken_.exchange(false);
    frames_left_ = answers ? kFramesPerEvent - 1 : std::max(frames_left_ - 1, 0);
    next_frame_at_ = kNever;

    FrameContext context{*parts_->fonts, parts_->figures, parts_->codes, content_size()};
    context.zoom = zoom_;
    context.magnified = magnified_;
    context.screen = screen_;
    context.second_end = parts_->second.take_end();
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
    parts_->second_picture = context.second;
    if (context.take_picture) context.take_picture(screenshot());
}

void FrameLoop::show_frame() {
    render();
    parts_->second.follow(parts_->window.second, parts_->second_picture);
}

/// Draws the content. ImGui cannot be put away in the middle of a frame; the part that was begun is
/// seen.
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
    moves_ = context.next_frame_secs <= 0;
    if (moves_) {
        frames_left_ = std::max(frames_left_, 1);
    } else {
        next_frame_at_ = now_secs() + context.next_frame_secs;
    }
}

/// Keeps the point under the pointer where it is, so that the pointer means what it would mean
/// without the glass. Everything that renders reads its place and its pixels from here.
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

/// Bakes magnified glyphs for whole steps only: each takes a moment.
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

/// Draws the changes; whatever goes wrong on the way, the next frame is drawn as a whole.
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
