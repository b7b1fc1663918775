// A draw list outside of any frame, and textures of OpenGL in draw lists, for every ImGui.
#pragma once

#include <imgui.h>

namespace headlight::compat {

/// A texture of OpenGL, for ImDrawList::AddImage.
ImTextureID texture_id(unsigned texture);

/// One draw list on its own, which ImGui's renderer draws outside of any frame.
class LoneDrawList {
  public:
    /// The rectangle is in the list's own points; each of them is `scale` pixels.
    LoneDrawList(ImVec2 low, ImVec2 size, float scale);
    ImDrawList& list() { return list_; }
    ImDrawData& finish();

  private:
    ImDrawList list_;
    ImDrawList* lists_[1];
    ImDrawData data_;
};

}  // namespace headlight::compat
