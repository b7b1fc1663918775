// One matrix with its labels, or a table, as papers have them: LaTeX, Markdown. Numbers are rounded
// as on the screen.
#pragma once

#include <string>

#include "core/progress.h"
#include "core/trace.h"
#include "io/text/table.h"

namespace headlight {

/// Writes a tabular for \input, without any package; path and equation stand in a comment before
/// it. The tensor must have values.
std::string write_latex_table(const Trace& trace, const Tensor& tensor, const Steps& steps = {});

/// Writes a table as GitHub and Pandoc read it. The tensor must have values.
std::string write_markdown_table(const Trace& trace, const Tensor& tensor, const Steps& steps = {});

/// Writes a table; its caption stands in the comment. A cell without a number is empty.
std::string write_latex_table(const Table& table, const Steps& steps = {});
std::string write_markdown_table(const Table& table, const Steps& steps = {});

}  // namespace headlight
