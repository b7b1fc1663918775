// SIGTERM, SIGINT and SIGHUP become an ordinary call.
#include "app/signal_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

void watch(int signals, int stop, const std::function<void()>& on_signal) {
    pollfd waited[] = {{signals, POLLIN, 0}, {stop, POLLIN, 0}};
    while (true) {
        poll(waited, 2, -1);
        if (waited[1].revents != 0) return;
        signalfd_siginfo info;
        const bool got = waited[0].revents != 0 && read(signals, &info, sizeof info) > 0;
        if (got) on_signal();
    }
}

}  // namespace

SignalWatcher::SignalWatcher(std::function<void()> on_signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);  // the session ends
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    stop_ = eventfd(0, EFD_CLOEXEC);
    thread_ = std::thread([signals = signals_, stop = stop_, call = std::move(on_signal)] {
        watch(signals, stop, call);
    });
}

SignalWatcher::~SignalWatcher() {
    eventfd_write(stop_, 1);
    thread_.join();
    close(signals_);
    close(stop_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace headlight
