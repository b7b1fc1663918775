#include "ui/presentation/laser.h"

#include <algorithm>
#include <imgui.h>

namespace headlight {
namespace {

constexpr double kTrail_secs = 0.45;
constexpr float kRadius = 5, kGlow = 13;  // of a window of 800 points' height
constexpr int kRings = 6;

ImU32 red(float strength) {
    return IM_COL32(255, 30, 45, static_cast<int>(255 * strength));
}

}  // namespace

bool Laser::draw() {
    if (!is_on_) return false;
    const ImGuiIO& io = ImGui::GetIO();
    const double now = ImGui::GetTime();
    while (!trail_.empty() && now - trail_.front().when_secs > kTrail_secs) trail_.pop_front();
    if (!ImGui::IsMousePosValid()) return !trail_.empty();
    const ImVec2 at = io.MousePos;
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) trail_.push_back({{at.x, at.y}, now});
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float scale = io.DisplaySize.y / 800;
    for (std::size_t i = 1; i < trail_.size(); ++i) {
        const Point a = trail_[i - 1].at, b = trail_[i].at;
        const auto left = static_cast<float>(1 - (now - trail_[i].when_secs) / kTrail_secs);
        list.AddLine({a.x, a.y}, {b.x, b.y}, red(0.55f * left), 2 * kRadius * scale * left);
    }
    for (int ring = kRings; ring > 0; --ring)
        list.AddCircleFilled(
            at, scale * (kRadius + (kGlow - kRadius) * static_cast<float>(ring) / kRings),
            red(0.07f));
    list.AddCircleFilled(at, kRadius * scale, red(0.95f));
    list.AddCircleFilled(at, 0.4f * kRadius * scale, IM_COL32(255, 225, 225, 255));
    return trail_.size() > 1;
}

}  // namespace headlight
