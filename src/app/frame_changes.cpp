#include "app/frame_changes.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include "ui/pictures/content_sum.h"
#include "ui/pictures/figure_view.h"

namespace headlight {
namespace {

// The fixed cost of drawing a box, in pixels.
constexpr float kCostOfBox_px = 15000;
// The share of the window beyond which boxes save nothing.
constexpr float kLargestShare = 0.7f;

float area(const Box& box) {
    return box.width * box.height;
}

Box around_both(const Box& a, const Box& b) {
    const float left = std::min(a.x, b.x), top = std::min(a.y, b.y);
    return {left, top, std::max(a.right(), b.right()) - left,
            std::max(a.bottom(), b.bottom()) - top};
}

/// Returns a box of pixels of the target from points of the window.
Box pixel_box(const ImDrawData& data, ImVec2 low, ImVec2 high) {
    const ImVec2 from = data.DisplayPos, scale = data.FramebufferScale;
    return {(low.x - from.x) * scale.x, (low.y - from.y) * scale.y, (high.x - low.x) * scale.x,
            (high.y - low.y) * scale.y};
}

Box whole_pixels(const Box& box) {
    const float left = std::floor(box.x), top = std::floor(box.y);
    return {left, top, std::ceil(box.right()) - left, std::ceil(box.bottom()) - top};
}

bool is_on_pixels(const Box& box) {
    return box.x == std::round(box.x) && box.y == std::round(box.y) &&
           box.width == std::round(box.width) && box.height == std::round(box.height);
}

/// Adds a box, merging boxes that are cheaper to draw as one.
void add_box(ChangedBoxes& boxes, Box box) {
    for (std::size_t i = 0; i < boxes.size();) {
        const Box both = around_both(boxes[i], box);
        if (area(both) > area(boxes[i]) + area(box) + kCostOfBox_px) {
            ++i;
            continue;
        }
        box = both;
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;  // it may reach boxes that the smaller one did not
    }
    boxes.push_back(box);
}

/// False for the command that restores ImGui's state after heatmaps.
bool draws(const ImDrawCmd& command) {
    return !command.UserCallback || FigureView::draws_heatmaps(command);
}

/// A run of triangles that share no vertex with those around them: a rectangle, a letter, a line.
struct Shape {
    std::span<const ImDrawIdx> indices;
    ImDrawIdx first = 0, last = 0;  // vertices, counted from the command's
};

/// Splits at vertices: ImGui gives each shape vertices of its own, one shape's after the other's.
std::vector<Shape> split_shapes(const ImDrawList& list, const ImDrawCmd& command) {
    const ImDrawIdx* const indices = list.IdxBuffer.Data + command.IdxOffset;
    std::vector<Shape> shapes;
    std::size_t begin = 0;
    for (std::size_t i = 0; i + 2 < command.ElemCount; i += 3) {
        const auto [low, high] = std::minmax({indices[i], indices[i + 1], indices[i + 2]});
        if (shapes.empty() || low > shapes.back().last) {
            begin = i;
            shapes.push_back({{}, low, high});
        }
        Shape& shape = shapes.back();
        shape.first = std::min(shape.first, low);
        shape.last = std::max(shape.last, high);
        shape.indices = {indices + begin, i + 3 - begin};
    }
    return shapes;
}

/// Adds everything that a shape looks like to the sum. Returns the pixels around it.
Box sum_shape(ContentSum& sum, const ImDrawData& data, const ImDrawVert* vertices,
              const Shape& shape) {
    const std::span<const ImDrawVert> corners(vertices + shape.first,
                                              std::size_t(shape.last - shape.first) + 1);
    sum.add(corners);
    // Indices count from the first corner: vertices inserted before it move all of them.
    for (const ImDrawIdx index : shape.indices) sum.add(std::uint64_t(index - shape.first));
    ImVec2 low = corners.front().pos, high = low;
    for (const ImDrawVert& corner : corners) {
        low = {std::min(low.x, corner.pos.x), std::min(low.y, corner.pos.y)};
        high = {std::max(high.x, corner.pos.x), std::max(high.y, corner.pos.y)};
    }
    return pixel_box(data, low, high);
}

}  // namespace

void FrameChanges::add_command(Frame& frame, const ImDrawData& data, const ImDrawList& list,
                               const ImDrawCmd& command) const {
    if (!draws(command)) return;
    const ImVec4& clip = command.ClipRect;
    const Box window{0, 0, static_cast<float>(frame.width), static_cast<float>(frame.height)};
    const Box clip_px = common_part(pixel_box(data, {clip.x, clip.y}, {clip.z, clip.w}), window);
    frame.is_on_pixels &= is_on_pixels(clip_px);
    ContentSum common;
    for (const float edge : {clip.x, clip.y, clip.z, clip.w}) common.add(edge);
    const auto add = [&](const ContentSum& sum, const Box& box_px) {
        const Box box = common_part(whole_pixels(box_px), clip_px);
        if (!box.is_empty()) frame.shapes.push_back({sum.value(), box});
    };
    if (const auto heatmaps = FigureView::drawn_heatmaps(command)) {
        for (const auto& [content, box] : *heatmaps) {
            ContentSum sum = common;
            sum.add(content);
            add(sum, pixel_box(data, {box.x, box.y}, {box.right(), box.bottom()}));
        }
        return;
    }
    common.add(texture_content_(command));
    const ImDrawVert* const vertices = list.VtxBuffer.Data + command.VtxOffset;
    for (const Shape& shape : split_shapes(list, command)) {
        ContentSum sum = common;
        const Box box = sum_shape(sum, data, vertices, shape);
        add(sum, box);
    }
}

FrameChanges::Frame FrameChanges::read_frame(const ImDrawData& data,
                                             std::uint64_t background) const {
    Frame frame;
    frame.background = background;
    frame.width = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x);
    frame.height = static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y);
    // ImGui's renderer cuts fractions off: only whole numbers survive the way there and back.
    const float scale = data.FramebufferScale.x;
    frame.is_on_pixels =
        scale == std::round(scale) && data.DisplayPos.x == 0 && data.DisplayPos.y == 0;
    for (int l = 0; l < data.CmdListsCount; ++l)
        for (const ImDrawCmd& command : data.CmdLists[l]->CmdBuffer)
            add_command(frame, data, *data.CmdLists[l], command);
    return frame;
}

