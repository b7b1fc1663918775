// Workbench: what goes on beside the window (evaluations, places for the nodes of a graph), and
// what is said of it.
#include <imgui.h>

#include "core/out_of_memory.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice.h"
#include "ui/window/workbench.h"

namespace headlight {

void Workbench::open_file(const std::filesystem::path& file) {
    if (holds_matrices(file)) return import_from(file);
    const FileStamp on_disk = stamp_of_study(file);  // first: a change after that is noticed
    OpenedFile opened = need_memory_for("opening " + path_text(file.filename()),
                                        [&] { return open_document(file); });
    Document& document = opened.document;
    StudyFile of{file, on_disk, std::move(opened.notes)};
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not opened
    if (!needs_places(document)) return open(std::move(document), of);
    if (opening_.work.is_running())
        throw Error("window", "another graph is being placed; wait for it, or cancel it");
    opening_.file = std::move(of);
    opening_.work.start(
        [document = std::move(document)](Progress& progress) mutable {
            give_places(document, &progress);
            return std::move(document);
        },
        wake_);
}

void Workbench::import_from(const std::filesystem::path& file) {
    dialogs_.import.open(file, open_arrays(file), *plan(session().document()));
}

void Workbench::answer_import(PanelContext& context) {
    const auto edit = dialogs_.import.draw(context);
    if (!edit) return;
    try {
        session().apply(*edit);
        dialogs_.import.finish();
    } catch (const Error& error) {
        dialogs_.import.show_problem(error.what());
    }
}

/// Shows what has got its places; nothing has happened if that was cancelled.
void Workbench::finish_opening() {
    if (!opening_.work.is_ready()) return;
    try {
        Document document = opening_.work.take();
        open(std::move(document), opening_.file);
    } catch (const Cancelled&) {
        notice_.say(path_text(opening_.file.path.filename()) +
                    " was not opened: it was cancelled.");
    } catch (const Error& error) {
        notice_.say(error.what());
    }
}

void Workbench::finish_computing() {
    recovery_.finish_reading();
    if (opening_.work.is_running()) {
        opening_.work.wait();
        finish_opening();
    }
    session().wait();
    comparison().wait();
    exports_.wait();
}

bool Workbench::is_computing() {
    return session().is_busy() || comparison().is_busy() || opening_.work.is_running() ||
           recovery_.is_reading() || exports_.is_running();
}

void Workbench::give_memory_back() {
    Workspace& space = workspace();
    notice_.say("[memory] there is not enough to show this study" +
                (space.whole ? "; " + largest_matrix(*space.whole) : "") +
                ". Undo the last step, or take less");
    space.whole = space.page = nullptr;
    space.comparison.stop();
    space.session.give_up();
}

/// What Esc ends: work, the slides, an open drawer, else what is held, else the comparison.
void Workbench::release() {
    if (work_bar_.offers_cancel()) return cancel_work();
    if (is_presenting_) return run(Command::Present);
    if (drawer_ != Drawer::None && !ImGui::GetIO().WantTextInput) {
        drawer_ = Drawer::None;
        return;
    }
    // The Esc that leaves a text field leaves nothing else.
    if (selection().held().is_empty() && !ImGui::GetIO().WantTextInput) comparison().stop();
    selection().release();
}

void Workbench::cancel_work() {
    if (opening_.work.is_running()) return opening_.work.cancel();
    exports_.is_running() ? exports_.cancel() : session().cancel();
}

/// What goes on beside the window.
void Workbench::draw_work(PanelContext& context, Box box) {
    using Phase = WorkState::Phase;
    WorkState state;
    if (opening_.work.is_running())
        state = {Phase::Running, opening_.work.progress().at(), opening_.work.progress().share()};
    else if (session().is_busy())
        state = {Phase::Running, session().progress().at(), session().progress().share()};
    else if (const Progress* progress = exports_.progress())
        state = {Phase::Running, progress->at(), progress->share()};
    else if (session().is_stopped())
        state.phase = Phase::Stopped;
    const WorkBar::Wish wish = work_bar_.draw(context, state, box);
    if (wish == WorkBar::Wish::Cancel) cancel_work();
    if (wish == WorkBar::Wish::Resume) session().resume();
}

/// What there is to say, at the top of the box; last of all which script lacks a font.
float Workbench::draw_notice(PanelContext& context, Box box) {
    if (notice_.text().empty())
        notice_.say(lacking_fonts_text(context.painter.take_lacking_scripts()),
                    Notice::Kind::Computer);
    const Session& shown = session();
    notice_.follow(shown_, shown.history().shared_document().get());
    if (notice_.text().empty())
        return is_presenting_ ? 0 : study_files_.draw_notice(context, workspace(), box);
    const std::string text = notice_.text();
    constexpr float kDismiss = 80;
    begin_notice(context, text, box, kDismiss);
    if (widgets::button(context, "Dismiss", nullptr)) notice_.clear();
    end_notice();
    return notice_height(text, box.width, kDismiss);
}

/// At the first start, at the foot of the box, until something is tried. Returns its height.
float Workbench::draw_greeting(PanelContext& context, Box box) {
    if (!is_greeting_) return 0;
    constexpr float kGreeting = 48;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.accent));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.on_accent));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 17);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {18, 8});
    ImGui::SetNextWindowPos({box.x + box.width / 2, box.bottom() - 7}, ImGuiCond_Always, {0.5f, 1});
    ImGui::Begin("greeting", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing);
    context.painter.push_font(Font::Bold, 14);
    ImGui::TextUnformatted("Change a word  ·  Point at a cell  ·  Drag a number");
    context.painter.pop_font();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("greeting", {at.x, at.y, size.x, size.y});
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    is_greeting_ = !session().history().can_undo();
    return kGreeting;
}

}  // namespace headlight
