#include "ui/window/workbench_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <span>
#include <utility>

#include "io/files/file.h"
#include "io/host.h"
#include "text/scripts.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/commands.h"

namespace headlight {
namespace {

struct Gesture {
    const char *how, *what;
};
constexpr Gesture kOfSlides[] = {
    {"Presenting a study",
     "→ ← the steps, Shift+→ the parts, ↑ ↓ the heads; T the text, P predict, R reveal"},
    {"Presenting pages",
     "of a lecture: → ← the next one and the one before; T the text, P predict, R reveal; of a "
     "task 1 to 9 a choice, A types an answer, H a hint, R the answer, Shift+R the solution, K "
     "copies the code of your answer, C shows the answers of "
     "the class"}};

constexpr Gesture kGestures[] = {
    {"Point", "at a cell: how it is computed; at a word: what it reads"},
    {"Tab",
     "moves from control to control, F6 from panel to panel; Enter does what a click would; ← → "
     "change a slider, until Esc gives it up"},
    {"Ctrl+arrows", "the next matrix or the one before, another head; Ctrl+PgDn: another part"},
    {"Click", "holds the thing under the pointer; arrow keys move through the matrix"},
    {"Shift-click", "holds one more word, node or row; so do Shift+↑ and Shift+↓"},
    {"Ctrl-click",
     "on a head adds its lines between words to those of the others; in All heads it becomes a "
     "panel of a figure"},
    {"Drag a cell", "up or down changes its value; a digit or a double-click types it"},
    {"Alt+↑ ↓ or wheel", "steps the held cell, or the one under the pointer"},
    {"Ctrl+drag",
     "holds a block of cells; a Ctrl-click on a label its row or column, Ctrl+A the matrix"},
    {"Ctrl+Shift+arrows", "grow or shrink the block"},
    {"Drag on a mask", "opens or closes what a query may read"},
    {"Turn the wheel", "zooms the large matrix at the pointer"},
    {"Drag with Space", "or with the middle or right button moves it; so does its small overview"},
    {"Drag a setting", "left or right changes it; double-click to type"},
    {"Right-click", "a number: animates it between two values"},
    {"Double-click",
     "on the graph adds a node, on a node types its name; Shift-drag between nodes "
     "adds an edge, of the canvas marks nodes; Del removes what is held"},
    {"Wheel and drag", "on the graph zoom and pan; Home shows all of it, Ctrl+A holds all nodes"}};

constexpr Gesture kTouches[] = {
    {"Touch", "does what a click does; a cell that is touched tells how it is computed"},
    {"Rest a finger", "on a thing: the same as to point at it"},
    {"Two fingers", "zoom and move the large matrix, and a graph"}};

/// Draws a key or a gesture, and its effect.
void draw_help_line(PanelContext& context, const std::string& how, const std::string& what,
                    float width) {
    constexpr float kHow = 126;
    const float left = ImGui::GetCursorPosX();
    context.painter.push_font(Font::Bold, 12);
    ImGui::TextUnformatted(how.c_str());
    context.painter.pop_font();
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + kHow);
    ImGui::PushTextWrapPos(left + width);
    ImGui::TextUnformatted(what.c_str());
    ImGui::PopTextWrapPos();
}

}  // namespace

void HelpPage::draw(PanelContext& context, bool is_presenting) {
    constexpr const char* kTitle = "Keys and gestures";
    constexpr float kColumn = 500, kLeastColumn = 320, kBetween = 20;
    const Dialog::Look look{.title = kTitle,
                            .size = {2 * kColumn + 76, 0},
                            .kind = Dialog::Kind::Form,
                            .padding = Point{20, 16}};
    if (!dialog_.begin(context, look)) return;
    widgets::heading(context, kTitle);
    context.painter.push_font(Font::Regular, 12);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 2});
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_narrow = room < 2 * kLeastColumn + kBetween;
    const float column = is_narrow ? room : (room - kBetween) / 2;
    const auto draw_gestures = [&](std::span<const Gesture> gestures) {
        for (const Gesture& gesture : gestures)
            draw_help_line(context, gesture.how, gesture.what, column);
    };
    ImGui::BeginGroup();
    if (is_presenting) draw_gestures(kOfSlides);
    std::vector<std::string> kept, names;  // keys that never come here, and their commands
    for (const Command& command : all_commands())
        if (const std::string keys = shown_keys(command); !keys.empty())
            draw_help_line(context, keys, fmt::format("{}: {}", command.name, command.what),
                           column);
        else if (*command.keys)
            kept.push_back(command.keys), names.push_back(command.name);
    if (!kept.empty())
        draw_help_line(context, "Find",
                       fmt::format("(Ctrl+K) has by name: {}; the browser keeps {} for itself",
                                   joined(names, ", "), joined(kept, ", ")),
                       column);
    ImGui::EndGroup();
    if (!is_narrow) ImGui::SameLine(0, kBetween);
    ImGui::BeginGroup();
    if (host().has_touch) draw_gestures(kTouches);
    if (!is_presenting) draw_gestures(kOfSlides);
    draw_gestures(kGestures);
    ImGui::EndGroup();
    if (context.trace) {
        const ViewId view = shown_view(context.scene);
        std::vector<std::string> words;
        for (const ViewOption* option : options_of(view, context.document))
            words.push_back(option->word);
        ImGui::Spacing();
        draw_help_line(
            context, "V",
            fmt::format("options of the view “{}”: {}", view_of(view).title, joined(words, ", ")),
            room);
    }
    ImGui::PopStyleVar();
    context.painter.pop_font();
    dialog_.end(context);
}

