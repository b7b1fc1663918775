#include "cli/watch_file.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/signal_watcher.h"
#include "core/error.h"
#include "io/files/file.h"

namespace headlight {
namespace {

constexpr int kSettle_ms = 50;  // one save is several events

class WatchDescriptor {
  public:
    explicit WatchDescriptor(int fd) : fd_(fd) {}
    ~WatchDescriptor() {
        if (fd_ >= 0) close(fd_);
    }
    WatchDescriptor(const WatchDescriptor&) = delete;
    WatchDescriptor& operator=(const WatchDescriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

/// "" while there is no such file.
std::string read_if_there(const std::string& file) {
    try {
        return read_file(file);
    } catch (const Error&) {
        return {};
    }
}

void forget_events(int inotify) {
    std::array<char, 4096> events;
    while (read(inotify, events.data(), events.size()) > 0) continue;
}

}  // namespace

void watch_file(const std::string& file, const std::function<void()>& use) {
    const WatchDescriptor stop(eventfd(0, EFD_CLOEXEC));
    const SignalWatcher signals([&] { eventfd_write(stop.get(), 1); });
    const WatchDescriptor inotify(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (inotify_add_watch(inotify.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
        throw Error(path_text(folder),
                    "cannot be watched: " + std::generic_category().message(errno));
    std::string known = read_if_there(file);
    use();
    std::array<pollfd, 2> waited = {{{inotify.get(), POLLIN, 0}, {stop.get(), POLLIN, 0}}};
    while (true) {
        poll(waited.data(), waited.size(), -1);
        if (waited[1].revents != 0) return;
        poll(&waited[1], 1, kSettle_ms);
        forget_events(inotify.get());
        std::string now = read_if_there(file);
        if (now.empty() || now == known) continue;
        known = std::move(now);
        use();
    }
}

}  // namespace headlight
