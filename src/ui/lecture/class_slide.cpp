#include "ui/lecture/class_slide.h"

#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {

bool ClassSlide::is_on(const OpenLecture& lecture) const {
    return page_ && lecture.is_open() && *page_ == lecture.at() && lecture.shown().task;
}

void ClassSlide::turn(const OpenLecture& lecture) {
    const bool was_on = is_on(lecture);
    page_.reset();
    if (!was_on) page_ = lecture.at();
}

void ClassSlide::take(const OpenLecture& lecture, const std::vector<CollectedAnswers>& collected) {
    using Pasted = ClassAnswers::Pasted;
    answers_.take(lecture.lecture(), collected, adds_ ? Pasted::IsAdded : Pasted::Replaces);
    said_ = not_understood(collected);
    std::size_t n_here = 0, n_elsewhere = 0;
    for (const CollectedAnswers& part : collected)
        for (const ClassAnswer& answer : part.answers)
            ++(answer.page == lecture.at() ? n_here : n_elsewhere);
    if (n_elsewhere > 0) {
        const std::string words =
            headlight::counted(static_cast<std::int64_t>(n_elsewhere), "answer") +
            (n_elsewhere == 1 ? " is to another page" : " are to other pages");
        said_ = said_.empty() ? words : words + "; " + said_;
    }
    if (lecture.shown().task) page_ = lecture.at();
}

bool ClassSlide::paste(const OpenLecture& lecture, const std::string& text) {
    CollectedAnswers collected = collect_answers(lecture.lecture(), text);
    if (collected.has_nothing()) return false;
    take(lecture, {std::move(collected)});
    return true;
}

void ClassSlide::take_files(const OpenLecture& lecture,
                            const std::vector<std::filesystem::path>& paths) {
    take(lecture, collect_answers(lecture.source(), paths));
}

void ClassSlide::turn_reveal(const OpenLecture& lecture) {
    if (revealed_.erase(lecture.at()) == 0) revealed_.insert(lecture.at());
}

bool ClassSlide::has_answers(const OpenLecture& lecture) const {
    return !answers_.answers_to(lecture.lecture(), lecture.at()).empty();
}

bool ClassSlide::is_hidden(const OpenLecture& lecture) const {
    return is_on(lecture) && !revealed_.contains(lecture.at()) && has_answers(lecture);
}

void ClassSlide::clear_page(const OpenLecture& lecture) {
    answers_.forget(lecture.at());
    revealed_.erase(lecture.at());
    said_.clear();
}

void ClassSlide::forget() {
    answers_.clear();
    revealed_.clear();
    page_.reset();
    count_.reset();
    said_.clear();
}

const ClassCount& ClassSlide::counted(const OpenLecture& lecture) {
    const bool is_same = count_ && count_->page == lecture.at() &&
                         count_->answers == answers_.version() &&
                         count_->lecture == lecture.version();
    if (is_same) return count_->count;
    Count made{.page = lecture.at(), .answers = answers_.version(), .lecture = lecture.version()};
    try {
        made.count = count_class(lecture.source(), made.page,
                                 answers_.answers_to(lecture.lecture(), made.page));
    } catch (const Error& error) {
        made.count.problem = error.what();
    }
    return count_.emplace(std::move(made)).count;
}

std::string ClassSlide::how_to(const OpenLecture& lecture) const {
    const auto& task = lecture.shown().task;
    const bool can_be_words = task && task->kind == PageTask::Kind::Order;
    const std::string begin =
        can_be_words ? "An order has no code. Take in the files that *Save answers…* writes: "
                       "press *Files…*, or drop them here."
                     : "1. Students answer on their page, press *Copy HL-…* below it, and paste "
                       "that into the chat.\n"
                       "2. Copy the whole chat, and press **Ctrl+V** here.\n\n"
                       "Every later paste takes the place of the one before, for each question "
                       "that it answers; with *Add* on it is added. A file of codes or of saved "
                       "answers, which have words as well, counts once, however often it is taken "
                       "in: press *Files…*, or drop it here.";
    return "No answers were taken in yet.\n\n" + begin;
}

void ClassSlide::draw(PanelContext& context, const OpenLecture& lecture, Box box) {
    const std::vector<LecturePage>& pages = lecture.lecture().pages;
    const std::size_t at = lecture.at();
    if (at >= pages.size()) return;
    const ClassCount& count = counted(lecture);
    const ClassPage page{.title = pages[at].title,
                         .count = count,
                         .said = said_,
                         .paste = adds_ ? "Ctrl+V adds to these answers"
                                        : "Ctrl+V takes the place of what was pasted before",
                         .how_to = how_to(lecture),
                         .number = {at, pages.size()}};
    context.painter.draw(class_page_figure(page, {.size = {box.width, box.height},
                                                  .unit = page_unit({box.width, box.height}),
                                                  .theme = context.theme,
                                                  .measure = context.painter.measure(),
                                                  .is_revealed = revealed_.contains(at)}),
                         {box.x, box.y});
    context.regions.add("class answers", box);
}

}  // namespace headlight
