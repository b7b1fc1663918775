#include "ui/window/lecture_editor.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <imgui.h>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/window_state.h"
#include "present/lessons.h"
#include "present/page_from_view.h"
#include "present/speaker_sheet.h"
#include "text/strings.h"
#include "ui/dialogs/file_question.h"
#include "ui/pictures/content_sum.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench_state.h"
#include "views/saved_view.h"

namespace headlight {

namespace {

/// Returns "14:05", the time of the computer.
std::string clock_text() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    char text[16] = {};
    if (localtime_r(&now, &local)) std::strftime(text, sizeof text, "%H:%M", &local);
    return text;
}

}  // namespace

double SpeakerWindow::elapsed_secs(double now_secs) const {
    return began_at_secs_ ? std::floor(now_secs - *began_at_secs_) : 0;
}

SecondPicture SpeakerWindow::picture(const OpenLecture& lecture, const PageThumbnails& thumbnails,
                                     const Theme& theme, double now_secs) const {
    if (!is_open_) return {};
    const OpenLecture::Shown& shown = lecture.shown();
    const bool has_task = lecture.is_shown() && shown.task;
    const SpeakerView view{
        .lecture = lecture.lecture(),
        .at = lecture.at(),
        .now = thumbnails.find(lecture.at()),
        .next = thumbnails.find(lecture.at() + 1),
        .paper = theme.card,
        .task = has_task ? task_lines(*shown.task, shown.task_text, shown.answer) : "",
        .notes = lecture.is_shown() ? std::optional(shown.notes) : std::nullopt,
        .clock = clock_text(),
        .elapsed_secs = elapsed_secs(now_secs)};
    ContentSum sum;
    for (const std::uint64_t part : {lecture.version(), static_cast<std::uint64_t>(view.at),
                                     static_cast<std::uint64_t>(view.now != nullptr),
                                     static_cast<std::uint64_t>(view.next != nullptr),
                                     static_cast<std::uint64_t>(view.elapsed_secs)})
        sum.add(part);
    sum.add(std::span<const char>(view.clock));
    sum.add(std::span<const char>(view.task));
    if (view.notes) sum.add(std::span<const char>(*view.notes));
    sum.add(&theme);
    return {.content = sum.value() | 1, .draw = [view](Point size, const MeasureText& measure) {
                // The notes are dark, as the hall is.
                return speaker_sheet(view, size, theme_named(ThemeName::Dark), measure);
            }};
}

double SpeakerWindow::secs_until_due(double now_secs) const {
    if (!is_open_ || !began_at_secs_) return std::numeric_limits<double>::infinity();
    const double passed = now_secs - *began_at_secs_;
    return std::max(0.01, std::floor(passed) + 1 - passed);
}

namespace {

/// Returns the file by which a lecture can name the study of a workspace; none unless it holds the
/// study.
std::filesystem::path kept_file(const Workspace& space) {
    return !space.file.empty() && is_in_file(space) && !has_changes(space)
               ? space.file
               : std::filesystem::path();
}

/// Makes a page of the curves of a training, else of the view in the middle. Everything that the
/// page needs is put inside the lecture.
LecturePage page_of_what_is_seen(WorkbenchState& bench, Lecture& lecture) {
    LecturePage page;
    const Scene scene = make_scene(bench);
    const ViewId view = shown_view(scene);
    if (view == ViewId::Training) {
        page.title = training_title(bench.training);
        page.directives = directives_from_training(bench.training.snapshot(), lecture);
        return page;
    }
    const PagePlace place{.file = kept_file(bench.space()),
                          .folder = bench.lecture.opened.file().parent_path()};
    page.title = title_from_view(scene, view);
    page.directives = directives_from_view(scene, view, place, lecture);
    return page;
}

/// Returns "Attention, Monday.lecture"; without characters that no file name can have.
std::filesystem::path file_named(std::string title) {
    std::erase_if(title, [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; });
    return (title.empty() || title.front() == '.' ? "lecture" : title) + ".lecture";
}

}  // namespace

bool shows_lectures(const WorkbenchState& bench) {
    return bench.studies.kind() == WorkspaceKind::Lecture;
}

bool shows_lecture(const WorkbenchState& bench) {
    return shows_lectures(bench) && bench.lecture.opened.is_open();
}

