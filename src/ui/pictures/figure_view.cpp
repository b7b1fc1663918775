// A Figure in the window: ImGui's draw list for every mark but heatmaps, which the GPU draws.
#include "ui/pictures/figure_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "ui/compat.h"
#include "ui/pictures/content_sum.h"
#include "ui/widgets/style.h"

namespace headlight {
namespace {

// The place of the marks of one figure.
struct Canvas {
    ImDrawList& list;
    ImVec2 offset;
    float scale;
    Fonts& fonts;

    ImVec2 at(Point p) const { return {offset.x + p.x * scale, offset.y + p.y * scale}; }
};

// ImGui moves outlines by half a point towards the middle of pixels; figures place them exactly.
ImVec2 moved(ImVec2 p, float by) {
    return {p.x + by, p.y + by};
}

/// False if nothing between the two corners, and so much around them, is inside the clip.
bool may_be_seen(const Canvas& canvas, Point low, Point high, float around) {
    const ImVec2 a = canvas.at(low), b = canvas.at(high);
    const ImVec2 clip_low = canvas.list.GetClipRectMin(), clip_high = canvas.list.GetClipRectMax();
    const float more = around * canvas.scale + 1;
    return b.x + more >= clip_low.x && b.y + more >= clip_low.y && a.x - more <= clip_high.x &&
           a.y - more <= clip_high.y;
}

void draw_mark(const Canvas& canvas, const RectMark& mark) {
    if (!may_be_seen(canvas, {mark.box.x, mark.box.y}, {mark.box.right(), mark.box.bottom()},
                     mark.stroke_width))
        return;
    const ImVec2 a = canvas.at({mark.box.x, mark.box.y});
    const ImVec2 b = canvas.at({mark.box.right(), mark.box.bottom()});
    const float radius = mark.radius * canvas.scale;
    if (mark.fill.a > 0) {
        // An edge that fades would double the number of triangles; an outline may lie over it.
        const float stroke_px =
            mark.stroke_width * canvas.scale * canvas.fonts.scale().pixels_per_point;
        const bool is_edge_hidden = mark.stroke.a == 255 && stroke_px >= 1;
        const ImDrawListFlags flags = canvas.list.Flags;
        if (is_edge_hidden) canvas.list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
        canvas.list.AddRectFilled(a, b, im_color(mark.fill), radius);
        canvas.list.Flags = flags;
    }
    if (mark.stroke.a == 0 || mark.stroke_width <= 0) return;
    canvas.list.AddRect(moved(a, -0.5f), moved(b, 0.5f), im_color(mark.stroke), radius, 0,
                        mark.stroke_width * canvas.scale);
}

void draw_mark(const Canvas& canvas, const CircleMark& mark) {
    const ImVec2 center = canvas.at(mark.center);
    const float radius = mark.radius * canvas.scale;
    if (mark.fill.a > 0) canvas.list.AddCircleFilled(center, radius, im_color(mark.fill));
    if (mark.stroke.a == 0 || mark.stroke_width <= 0) return;
    canvas.list.AddCircle(center, radius + 0.5f, im_color(mark.stroke), 0,
                          mark.stroke_width * canvas.scale);
}

void draw_mark(const Canvas& canvas, const LineMark& mark) {
    canvas.list.AddLine(moved(canvas.at(mark.from), -0.5f), moved(canvas.at(mark.to), -0.5f),
                        im_color(mark.color), mark.width * canvas.scale);
}

/// Returns the number of straight parts that leave a cubic nowhere by more than a fifth of a pixel
/// (Wang's formula: the second differences of its points bound how far it bends).
int curve_parts(const Canvas& canvas, const CurveMark& mark) {
    const auto bend = [](Point a, Point b, Point c) {
        return std::hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y);
    };
    const float most = std::max(bend(mark.from, mark.control_1, mark.control_2),
                                bend(mark.control_1, mark.control_2, mark.to));
    constexpr float kTolerance_px = 0.2f;
    const float most_px = most * canvas.scale * canvas.fonts.scale().pixels_per_point;
    return 1 + static_cast<int>(std::sqrt(6 * most_px / (8 * kTolerance_px)));
}

void draw_mark(const Canvas& canvas, const CurveMark& mark) {
    const auto [left, right] =
        std::minmax({mark.from.x, mark.control_1.x, mark.control_2.x, mark.to.x});
    const auto [top, bottom] =
        std::minmax({mark.from.y, mark.control_1.y, mark.control_2.y, mark.to.y});
    if (!may_be_seen(canvas, {left, top}, {right, bottom}, mark.width)) return;
    canvas.list.AddBezierCubic(canvas.at(mark.from), canvas.at(mark.control_1),
                               canvas.at(mark.control_2), canvas.at(mark.to), im_color(mark.color),
                               mark.width * canvas.scale, curve_parts(canvas, mark));
}

void draw_mark(const Canvas& canvas, const TriangleMark& mark) {
    canvas.list.AddTriangleFilled(canvas.at(mark.a), canvas.at(mark.b), canvas.at(mark.c),
                                  im_color(mark.fill));
}

bool may_be_seen(const ImDrawList& list, ImVec2 at, float reach) {
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    return at.x + reach >= low.x && at.y + reach >= low.y && at.x - reach <= high.x &&
           at.y - reach <= high.y;
}

void draw_mark(const Canvas& canvas, const TextMark& mark) {
    const float size = mark.size * canvas.scale;
    const ImVec2 at = canvas.at(mark.at);
    // No character is wider than two ems or shorter than a byte.
    const float reach = 2 * size * static_cast<float>(mark.text.size() + 1);
    if (mark.text.empty() || mark.color.a == 0 || !may_be_seen(canvas.list, at, reach)) return;
    canvas.fonts.need_glyphs(mark.text);

    const SizedFont sized = canvas.fonts.at(mark.font, size);
    const int first = canvas.list.VtxBuffer.Size;
    compat::add_text_at_origin(canvas.list, *sized.font, sized.size, im_color(mark.color),
                               canvas.fonts.drawn_text(mark.text, mark.font));

    // Glyphs stand at the origin now: shift their baseline start there, turn, and move to `at`.
    const float baseline = compat::ascent(*sized.font, sized.size);
    const float width =
        mark.align == Align::Start ? 0 : canvas.fonts.text_width(mark.text, size, mark.font);
    const float start = mark.align == Align::Start    ? 0
                        : mark.align == Align::Middle ? -width / 2
                                                      : -width;
    const float angle = mark.angle_deg * std::numbers::pi_v<float> / 180;
    const float cosine = std::cos(angle), sine = std::sin(angle);
    const float pixels_per_point = canvas.fonts.scale().pixels_per_point;
    // Unturned text starts on a whole pixel, so that its glyphs stay sharp.
    const auto snapped = [&](float x) {
        return std::round(x * pixels_per_point) / pixels_per_point;
    };
    const ImVec2 straight{snapped(at.x + start), snapped(at.y)};
    const ImVec2 origin = mark.angle_deg == 0 ? ImVec2(straight.x - start, straight.y) : at;
    for (int i = first; i < canvas.list.VtxBuffer.Size; ++i) {
        ImVec2& p = canvas.list.VtxBuffer[i].pos;
        const float x = p.x + start, y = p.y - baseline;
        p = {origin.x + x * cosine - y * sine, origin.y + x * sine + y * cosine};
    }
}

std::uint64_t content_hash(const HeatmapMark& mark) {
    ContentSum sum;
    sum.add(static_cast<const void*>(mark.values.get()));
    for (const Box& box : {mark.box, mark.clip})
        for (const float side : {box.x, box.y, box.width, box.height}) sum.add(side);
    const ColorScale& scale = mark.scale;
    sum.add(std::span<const Color>(scale.colors));
    for (const Color* color : {&scale.nan_color, &scale.masked_color, &mark.grid_color})
        sum.add(std::span<const Color>(color, 1));
    for (const Scalar number : {scale.low, scale.high, scale.floor}) sum.add(number);
    sum.add(mark.grid_width);
    sum.add(static_cast<std::uint64_t>(scale.steps) * 2 + static_cast<std::uint64_t>(mark.far_out));
    return sum.value();
}

bool is_heatmap(const Mark& mark) {
    return std::holds_alternative<HeatmapMark>(mark);
}

}  // namespace

