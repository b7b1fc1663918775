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

    /// Opens a file. If it throws Error, the open studies stay.
    void open_file(const std::filesystem::path& file) { workbench_.open_file(file); }

    /// Restores the window as it was when it was closed, with its open files. A message names the
    /// files that can no longer be opened.
    void restore(const WindowState& state) { workbench_.restore(state); }
    /// The state kept for the next start; `before` is the state that this one began with.
    WindowState state(const WindowState& before) const;

    /// Runs until the window is closed.
    void run() { loop_.run(); }

    /// For scripts, pictures and tests: returns when all events are answered and all evaluations
    /// done.
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
