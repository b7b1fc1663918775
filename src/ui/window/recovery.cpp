#include "ui/window/recovery.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <imgui.h>
#include <limits>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "figure/number_format.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/files/open_file.h"
#include "io/open_document.h"
#include "text/strings.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench_state.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::duration<double> kPause{kAutosave_secs};

/// Returns why it could not be written.
std::string try_to_write(Journal& journal, const UnsavedWork& work) {
    try {
        journal.write(work);
    } catch (const std::exception& error) {  // no memory as well
        return error.what();
    }
    return "";
}

}  // namespace

Autosave::Autosave(std::filesystem::path journal)
    : journal_(std::move(journal)), strand_([this] { return turn(); }) {}

Autosave::~Autosave() {
    flush();
}

void Autosave::post(UnsavedWork work) {
    const std::lock_guard lock(mutex_);
    pending_ = std::move(work);
    strand_.call();
}

bool Autosave::flush() {
    {
        const std::lock_guard lock(mutex_);
        is_hurried_ = true;
    }
    strand_.call();
    strand_.wait([this] {
        const std::lock_guard lock(mutex_);
        return !is_hurried_;
    });
    return problem().empty();
}

std::string Autosave::problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
}

/// Writes what was posted, not before the pause after the last time is over unless it is hurried.
double Autosave::turn() {
    {
        const std::lock_guard lock(mutex_);
        if (!pending_) is_hurried_ = false;
        if (!pending_) return Strand::kNever;
        const std::chrono::duration<double> left = next_at_ - Clock::now();
        if (left.count() > 0 && !is_hurried_) return left.count();
    }
    write();
    next_at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(kPause);
    const std::lock_guard lock(mutex_);
    // Works that were posted meanwhile are written as well before a flush is over.
    if (!pending_ || !problem_.empty()) is_hurried_ = false;
    return pending_ ? (is_hurried_ ? 0 : kPause.count()) : Strand::kNever;
}

/// Writes without the lock. Works that could not be written are tried again, unless newer ones are
/// posted.
void Autosave::write() {
    std::unique_lock lock(mutex_);
    UnsavedWork posted = std::move(*pending_);
    pending_.reset();
    lock.unlock();
    std::string problem = try_to_write(journal_, posted);
    lock.lock();
    problem_ = std::move(problem);
    if (!problem_.empty() && !pending_) pending_ = std::move(posted);
}

