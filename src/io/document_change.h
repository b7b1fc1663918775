// What makes one document of another, as JSON: only the parts that differ, and of long parts only
// the middle that differs.
#pragma once

#include <string>

#include "io/json_view.h"
#include "model/document.h"

namespace headlight {

/// Null: nothing was before.
std::string write_change(const Document* before, const Document& after);

/// read_change(before, write_change(before, after)) == after. Throws Error if it is not a change of
/// this document.
Document read_change(const Document* before, const JsonView& change);

}  // namespace headlight
