#include "ui/lone_draw_list.h"

#include <cstdint>

namespace headlight::compat {

ImTextureID texture_id(unsigned texture) {
    return (ImTextureID)(std::intptr_t)texture;  // a number or a pointer, by version
}

LoneDrawList::LoneDrawList(ImVec2 low, ImVec2 size, float scale)
    : list_(ImGui::GetDrawListSharedData()), lists_{&list_} {
    list_._ResetForNewFrame();
#if IMGUI_VERSION_NUM >= 19200
    list_.PushTexture(ImGui::GetIO().Fonts->TexRef);
#else
    list_.PushTextureID(ImGui::GetIO().Fonts->TexID);
#endif
    list_.PushClipRect(low, {low.x + size.x, low.y + size.y});
    data_.Valid = true;
    data_.DisplayPos = low;
    data_.DisplaySize = size;
    data_.FramebufferScale = {scale, scale};
}

ImDrawData& LoneDrawList::finish() {
#if IMGUI_VERSION_NUM >= 18980
    data_.AddDrawList(&list_);
#else
    data_.CmdLists = lists_;
    data_.CmdListsCount = 1;
    data_.TotalVtxCount = list_.VtxBuffer.Size;
    data_.TotalIdxCount = list_.IdxBuffer.Size;
#endif
    return data_;
}

}  // namespace headlight::compat
