// The words that stand on a page in place of values that cannot be given now, and the reasons.
#pragma once

#include <string>

#include "lecture/lecture.h"
#include "lecture/page/page_text.h"
#include "lecture/page/page_view.h"
#include "lecture/tasks/task.h"

namespace headlight {

/// Explains why there is no value to a reader of the page: without the place in the file, and what
/// could be written there instead.
std::string why_missing(const Error& error);

/// Returns "— has no value now: …", with each reason once; "" without faults. In a study as the
/// page opens it the text is wrong, and the reasons keep their places in it.
enum class StudyIs { AsOpened, Changed };
std::string missing_values_words(const Faults& faults, StudyIs study);

/// Returns the text, and below it a line of warning; the same text if the warning is empty.
PageText with_warning(PageText text, const std::string& warning);

/// Explains why the task's question has no answer now; "" if it has one.
std::string why_no_answer(const PageSource& source, OpenPage& page, const PageTask& task);

/// Returns the words of the task in that case. A reason that the page's warning gives is not given
/// again.
std::string no_answer_words(const std::string& why, const std::string& warning);

}  // namespace headlight
