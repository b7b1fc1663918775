#include "ui/window/lecture_desk.h"

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
#include "present/kept_page.h"
#include "present/lessons.h"
#include "present/speaker_sheet.h"
#include "views/kept_view.h"
#include "text/strings.h"
#include "ui/dialogs/file_question.h"
#include "ui/pictures/content_sum.h"
#include "ui/widgets/widgets.h"
#include "ui/window/desks.h"

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

double SpeakerDesk::elapsed_secs(double now_secs) const {
    return began_at_secs_ ? std::floor(now_secs - *began_at_secs_) : 0;
}

SecondPicture SpeakerDesk::picture(const LectureBook& book, const PageThumbnails& thumbnails,
                                   const Theme& theme, double now_secs) const {
    if (!is_open_) return {};
    const LectureBook::Shown& shown = book.shown();
    const bool has_task = book.is_shown() && shown.task;
    const SpeakerView view{
        .lecture = book.lecture(),
        .at = book.at(),
        .now = thumbnails.find(book.at()),
        .next = thumbnails.find(book.at() + 1),
        .paper = theme.card,
        .task = has_task ? task_lines(*shown.task, shown.task_text, shown.answer) : "",
        .notes = book.is_shown() ? std::optional(shown.notes) : std::nullopt,
        .clock = clock_text(),
        .elapsed_secs = elapsed_secs(now_secs)};
    ContentSum sum;
    for (const std::uint64_t part : {book.version(), static_cast<std::uint64_t>(view.at),
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

double SpeakerDesk::secs_until_due(double now_secs) const {
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
LecturePage page_of_what_is_seen(Desks& desks, Lecture& lecture) {
    LecturePage page;
    const Scene scene = make_scene(desks);
    const ViewId view = shown_view(scene);
    if (view == ViewId::Training) {
        page.title = training_title(desks.training);
        page.directives = kept_curves(desks.training.snapshot(), lecture);
        return page;
    }
    const KeptStudy study{.file = kept_file(desks.space()),
                          .folder = desks.lecture.book.file().parent_path()};
    page.title = kept_title(scene, view);
    page.directives = kept_directives(scene, view, study, lecture);
    return page;
}

/// Returns "Attention, Monday.lecture"; without characters that no file name can have.
std::filesystem::path file_named(std::string title) {
    std::erase_if(title, [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; });
    return (title.empty() || title.front() == '.' ? "lecture" : title) + ".lecture";
}

}  // namespace

bool shows_lectures(const Desks& desks) {
    return desks.studies.kind() == WorkspaceKind::Lecture;
}

bool shows_lecture(const Desks& desks) {
    return shows_lectures(desks) && desks.lecture.book.is_open();
}

namespace {

void begin_showing(Desks& desks) {
    desks.lecture.page.forget_answers();
    desks.lecture.speaker.stop_clock();
    desks.studies.show(WorkspaceKind::Lecture);
}

void show_lecture(Desks& desks, Lecture lecture, const std::filesystem::path& file,
                  const FileStamp& on_disk) {
    ImGui::SetWindowFocus(nullptr);
    desks.lecture.book.open(std::move(lecture), file, on_disk);
    begin_showing(desks);
}

/// Asks before the open lecture makes way, if there is one with unsaved changes.
void ask_to_make_way(Desks& desks, FileDesk::Then go_on, FileDesk::Then stay = {}) {
    std::vector<OpenFile> open;
    if (desks.lecture.book.is_open()) open.push_back(lecture_file(desks));
    desks.files.ask_before(std::move(open), std::move(go_on), std::move(stay));
}

void ask_and_show(Desks& desks, Lecture lecture) {
    ask_to_make_way(
        desks, [&desks, lecture = std::move(lecture)] { show_lecture(desks, lecture, {}, {}); });
}

void say_is_unsaved(Desks& desks, const std::filesystem::path& file) {
    desks.notice.say(
        path_text(file.filename()) + " is open with changes that were not saved; Ctrl+S saves them",
        Notice::Kind::Done);
}

}  // namespace

void open_lecture(Desks& desks, const std::filesystem::path& file) {
    LectureBook& book = desks.lecture.book;
    std::error_code ignored;
    if (book.has_changes() && std::filesystem::equivalent(file, book.file(), ignored)) {
        desks.studies.show(WorkspaceKind::Lecture);
        return say_is_unsaved(desks, file);
    }
    const std::string text = read_file(file);
    Lecture next = read_right_lecture(text, path_text(file.filename()));
    ask_to_make_way(desks, [&desks, next = std::move(next), file, on_disk = make_stamp(text)] {
        show_lecture(desks, next, file, on_disk);
    });
}

void open_lesson(Desks& desks, const std::string& name) {
    ask_and_show(desks, read_lesson(name));
}

void start_lecture(Desks& desks) {
    Lecture lecture;
    lecture.title = "New lecture";
    ask_and_show(desks, std::move(lecture));
}

void close_lecture(Desks& desks) {
    ask_to_make_way(desks, [&desks] { desks.lecture.book.close(); });
}

void add_page(Desks& desks) {
    if (shows_lectures(desks))
        throw Error("lecture", "show something in another workspace; that becomes the page");
    const Workspace& space = desks.space();
    if (!space.page) throw Error("lecture", "there is nothing to show yet");
    LectureBook& book = desks.lecture.book;
    const bool was_open = book.is_open();
    Lecture empty;
    empty.title = "New lecture";
    Lecture changed = was_open ? book.lecture() : empty;
    LecturePage page = page_of_what_is_seen(desks, changed);
    if (!was_open) book.open(std::move(empty), {});
    const std::size_t behind = changed.pages.empty() ? 0 : book.at() + 1;
    changed.pages.insert(changed.pages.begin() + static_cast<std::ptrdiff_t>(behind),
                         std::move(page));
    book.change("Add a page", [&](Lecture& lecture) { lecture = std::move(changed); });
    book.go_to(behind);
    desks.lecture.added_version = book.version();
    const std::string said =
        fmt::format("Page {} of the lecture “{}” shows this; its text is typed under Lecture",
                    behind + 1, book.lecture().title);
    was_open ? desks.notice.say_done(said, {"add-page-to-new-lecture", "New lecture instead"})
             : desks.notice.say(said, Notice::Kind::Done);
}

void add_page_to_new_lecture(Desks& desks) {
    LectureDesk& lecture = desks.lecture;
    if (shows_lectures(desks) || !lecture.book.is_open()) return add_page(desks);
    const bool was_just_added = lecture.book.version() == lecture.added_version;
    if (was_just_added) lecture.book.undo();
    ask_to_make_way(
        desks,
        [&desks, &lecture] {
            lecture.book.close();
            lecture.page.forget_answers();
            lecture.speaker.stop_clock();
            add_page(desks);
        },
        [&lecture, was_just_added] {
            if (was_just_added) lecture.book.redo();  // it stays where it is
        });
}

void keep_changes(Desks& desks) {
    LectureBook& book = desks.lecture.book;
    const Session& session = desks.space().session;
    const auto change =
        change_directive(*session.history().steps().front().state, session.document());
    if (!change) return;
    book.change("Keep the changes",
                [&](Lecture& lecture) { lecture.pages[book.at()].directives.push_back(*change); });
}

void open_page_study(Desks& desks) {
    Document document = desks.space().session.document();
    Selection selection = desks.space().selection;
    if (const auto& view = desks.lecture.book.shown().page.view) show_in_window(selection, *view);
    desks.studies.show(workspace_for(document.study));
    start_study(desks.space(), std::move(document), "Open the study of a page");
    desks.space().selection = selection;
    desks.space().is_new = false;
}

OpenFile lecture_file(Desks& desks) {
    LectureBook& book = desks.lecture.book;
    const auto write = [&desks](std::filesystem::path file) {
        if (file.extension() != ".lecture") file += ".lecture";
        desks.lecture.book.save(file);
        desks.notice.say("Saved " + path_text(file.filename()), Notice::Kind::Done);
    };
    return {.name = fmt::format("The lecture “{}”", book.name()),
            .path = book.file(),
            .suggested = file_named(book.lecture().title),
            .purpose = FileDialog::Purpose::SaveLecture,
            .on_disk = book.on_disk(),
            .has_changes = [&book] { return book.has_changes(); },
            .is_changed_on_disk = [&book] { return book.is_changed_on_disk(); },
            .show = [&desks] { desks.studies.show(WorkspaceKind::Lecture); },
            .write = write,
            .reload = [&book] { book.reload(); }};
}

void restore_lecture(Desks& desks, const OpenText& work) {
    LectureBook& book = desks.lecture.book;
    if (book.has_changes())
        throw Error("lecture",
                    "“{}” has changes that are not saved. Save it; the other one is offered again "
                    "at the next start",
                    book.name());
    ImGui::SetWindowFocus(nullptr);
    open_work(book, work);
    begin_showing(desks);
}

void save_answers(Desks& desks) {
    const std::string answers = write_answers(desks.lecture.page.answer_sheet(desks.lecture.book));
    desks.files.dialog().ask(FileDialog::Purpose::Answers, "my-name.answers",
                             [&desks, answers](const std::filesystem::path& file) {
                                 std::filesystem::path named = file;
                                 if (named.extension() != ".answers") named += ".answers";
                                 write_file(named, answers);
                                 desks.notice.say("Saved " + path_text(named.filename()),
                                                  Notice::Kind::Done);
                             });
}

namespace {

/// True if nothing was answered, and nothing in the lecture was changed, since.
bool was_cleared_last(const Desks& desks) {
    const LectureDesk& lecture = desks.lecture;
    return lecture.page.has_cleared_answers() && !lecture.page.has_answers() &&
           lecture.cleared.version == lecture.book.version();
}

}  // namespace

void undo_on_page(Desks& desks) {
    Session& session = desks.space().session;
    if (session.history().can_undo()) return session.undo();
    was_cleared_last(desks) ? bring_answers_back(desks) : desks.lecture.book.undo();
}

void redo_on_page(Desks& desks) {
    Session& session = desks.space().session;
    session.history().can_redo() ? session.redo() : desks.lecture.book.redo();
}

TopBarState lecture_bar_state(const Desks& desks) {
    TopBarState state;
    state.shown = WorkspaceKind::Lecture;
    state.theme = desks.theme;
    const LectureBook& book = desks.lecture.book;
    if (!book.is_open()) return state;
    const History& on_page = desks.space().session.history();
    state.undo_label = on_page.can_undo()        ? on_page.undo_label()
                       : was_cleared_last(desks) ? "Clear answers"
                                                 : book.history().undo_label();
    state.redo_label = on_page.can_redo() ? on_page.redo_label() : book.history().redo_label();
    state.study_name = book.name();
    state.is_changed = book.has_changes();
    return state;
}

/// Returns the theme of the frame: a page that is presented can ask for its own.
ThemeName theme_now(const Desks& desks) {
    const LectureBook& book = desks.lecture.book;
    if (!desks.presentation.is_on() || !shows_lecture(desks) || book.lecture().pages.empty())
        return desks.theme;
    return page_theme(book.lecture(), book.at()).value_or(desks.theme);
}

void open_lecture_again(Desks& desks, const std::string& file, std::size_t page) {
    if (file.empty() || desks.lecture.book.is_open()) return;
    const std::size_t shown = desks.studies.place();
    try {
        open_lecture(desks, file);
        if (!desks.lecture.book.has_changes()) desks.lecture.book.go_to(page);
        desks.studies.show_place(shown);
    } catch (const Error& error) {
        desks.notice.say("Last time's lecture cannot be opened: " + std::string(error.what()));
    }
}

void clear_answers(Desks& desks) {
    LectureDesk& lecture = desks.lecture;
    lecture.cleared = {lecture.book.live_changes(desks.space()), lecture.book.version()};
    desks.notice.say_done("Cleared " + counted(lecture.page.count_answers(), "answer"),
                          {"bring-answers-back", "Bring them back"});
    lecture.page.clear_answers();
    lecture.book.reopen_all();
}

void bring_answers_back(Desks& desks) {
    LectureDesk& lecture = desks.lecture;
    LivePages changes = lecture.book.live_changes(desks.space());
    changes.add(std::exchange(lecture.cleared, {}).changes);
    lecture.page.bring_answers_back();
    lecture.book.reopen_all(std::move(changes));
}

void begin_lecture(Desks& desks) {
    LectureDesk& lecture = desks.lecture;
    lecture.book.reopen_all();
    lecture.page.end_prediction();
    if (lecture.page.has_answers())
        desks.notice.say_done("Answers that were given before are still here",
                              {"clear-answers", "Clear them"});
    desks.presentation.begin(Presentation::Of::Lecture, desks.space().selection);
    lecture.speaker.begin(lecture.book.at(), ImGui::GetTime());
}

void turn_speaker(Desks& desks) {
    if (!desks.presentation.is_on()) begin_lecture(desks);
    desks.lecture.speaker.turn();
}

void end_speaker(Desks& desks, SecondEnd end) {
    if (end == SecondEnd::None) return;
    desks.lecture.speaker.close();
    if (end == SecondEnd::NoPlace)
        desks.notice.say(
            "The slide fills the only screen, and the speaker's window would cover it: "
            "connect another screen that does not mirror this one, and press S again");
}

/// The speaker's window ends with the slides; the next ones begin without it.
void follow_lecture(Desks& desks, FrameResult& result) {
    LectureDesk& lecture = desks.lecture;
    if (!desks.presentation.is_on() || !shows_lecture(desks)) return lecture.speaker.close();
    const double now_secs = ImGui::GetTime();
    result.second = lecture.speaker.picture(lecture.book, lecture.view.thumbnails(),
                                            theme_named(desks.theme), now_secs);
    result.next_frame_secs =
        std::min(result.next_frame_secs, lecture.speaker.secs_until_due(now_secs));
}

void draw_lecture_slide(Desks& desks, const PageSlide& page, FrameResult& result) {
    LectureDesk& lecture = desks.lecture;
    lecture.slide.draw(page.context, lecture.book, lecture.page, page.input, page.room);
    if (lecture.speaker.is_open())
        result.draw_again |=
            lecture.view.thumbnails().advance(lecture.book, theme_named(desks.theme));
}

void prepare_lecture(Desks& desks) {
    Workspace& space = desks.space();
    LectureBook& book = desks.lecture.book;
    if (!book.is_open()) return prepare(space);
    if (!desks.presentation.is_on()) desks.lecture.page.end_prediction();
    book.show(space);
    desks.lecture.page.set_appeared(book.advance(space, ImGui::GetTime()));
    watch_page(book.shown().page, space);
    prepare(space);
    book.follow(space);  // the text and the picture are of one trace
}

}  // namespace headlight
