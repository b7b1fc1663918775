// The sliders of a page, and its text to type: what a `control` says.
#pragma once

#include "lecture/page/page_view.h"

namespace headlight {

/// "layer.attention.temperature = 0.2:4", "embed[cat, 0] = -1:1" or "text". Throws Error if there
/// is no such thing to move, or it does not move so far.
PageControl read_control(const std::string& text, const Document& document, const Trace& trace);

/// The same setting, or the same cell by another name.
bool move_the_same(const PageControl& a, const PageControl& b, const Trace& trace);

}  // namespace headlight
