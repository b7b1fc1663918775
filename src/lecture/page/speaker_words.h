// What the speaker alone reads of a page: its notes, and the answer to its task.
#pragma once

#include <string>

#include "lecture/page/page_view.h"
#include "lecture/tasks/task.h"

namespace headlight {

/// The notes with the numbers of the page, without marks of bold and emphasis. A line that cannot
/// be read so stays as it is written.
std::string filled_notes(const PageSource& source, OpenPage& page);

/// "Right: 0.25", "Solution: set embed[cat, 0] = 1"; "" of choices, of which the right ones are
/// marked, and where no answer can be given.
std::string answer_for_speaker(const PageSource& source, OpenPage& page, const PageTask& task);

}  // namespace headlight
