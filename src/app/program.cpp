#include "app/program.h"

#include <new>
#include <utility>

#include "core/error.h"
#include "ui/compat.h"

namespace headlight {

Program::Program(const WindowOptions& options, const WindowMaker& make_window)
    : loop_(options, make_window), workbench_([this] { loop_.wake(); }) {
    loop_.set_draw([this](FrameContext& context) { draw(context); });
}

WindowState Program::state(const WindowState& before) const {
    const WindowPlace place = loop_.place();
    WindowState state = before;
    state.is_maximised = place.is_maximised;
    if (place.has_own_size) {
        const WindowSize size = loop_.size();
        state.width = size.width;
        state.height = size.height;
        state.place = place.corner;
    }
    workbench_.keep(state);
    return state;
}

void Program::settle() {
    // A button that is held down and repeats itself may begin something new in every round.
    constexpr int kMostRounds = 200;
    loop_.run_until_idle();
    for (int round = 0; round < kMostRounds && workbench_.is_computing(); ++round) {
        workbench_.finish_computing();
        loop_.wake();
        loop_.run_until_idle();
    }
}

/// Draws the workbench. Where there is no memory to show a study it is closed up, and the next
/// frame says so.
FrameResult Program::draw_workbench(WorkbenchFrame& frame) {
    try {
        const FrameResult result = workbench_.draw(frame);
        is_short_of_memory_ = false;
        return result;
    } catch (const std::bad_alloc&) {
        if (std::exchange(is_short_of_memory_, true)) throw;
        compat::end_everything();
        workbench_.give_memory_back();
        FrameResult result;
        result.draw_again = true;
        return result;
    }
}

void Program::draw(FrameContext& context) {
    for (const std::string& path : context.dropped_paths) {
        try {
            workbench_.take_dropped(path);
        } catch (const Error& error) {
            workbench_.show_message(error);
        }
    }
    WorkbenchFrame frame{.fonts = context.fonts,
                         .figures = context.figures,
                         .codes = context.codes,
                         .size = {context.window.width, context.window.height},
                         .unzoomed = context.unzoomed,
                         .close_asked = context.close_asked,
                         .second_end = context.second_end,
                         .zoom = context.zoom,
                         .magnified = context.magnified};
    const FrameResult result = draw_workbench(frame);
    for (const InputEvent& event : result.events) loop_.push(event);
    context.next_frame_secs = result.next_frame_secs;
    if (result.draw_again) context.next_frame_secs = 0;
    context.stay_open = result.stay_open;
    context.quit = result.quit;
    context.second = result.second;
    context.take_picture = result.take_picture;
    context.title = result.title;
    context.zoom = workbench_.zoom();
    context.magnified = result.magnified;
    context.screen = result.fills_screen ? ScreenMode::Full : ScreenMode::Window;
    context.background = result.background;
    context.part_backgrounds = result.part_backgrounds;
}

}  // namespace headlight
