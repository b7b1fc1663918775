// The words of a task as data: its question, choices and hints, read and filled like the text of a
// page.
#pragma once

#include <string>
#include <vector>

#include "lecture/page/page_text.h"
#include "lecture/tasks/task.h"

namespace headlight {

struct TaskText {
    PageText question;                   // bold
    std::vector<PageText> choices = {};  // in the order of the file; or names to be put in order
    std::vector<PageText> hints = {};
};

/// Throws Error with the line of what cannot be read.
TaskText read_task_text(const PageTask& task, const std::string& source_name,
                        Faults* faults = nullptr);

/// The expressions whose values are to be filled in.
std::vector<Expression> expressions_in(const TaskText& text);

/// With values in place of expressions, as the text of a page is filled.
TaskText fill(TaskText text, const ExpressionScope& scope, Faults* faults = nullptr);
TaskText without_values(TaskText text);

/// What is to be put in order, as the row has it. Throws Error as asked_value does.
std::vector<PageText> names_to_order(const PageTask& task, const ExpressionScope& scope);

/// Words that are no markup, as a text.
PageText plain_words(std::string words);

}  // namespace headlight
