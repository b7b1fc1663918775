// The look of ImGui's own widgets, from the theme, and the size of everything, which the user
// chooses.
#pragma once

#include <algorithm>
#include <imgui.h>

#include "figure/theme.h"

namespace headlight {

void apply_style(const Theme& theme);

inline ImU32 im_color(Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}
inline ImVec4 im_vec(Color c) {
    return ImGui::ColorConvertU32ToFloat4(im_color(c));
}

/// The size of text and of everything else, which the user can choose.
class TextZoom {
  public:
    explicit TextZoom(float most = kMost) : most_(most) {}

    float value() const { return value_; }
    void set(float value) { value_ = std::clamp(value, kLeast, most_); }
    void enlarge() { set(value_ * kStep); }
    void shrink() { set(value_ / kStep); }

  private:
    static constexpr float kLeast = 0.75f, kMost = 3, kStep = 1.125f;

    float most_, value_ = 1;
};

}  // namespace headlight
