#include "app_state/sweep_run.h"

#include <utility>

#include "app_state/workspace.h"
#include "core/error.h"
#include "model/changes.h"
#include "model/workers.h"
#include "views/readout_view.h"

namespace headlight {

void SweepRun::start(SweepJob order) {
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

namespace {

/// Returns B's text, where B is A with another text.
std::optional<std::string> other_text(const Workspace& space) {
    const Document* b = space.comparison.now().document;
    const bool is_study = space.comparison.now().other<OtherStudy>() && b && b->sentence();
    if (!is_study) return std::nullopt;
    Document with_text = space.session.document();
    if (!with_text.sentence()) return std::nullopt;
    set_text(with_text, b->sentence()->text);
    if (!(with_text == *b)) return std::nullopt;
    return b->sentence()->text;
}

}  // namespace

void start_sweep(Workspace& space, const SweepSettings& settings) {
    if (!space.trace)
        throw Error("window", "there is nothing to show: {}", space.session.why_no_trace());
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const LogitView view = make_readout(scene);
    if (!view.unranked.empty()) throw Error("sweep", view.unranked);
    const bool is_of_word = asks_of_word(settings.quantity);
    SweepJob order{.settings = settings,
                   .question = view.question,
                   .asked = is_of_word ? asked_text(view) : logit_place(view.names, view.after)};
    order.question.row += scene.trace.at(kNetworkOutput.at(Role::Logits).path).first_row();
    order.document = space.session.history().shared_state();
    order.base = space.batch.shared();
    if (settings.kind == SweepKind::Patch) {
        order.from = space.comparison.now().trace.shared();
        order.from_text = other_text(space);
        if (!space.comparison.now().is_on() || !order.from)
            throw Error("sweep", "there is no B to patch from: compare with another text first");
    }
    space.sweep.start(std::move(order));
}

}  // namespace headlight