namespace {

void begin_showing(WorkbenchState& bench) {
    bench.lecture.page.forget_answers();
    bench.lecture.of_class.forget();
    bench.lecture.speaker.stop_clock();
    bench.studies.show(WorkspaceKind::Lecture);
}

void show_lecture(WorkbenchState& bench, Lecture lecture, const std::filesystem::path& file,
                  const FileStamp& on_disk) {
    ImGui::SetWindowFocus(nullptr);
    bench.lecture.opened.open(std::move(lecture), file, on_disk);
    begin_showing(bench);
}

/// Asks before the open lecture makes way, if there is one with unsaved changes.
void ask_to_make_way(WorkbenchState& bench, FileActions::Then go_on, FileActions::Then stay = {}) {
    std::vector<OpenFile> open;
    if (bench.lecture.opened.is_open()) open.push_back(lecture_file(bench));
    bench.files.ask_before(std::move(open), std::move(go_on), std::move(stay));
}

void ask_and_show(WorkbenchState& bench, Lecture lecture) {
    ask_to_make_way(
        bench, [&bench, lecture = std::move(lecture)] { show_lecture(bench, lecture, {}, {}); });
}

}  // namespace

void open_lecture(WorkbenchState& bench, const std::filesystem::path& file) {
    OpenLecture& lecture = bench.lecture.opened;
    std::error_code ignored;
    if (lecture.has_changes() && std::filesystem::equivalent(file, lecture.file(), ignored)) {
        bench.studies.show(WorkspaceKind::Lecture);
        return bench.files.say_is_unsaved(file);
    }
    const std::string text = read_file(file);
    Lecture next = read_right_lecture(text, path_text(file.filename()));
    ask_to_make_way(bench, [&bench, next = std::move(next), file, on_disk = make_stamp(text)] {
        show_lecture(bench, next, file, on_disk);
    });
}

void open_lesson(WorkbenchState& bench, const std::string& name) {
    ask_and_show(bench, read_lesson(name));
}

void start_lecture(WorkbenchState& bench) {
    Lecture lecture;
    lecture.title = "New lecture";
    ask_and_show(bench, std::move(lecture));
}

void close_lecture(WorkbenchState& bench) {
    ask_to_make_way(bench, [&bench] { bench.lecture.opened.close(); });
}

void add_page(WorkbenchState& bench) {
    if (shows_lectures(bench))
        throw Error("lecture", "show something in another workspace; that becomes the page");
    const Workspace& space = bench.space();
    if (!space.trace) throw Error("lecture", "there is nothing to show yet");
    OpenLecture& lecture = bench.lecture.opened;
    const bool was_open = lecture.is_open();
    Lecture empty;
    empty.title = "New lecture";
    Lecture changed = was_open ? lecture.lecture() : empty;
    LecturePage page = page_of_what_is_seen(bench, changed);
    if (!was_open) lecture.open(std::move(empty), {});
    const std::size_t next = changed.pages.empty() ? 0 : lecture.at() + 1;
    changed.pages.insert(changed.pages.begin() + static_cast<std::ptrdiff_t>(next),
                         std::move(page));
    lecture.change("Add a page", [&](Lecture& now) { now = std::move(changed); });
    lecture.go_to(next);
    bench.lecture.added_version = lecture.version();
    const std::string said =
        fmt::format("Page {} of the lecture “{}” shows this; its text is typed under Lecture",
                    next + 1, lecture.lecture().title);
    was_open ? bench.notice.say_done(said, {"add-page-to-new-lecture", "New lecture instead"})
             : bench.notice.say(said, Notice::Kind::Done);
}

void add_page_to_new_lecture(WorkbenchState& bench) {
    LectureEditor& lecture = bench.lecture;
    if (shows_lectures(bench) || !lecture.opened.is_open()) return add_page(bench);
    const bool was_just_added = lecture.opened.version() == lecture.added_version;
    if (was_just_added) lecture.opened.undo();
    ask_to_make_way(
        bench,
        [&bench, &lecture] {
            lecture.opened.close();
            lecture.page.forget_answers();
            lecture.of_class.forget();
            lecture.speaker.stop_clock();
            add_page(bench);
        },
        [&lecture, was_just_added] {
            if (was_just_added) lecture.opened.redo();  // it stays where it is
        });
}

void keep_changes(WorkbenchState& bench) {
    OpenLecture& lecture = bench.lecture.opened;
    const Session& session = bench.space().session;
    const auto change =
        change_directive(*session.history().steps().front().state, session.document());
    if (!change) return;
    lecture.change("Keep the changes", [&](Lecture& changed) {
        changed.pages[lecture.at()].directives.push_back(*change);
    });
}

void open_page_study(WorkbenchState& bench) {
    Document document = bench.space().session.document();
    Selection selection = bench.space().selection;
    if (const auto& view = bench.lecture.opened.shown().page.view) show_in_window(selection, *view);
    bench.studies.show(workspace_for(document.study));
    start_study(bench.space(), std::move(document), "Open the study of a page");
    bench.space().selection = selection;
    bench.space().is_new = false;
}