namespace {

using WorkPhase = WorkState::Phase;

constexpr float kShort_secs = 0.3f;  // shorter work is not worth a bar
constexpr float kWorkWidth = 560, kWorkHeight = 40, kWorkFoot = 14, kBarHeight = 4;

void draw_share(PanelContext& context, double share, float width) {
    const ImVec2 at = ImGui::GetWindowPos();
    const float left = at.x + 14, y = at.y + kWorkHeight - 9;
    const float done = static_cast<float>(share) * (width - 28);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({left, y}, {left + width - 28, y + kBarHeight},
                       im_color(context.theme.border), kBarHeight / 2);
    if (done > 0)
        list.AddRectFilled({left, y}, {left + std::max(done, kBarHeight), y + kBarHeight},
                           im_color(context.theme.accent), kBarHeight / 2);
}

/// Returns the end of a text that is too long, which says most.
std::string last_part(std::string text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    while (text.size() > 1 && ImGui::CalcTextSize(("…" + text).c_str()).x > width) text.erase(0, 1);
    return "…" + text;
}

}  // namespace

WorkBar::Answer WorkBar::draw(PanelContext& context, const WorkState& state, Box box) {
    const float before = state.phase == WorkPhase::Running ? running_secs_ : 0;
    running_secs_ = before + ImGui::GetIO().DeltaTime;
    if (state.phase != WorkPhase::Running) running_secs_ = 0;
    offers_cancel_ = running_secs_ > kShort_secs;
    if (!offers_cancel_ && state.phase != WorkPhase::Stopped) return Answer::None;
    const float width = std::min(kWorkWidth, box.width - 28);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.card));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(context.theme.accent));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14, 5});
    ImGui::SetNextWindowPos(
        {box.x + (box.width - width) / 2, box.bottom() - kWorkHeight - kWorkFoot});
    ImGui::SetNextWindowSize({width, kWorkHeight});
    ImGui::Begin("work", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav);
    const Answer answer = draw_contents(context, state);
    if (state.phase == WorkPhase::Running) draw_share(context, state.share, width);
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor(2);
    return answer;
}

WorkBar::Answer WorkBar::draw_contents(PanelContext& context, const WorkState& state) const {
    const bool is_running = state.phase == WorkPhase::Running;
    const char* label = is_running ? "Cancel" : "Compute";
    const float button = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float right = widgets::right_edge() - button;
    const std::string percent = fmt::format("{} %", static_cast<int>(100 * state.share));
    const float percent_left = right - 18 - ImGui::CalcTextSize("100 %").x;
    ImGui::AlignTextToFramePadding();
    if (is_running) {
        ImGui::TextUnformatted("Computing");
        ImGui::SameLine();
        const float left = ImGui::GetCursorPosX();
        ImGui::TextColored(im_vec(context.theme.muted), "%s",
                           last_part(state.what, percent_left - left - 12).c_str());
        ImGui::SameLine(percent_left);
        ImGui::TextUnformatted(percent.c_str());
    } else {
        ImGui::TextUnformatted("Not computed: change something, or press Compute.");
    }
    context.regions.add(is_running ? "bar computing" : "bar not computed",
                        {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, ImGui::GetWindowSize().x,
                         ImGui::GetWindowSize().y});
    ImGui::SameLine(right);
    const char* tooltip = is_running ? "Esc" : "The window shows an earlier state of the study";
    if (!widgets::button(context, label, tooltip)) return Answer::None;
    return is_running ? Answer::Cancel : Answer::Resume;
}

