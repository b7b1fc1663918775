// Values from a file, in place of a study's own.
#pragma once

#include <string>

#include "io/arrays/named_matrices.h"
#include "model/document.h"

namespace headlight {

/// Sets each named tensor to the given values: an edit of a leaf, a pin of a computed tensor. A
/// list of n numbers (read as n × 1) also fits a 1 × n tensor. Throws one Error that names every
/// value that does not fit the study, and then has changed nothing.
void set_values(Document& document, const NamedMatrices& values, const std::string& source);

}  // namespace headlight
