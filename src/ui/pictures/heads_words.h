// What is said around the pictures of all heads: of their colour scale, and why there are none.
#pragma once

#include <string>
#include <vector>

#include "scene/figures/listed_heads.h"
#include "ui/panel.h"

namespace headlight {

/// A line where the colours of all heads show little, or are others than usual.
void draw_heads_scale(PanelContext& context, const std::vector<ListedHead>& heads, float margin);

/// In place of the heads: why there are none.
void hint_in(PanelContext& context, Box box, const std::string& text);

}  // namespace headlight
