#include "core/progress.h"

#include <algorithm>
#include <utility>

namespace headlight {

double Progress::share() const {
    const double total = total_;
    return total > 0 ? std::clamp(done_ / total, 0.0, 1.0) : 0;
}

std::string Progress::at() const {
    const std::shared_ptr<const std::string> at = at_;
    return at ? *at : "";
}

void Progress::begin(double work) {
    total_ = work;
    done_ = 0;
}

void Progress::enter(std::string what) {
    check();
    at_ = std::make_shared<const std::string>(std::move(what));
}

void Progress::advance(double work) {
    done_ += work;
    check();
}

void Progress::check() const {
    if (is_cancelled_) throw Cancelled();
}

}  // namespace headlight
