// The look of ImGui's own widgets, from the theme.
#pragma once

#include <imgui.h>

#include "paint/theme.h"

namespace headlight {

void apply_style(const Theme& theme);

inline ImU32 im_color(Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}
inline ImVec4 im_vec(Color c) {
    return ImGui::ColorConvertU32ToFloat4(im_color(c));
}

}  // namespace headlight
