#include "ui/window/workbench.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/host.h"
#include "present/tasks/task.h"
#include "text/strings.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/comparison_bar.h"

namespace headlight {
namespace {

/// Returns suggestions: a recording cannot be changed, and a graph or a picture has no words.
std::string things_to_try(const Document& document) {
    const std::string cell = host().has_touch ? "Touch a cell" : "Point at a cell";
    if (document.recorded()) return cell + "  ·  Choose another head";
    if (!document.sentence() && !document.alignment()) return cell + "  ·  Drag a number";
    return "Change a word  ·  " + cell + "  ·  Drag a number";
}

}  // namespace

float Greeting::draw(PanelContext& context, Box box) const {
    // It suggests things to do with matrices; in other views it would only be in the way.
    const ViewId view = context.selection.view;
    if (!is_shown_ || (view != ViewId::Matrix && view != ViewId::Panels)) return 0;
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
    ImGui::TextUnformatted(things_to_try(context.document).c_str());
    context.painter.pop_font();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("greeting", {at.x, at.y, size.x, size.y});
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    return kGreeting;
}

namespace {

Scene scene_of_frame(const Workspace& space, const Document& document, const Trace& none,
                     const Theme& theme) {
    const Trace& page = space.trace ? *space.trace : none;
    return {document,
            page,
            space.components,
            space.selection,
            theme,
            &space.comparison.now(),
            space.trace.shared(),
            nullptr,
            0,
            nullptr,
            space.sweep.done()};
}

}  // namespace

Workbench::Workbench(std::function<void()> wake)
    : wake_(std::move(wake)), bench_(wake_), parts_(keyboard_) {}

/// Marks rows that have changed, but not in a figure of the window, where nothing moves.
void Workbench::mark_changed_rows(Workspace& space) {
    ChangedRows& changed = space.selection.changed;
    if (!space.trace || bench_.exports.is_photographing()) return void(changed = {});
    changed.follow(*space.trace, find_component(space.components, space.selection.component),
                   ImGui::GetTime());
    if (changed.strength() > 0) bench_.requests.look_again(0);
}

FrameResult Workbench::draw(WorkbenchFrame& frame) {
    bench_.window = frame.unzoomed;
    bench_.presentation.set_magnified(frame.magnified);
    bench_.files.advance();
    end_speaker(bench_, frame.second_end);
    follow_shown(bench_);
    Workspace& space = workspace();
    space.exported =
        space.trace ? bench_.exports.watch(make_scene(bench_)) : std::vector<std::string>{};
    prepare_shown();
    const Theme& theme = theme_named(theme_now(bench_));
    apply_style(theme);
    if (bench_.exports.is_photographing()) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    const Commands after_field = std::exchange(after_field_, {});
    if (!after_field.empty()) compat::leave_field();
    regions_.clear();
    parts_.begin_frame();
    bench_.requests.begin_frame();
    mark_changed_rows(space);
    Edits edits;
    Painter painter(frame.figures, frame.fonts);
    // The frame shows this document, whatever a dialog makes of it meanwhile.
    const std::shared_ptr<const Document> document = space.session.history().shared_state();
    const Trace none;
    Scene scene = scene_of_frame(space, *document, none, theme);
    add_training(scene, bench_);
    PanelContext context{.scene = scene,
                         .trace = space.trace.get(),
                         .whole = space.batch.get(),
                         .error = space.session.error(),
                         .selection = space.selection,
                         .edits = edits,
                         .requests = bench_.requests,
                         .painter = painter,
                         .regions = regions_,
                         .sweep = space.sweep,
                         .training = bench_.training,
                         .trains = trains(bench_),
                         .codes = frame.codes,
                         .keyboard = keyboard_.name()};
    FrameResult result;
    const bool is_popup_open = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    const bool has_popup = std::exchange(had_popup_, is_popup_open) || is_popup_open;
    draw_shown(context, frame, result);
    if (frame.close_asked) ask_before_closing();
    draw_over(context, result);
    draw_view_options(context);
    const std::function<void()> found = bench_.palette.draw(context);
    bench_.help.draw(context, bench_.presentation.is_on());
    // The keys are the popup's otherwise, also the one that closed it.
    if (!has_popup)
        press_keys(context);
    else if (regions_.has_popup() && !regions_.has_dialog())
        press_keys_over_list(context);
    result.events = keyboard_.draw(context, {has_popup, zoom()});
    Animator& animator = bench_.animator;
    if (session().history().shared_state() == document) animator.advance(context);
    const bool is_released = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (is_released && !animator.is_playing()) edits.end_gesture();
    apply(edits, space.session);
    first_node_.put_in_place(workspace(), regions_);
    for (const CommandId command : after_field) bench_.requests.run(command);
    result.draw_again |= do_requests() || !after_field_.empty();
    if (found) end_page_animation(), run(found);
    finish_frame(result);
    return result;
}

/// Asks about the lecture, then about the studies.
void Workbench::ask_before_closing() {
    std::vector<OpenFile> first;
    if (bench_.lecture.opened.is_open()) first.push_back(lecture_file(bench_));
    bench_.files.ask_before_closing(std::move(first));
}

/// Draws a slide, a lecture, or a study among its panels.
void Workbench::draw_shown(PanelContext& context, const WorkbenchFrame& frame,
                           FrameResult& result) {
    if (bench_.presentation.is_on()) return draw_slide(context, frame);
    if (shows_lectures(bench_)) return draw_lecture(context, frame, result);
    draw_panels(context, frame);
}

/// Brings the shown study up to date; that of a training has the current weights.
void Workbench::prepare_shown() {
    Workspace& space = workspace();
    if (shows_lectures(bench_)) return prepare_lecture(bench_);
    if (!trains(bench_)) {
        run([&] { prepare(space); });  // work in the background may have failed
        if (!space.view_problem.empty())
            show_message("The view that was saved with the study cannot be shown: " +
                         std::exchange(space.view_problem, {}));
        if (!space.view_notes.empty())
            show_message("Not all of the view that was saved with the study has an effect: " +
                         joined(std::exchange(space.view_notes, {}), "; "));
        return;
    }
    bench_.training.follow(space);
    const bool was_new = space.is_new;
    run([&] { prepare(space); });
    if (was_new && !space.is_new) space.selection.view = ViewId::Heads;
}

/// Draws everything that lies over the window and asks for an answer.
void Workbench::draw_over(PanelContext& context, FrameResult& result) {
    FileActions& files = bench_.files;
    result.stay_open = files.keeps_open();
    result.quit = files.draw(context);
    if (result.quit) recovery_.give_up();
    recovery_.draw(context, bench_);
    if (std::string message = recovery_.take_message(); !message.empty())
        show_message(std::move(message));
    draw_export(context);
    draw_chooser(bench_, context);
}

/// Fills in what concerns the frame as a whole, and when the next one is due.
void Workbench::finish_frame(FrameResult& result) {
    recovery_.follow(bench_);
    result.next_frame_secs = std::min(
        result.next_frame_secs,
        recovery_.secs_until_due(bench_.studies.at(WorkspaceKind::Train), bench_.training));
    result.draw_again |= selection().advance();
    result.next_frame_secs = std::min(result.next_frame_secs, bench_.requests.take_look_again());
    if (bench_.animator.is_playing() || bench_.lecture.opened.is_animating())
        result.next_frame_secs = 1e-3;
    if (is_computing()) result.next_frame_secs = std::min(result.next_frame_secs, 0.1);
    result.next_frame_secs = std::min(result.next_frame_secs, bench_.notice.secs_left());
    follow_lecture(bench_, result);
    result.draw_again |= bench_.presentation.laser.draw();
    result.fills_screen = bench_.presentation.is_on();
    result.magnified = bench_.presentation.magnified();
    photograph(result);
    const TopBarState bar = top_bar_state(bench_);
    result.background = theme_named(bench_.theme).canvas;
    result.part_backgrounds = parts_.backgrounds();
    result.title = bar.study_name + (bar.is_changed ? " · edited" : "") + " – Headlight";
}

void Workbench::draw_panels(PanelContext& context, const WorkbenchFrame& frame) {
    const std::vector<StudyTab> tabs = study_tabs(bench_.studies);
    const Below other = shows_training(bench_) ? Below::Nothing : Below::Heads;
    const Places all = place_parts(frame.size, selection().explains ? Below::Explanation : other);
    Places places = tab_row_.place(all, tabs.empty() ? TabRow::Has::No : TabRow::Has::Yes,
                                   session().history().shared_state());
    Drawer& drawer = bench_.drawer;
    if (!places.folded.has(drawer)) drawer = Drawer::None;
    const Drawer shown = drawer;
    const std::size_t workspace = bench_.studies.place();
    context.least_main = places.least_main;
    draw_frame_lines(places, frame.size, context.theme);
    draw_top(context, places, tabs, drawer);
    parts_.draw_sides(context, places, workspace);
    regions_.begin_part(WindowPart::Middle);
    bench_.animator.take_request(context);
    // The notice is at the bottom, so that nothing moves where one comes or goes.
    places.middle.height -=
        room_.notice.follow(draw_notice(bench_, context, places.middle), places.middle);
    places.middle.height -= bench_.animator.draw(context, places.middle);
    if (session().history().can_undo()) greeting_.end();
    places.middle.height -= room_.greeting.follow(
        bench_.notice.text().empty() ? greeting_.draw(context, places.middle) : 0, places.middle);
    draw_middle(context, places.middle);
    parts_.draw_bottom(context, places);
    parts_.draw_drawer(context, places, shown, workspace);
    draw_work(context, places.middle);
    draw_highlights(context, places, shown);
}

/// Draws the top bar, and the tabs of the workspace under it.
void Workbench::draw_top(PanelContext& context, const Places& places,
                         std::span<const StudyTab> tabs, Drawer& drawer) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, (places.top.height - 30) / 2});
    parts_.begin(context, WindowPart::TopBar, "top", places.top, context.theme.window);
    TopBarState bar = top_bar_state(bench_);
    bar.folded = places.folded;
    draw_top_bar(context, bar, drawer);
    ImGui::End();
    ImGui::PopStyleVar();
    if (tabs.empty()) return;
    parts_.begin_tabs(context, places);
    draw_tab_row(context, tabs);
    ImGui::End();
}