namespace {

constexpr const char* kRecoveryTitle = "Work that was not saved";
constexpr auto kTraining = static_cast<std::size_t>(WorkspaceKind::Train),
               kLecturePage = static_cast<std::size_t>(WorkspaceKind::Lecture);
constexpr std::chrono::seconds kBetweenTrainings{60};
constexpr std::chrono::milliseconds kBetweenStates{10'000}, kUntilItIsTaken{250};

/// True if nothing has changed: a history never changes a document, so the same one is open.
bool is_same(const Workspace& space, const OpenWork& posted) {
    const History &now = space.session.history(), &then = posted.history;
    return now.shared_state() == then.shared_state() && now.at() == then.at() &&
           now.steps().size() == then.steps().size() && space.saved == posted.saved &&
           file_in_journal(space) == posted.file && space.on_disk.contents == posted.contents &&
           view_to_save(space) == posted.view;
}

WorkspaceKind workspace_kind(const OpenWork& work) {
    return workspace_for(work.history.state().study);
}

std::string work_name(const OpenWork& work) {
    if (!work.file.empty()) return path_text(std::filesystem::path(work.file).filename());
    const std::string name = quoted_word(content_name(work.history.state()));
    switch (workspace_kind(work)) {
        case WorkspaceKind::Sentence:
            return "The sentence " + name;
        case WorkspaceKind::Alignment:
            return "The alignment of " + name;
        case WorkspaceKind::Graph:
            return "The graph " + name;
        case WorkspaceKind::Image:
            return "An image";
        case WorkspaceKind::Train:
            return "A training";
        case WorkspaceKind::Lecture:
            break;  // its pages are the lecture's
    }
    return {};
}

/// Says which parts of a training are there, and which are not.
std::string training_facts(const LeftJournal& journal, const OpenWork& work) {
    if (!journal.unsaved.training) {
        const SharedWeights& weights = work.history.state().weights;
        return fmt::format(
            "as a study{}; its step, its learning rate and its curves are gone, and it cannot go "
            "on",
            weights ? fmt::format(" with weights of an earlier moment ({})", weights->origin) : "");
    }
    const TrainingState& state = journal.unsaved.training->state;
    return fmt::format(
        "at step {} of {}, with its weights, learning rate and curve; gone are the tests, the "
        "checkpoints and the heads over time before it, and the curves of earlier runs",
        format_count(state.step), format_count(journal.unsaved.training->recipe.steps));
}

std::string work_facts(const auto& work) {
    const std::string steps = counted(std::ssize(work.history.steps()) - 1, "step");
    const std::string label = work.history.undo_label();
    return label.empty() ? steps : fmt::format("{}, the last one: {}", steps, label);
}

bool has_in_file(const std::string& file, const Document& document) {
    return open_document(file).document == document;
}

bool has_in_file(const std::string& file, const std::string& lecture) {
    return read_lecture(read_file(file), file) == read_kept_text(lecture, file);
}

/// True if nothing of the work is unsaved, though its journal says so: the window was killed after
/// it was saved, or somebody has saved the same since. Work that the journal takes for saved is
/// there for unsaved work one step before it.
bool is_in_its_file(const auto& work) {
    if (work.file.empty() || work.history.state() == *work.saved) return false;
    try {
        return has_in_file(work.file, work.history.state());
    } catch (const Error&) {
        return false;
    }
}

/// Returns “The lecture “Attention” in monday.lecture”; less where its title cannot be read.
std::string lecture_name(const OpenText& lecture) {
    try {
        const std::string title = read_kept_text(lecture.history.state(), "kept lecture").title;
        const std::filesystem::path file = std::filesystem::path(lecture.file).filename();
        return fmt::format("The lecture “{}”{}", title,
                           file.empty() ? "" : " in " + path_text(file));
    } catch (const Error&) {
        return "A lecture";
    }
}

/// The tab for the work: that of its file, or the shown one, unless they have other work that is
/// not saved; else one more.
Workspace& room_for(Studies& studies, const OpenWork& work) {
    const NumberedStudy* open = studies.find_file(work.file);
    if (open && open->kind == workspace_kind(work) && !has_changes(*open->space)) {
        studies.show_number(open->number);
        return studies.shown();
    }
    studies.show(workspace_kind(work));
    const bool is_free = studies.shown().file.empty() && !has_changes(studies.shown());
    return is_free ? studies.shown() : studies.add(work.history.state());
}

/// Returns a name that nothing has yet, beside that file, or where people keep theirs.
std::filesystem::path unused_file_for(const std::string& own_file, const char* ending) {
    std::error_code ignored;
    const char* home = std::getenv("HOME");
    std::filesystem::path base = std::filesystem::path(home ? home : ".") / "unsaved";
    if (!own_file.empty()) base = std::filesystem::path(own_file).replace_extension();
    std::filesystem::path file;
    for (int n = 1; file.empty() || std::filesystem::exists(file, ignored); ++n)
        file = fmt::format("{}-recovered{}{}", base.native(), n > 1 ? fmt::format("-{}", n) : "",
                           ending);
    return file;
}

}  // namespace

Recovery::~Recovery() {
    if (autosave_ && is_given_up_) autosave_->post({});
}

void Recovery::start(const std::filesystem::path& folder, const std::function<void()>& wake) {
    autosave_.emplace(own_file(folder, ".journal"));
    const auto read = [folder](Progress&) {
        Journals journals = find_left_journals(folder);
        for (LeftJournal& journal : journals) {
            std::erase_if(journal.unsaved.works,
                          [](const auto& entry) { return is_in_its_file(entry.second); });
            if (journal.unsaved.lecture && is_in_its_file(*journal.unsaved.lecture))
                journal.unsaved.lecture = nullptr;
        }
        return journals;
    };
    reading_.start(read, wake);
}

void Recovery::follow(WorkbenchState& bench) {
    const Studies& studies = bench.studies;
    TrainingView& training = bench.training;
    if (!autosave_) return;
    if (reading_.is_ready()) finish_reading();
    report_problem();
    if (secs_until_kept(training) <= 0) {
        training.keep();
        training_kept_at_ = Clock::now();
    }
    bool has_news = is_news(studies);
    if (has_news) collect(studies);
    has_news |= follow_lecture(bench.lecture.opened);
    const bool has_work = !posted_.is_empty();
    has_news |= has_work && posted_.shown != studies.number();
    const auto kept = posted_.works.contains(kTraining) ? training.kept() : nullptr;
    if (!has_news && kept == posted_.training) return;
    posted_.training = kept;
    posted_.shown = studies.number();
    autosave_->post(posted_);
}

/// True if the lecture has changed, or another page of it was chosen.
bool Recovery::follow_lecture(const OpenLecture& lecture) {
    const LectureAt now =
        lecture.has_changes() ? LectureAt{lecture.version(), lecture.at()} : LectureAt{};
    if (now == posted_lecture_) return false;
    posted_lecture_ = now;
    posted_.lecture = now.version ? lecture_work_.make(lecture) : nullptr;
    return true;
}

/// Collects the works that are to be kept now.
void Recovery::collect(const Studies& studies) {
    OpenWorks works;
    for (const NumberedStudy& study : studies.all()) {
        if (!is_kept(study)) continue;
        const auto posted = posted_.works.find(study.number);
        const bool is_new = has_changed(study.number, *study.space);
        if (!is_due(study.number) && posted != posted_.works.end())
            works.insert(*posted);
        else if (is_due(study.number) && has_changes(*study.space))
            works.emplace(study.number, open_work(*study.space));
        if (study.number == kTraining && is_new && is_due(kTraining))
            training_posted_at_ = Clock::now();
    }
    posted_.works = std::move(works);
}

/// Returns the time until the state to go on from is asked for; 0: now; infinite: it is known, or
/// was asked for.
double Recovery::secs_until_kept(const TrainingView& training) const {
    if (!training.is_ahead_of_kept()) return std::numeric_limits<double>::infinity();
    if (!training_kept_at_) return 0;
    const std::chrono::duration<double> between =
        training.is_running() ? kBetweenStates : kUntilItIsTaken;
    return std::chrono::duration<double>(*training_kept_at_ + between - Clock::now()).count();
}

/// True if a study has changed, or one whose work was kept is closed.
bool Recovery::is_news(const Studies& studies) const {
    return std::ranges::any_of(studies.all(),
                               [&](const NumberedStudy& study) {
                                   return is_kept(study) && is_due(study.number) &&
                                          has_changed(study.number, *study.space);
                               }) ||
           std::ranges::any_of(posted_.works,
                               [&](const auto& entry) { return !studies.find(entry.first); });
}

/// Limits how often a training is written: its weights are a file of their own each time.
bool Recovery::is_due(StudyNumber number) const {
    return number != kTraining || !training_posted_at_ ||
           Clock::now() - *training_posted_at_ >= kBetweenTrainings;
}

bool Recovery::has_changed(StudyNumber number, const Workspace& space) const {
    const auto posted = posted_.works.find(number);
    return posted == posted_.works.end() ? has_changes(space) : !is_same(space, posted->second);
}

double Recovery::secs_until_due(const Workspace& space, const TrainingView& training) const {
    if (!autosave_) return std::numeric_limits<double>::infinity();
    double secs = secs_until_kept(training);
    if (training_posted_at_ && has_changed(kTraining, space)) {
        const std::chrono::duration<double> left =
            *training_posted_at_ + kBetweenTrainings - Clock::now();
        secs = std::min(secs, left.count());
    }
    return std::max(0.001, secs);
}

void Recovery::report_problem() {
    const std::string problem = autosave_->problem();
    if (problem == told_problem_) return;
    told_problem_ = problem;
    if (!problem.empty())
        message_ = "Your work is not protected against a crash; save it. " + problem;
}

void Recovery::finish_reading() {
    if (!reading_.is_running()) return;
    reading_.wait();
    for (LeftJournal& journal : reading_.take()) {
        if (!journal.unsaved.is_empty()) {
            offers_.push_back(std::move(journal));
            continue;
        }
        const std::filesystem::path kept = put_away(journal);
        if (!kept.empty())
            message_ = fmt::format("Last time's unsaved work cannot be read: {}. It is kept as {}.",
                                   journal.problem, path_text(kept));
    }
}

void Recovery::draw(PanelContext& context, WorkbenchState& bench) {
    if (offers_.empty()) return;
    const auto offer = offers_.begin();
    const Answer answer = draw_offer(context, *offer);
    if (answer == Answer::None) return;
    if (answer == Answer::Restore) restore(*offer, bench);
    if (answer == Answer::SaveAsFile && save_as_files(*offer)) put_away(*offer);
    if (answer == Answer::Discard) put_away(*offer);
    offers_.erase(offer);
}

Recovery::Answer Recovery::draw_offer(PanelContext& context, const LeftJournal& journal) {
    if (!ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) dialog_.open();
    // It is left by one of its buttons.
    if (!dialog_.begin(context, {.title = kRecoveryTitle,
                                 .size = {500, 0},
                                 .has_cross = false,
                                 .is_left_by_escape = false}))
        return Answer::None;
    ImGui::TextWrapped("Headlight ended before this was saved. What is still here:");
    ImGui::Dummy({0, 2});
    const auto draw_work = [&](const std::string& name, const std::string& facts) {
        context.painter.push_font(Font::Bold, 13);
        ImGui::TextUnformatted(widgets::as_read("  " + name).c_str());
        context.painter.pop_font();
        widgets::same_line_if_fits(ImGui::CalcTextSize(facts.c_str()).x, 8);
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(im_vec(context.theme.muted), "%s", facts.c_str());
        ImGui::PopTextWrapPos();
    };
    for (const auto& [place, work] : journal.unsaved.works)
        place == kTraining ? draw_work("A training", training_facts(journal, work))
                           : draw_work(work_name(work), work_facts(work));
    if (const auto& lecture = journal.unsaved.lecture)
        draw_work(lecture_name(*lecture), work_facts(*lecture));
    if (!journal.problem.empty())
        widgets::hint(
            context,
            fmt::format("Later changes cannot be read: {}. The file is kept beside the others.",
                        journal.problem));
    ImGui::Dummy({0, 4});
    Answer answer = Answer::None;
    if (widgets::button(context, "Restore", "With all undo and redo steps"))
        answer = Answer::Restore;
    widgets::same_line_if_fits("Save as a file");
    if (widgets::button(context, "Save as a file",
                        "Without opening it, in case it caused the crash"))
        answer = Answer::SaveAsFile;
    widgets::same_line_if_fits("Not now");
    if (widgets::button(context, "Not now", "It is offered again at the next start"))
        answer = Answer::Later;
    widgets::same_line_if_fits("Discard");
    if (widgets::button(context, "Discard", "It is deleted for good")) answer = Answer::Discard;
    if (answer != Answer::None) dialog_.close();
    dialog_.end(context);
    return answer;
}

/// Restores the works, and shows the one that was shown, or else the first; the old journal goes
/// when they stand in that of this window.
void Recovery::restore(const LeftJournal& journal, WorkbenchState& bench) {
    Studies& studies = bench.studies;
    std::optional<StudyNumber> shown;
    try {
        if (journal.unsaved.lecture) restore_lecture(bench, *journal.unsaved.lecture);
        if (journal.unsaved.lecture && journal.unsaved.shown == kLecturePage)
            shown = studies.number();
        for (const auto& [number, work] : journal.unsaved.works) {
            const bool goes_on = number == kTraining && journal.unsaved.training &&
                                 !has_changes(studies.at(WorkspaceKind::Train));
            if (goes_on) {
                studies.show(WorkspaceKind::Train);
                bench.training.resume(journal.unsaved.training);
            }
            take_over(goes_on ? studies.shown() : room_for(studies, work), work);
            if (!shown || journal.unsaved.shown == number) shown = studies.number();
        }
    } catch (const Error& error) {
        message_ = error.what();  // there is no room; it is all offered again at the next start
        return;
    }
    if (shown) studies.show_number(*shown);
    follow(bench);
    if (autosave_->flush()) put_away(journal);
}

/// Saves the works as files. False if one of them cannot be written; then the journal stays.
bool Recovery::save_as_files(const LeftJournal& journal) {
    std::string names;
    try {
        for (const auto& [place, work] : journal.unsaved.works) {
            const std::filesystem::path file = unused_file_for(work.file, ".headlight");
            save_document(file, work.history.state());
            append_part(names, ", ", path_text(file));
            if (place != kTraining || !journal.unsaved.training) continue;
            const auto weights = std::filesystem::path(file).replace_extension(".safetensors");
            write_interrupted(interrupted_path(weights), *journal.unsaved.training);
            append_part(names, ", ", path_text(interrupted_path(weights)));
        }
        if (const auto& lecture = journal.unsaved.lecture) {
            const std::filesystem::path file = unused_file_for(lecture->file, ".lecture");
            write_file(file, file_text(lecture->history.state()));
            append_part(names, ", ", path_text(file));
        }
    } catch (const Error& error) {
        message_ = error.what();
        return false;
    }
    message_ = "Saved as " + names;
    return true;
}

}  // namespace headlight
