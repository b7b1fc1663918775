// The goal of a page: whether it is reached, and by changes that the page allows.
//
// Goals: one verdict for the slide, `headlight check` and `headlight grade`. Not goals: how a study
// comes to be as it is (ui, answers.h).
#pragma once

#include <optional>

#include "present/page/page_view.h"
#include "present/tasks/task.h"

namespace headlight {

/// Judges whether the condition holds in the page's study as it is now, evaluated for it
/// (PageScope). Numbers that were set by hand count only where the page lets one set them:
///   - the cell of a slider, and heads that can be switched off;
///   - a matrix that the task's solution sets;
///   - the matrix that the page shows: inputs (weights, embeddings, a mask), and on a page without
///     controls a computed one as well, unless the goal reads it.
/// Numbers that the page as it is written has set are no change. Throws Error as holds() does.
Verdict judge_goal(const PageSource& source, const OpenPage& page, const PageTask& task);

/// Returns the number that the goal compares first: of `pattern[it, cat] > 0.5`, the cell. It is
/// absent where the goal compares no single number, or that has no value now.
std::optional<double> goal_number(const PageTask& task, const ExpressionScope& scope);

}  // namespace headlight