std::optional<ChangedBoxes> FrameChanges::next(const ImDrawData& data, std::uint64_t background) {
    Frame now = read_frame(data, background);
    const Frame before = std::exchange(last_, std::move(now));
    if (!last_.is_on_pixels || last_.background != before.background ||
        last_.width != before.width || last_.height != before.height)
        return std::nullopt;

    std::unordered_map<std::uint64_t, int> counts;  // positive: only before
    for (const DrawnShape& shape : before.shapes) ++counts[shape.content];
    ChangedBoxes boxes;
    std::vector<std::uint64_t> kept;
    for (const DrawnShape& shape : last_.shapes) {
        if (--counts[shape.content] >= 0)
            kept.push_back(shape.content);
        else
            add_box(boxes, shape.box);
    }
    // The first of several commands with equal content stay, on both sides.
    std::size_t k = 0;
    std::unordered_map<std::uint64_t, int> left;
    for (const std::uint64_t content : kept) ++left[content];
    for (const DrawnShape& shape : before.shapes) {
        if (--left[shape.content] < 0) {
            add_box(boxes, shape.box);
        } else if (kept[k++] != shape.content) {
            return std::nullopt;  // one that was under another is over it now
        }
    }
    float changed = 0;
    for (const Box& box : boxes) changed += area(box);
    const float all = static_cast<float>(last_.width) * static_cast<float>(last_.height);
    if (changed > kLargestShare * all) return std::nullopt;
    return boxes;
}

ClippedDrawData::ClippedDrawData(ImDrawData& data, const Box& box_px)
    : data_(data), whole_(static_cast<std::size_t>(data.CmdListsCount)) {
    const float scale = data.FramebufferScale.x;
    const Box box{box_px.x / scale, box_px.y / scale, box_px.width / scale, box_px.height / scale};
    for (int l = 0; l < data.CmdListsCount; ++l) {
        ImVector<ImDrawCmd>& kept = whole_[static_cast<std::size_t>(l)];
        for (ImDrawCmd command : data.CmdLists[l]->CmdBuffer) {
            ImVec4& clip = command.ClipRect;
            const Box seen = common_part({clip.x, clip.y, clip.z - clip.x, clip.w - clip.y}, box);
            if (draws(command)) {
                if (seen.is_empty()) continue;
                clip = {seen.x, seen.y, seen.right(), seen.bottom()};
            } else if (kept.empty() || !FigureView::draws_heatmaps(kept.back())) {
                continue;  // there is nothing to recover from
            }
            kept.push_back(command);
        }
        data.CmdLists[l]->CmdBuffer.swap(kept);
    }
}

ClippedDrawData::~ClippedDrawData() {
    for (int l = 0; l < data_.CmdListsCount; ++l)
        data_.CmdLists[l]->CmdBuffer.swap(whole_[static_cast<std::size_t>(l)]);
}

}  // namespace headlight
