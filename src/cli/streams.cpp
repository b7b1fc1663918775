#include "cli/streams.h"

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <string>

#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kStep{200};
constexpr const char* kClear = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(std::ostream* terminal, std::chrono::milliseconds patience) {
    if (!terminal) return;
    worker_ = std::jthread([this, terminal, patience](const std::stop_token& stop) {
        show_progress(*terminal, stop, patience);
    });
}

void ProgressLine::show_progress(std::ostream& terminal, const std::stop_token& stop,
                                 std::chrono::milliseconds patience) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto must_end = [&](std::chrono::milliseconds time) {
        return ended.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
    };
    if (must_end(patience)) return;
    do {
        const auto percent = std::lround(100 * progress_.share());
        const auto secs = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
        terminal << kClear << "headlight: " << percent << " %, " << printable(progress_.at())
                 << ", " << secs.count() << " s" << std::flush;
    } while (!must_end(kStep));
    terminal << kClear << std::flush;
}

}  // namespace headlight
