#include "scene/readout/sweep_run.h"

#include <utility>

#include "model/workers.h"

namespace headlight {

void SweepRun::start(SweepOrder order) {
    order_ = std::move(order);
    is_wanted_ = true;
    if (running_.is_running()) return running_.cancel();  // update() starts the new one
    update();
}

void SweepRun::cancel() {
    is_wanted_ = false;
    running_.cancel();
}

void SweepRun::update() {
    if (running_.is_ready()) {
        try {
            SweepResult result = running_.take();
            done_ = {order_, sweep_sentence(order_.settings), std::move(result)};
        } catch (const Cancelled&) {
        }
    }
    if (running_.is_running() || !is_wanted_) return;
    is_wanted_ = false;
    running_.start(
        [order = order_](Progress& progress) {
            Sweep sweep{order.settings, order.question};
            if (order.from) sweep.from.push_back(order.from.get());
            Workers workers(count_spare_threads());
            return run_sweep(*order.document, *order.base, sweep,
                             workers.for_each().followed_by(progress));
        },
        wake_);
}

void SweepRun::wait() {
    if (running_.is_running()) running_.wait();
}

}  // namespace headlight