OpenFile lecture_file(WorkbenchState& bench) {
    OpenLecture& lecture = bench.lecture.opened;
    const auto write = [&bench](std::filesystem::path file) {
        if (file.extension() != ".lecture") file += ".lecture";
        bench.lecture.opened.save(file);
        bench.notice.say("Saved " + path_text(file.filename()), Notice::Kind::Done);
    };
    return {.name = fmt::format("The lecture “{}”", lecture.name()),
            .path = lecture.file(),
            .suggested = file_named(lecture.lecture().title),
            .purpose = FileDialog::Purpose::SaveLecture,
            .on_disk = lecture.on_disk(),
            .has_changes = [&lecture] { return lecture.has_changes(); },
            .is_changed_on_disk = [&lecture] { return lecture.is_changed_on_disk(); },
            .show = [&bench] { bench.studies.show(WorkspaceKind::Lecture); },
            .write = write,
            .reload = [&lecture] { lecture.reload(); }};
}

void restore_lecture(WorkbenchState& bench, const OpenText& work) {
    OpenLecture& lecture = bench.lecture.opened;
    if (lecture.has_changes())
        throw Error("lecture",
                    "“{}” has changes that are not saved. Save it; the other one is offered again "
                    "at the next start",
                    lecture.name());
    ImGui::SetWindowFocus(nullptr);
    open_work(lecture, work);
    begin_showing(bench);
}

void save_answers(WorkbenchState& bench) {
    const AnswerSheet answers = bench.lecture.page.answer_sheet(bench.lecture.opened);
    bench.files.dialog().ask(FileDialog::Purpose::Answers, "my-name.answers",
                             [&bench, answers](const std::filesystem::path& file) {
                                 std::filesystem::path named = file;
                                 if (named.extension() != ".answers") named += ".answers";
                                 write_file(named, write_answers(answers));
                                 bench.lecture.saved_answers = answers;
                                 bench.notice.say("Saved " + path_text(named.filename()),
                                                  Notice::Kind::Done);
                             });
}

void copy_answer_code(WorkbenchState& bench) {
    const std::string code = bench.lecture.page.answer_code(bench.lecture.opened);
    if (code.empty()) throw Error("code", "this page has no answer yet that has a code");
    ImGui::SetClipboardText(code.c_str());
    bench.lecture.page.mark_copied(code);
}

void turn_class_answers(WorkbenchState& bench) {
    if (!bench.presentation.is_on()) begin_lecture(bench);
    bench.lecture.of_class.turn(bench.lecture.opened);
}

namespace {

/// The slide tells what was taken in, unless its page has no task.
void say_if_elsewhere(WorkbenchState& bench) {
    const LectureEditor& lecture = bench.lecture;
    if (!lecture.of_class.is_on(lecture.opened))
        bench.notice.say("Answers of the class were taken in; C shows them on their pages",
                         Notice::Kind::Done);
}

}  // namespace

bool paste_class_answers(WorkbenchState& bench, const std::string& text) {
    LectureEditor& lecture = bench.lecture;
    if (!bench.presentation.is_on() || !shows_lecture(bench)) return false;
    if (lecture.of_class.paste(lecture.opened, text)) {
        say_if_elsewhere(bench);
        return true;
    }
    if (!lecture.of_class.is_on(lecture.opened)) return false;
    throw Error("paste",
                "there are no codes, such as HL-23QK-B7, in what was copied; "
                "the answers are as they were");
}

void ask_for_class_files(WorkbenchState& bench) {
    bench.files.dialog().ask(FileDialog::Purpose::ClassAnswers, "",
                             [&bench](const std::filesystem::path& file) {
                                 LectureEditor& lecture = bench.lecture;
                                 if (shows_lecture(bench))
                                     lecture.of_class.take_files(lecture.opened, {file});
                             });
}

bool take_dropped_answers(WorkbenchState& bench, const std::filesystem::path& file) {
    LectureEditor& lecture = bench.lecture;
    if (!bench.presentation.is_on() || !shows_lecture(bench)) return false;
    const auto has_codes = [&] {
        return file.extension() == ".txt" &&
               !collect_answers(lecture.opened.source(), {file}).front().answers.empty();
    };
    const bool is_of_class =
        lecture.of_class.is_on(lecture.opened) || file.extension() == ".answers" || has_codes();
    if (!is_of_class) return false;
    lecture.of_class.take_files(lecture.opened, {file});
    say_if_elsewhere(bench);
    return true;
}

namespace {

/// True if nothing was answered, and nothing in the lecture was changed, since.
bool was_cleared_last(const WorkbenchState& bench) {
    const LectureEditor& lecture = bench.lecture;
    return lecture.page.has_cleared_answers() && !lecture.page.has_answers() &&
           lecture.cleared.version == lecture.opened.version();
}

}  // namespace

void undo_on_page(WorkbenchState& bench) {
    Session& session = bench.space().session;
    if (session.history().can_undo()) return session.undo();
    was_cleared_last(bench) ? bring_answers_back(bench) : bench.lecture.opened.undo();
}