void FigureView::draw(const Figure& figure, ImDrawList& list, ImVec2 offset, float scale) {
    const std::span<const Mark> marks = figure.marks;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (!is_heatmap(marks[i])) {
            draw(marks[i], list, offset, scale);
            continue;
        }
        const std::size_t first = i;
        while (i + 1 < marks.size() && is_heatmap(marks[i + 1])) ++i;
        add_heatmaps(marks.subspan(first, i + 1 - first), list, offset, scale);
    }
}

void FigureView::draw(const Mark& mark, ImDrawList& list, ImVec2 offset, float scale) {
    const Canvas canvas{list, offset, scale, fonts_};
    // Edges fade over one pixel, not over one point.
    const compat::FringeWidth fringe(list, 1 / fonts_.scale().pixels_per_point);
    std::visit(
        [&](const auto& shape) {
            if constexpr (std::is_same_v<decltype(shape), const HeatmapMark&>) {
                add_heatmaps({&mark, 1}, list, offset, scale);
            } else if constexpr (std::is_same_v<decltype(shape), const PictureMark&>) {
                add_picture(shape, list, offset, scale);
            } else {
                draw_mark(canvas, shape);
            }
        },
        mark);
}

void FigureView::add_picture(const PictureMark& mark, ImDrawList& list, ImVec2 offset,
                             float scale) {
    if (!mark.pixels || mark.box.is_empty()) return;
    const GlTexture& texture = pictures_.texture(*mark.pixels);
    list.AddImage(compat::texture_id(texture.id()),
                  {offset.x + mark.box.x * scale, offset.y + mark.box.y * scale},
                  {offset.x + mark.box.right() * scale, offset.y + mark.box.bottom() * scale});
}

