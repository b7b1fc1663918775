#include "ui/lecture/speaker_desk.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>

#include "lecture/speaker_sheet.h"
#include "ui/pictures/content_sum.h"

namespace headlight {
namespace {

/// "14:05", where the computer is.
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
                // Dark, as the hall is.
                return speaker_sheet(view, size, theme_named(ThemeName::Dark), measure);
            }};
}

double SpeakerDesk::secs_until_due(double now_secs) const {
    if (!is_open_ || !began_at_secs_) return std::numeric_limits<double>::infinity();
    const double passed = now_secs - *began_at_secs_;
    return std::max(0.01, std::floor(passed) + 1 - passed);
}

}  // namespace headlight
