// One matrix with its labels as a table of a paper: LaTeX, Markdown. Numbers are rounded as on the
// screen.
#pragma once

#include <string>

#include "core/steps.h"
#include "core/trace.h"

namespace headlight {

/// A tabular for \input, without any package; path and equation stand in a comment before it.
/// The tensor must have values.
std::string write_latex_table(const Trace& trace, const Tensor& tensor, const Steps& steps = {});

/// A table as GitHub and Pandoc read it. The tensor must have values.
std::string write_markdown_table(const Trace& trace, const Tensor& tensor, const Steps& steps = {});

}  // namespace headlight