/// Adds all heatmaps in one call: after each, ImGui sets up OpenGL's whole state again.
void FigureView::add_heatmaps(std::span<const Mark> marks, ImDrawList& list, ImVec2 offset,
                              float scale) {
    auto call = std::make_unique<HeatmapsCall>(HeatmapsCall{this, {}});
    for (const Mark& mark : marks) {
        HeatmapMark placed = std::get<HeatmapMark>(mark);
        for (Box* box : {&placed.box, &placed.clip})
            *box = {offset.x + box->x * scale, offset.y + box->y * scale, box->width * scale,
                    box->height * scale};
        placed.grid_width *= scale;
        call->marks.push_back(std::move(placed));
    }
    list.AddCallback(draw_heatmaps, call.get());
    calls_.push_back(std::move(call));
    compat::add_reset_callback(list);
}

void FigureView::draw_heatmaps(const ImDrawList*, const ImDrawCmd* command) {
    const auto& call = *static_cast<const HeatmapsCall*>(command->UserCallbackData);
    // ImGui restores OpenGL's state after its last command, so nothing may fly past it.
    try {
        for (const HeatmapMark& mark : call.marks) call.view->draw_heatmap(mark, *command);
    } catch (...) {
        call.view->failure_ = std::current_exception();
    }
}

void FigureView::draw_heatmap(const HeatmapMark& mark, const ImDrawCmd& command) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const ImVec2 factor = data.FramebufferScale;
    const auto pixels = [&](float left, float top, float right, float bottom) {
        return Box{(left - data.DisplayPos.x) * factor.x, (top - data.DisplayPos.y) * factor.y,
                   (right - left) * factor.x, (bottom - top) * factor.y};
    };
    const Box &box = mark.box, seen = mark.seen();
    const ImVec4& clip = command.ClipRect;
    const HeatmapPlace place{pixels(box.x, box.y, box.right(), box.bottom()),
                             common_part(pixels(clip.x, clip.y, clip.z, clip.w),
                                         pixels(seen.x, seen.y, seen.right(), seen.bottom())),
                             static_cast<int>(std::lround(data.DisplaySize.x * factor.x)),
                             static_cast<int>(std::lround(data.DisplaySize.y * factor.y)),
                             factor.x};
    heatmaps_.draw(mark, place);
}

