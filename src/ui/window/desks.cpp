#include "ui/window/desks.h"

#include <imgui.h>
#include <utility>

#include "io/files/file.h"
#include "text/scripts.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kBetweenNoticeButtons = 6;

/// Of *Dismiss*, and of what it offers.
float notice_buttons_width(const Notice& notice) {
    constexpr float kDismiss = 80;
    if (!notice.offer()) return kDismiss;
    const float padding = 2 * ImGui::GetStyle().FramePadding.x;
    return kDismiss + ImGui::CalcTextSize(notice.offer()->label).x + padding +
           kBetweenNoticeButtons;
}

}  // namespace

void follow_shown(Desks& desks) {
    desks.studies.follow_compared();
    const Workspace* shown = &desks.space();
    const Workspace* before = std::exchange(desks.followed[desks.studies.place()], shown);
    desks.studies.forget_closed();  // last: another one could have its address
    if (!before || before == shown) return;
    desks.animator.close();
    ImGui::SetWindowFocus(
        nullptr);  // a field that is typed into would write its text into this one
}

bool trains(const Desks& desks) {
    return desks.studies.kind() == WorkspaceKind::Train;
}

bool shows_training(const Desks& desks) {
    return trains(desks) && desks.space().selection.view == MiddleView::AllHeads;
}

float shown_zoom(const Desks& desks) {
    return desks.presentation.is_on() ? desks.presentation.zoom(desks.window) : desks.text.value();
}

Scene make_scene(const Desks& desks) {
    Scene scene = make_scene(desks.space(), theme_named(desks.theme));
    if (!trains(desks)) return scene;
    scene.training = &desks.training.snapshot();
    scene.earlier_runs = &desks.training.earlier();
    if (const TrainingCheckpoint* shown = desks.training.shown()) scene.training_step = shown->step;
    return scene;
}

TopBarState top_bar_state(const Desks& desks) {
    if (shows_lectures(desks)) return lecture_bar_state(desks);
    const Workspace& space = desks.space();
    const Studies& studies = desks.studies;
    const GraphStudy* graph = space.session.document().graph();
    const bool is_alone = studies.tabs(studies.kind()).size() == 1;
    std::string name = trains(desks) ? desks.training.task().title : "Untitled";
    if (!is_alone) name = tab_name(studies, *studies.find(studies.number()));
    if (is_alone && graph) name = graph->graph.title;
    if (is_alone && !space.file.empty()) name = path_text(space.file.filename());
    return {.shown = studies.kind(),
            .undo_label = space.session.history().undo_label(),
            .redo_label = space.session.history().redo_label(),
            .study_name = std::move(name),
            .is_changed = has_changes(space),
            .theme = desks.theme};
}

WorkState make_work_state(const Desks& desks) {
    using Phase = WorkState::Phase;
    const auto running = [](const Progress& progress) {
        return WorkState{Phase::Running, progress.at(), progress.share()};
    };
    const Session& session = desks.space().session;
    if (desks.files.is_opening()) return running(desks.files.progress());
    if (session.is_busy()) return running(session.progress());
    if (const Progress* progress = desks.exports.progress()) return running(*progress);
    if (desks.lecture.exports.is_running()) return running(desks.lecture.exports.progress());
    return {session.is_stopped() ? Phase::Stopped : Phase::None, {}, 0};
}

void cancel_work(Desks& desks) {
    if (desks.files.is_opening()) return desks.files.cancel();
    if (desks.lecture.exports.is_running()) return desks.lecture.exports.cancel();
    desks.exports.is_running() ? desks.exports.cancel() : desks.space().session.cancel();
}

