// The program: a frame loop with a workbench in it, on a screen or in memory.
#pragma once

#include <filesystem>

#include "app/frame_loop.h"
#include "ui/window/workbench.h"

namespace headlight {

class Program {
  public:
    /// Throws Error if there is no display or no OpenGL.
    Program(const WindowOptions& options, const WindowMaker& make_window);

    /// Throws Error; then what was open still is.
    void open_file(const std::filesystem::path& file) { workbench_.open_file(file); }

    /// As the window was when it was closed, with the files that were open then. What cannot be
    /// opened any more is told in a message.
    void restore(const WindowState& state) { workbench_.restore(state); }
    /// What is kept for the next start; `before` is what this one began with.
    WindowState state(const WindowState& before) const;

    /// Until the window is closed.
    void run() { loop_.run(); }

    /// For scripts, pictures and tests: all events answered, all evaluations done.
    void settle();

    FrameLoop& loop() { return loop_; }
    Workbench& workbench() { return workbench_; }

  private:
    void draw(FrameContext& context);
    FrameResult draw_workbench(WorkbenchFrame& frame);

    FrameLoop loop_;
    Workbench workbench_;
    bool is_short_of_memory_ = false;  // in the last frame
};

}  // namespace headlight
