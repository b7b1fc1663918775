// Workbench: what goes on beside the window: evaluations, and places for the nodes of a graph.
#include "core/error.h"
#include "io/file.h"
#include "io/open_document.h"
#include "ui/workbench.h"

namespace headlight {

void Workbench::open_file(const std::filesystem::path& file) {
    Document document = read_document(file);
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not opened
    if (!needs_places(document)) return open(std::move(document), file);
    if (opening_.is_running())
        throw Error("window", "another graph is being placed; wait for it, or cancel it");
    opened_file_ = file;
    opening_.start(
        [document = std::move(document)](Progress& progress) mutable {
            give_places(document, &progress);
            return std::move(document);
        },
        wake_);
}

/// Shows what has got its places; nothing has happened if that was cancelled.
void Workbench::finish_opening() {
    if (!opening_.is_ready()) return;
    try {
        Document document = opening_.take();
        open(std::move(document), opened_file_);
    } catch (const Cancelled&) {
        message_ = "Not opened: " + path_text(opened_file_.filename()) + ", as you wished";
    }
}

void Workbench::finish_computing() {
    if (opening_.is_running()) {
        opening_.wait();
        finish_opening();
    }
    session().wait();
}

void Workbench::cancel_work() {
    opening_.is_running() ? opening_.cancel() : session().cancel();
}

/// What goes on beside the window.
void Workbench::draw_work(PanelContext& context, Box box) {
    using Phase = WorkState::Phase;
    WorkState state;
    if (opening_.is_running())
        state = {Phase::Running, opening_.progress().at(), opening_.progress().share()};
    else if (session().is_busy())
        state = {Phase::Running, session().progress().at(), session().progress().share()};
    else if (session().is_stopped())
        state.phase = Phase::Stopped;
    const WorkBar::Wish wish = work_bar_.draw(context, state, box);
    if (wish == WorkBar::Wish::Cancel) cancel_work();
    if (wish == WorkBar::Wish::Resume) session().resume();
}

}  // namespace headlight
