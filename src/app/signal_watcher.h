// SIGTERM, SIGINT and SIGHUP become an ordinary call.
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace headlight {

/// While it lives these signals do not end the program; `on_signal` is called instead, from a
/// thread of its own. Make it before other threads are started: they take over what is blocked.
class SignalWatcher {
  public:
    explicit SignalWatcher(std::function<void()> on_signal);
    SignalWatcher(const SignalWatcher&) = delete;
    SignalWatcher& operator=(const SignalWatcher&) = delete;
    ~SignalWatcher();

  private:
    sigset_t before_;
    int signals_ = -1, stop_ = -1;  // descriptors that the thread waits for
    std::thread thread_;
};

}  // namespace headlight