void Workbench::draw_middle(PanelContext& context, Box box) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    parts_.begin(context, WindowPart::Middle, "middle", box, context.theme.canvas);
    context.regions.add("bar middle", box);
    if (context.trace) {
        if (context.comparison.is_on()) draw_comparison_bar(context);
        parts_.draw_middle(context, box, bench_.studies.place());
    } else if (!session().is_busy() && !session().is_stopped()) {
        draw_empty(context, box, first_node_);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void Workbench::draw_lecture(PanelContext& context, const WorkbenchFrame& frame,
                             FrameResult& result) {
    Places places = place_parts(frame.size, Below::Nothing);
    const Box below{0, places.top.bottom() + 1, frame.size.x,
                    frame.size.y - places.top.bottom() - 1};
    places.folded = bench_.lecture.opened.is_open() ? LectureView::folded(below) : Folded{};
    Drawer& drawer = bench_.drawer;
    if (!places.folded.has(drawer)) drawer = Drawer::None;
    draw_top(context, places, {}, drawer);
    const Box above_notice{below.x, below.y, below.width, below.height - lecture_notice_};
    LectureEditor& lecture = bench_.lecture;
    if (lecture.opened.is_open())
        result.draw_again |=
            lecture.view.draw(context, lecture.opened, lecture.page, above_notice, drawer);
    else
        lecture.view.draw_welcome(context, above_notice);
    if (lecture.opened.is_open() && context.trace) parts_.draw_over_slide(context, frame.size);
    // It is drawn last, since it may load the lecture anew, and has its room in the next frame.
    const float before = std::exchange(lecture_notice_, draw_notice(bench_, context, below));
    result.draw_again |= before != lecture_notice_;
}

void Workbench::draw_slide(PanelContext& context, const WorkbenchFrame& frame) {
    const Point size = frame.size;
    const SlideRoom room{size, notice_height(bench_, size.x)};
    const bool is_page = shows_lecture(bench_);
    Panel& input =
        parts_.input(is_page ? static_cast<std::size_t>(workspace_for(session().document().study))
                             : bench_.studies.place());
    bench_.presentation.draw(context, make_slide(context), input, room);
    if (context.trace) parts_.draw_over_slide(context, size);
    draw_notice(bench_, context, {0, 0, size.x, size.y - kSlideFoot});
}

/// Returns the slide of what is looked at.
Slide Workbench::make_slide(PanelContext& context) {
    LectureEditor& lecture = bench_.lecture;
    return shows_lecture(bench_) ? lecture_slide(context, lecture.opened, lecture.page,
                                                 lecture.of_class, bench_.presentation.prediction)
                                 : bench_.presentation.study.slide(context, parts_.training());
}

/// Draws the work in the background.
void Workbench::draw_work(PanelContext& context, Box box) {
    const WorkBar::Answer answer = bench_.work_bar.draw(context, make_work_state(bench_), box);
    if (answer == WorkBar::Answer::Cancel) cancel_work(bench_);
    if (answer == WorkBar::Answer::Resume) session().resume();
}

/// Draws the dialogs; an export begins when everything that it shows is computed.
void Workbench::draw_export(PanelContext& context) {
    const auto choose_file = [this](auto& exports) {
        bench_.files.dialog().ask(
            FileDialog::Purpose::Export, exports.file(),
            [&exports](const std::filesystem::path& file) { exports.take_file(file); });
    };
    LectureEditor& lecture = bench_.lecture;
    if (lecture.exports.draw(context, lecture.opened)) choose_file(lecture.exports);
    try {
        if (const auto done = bench_.job.advance()) bench_.notice.say(*done, Notice::Kind::Done);
        if (!workspace().trace) return;
        const Scene shown = scene();
        if (bench_.exports.draw(context, shown, bench_.animator.motion_text()))
            choose_file(bench_.exports);
        if (!session().is_busy()) bench_.exports.advance(shown);
    } catch (const Error& error) {
        show_message(error);
    }
}

/// Draws the form with all options of the view, and makes what is changed in it so.
void Workbench::draw_view_options(PanelContext& context) {
    const std::optional<ViewWords> words = bench_.view_options.draw(context);
    if (!words) return;
    Workspace& space = workspace();
    const Selection before = space.selection;
    try {
        show_saved_view(space, *words);
    } catch (const Error& error) {
        space.selection = before;
        bench_.view_options.show_problem(error.without_name());
    }
}

void Workbench::hand_out() {
    begin_presentation(bench_);
    Faults faults;
    const auto has_task = [&](const LecturePage& page) {
        return read_task(page, "", &faults).has_value();
    };
    if (std::ranges::any_of(bench_.lecture.opened.lecture().pages, has_task))
        bench_.presentation.stay();
}

/// Takes a picture of the window without the dialog that asked for it.
void Workbench::photograph(FrameResult& result) {
    if (!bench_.exports.is_photographing()) return;
    result.draw_again = true;
    if (!bench_.exports.is_picture_due()) return;
    const Point size{bench_.window.x / zoom(), bench_.window.y / zoom()};
    result.take_picture = [this, size](Pixels window) {
        bench_.exports.take_picture({std::move(window), size});
        wake_();
    };
}

bool Workbench::do_requests() {
    Requests& requests = bench_.requests;
    const auto sides = requests.sides.take();
    const auto tab = requests.tab.take();
    if (tab) run([&] { take_tab_request(bench_, *tab); });
    const auto other = requests.comparison.take();
    if (sides) comparison().show(*sides);
    if (other) comparison().start(*other);
    const auto sweep = requests.sweep.take();
    if (sweep)
        run([&] {
            sweep->start ? start_sweep(workspace(), *sweep->start) : workspace().sweep.cancel();
        });
    const Commands commands = requests.take_commands();
    if (!commands.empty()) end_page_animation();
    for (const CommandId command : commands) run([&] { run_command(bench_, command); });
    const std::optional<std::string> lesson = requests.lesson.take();
    if (lesson) run([&] { open_lesson(bench_, *lesson); });
    const std::vector<LectureCommand> lecture_commands = requests.take_lecture_commands();
    if (bench_.lecture.opened.is_open())
        for (const LectureCommand& order : lecture_commands)
            run([&] { order(bench_.lecture.opened); });
    const std::vector<TrainingCommand> orders = requests.take_orders();
    for (const TrainingCommand& order : orders) run([&] { order(bench_.training, workspace()); });
    return lesson || tab || sides || other || !commands.empty() || !orders.empty() ||
           !lecture_commands.empty();
}

void Workbench::run(const std::function<void()>& found) {
    try {
        found();
    } catch (const Error& error) {
        const bool passes = bench_.presentation.is_on();  // it does not stay over a slide
        bench_.notice.say(error, passes ? Notice::Kind::Done : Notice::Kind::Problem);
    }
}

void Workbench::apply(Edits& edits, Session& session) {
    const std::vector<Edit> taken = edits.take();
    if (!taken.empty()) end_page_animation();
    for (const Edit& edit : taken) run([&] { session.apply(edit); });
    if (edits.take_end_of_gesture()) session.end_gesture();
}

/// Ends the animation of a page at once: a change of its study begins at the end of it.
void Workbench::end_page_animation() {
    if (shows_lecture(bench_)) bench_.lecture.opened.end_animation(workspace());
}

void Workbench::restore(const WindowState& state) {
    bench_.theme = state.theme;
    bench_.text.set(state.zoom);
    bench_.files.open_again(state);
}

void Workbench::restore_lecture(const WindowState& state) {
    open_lecture_again(bench_, state.lecture, static_cast<std::size_t>(state.lecture_page));
}

std::optional<std::size_t> Workbench::lecture_page() const {
    const OpenLecture& lecture = bench_.lecture.opened;
    if (!shows_lecture(bench_) || lecture.lecture().pages.empty()) return std::nullopt;
    return lecture.at();
}

bool Workbench::has_unsaved_answers() const {
    const LectureEditor& lecture = bench_.lecture;
    if (!lecture.opened.is_open() || !lecture.page.has_answers()) return false;
    const AnswerSheet sheet = lecture.page.answer_sheet(lecture.opened);
    return !sheet.answers.empty() && sheet != lecture.saved_answers;
}

void Workbench::show_lecture_page(std::size_t page) {
    OpenLecture& lecture = bench_.lecture.opened;
    if (!lecture.is_open()) return;
    bench_.studies.show(WorkspaceKind::Lecture);
    lecture.go_to(page);
    wake_();
}

void Workbench::train(const TaskEntry& task, const std::function<void(Recipe&)>& change) {
    bench_.studies.show(WorkspaceKind::Train);
    bench_.training.choose_task(workspace(), task);
    bench_.training.change_recipe(change);
    bench_.training.follow(workspace());
    bench_.training.play();
}

void Workbench::keep(WindowState& state) const {
    state.theme = bench_.theme;
    state.zoom = bench_.text.value();
    state.workspace = static_cast<int>(bench_.studies.place());
    state.files = bench_.files.open_files();
    const OpenLecture& lecture = bench_.lecture.opened;
    std::error_code ignored;
    if (lecture.is_open() && !lecture.file().empty())
        state.lecture = std::filesystem::absolute(lecture.file(), ignored).native();
    state.lecture_page = static_cast<int>(bench_.lecture.opened.at());
}

void Workbench::use_state_folder(const std::filesystem::path& folder) {
    bench_.files.keep_recent_files(folder / "recent.json");
    recovery_.start(folder / "unsaved", wake_);
}

bool Workbench::is_computing() {
    return session().is_busy() || comparison().is_busy() || workspace().sweep.is_running() ||
           bench_.files.is_opening() || recovery_.is_reading() || bench_.exports.is_asked() ||
           bench_.job.is_running() || (trains(bench_) && bench_.training.is_busy());
}

void Workbench::finish_computing() {
    recovery_.finish_reading();
    if (trains(bench_)) bench_.training.wait();
    bench_.files.wait();
    session().wait();
    comparison().wait();
    workspace().sweep.wait();
    bench_.job.wait();
}

void Workbench::give_memory_back() {
    Workspace& space = workspace();
    show_message(Error("memory",
                       "there is not enough to show this study{}. Undo the last step, or take less",
                       space.batch ? "; " + largest_matrix(*space.batch) : ""));
    space.batch = space.trace = nullptr;
    space.comparison.stop();
    space.session.give_up();
}

}  // namespace headlight
