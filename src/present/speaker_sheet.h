// The sheet that the speaker sees beside the slides: the page, the one that follows, the notes, the
// time.
#pragma once

#include <optional>
#include <string>

#include "figure/theme.h"
#include "present/lecture.h"
#include "present/page/page_view.h"
#include "present/tasks/task.h"

namespace headlight {

struct SpeakerView {
    const Lecture& lecture;
    std::size_t at = 0;           // the page that is presented; there is one
    const Figure* now = nullptr;  // its thumbnail; null: it is not made yet
    const Figure* next = nullptr;
    Color paper;            // under both
    std::string task = {};  // of the page, with its choices, a line each; "": it has none
    std::optional<std::string> notes = {};  // with their numbers; absent: as they are written
    std::string clock;                      // the time of day, "14:05"
    double elapsed_secs = 0;                // since the lecture was begun
};

/// Returns the planned time of the pages before this one, in seconds; nothing if no page has one.
std::optional<double> planned_secs(const Lecture& lecture, std::size_t before_page);

/// "9:05", "1:02:40"
std::string elapsed_text(double secs);

/// Returns what the speaker reads about a task: the question, the choices with their keys, and the
/// answer.
std::string task_lines(const PageTask& task, const TaskText& text, const std::string& answer);

/// Draws the sheet in that size. Notes that are too long for it are set smaller, and cut at last
/// with "…".
Figure speaker_sheet(const SpeakerView& view, Point size, const Theme& theme,
                     const MeasureText& measure);

/// Returns the notes with the numbers of the page, without marks of bold and emphasis. A line that
/// cannot be read so stays as it is written.
std::string filled_notes(const PageSource& source, OpenPage& page);

/// Returns "Right: 0.25", "Solution: set embed[cat, 0] = 1"; "" for choices, of which the right
/// ones are marked, and where no answer can be given.
std::string answer_for_speaker(const PageSource& source, OpenPage& page, const PageTask& task);

}  // namespace headlight