namespace {

constexpr float kBetweenNoticeButtons = 6;

/// Returns the width of *Dismiss* and of the button for the notice's offer.
float notice_buttons_width(const Notice& notice) {
    constexpr float kDismiss = 80;
    if (!notice.offer()) return kDismiss;
    const float padding = 2 * ImGui::GetStyle().FramePadding.x;
    return kDismiss + ImGui::CalcTextSize(notice.offer()->label).x + padding +
           kBetweenNoticeButtons;
}

}  // namespace

void follow_shown(WorkbenchState& bench) {
    bench.studies.follow_compared();
    const Workspace* shown = &bench.space();
    if (bench.presentation.is_on()) bench.presentation.follow(shown->selection.held());
    bench.presentation.prediction.page =
        shows_lecture(bench) ? std::optional(bench.lecture.opened.at()) : std::nullopt;
    const Workspace* before = std::exchange(bench.followed[bench.studies.place()], shown);
    bench.studies.forget_closed();  // last: another one could have its address
    if (!before || before == shown) return;
    bench.animator.close();
    ImGui::SetWindowFocus(
        nullptr);  // a field that is typed into would write its text into this one
}

bool trains(const WorkbenchState& bench) {
    return bench.studies.kind() == WorkspaceKind::Train;
}

bool shows_training(const WorkbenchState& bench) {
    return trains(bench) && bench.space().selection.view == ViewId::Heads;
}

float shown_zoom(const WorkbenchState& bench) {
    return bench.presentation.is_on() ? bench.presentation.zoom(bench.window) : bench.text.value();
}

Scene make_scene(const WorkbenchState& bench) {
    Scene scene = make_scene(bench.space(), theme_named(bench.theme));
    add_training(scene, bench);
    return scene;
}

void add_training(Scene& scene, const WorkbenchState& bench) {
    if (!trains(bench)) return;
    scene.training = &bench.training.snapshot();
    scene.earlier_runs = &bench.training.earlier();
    if (const TrainingCheckpoint* shown = bench.training.shown()) scene.training_step = shown->step;
}

TopBarState top_bar_state(const WorkbenchState& bench) {
    if (shows_lectures(bench)) return lecture_bar_state(bench);
    const Workspace& space = bench.space();
    const Studies& studies = bench.studies;
    const GraphStudy* graph = space.session.document().graph();
    const bool is_alone = studies.tabs(studies.kind()).size() == 1;
    std::string name = trains(bench) ? bench.training.task().title : "Untitled";
    if (!is_alone) name = tab_name(studies, *studies.find(studies.number()));
    if (is_alone && graph) name = graph->graph.title;
    if (is_alone && !space.file.empty()) name = path_text(space.file.filename());
    return {.shown = studies.kind(),
            .undo_label = space.session.history().undo_label(),
            .redo_label = space.session.history().redo_label(),
            .study_name = std::move(name),
            .is_changed = has_changes(space),
            .theme = bench.theme};
}

WorkState make_work_state(const WorkbenchState& bench) {
    const auto running = [](const Progress& progress) {
        return WorkState{WorkPhase::Running, progress.at(), progress.share()};
    };
    const Session& session = bench.space().session;
    if (bench.files.is_opening()) return running(bench.files.progress());
    if (session.is_busy()) return running(session.progress());
    if (const Progress* progress = bench.job.progress()) return running(*progress);
    return {session.is_stopped() ? WorkPhase::Stopped : WorkPhase::None, {}, 0};
}

void cancel_work(WorkbenchState& bench) {
    if (bench.files.is_opening()) return bench.files.cancel();
    const bool exports = bench.exports.is_asked() || bench.job.is_running();
    bench.exports.cancel();
    exports ? bench.job.cancel() : bench.space().session.cancel();
}

namespace {

/// Releases what was held by hand since the slides began: a thing that a page holds belongs to its
/// picture. False if there is nothing.
bool let_go_on_slide(WorkbenchState& bench) {
    Selection& selection = bench.space().selection;
    const OpenLecture& lecture = bench.lecture.opened;
    const bool is_page = shows_lecture(bench);
    const Pick& before = is_page ? lecture.shown().held : bench.presentation.held_before();
    if (selection.held().is_empty() || selection.held() == before) return false;
    if (is_page && !lecture.shown().page.space) return false;
    // A study that was changed may not have the held thing any more.
    const bool is_as_written = is_page && !lecture.has_live_changes(lecture.at());
    selection.keep_held(is_as_written ? before : Pick{});
    return true;
}

}  // namespace