void release(Desks& desks) {
    if (desks.work_bar.offers_cancel()) return cancel_work(desks);
    const bool types = ImGui::GetIO().WantTextInput;
    if (desks.presentation.is_on() && types) return;  // the key of the field alone
    if (desks.presentation.is_on() && desks.space().selection.explains) {
        desks.space().selection.explains = false;  // the slide that lies under it stays
        return;
    }
    if (desks.presentation.is_on()) return desks.presentation.end();
    if (desks.drawer != Drawer::None && !types) {
        desks.drawer = Drawer::None;
        return;
    }
    // The Esc that leaves a text field leaves nothing else.
    Workspace& space = desks.space();
    // What a page compares belongs to the page.
    if (space.selection.held().is_empty() && !types && !shows_lecture(desks)) {
        space.comparison.stop();
        if (trains(desks)) space.selection.view = MiddleView::AllHeads;
    }
    space.selection.release();
}

float notice_height(const Desks& desks, float width) {
    const Notice& notice = desks.notice;
    if (notice.text().empty()) return 0;
    return notice_height(notice.text(), width, notice_buttons_width(notice));
}

float draw_notice(Desks& desks, PanelContext& context, Box box) {
    Notice& notice = desks.notice;
    if (notice.text().empty())
        if (std::string text = lacking_fonts_text(context.painter.take_lacking_scripts());
            !text.empty())
            notice.say(std::move(text), Notice::Kind::Computer);
    // The study of a training is another one after every step.
    const Document* about =
        trains(desks) ? nullptr : desks.space().session.history().shared_document().get();
    notice.follow(desks.studies.number(), about);
    if (notice.text().empty()) {
        if (desks.presentation.is_on()) return 0;
        return shows_lecture(desks) ? desks.lecture.closing.draw_notice(context, desks, box)
                                    : desks.files.draw_notice(context, box);
    }
    const std::string text = notice.text();
    const std::optional<Notice::Offer> offer = notice.offer();
    const float buttons = notice_buttons_width(notice);
    const float height = notice_height(text, box.width, buttons);
    const bool lies_over = notice.passes() || desks.presentation.is_on();
    begin_notice(context, text, box, buttons);
    if (offer) {
        if (widgets::button(context, offer->label, nullptr)) {
            desks.requests.run(offer->command);
            notice.clear();
        }
        ImGui::SameLine(0, kBetweenNoticeButtons);
    }
    if (widgets::button(context, "Dismiss", nullptr)) notice.clear();
    end_notice();
    return lies_over ? 0 : height;
}

void open_export(Desks& desks) {
    if (shows_lecture(desks)) return desks.lecture.exports.open(desks.lecture.book);
    desks.exports.open(make_scene(desks), desks.space().file);
}

void repeat_export(Desks& desks) {
    if (shows_lecture(desks)) return desks.lecture.exports.repeat(desks.lecture.book);
    desks.exports.repeat(make_scene(desks), desks.space().file);
}

void copy_picture(Desks& desks) {
    if (!shows_lecture(desks)) return desks.exports.copy_picture(make_scene(desks));
    desks.lecture.exports.copy_page(desks.lecture.book);
    desks.notice.say("The page is in the clipboard, as a picture.", Notice::Kind::Done);
}

bool exports_run(const Desks& desks) {
    return desks.exports.is_running() || desks.lecture.exports.is_running();
}

void wait_for_exports(const Desks& desks) {
    desks.exports.wait();
    desks.lecture.exports.wait();
}

void choose_comparison(Desks& desks) {
    desks.chooser.open(comparison_choices(desks.studies));
}

void draw_chooser(Desks& desks, PanelContext& context) {
    Workspace& space = desks.space();
    switch (desks.chooser.draw(context)) {
        case ComparisonChooser::Answer::Compare:
            return space.comparison.start(desks.chooser.chosen().other);
        case ComparisonChooser::Answer::File:
            return desks.files.dialog().ask(
                FileDialog::Purpose::Compare, space.file,
                [&space](const std::filesystem::path& file) { compare_with_file(space, file); });
        case ComparisonChooser::Answer::None:
            return;
    }
}

}  // namespace headlight