std::optional<std::vector<FigureView::DrawnHeatmap>> FigureView::drawn_heatmaps(
    const ImDrawCmd& command) {
    if (!draws_heatmaps(command)) return std::nullopt;
    const auto& call = *static_cast<const HeatmapsCall*>(command.UserCallbackData);
    std::vector<DrawnHeatmap> drawn;
    for (const HeatmapMark& mark : call.marks) drawn.push_back({content_hash(mark), mark.seen()});
    return drawn;
}

void FigureView::begin_frame() {
    calls_.clear();
    pictures_.begin_frame();
    for (const auto& texture : textures_) ++texture->unused_frames;
    std::erase_if(textures_, [](const auto& texture) { return texture->unused_frames > 2; });
}

void FigureView::draw_kept(const KeptFigure& kept, ImDrawList& list, const Box& place) {
    const float scale = fonts_.scale().pixels_per_point;
    const auto is_same = [&](const std::unique_ptr<KeptTexture>& texture) {
        const Box &a = texture->kept.part, &b = kept.part;
        return texture->kept.figure == kept.figure && texture->pixels_per_point == scale &&
               texture->kept.background == kept.background && a.x == b.x && a.y == b.y &&
               a.width == b.width && a.height == b.height;
    };
    auto found = std::ranges::find_if(textures_, is_same);
    if (found == textures_.end()) {
        const auto pixels = [&](float length) {
            return std::max(1, static_cast<int>(std::ceil(length * scale)));
        };
        textures_.push_back(std::make_unique<KeptTexture>(
            KeptTexture{kept, scale, Framebuffer(pixels(kept.part.width), pixels(kept.part.height)),
                        ++n_textures_}));
        found = textures_.end() - 1;
    }
    KeptTexture& texture = **found;
    texture.unused_frames = 0;
    const float right = kept.part.width * scale / static_cast<float>(texture.texture.width());
    const float bottom =
        1 - kept.part.height * scale / static_cast<float>(texture.texture.height());
    list.AddImage(compat::texture_id(texture.texture.texture()), {place.x, place.y},
                  {place.right(), place.bottom()}, {0, 1}, {right, bottom});
}

std::uint64_t FigureView::texture_content(const ImDrawCmd& command) const {
    ContentSum sum;
    const std::uint64_t shown = compat::texture_number(command);
    sum.add(shown);
    for (const auto& texture : textures_)
        if (texture->texture.texture() == shown) sum.add(texture->number);
    if (const auto content = pictures_.content(shown)) sum.add(*content);
    return sum.value();
}

void FigureView::draw_new_textures(const std::function<void(ImDrawData*)>& render) {
    for (const auto& texture : textures_) {
        if (texture->is_drawn) continue;
        draw_into(*texture, render);
        texture->is_drawn = true;
    }
}

/// Draws a part of the marks at a time: the corners of all of them would take much memory.
void FigureView::draw_into(const KeptTexture& texture,
                           const std::function<void(ImDrawData*)>& render) {
    constexpr std::size_t kMarksAtOnce = 20000;
    const auto& [kept, scale, target, number, is_drawn, unused] = texture;
    target.bind();
    clear_box({0, 0, static_cast<float>(target.width()), static_cast<float>(target.height())},
              target.height(), kept.background);
    const ImVec2 size{static_cast<float>(target.width()) / scale,
                      static_cast<float>(target.height()) / scale};
    const std::span<const Mark> marks = kept.figure->marks;
    for (std::size_t i = 0; i < marks.size(); i += kMarksAtOnce) {
        compat::OffscreenDrawList alone({kept.part.x, kept.part.y}, size, scale);
        for (const Mark& mark : marks.subspan(i, std::min(kMarksAtOnce, marks.size() - i)))
            draw(mark, alone.list(), {0, 0}, 1);
        render(&alone.finish());
    }
}

void FigureView::end_frame() {
    drawn_.clear();
    for (const auto& call : calls_)
        for (const HeatmapMark& mark : call->marks) drawn_.push_back(mark.values);
    heatmaps_.end_frame();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace headlight
