// The life of a window: wait for events, feed ImGui, draw, and rest.
//
// Goals: the same frames for a hand, a script and a test; no frame without an event; every event
// answered by enough frames for ImGui to settle.
// Not goals: the content of a frame; a function draws it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/window_backend.h"
#include "figure/figure.h"
#include "render/framebuffer.h"
#include "ui/compat.h"
#include "ui/fonts/fonts.h"
#include "ui/pictures/figure_view.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

/// While the magnifying glass is out, the wheel changes it between these.
inline constexpr float kLeastMagnified = 1.5f, kMostMagnified = 4;

/// ImGui shows a change of hover or focus one frame after its cause, a window that fits its content
/// one frame later still, and since 1.89 what scrolls within it one more.
inline constexpr int kFramesPerEvent = IMGUI_VERSION_NUM < 18900 ? 3 : 4;

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Input of the function that draws, and its requests.
struct FrameContext {
    Fonts& fonts;
    FigureView& figures;
    compat::PrivateUseCodes& codes;  // for text boxes
    WindowSize window;
    Point unzoomed = {};  // its size in points, whatever the zoom
    std::vector<std::string> dropped_paths = {};
    SecondEnd second_end = SecondEnd::None;  // since the frame before
    bool close_asked = false;  // by the user: the loop ends after this frame unless stay_open

    Color background{255, 255, 255, 255};
    std::vector<PartBackground> part_backgrounds = {};  // under everything else
    double next_frame_secs = kNever;  // another frame after that time at the latest; 0: at once
    float zoom = 1;                   // of everything in the window, from the next frame on
    float magnified = 1;              // a magnifying glass: the same, around the pointer
    ScreenMode screen = ScreenMode::Window;
    std::string title = {};  // of the window; empty: as it is
    bool stay_open = false;
    bool quit = false;
    SecondPicture second = {};                      // of the second window
    std::function<void(Pixels)> take_picture = {};  // receives a picture of the frame
};

/// There is one at a time: ImGui's context is the thread's.
class FrameLoop {
  public:
    /// Opens the window. Throws Error if that cannot be done.
    FrameLoop(const WindowOptions& options, const WindowMaker& make_window);
    ~FrameLoop();
    FrameLoop(const FrameLoop&) = delete;
    FrameLoop& operator=(const FrameLoop&) = delete;

    /// Called once a frame, between ImGui::NewFrame and ImGui::Render.
    void set_draw(std::function<void(FrameContext&)> draw);

    /// Runs until the window is closed, the drawer quits, or SIGTERM, SIGINT or SIGHUP comes.
    void run();

    /// Makes the frames that are due, and shows the last one: those that only settle cost no
    /// picture. Returns in how many seconds the next one is due, unless something happens before. A
    /// loop that is somebody else's calls it; run() does so itself.
    double turn();

    /// Returns the window's size now, before any zoom. The resize event may still be waiting for
    /// its frame.
    WindowSize size() const;
    WindowPlace place() const;

    /// Asks for a new frame soon. The only call that another thread may make.
    void wake();

    /// These are for scripts and tests.
    void push(InputEvent event);
    void run_until_idle();                 // throws Error if it does not come to rest
    void run_frames(int n_most);           // the next ones, as long as any must be drawn
    void run_for(double secs);             // with a clock: answers events until the time has passed
    Pixels screenshot();                   // of the last frame
    const Pixels& second_picture() const;  // of the second window; none while it is closed
    void finish_drawing();     // waits until OpenGL has drawn the frame, to measure its cost
    void forget_picture();     // the next frame is drawn as a whole, not only what changed
    std::string read_texts();  // all that can be read in the window
    int n_frames() const { return n_frames_; }
    bool has_quit() const { return has_quit_; }
    void let_pass(double secs) { extra_secs_ += secs; }  // before the next frame

  private:
    struct Parts;

    void frame();
    void compute_frame();
    void show_frame();
    void apply(const InputEvent& event, FrameContext& context);
    void begin_frame();
    void draw(FrameContext& context);
    void magnify();
    void scale_fonts();
    void render();
    const Framebuffer& draw_picture();
    void draw_changes();
    void fill_backgrounds(const Box& part_px);
    std::uint64_t sum_of_backgrounds() const;
    void take_requests(const FrameContext& context);
    void wait_for_event(double at_most_secs);
    bool must_draw() const;
    double seconds_since_last_frame();
    WindowSize content_size() const;  // in the zoomed points that the drawer sees

    std::unique_ptr<Parts> parts_;
    std::function<void(FrameContext&)> draw_;
    WindowSize size_;  // the window's size before the zoom
    float zoom_ = 1, magnified_ = 1;
    Point magnified_at_;  // in zoomed points
    ScreenMode screen_ = ScreenMode::Window;
    int frames_left_ = 0;
    int n_frames_ = 0;
    double next_frame_at_ = kNever;  // on the clock of now_secs()
    double last_frame_at_ = 0;
    double extra_secs_ = 0;
    bool moves_ = false;  // the last frame asked for another one at once
    bool has_quit_ = false;
    std::atomic<bool> woken_ = false;
};

}  // namespace headlight
