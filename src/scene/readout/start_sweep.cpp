#include "core/error.h"
#include "scene/figures/readout_view.h"
#include "scene/workspace.h"

namespace headlight {

void start_sweep(Workspace& space, const SweepSettings& settings) {
    if (!space.page) throw Error("window", "there is nothing to show: " + space.session.problem());
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const LogitView view = make_readout(scene);
    const bool is_of_word = asks_of_word(settings.quantity);
    SweepOrder order{.settings = settings,
                     .question = view.question,
                     .asked = is_of_word ? asked_text(view) : asked_place(view.names, view.after)};
    order.question.row +=
        scene.trace.at(Location{.component = ComponentKind::Output}.at(Role::Logits).path)
            .first_row();
    order.document = space.session.history().shared_document();
    order.base = space.whole;
    if (settings.kind == SweepKind::Patch) {
        order.from = space.comparison.shared_trace();
        if (!space.comparison.is_on() || !order.from)
            throw Error("sweep", "there is no B to patch from: compare with another text first");
    }
    space.sweep.start(std::move(order));
}

}  // namespace headlight
