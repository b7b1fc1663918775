// The large picture of the window as a figure of its own, for export.
#pragma once

#include "model/document.h"
#include "paint/theme.h"
#include "ui/selection.h"

namespace headlight {

/// The chosen tensor's labelled matrix; for a graph's pattern, the graph. With the selection.
Figure chosen_figure(const Document& document, const Trace& trace, const Selection& selection,
                     const Theme& theme, const MeasureText& measure);

}  // namespace headlight
