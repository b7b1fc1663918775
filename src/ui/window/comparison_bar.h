// The bar over two that are compared: which, how they are shown, and how far apart they are.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Into the current window from its cursor on, and moves the cursor below.
void draw_comparison_bar(PanelContext& context);

/// Holds the chosen tensor of A at B's values, as an edit. Throws Error if B has none.
Edit patch_from_b(const Comparison& comparison, const std::string& path);

}  // namespace headlight
