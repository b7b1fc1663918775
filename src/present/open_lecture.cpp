#include "present/open_lecture.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "present/file/page_directives.h"
#include "present/page/page_scope.h"
#include "present/speaker_sheet.h"

namespace headlight {

void LivePages::keep(std::size_t page, std::uint64_t content, const Workspace& space) {
    forget(page);
    if (!space.session.history().can_undo()) return;
    Left left{content, space.session.history(), space.selection};
    left.history.end_gesture();
    pages_.emplace(page, std::move(left));
}

bool LivePages::restore(std::size_t page, std::uint64_t content, Workspace& space) const {
    const auto left = pages_.find(page);
    if (left == pages_.end() || left->second.content != content) return false;
    space.session.replace(left->second.history);
    space.selection = left->second.selection;
    return true;
}

void LivePages::follow(const Lecture& before, const Lecture& now) {
    std::map<std::size_t, Left> moved;
    for (auto& [page, left] : pages_)
        if (const auto to = moved_page(before, now, page)) moved.emplace(*to, std::move(left));
    pages_ = std::move(moved);
}

std::optional<std::size_t> moved_page(const Lecture& before, const Lecture& now, std::size_t page) {
    if (page >= before.pages.size()) return std::nullopt;
    const LecturePage& was = before.pages[page];
    const bool is_there = page < now.pages.size();
    if (is_there && now.pages[page].directives == was.directives) return page;
    const auto found = std::ranges::find(now.pages, was);
    if (found != now.pages.end()) return static_cast<std::size_t>(found - now.pages.begin());
    if (is_there && now.pages.size() == before.pages.size()) return page;
    return std::nullopt;
}

namespace {

/// Claims that are no expressions are reported where the claims are shown.
std::vector<Expression> readable_claims(const LecturePage& page) {
    std::vector<Expression> claims;
    Faults faults;
    for (const std::string& claim : values_for(page.directives, "claim"))
        attempt(&faults, [&] { claims.push_back(read_expression(claim, "claim")); });
    return claims;
}

constexpr std::size_t kNoPage = std::numeric_limits<std::size_t>::max();

}  // namespace

void OpenLecture::open(Lecture lecture, const std::filesystem::path& file,
                       const FileStamp& on_disk) {
    LectureHistory history(std::move(lecture));
    std::shared_ptr<const Lecture> saved = history.shared_state();
    open_unsaved(std::move(history), std::move(saved), file, on_disk);
}

void OpenLecture::close() {
    const std::uint64_t version = version_ + 1;
    *this = {};
    version_ = version;
}

void OpenLecture::open_unsaved(LectureHistory history, std::shared_ptr<const Lecture> saved,
                               const std::filesystem::path& file, const FileStamp& on_disk) {
    close();
    history_ = std::move(history);
    file_ = file;
    on_disk_ = on_disk;
    saved_ = std::move(saved);
}

std::string OpenLecture::name() const {
    return file_.empty() ? lecture().title : path_text(file_.filename());
}

void OpenLecture::change(const std::string& label, const std::function<void(Lecture&)>& change,
                         const std::string& gesture) {
    const auto change_and_number = [&](Lecture& lecture) {
        change(lecture);
        number_lines(lecture);
    };
    take_step([&] { return history_->apply({label, change_and_number, gesture}); });
}

void OpenLecture::undo() {
    take_step([&] { return history_->can_undo() && (history_->undo(), true); });
}

void OpenLecture::redo() {
    take_step([&] { return history_->can_redo() && (history_->redo(), true); });
}

/// Takes a step, which says whether it changes anything. Pages that move take along what was
/// changed on them.
void OpenLecture::take_step(const std::function<bool()>& step) {
    const std::shared_ptr<const Lecture> before = history_->shared_state();
    if (!step()) return;
    ++version_;
    live_.follow(*before, lecture());
    shown_at_ = moved_page(*before, lecture(), shown_at_).value_or(kNoPage);
    go_to(at_);
}

bool OpenLecture::has_changes() const {
    return is_open() && *saved_ != lecture();
}

bool OpenLecture::is_changed_on_disk() {
    return !file_.empty() && is_changed(file_, on_disk_);
}

void OpenLecture::save(const std::filesystem::path& file) {
    const std::string text = write_lecture(lecture());
    write_file(file, text, Backup::Keep);
    on_disk_ = make_stamp(text);
    if (file.parent_path() != file_.parent_path()) documents_version_ = 0;
    file_ = file;
    saved_ = history_->shared_state();
}

void OpenLecture::reload() {
    const std::string text = read_file(file_);
    const std::string file_name = path_text(file_.filename());
    Lecture read = read_right_lecture(text, file_name);
    change("Reload " + file_name, [&](Lecture& lecture) { lecture = std::move(read); });
    on_disk_ = make_stamp(text);
    saved_ = history_->shared_state();
}

void OpenLecture::go_to(std::size_t page) {
    const std::size_t n = lecture().pages.size();
    at_ = n == 0 ? 0 : std::min(page, n - 1);
}

PageSource OpenLecture::source() const {
    return {lecture(), *documents_, name()};
}

const OpenLecture::Shown& OpenLecture::show(Workspace& space) {
    if (documents_version_ != version()) {
        documents_ = std::make_unique<PageDocuments>(lecture(), file_.parent_path(), name());
        documents_version_ = version();
    }
    const std::uint64_t content = view_content();
    // A problem names a line, which words above it move.
    const bool is_same_view = shown_content_ == content && shown_.problem.empty();
    if (!is_shown() && shown_version_ && shown_at_ == at_ && is_same_view) {
        shown_version_ = version();  // only words were changed: the study stays as it is
        if (shown_.task) shown_.task = read_task(lecture().pages[at_], name());
        shown_.page.index = at_;
        fill(space);
    }
    if (!is_shown()) {
        if (shown_version_ && shown_at_ != at_ && shown_at_ != kNoPage && shown_.page.space)
            live_.keep(shown_at_, shown_content_, space);
        shown_ = {};
        shown_.opening = ++n_openings_;
        shown_version_ = version();
        shown_at_ = at_;
        shown_content_ = content;
        filled_of_ = nullptr;
        open_shown(space);
        fill(space);
        shown_.page.is_live = true;
    }
    follow(space);
    return shown_;
}

void OpenLecture::follow(Workspace& space) {
    if (is_shown() && shown_.page.space && space.trace.shared() != filled_of_) fill(space);
}

/// Opens the page as the lecture has it, and then restores it as it was left.
void OpenLecture::open_shown(Workspace& space) {
    const std::shared_ptr<const Document> before = space.session.history().shared_state();
    const std::shared_ptr<const Trace> trace_before = space.batch.shared();
    shown_.page.index = at_;  // its words are shown even if it cannot be opened
    try {
        if (at_ < lecture().pages.size()) {
            shown_.page = open_page(source(), at_, space);
            shown_.held = space.selection.held();
            shown_.task = read_task(lecture().pages[at_], name());
            if (shown_.task) shown_.task_text = read_task_text(*shown_.task, name());
        }
    } catch (const Error& error) {
        shown_.problem = error.what();
    }
    if (shown_.page.space && live_.restore(at_, shown_content_, space)) animates_next_ = false;
    begin_transition(space, *before, trace_before.get());
}

void OpenLecture::reopen() {
    live_.forget(at_);
    shown_version_ = 0;
}

void OpenLecture::reopen_all(LivePages changes) {
    live_ = std::move(changes);
    shown_version_ = 0;
}

LivePages OpenLecture::live_changes(const Workspace& space) const {
    LivePages changes = live_;
    const bool is_open = shown_version_ != 0 && shown_at_ != kNoPage && shown_.page.space;
    if (is_open) changes.keep(shown_at_, shown_content_, space);
    return changes;
}

bool OpenLecture::has_live_changes(std::size_t page) const {
    if (page != shown_at_ || !is_shown()) return live_.has(page);
    return shown_.page.space && shown_.page.space->session.history().can_undo();
}

void OpenLecture::begin_transition(Workspace& space, const Document& before, const Trace* trace) {
    is_animating_ = false;
    began_at_secs_.reset();
    transition_.reset();
    const bool is_asked = std::exchange(animates_next_, false);
    if (!is_asked || !shown_.page.space || !trace || !space.batch) return;
    transition_secs_ = page_animation_secs(lecture().pages[at_]);
    if (transition_secs_ <= 0) return;
    is_animating_ = true;
    transition_ = PageTransition::make({before, *trace}, {space.session.document(), *space.batch});
}

float OpenLecture::advance(Workspace& space, double now_secs) {
    if (!is_animating_ || !is_shown()) return 1;
    if (space.session.history().can_undo()) is_animating_ = false;  // it is changed by hand
    if (!is_animating_) return 1;
    if (!began_at_secs_) began_at_secs_ = now_secs;
    const double share = std::min(1.0, (now_secs - *began_at_secs_) / transition_secs_);
    if (transition_)
        space.session.amend([&](Document& document) { document = transition_->at(share); });
    if (share >= 1) is_animating_ = false;
    return transition_ ? 1.0f : static_cast<float>(share);
}

void OpenLecture::end_animation(Workspace& space) {
    if (!is_animating_ || !is_shown()) return;
    if (transition_)
        space.session.amend([&](Document& document) { document = transition_->at(1); });
    transition_.reset();
    is_animating_ = false;
}

/// Returns a number for the directives on which the chosen page's study depends: its own, and those
/// of the pages before it from the one that names the study, or all of them if the page reads the
/// one before.
std::uint64_t OpenLecture::view_content() const {
    const std::vector<LecturePage>& pages = lecture().pages;
    if (pages.empty()) return 0;
    const bool reads_before =
        std::ranges::any_of(pages[at_].directives, [](const Directive& directive) {
            return directive.value.find("before") != std::string::npos;
        });
    std::size_t first = reads_before ? 0 : at_;
    while (first > 0 && !reads_before && !find_value(pages[first].directives, "study")) --first;
    std::string all;
    for (std::size_t k = first; k <= at_; ++k)
        for (const Directive& directive : pages[k].directives)
            if (k == at_ || directive.key == "study" || changes_study(directive.key))
                all += fmt::format("{}\n{}\n", directive.key, directive.value);
    return std::hash<std::string>{}(all);
}

/// Fills the text with the present numbers. A value that cannot be given is left out, and the
/// problem says why.
void OpenLecture::fill(Workspace& space) {
    if (at_ >= lecture().pages.size()) return;
    shown_.text_problem.clear();
    shown_.task_problem.clear();
    try {
        Faults faults;
        shown_.text = filled_text(source(), shown_.page, &faults);
        if (shown_.task) fill_task(space, faults);
        if (shown_.problem.empty())
            shown_.text_problem =
                missing_values_words(faults, {.is_changed = space.session.history().can_undo()});
    } catch (const Error& error) {
        shown_.text_problem = error.what();
    }
    if (shown_.task)
        shown_.task_problem = no_answer_words(why_no_answer(source(), shown_.page, *shown_.task),
                                              shown_.text_problem);
    evaluate_before(source(), shown_.page, readable_claims(lecture().pages[at_]));
    shown_.notes = filled_notes(source(), shown_.page);
    shown_.answer = shown_.task ? answer_for_speaker(source(), shown_.page, *shown_.task) : "";
    filled_of_ = space.trace.shared();
}

/// The page as it is written counts; only a goal is about the study as it is changed.
void OpenLecture::fill_task(const Workspace& space, Faults& faults) {
    const PageTask& task = *shown_.task;
    const bool is_changed = shown_.page.space && space.session.history().can_undo();
    if (!is_changed || task.kind == PageTask::Kind::Goal) {
        shown_.task_text = filled_task(source(), shown_.page, task, &faults);
        return;
    }
    WrittenTask& written = written_task_;
    if (written.version != version() || written.opening != shown_.opening) {
        written = {.version = version(), .opening = shown_.opening};
        Workspace as_written(no_study(), {});
        OpenPage page = open_page(source(), at_, as_written);
        written.text = filled_task(source(), page, task, &written.faults);
    }
    shown_.task_text = written.text;
    faults.insert(faults.end(), written.faults.begin(), written.faults.end());
}

void OpenLecture::add_page(LecturePage page, const std::string& label) {
    const std::size_t next = lecture().pages.empty() ? 0 : at_ + 1;
    change(label, [&](Lecture& lecture) {
        lecture.pages.insert(lecture.pages.begin() + static_cast<std::ptrdiff_t>(next),
                             std::move(page));
    });
    go_to(next);
}

}  // namespace headlight
