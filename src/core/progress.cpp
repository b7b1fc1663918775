#include "core/progress.h"

#include <algorithm>
#include <utility>

namespace headlight {

double Progress::share() const {
    const double total = total_;
    return total > 0 ? std::clamp(done_ / total, 0.0, 1.0) : 0;
}

std::string Progress::at() const {
    const std::lock_guard lock(mutex_);
    return at_;
}

void Progress::begin(double work) {
    total_ = work;
    done_ = 0;
}

void Progress::enter(std::string what) {
    check();
    const std::lock_guard lock(mutex_);
    at_ = std::move(what);
}

void Progress::advance(double work) {
    done_ += work;
    check();
}

void Progress::check() const {
    if (is_cancelled_) throw Cancelled();
}

}  // namespace headlight
