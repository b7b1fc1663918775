// Values as JSON, for programs without a reader of binary formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/trace.h"
#include "io/arrays/stored_array.h"

namespace headlight {

/// Writes {"path": {"rows": 2, "columns": 2, "equation": "…", "values": [[…], […]]}, …}, one row of
/// values a line, in the fewest digits that give the same number back; "-inf", "inf" and "nan" as
/// texts. The tensors must have values.
std::string write_values_json(const std::vector<const Tensor*>& tensors, const Steps& steps = {});

/// Reads such values, ordered by path. Only "values" is needed; "rows" and "columns", if there,
/// must agree.
NamedMatrices read_values_json(std::string_view bytes, const std::string& source);

}  // namespace headlight
