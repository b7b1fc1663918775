// The change from one state to another, of a document or a text, as JSON. It has only the parts
// that differ, and only the differing middle of long parts.
#pragma once

#include <functional>
#include <string>

#include "io/text/json_view.h"
#include "model/document.h"

namespace headlight {

/// Finds weights by their checksum; null if they are not there.
using FindWeights = std::function<SharedWeights(std::uint64_t checksum)>;

/// Writes the change; `before` is null if there was no document. Weights are named by their
/// checksum, and not written.
std::string write_change(const Document* before, const Document& after);

/// Reads a change: read_change(before, write_change(before, after)) == after. Throws Error if it is
/// not a change of `before`. A study without its weights says that they are missing.
Document read_change(const Document* before, const JsonView& change, const FindWeights& find);

// The change of a text is the text, or the middle that replaces that of the text before it.
std::string write_change(const std::string* before, const std::string& after);
std::string read_change(const std::string* before, const JsonView& change, const FindWeights&);

}  // namespace headlight