void redo_on_page(WorkbenchState& bench) {
    Session& session = bench.space().session;
    session.history().can_redo() ? session.redo() : bench.lecture.opened.redo();
}

TopBarState lecture_bar_state(const WorkbenchState& bench) {
    TopBarState state;
    state.shown = WorkspaceKind::Lecture;
    state.theme = bench.theme;
    const OpenLecture& lecture = bench.lecture.opened;
    if (!lecture.is_open()) return state;
    const History& on_page = bench.space().session.history();
    state.undo_label = on_page.can_undo()        ? on_page.undo_label()
                       : was_cleared_last(bench) ? "Clear answers"
                                                 : lecture.history().undo_label();
    state.redo_label = on_page.can_redo() ? on_page.redo_label() : lecture.history().redo_label();
    state.study_name = lecture.name();
    state.is_changed = lecture.has_changes();
    return state;
}

/// Returns the theme of the frame: a page that is presented can ask for its own.
ThemeName theme_now(const WorkbenchState& bench) {
    const OpenLecture& lecture = bench.lecture.opened;
    if (!bench.presentation.is_on() || !shows_lecture(bench) || lecture.lecture().pages.empty())
        return bench.theme;
    return page_theme(lecture.lecture(), lecture.at()).value_or(bench.theme);
}

void open_lecture_again(WorkbenchState& bench, const std::string& file, std::size_t page) {
    if (file.empty() || bench.lecture.opened.is_open()) return;
    const std::size_t shown = bench.studies.place();
    try {
        open_lecture(bench, file);
        if (!bench.lecture.opened.has_changes()) bench.lecture.opened.go_to(page);
        bench.studies.show_place(shown);
    } catch (const Error& error) {
        bench.notice.say("Last time's lecture cannot be opened: " + std::string(error.what()));
    }
}

void clear_answers(WorkbenchState& bench) {
    LectureEditor& lecture = bench.lecture;
    lecture.cleared = {lecture.opened.live_changes(bench.space()), lecture.opened.version()};
    bench.notice.say_done("Cleared " + counted(lecture.page.count_answers(), "answer"),
                          {"bring-answers-back", "Bring them back"});
    lecture.page.clear_answers();
    lecture.opened.reopen_all();
}

void bring_answers_back(WorkbenchState& bench) {
    LectureEditor& lecture = bench.lecture;
    LivePages changes = lecture.opened.live_changes(bench.space());
    changes.add(std::exchange(lecture.cleared, {}).changes);
    lecture.page.bring_answers_back();
    lecture.opened.reopen_all(std::move(changes));
}

void begin_lecture(WorkbenchState& bench) {
    LectureEditor& lecture = bench.lecture;
    lecture.opened.reopen_all();
    lecture.of_class.end();
    if (lecture.page.has_answers())
        bench.notice.say_done("Answers that were given before are still here",
                              {"clear-answers", "Clear them"});
    bench.presentation.begin(bench.space().selection.held());
    lecture.speaker.begin(lecture.opened.at(), ImGui::GetTime());
}

void turn_speaker(WorkbenchState& bench) {
    if (!bench.presentation.is_on()) begin_lecture(bench);
    bench.lecture.speaker.turn();
}

void end_speaker(WorkbenchState& bench, SecondEnd end) {
    if (end == SecondEnd::None) return;
    bench.lecture.speaker.close();
    if (end == SecondEnd::NoPlace)
        bench.notice.say(
            "The slide fills the only screen, and the speaker's window would cover it: "
            "connect another screen that does not mirror this one, and press S again");
}

/// The speaker's window ends with the slides; the next ones begin without it.
void follow_lecture(WorkbenchState& bench, FrameResult& result) {
    LectureEditor& lecture = bench.lecture;
    if (!bench.presentation.is_on() || !shows_lecture(bench)) return lecture.speaker.close();
    const double now_secs = ImGui::GetTime();
    result.second = lecture.speaker.picture(lecture.opened, lecture.view.thumbnails(),
                                            theme_named(bench.theme), now_secs);
    result.next_frame_secs =
        std::min(result.next_frame_secs, lecture.speaker.secs_until_due(now_secs));
    if (lecture.speaker.is_open())
        result.draw_again |=
            lecture.view.thumbnails().advance(lecture.opened, theme_named(bench.theme));
}

void prepare_lecture(WorkbenchState& bench) {
    Workspace& space = bench.space();
    OpenLecture& lecture = bench.lecture.opened;
    if (!lecture.is_open()) return prepare(space);
    lecture.show(space);
    bench.lecture.page.set_appeared(lecture.advance(space, ImGui::GetTime()));
    watch_page(lecture.shown().page, space);
    prepare(space);
    lecture.follow(space);  // the text and the picture are of one trace
}

}  // namespace headlight
