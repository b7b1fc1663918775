#include "ui/window/autosave.h"

#include <chrono>
#include <exception>

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::duration<double> kPause{kAutosave_secs};

/// Why it could not be written.
std::string try_to_write(Journal& journal, const OpenWorks& works) {
    try {
        journal.write(works);
    } catch (const std::exception& error) {  // no memory as well
        return error.what();
    }
    return "";
}

}  // namespace

Autosave::Autosave(std::filesystem::path journal) : journal_(std::move(journal)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Autosave::~Autosave() {
    flush();
}

void Autosave::post(OpenWorks works) {
    const std::lock_guard lock(mutex_);
    pending_ = std::move(works);
    changed_.notify_all();
}

bool Autosave::flush() {
    std::unique_lock lock(mutex_);
    is_hurried_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !is_hurried_; });
    return problem_.empty();
}

std::string Autosave::problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
}

void Autosave::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, stop, [&] { return pending_ || is_hurried_; });
        if (stop.stop_requested()) return;
        if (pending_) write(lock);
        // What was posted meanwhile is written as well before a flush is over.
        if (!pending_ || !problem_.empty()) is_hurried_ = false;
        changed_.notify_all();
        const auto next = Clock::now() + std::chrono::duration_cast<Clock::duration>(kPause);
        changed_.wait_until(lock, stop, next, [&] { return is_hurried_; });
    }
}

/// Without the lock. What could not be written is tried again, unless there is something newer.
void Autosave::write(std::unique_lock<std::mutex>& lock) {
    OpenWorks works = std::move(*pending_);
    pending_.reset();
    lock.unlock();
    std::string problem = try_to_write(journal_, works);
    lock.lock();
    problem_ = std::move(problem);
    if (!problem_.empty() && !pending_) pending_ = std::move(works);
}

}  // namespace headlight