void release(WorkbenchState& bench) {
    if (bench.work_bar.offers_cancel()) return cancel_work(bench);
    const bool types = ImGui::GetIO().WantTextInput;
    if (bench.presentation.is_on() && types) return;  // the key belongs only to the field
    if (bench.presentation.is_on() && bench.space().selection.explains) {
        bench.space().selection.explains = false;  // the slide that lies under it stays
        return;
    }
    if (bench.presentation.is_on()) {
        if (!let_go_on_slide(bench) && !bench.presentation.stays()) bench.presentation.end();
        return;
    }
    if (bench.drawer != Drawer::None && !types) {
        bench.drawer = Drawer::None;
        return;
    }
    // The Esc that leaves a text field leaves nothing else.
    Workspace& space = bench.space();
    // A comparison that a page shows belongs to the page.
    if (space.selection.held().is_empty() && !types && !shows_lecture(bench)) {
        space.comparison.stop();
        if (trains(bench)) space.selection.view = ViewId::Heads;
    }
    space.selection.release();
}

float notice_height(const WorkbenchState& bench, float width) {
    const Notice& notice = bench.notice;
    if (notice.text().empty()) return 0;
    return notice_height(notice.text(), width, notice_buttons_width(notice));
}

float draw_notice(WorkbenchState& bench, PanelContext& context, Box box) {
    Notice& notice = bench.notice;
    bench.lacking.follow(context.painter.lacking_scripts(), notice);
    // The study of a training is another one after every step.
    const Document* about =
        trains(bench) ? nullptr : bench.space().session.history().shared_state().get();
    notice.follow(bench.studies.number(), about, bench.lacking.cause());
    if (notice.text().empty()) {
        if (bench.presentation.is_on()) return 0;
        return bench.files.draw_notice(context, shown_file(bench), box);
    }
    const std::string text = notice.text();
    const std::optional<Notice::Offer> offer = notice.offer();
    const float buttons = notice_buttons_width(notice);
    const float height = notice_height(text, box.width, buttons);
    const bool lies_over = notice.passes() || bench.presentation.is_on();
    begin_notice(context, text, box, buttons);
    if (offer) {
        if (widgets::button(context, offer->label, nullptr)) {
            bench.requests.run(offer->command);
            notice.clear();
        }
        ImGui::SameLine(0, kBetweenNoticeButtons);
    }
    if (widgets::button(context, "Dismiss", nullptr)) {
        notice.clear();
        bench.lacking.dismiss();
    }
    end_notice();
    return lies_over ? 0 : height;
}

OpenFile shown_file(WorkbenchState& bench) {
    return shows_lecture(bench) ? lecture_file(bench)
                                : bench.files.study_file(bench.studies.number());
}

void open_export(WorkbenchState& bench) {
    if (shows_lecture(bench)) return bench.lecture.exports.open(bench.lecture.opened);
    bench.exports.open(make_scene(bench), bench.space().file);
}

void repeat_export(WorkbenchState& bench) {
    if (shows_lecture(bench)) return bench.lecture.exports.repeat(bench.lecture.opened);
    bench.exports.repeat(make_scene(bench), bench.space().file);
}

void copy_picture(WorkbenchState& bench) {
    if (!shows_lecture(bench)) return bench.exports.copy_picture(make_scene(bench));
    bench.lecture.exports.copy_page(bench.lecture.opened);
}

void choose_comparison(WorkbenchState& bench) {
    if (bench.chooser.is_open()) return bench.chooser.close();
    bench.chooser.open(comparison_choices(bench.studies), compared_texts(bench.space()));
}

void draw_chooser(WorkbenchState& bench, PanelContext& context) {
    Workspace& space = bench.space();
    switch (bench.chooser.draw(context)) {
        case ComparisonChooser::Answer::Compare:
            return space.comparison.start(bench.chooser.chosen());
        case ComparisonChooser::Answer::File:
            return bench.files.dialog().ask(
                FileDialog::Purpose::Compare, space.file,
                [&space](const std::filesystem::path& file) { compare_with_file(space, file); });
        case ComparisonChooser::Answer::None:
            return;
    }
}

}  // namespace headlight
