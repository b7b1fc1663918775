// A Figure in the window: ImGui's draw list for every mark but heatmaps, which the GPU draws.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <imgui.h>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "figure/figure.h"
#include "render/framebuffer.h"
#include "render/heatmap_renderer.h"
#include "render/value_textures.h"
#include "ui/fonts/fonts.h"

namespace headlight {

/// A figure without heatmaps and texts that many frames show.
struct KeptFigure {
    std::shared_ptr<const Figure> figure;
    Box part;          // its visible part, in its points
    Color background;  // the colour under it
};

class FigureView {
  public:
    /// The fonts and the renderer outlive this.
    FigureView(Fonts& fonts, HeatmapRenderer& heatmaps) : fonts_(fonts), heatmaps_(heatmaps) {}

    /// Draws within a frame: the figure's origin is at `offset` (points of the window), each of its
    /// points is `scale` points. Characters that the fonts lack are there in the next frame.
    void draw(const Figure& figure, ImDrawList& list, ImVec2 offset, float scale = 1);
    void draw(const Mark& mark, ImDrawList& list, ImVec2 offset, float scale = 1);

    /// Draws a figure that stays the same: it is drawn once, into a texture, and the texture fills
    /// the box `place` of the window.
    void draw_kept(const KeptFigure& kept, ImDrawList& list, const Box& place);

    /// Draws kept figures that are new, before a frame is rendered.
    void draw_new_textures(const std::function<void(ImDrawData*)>& render);

    /// Called before the first draw of a frame: ImGui's draw lists point at the last frame's
    /// heatmaps until then, so that they can be rendered more than once.
    void begin_frame();

    /// Called after the frame was rendered. Throws what went wrong while heatmaps were drawn.
    void end_frame();

    /// A heatmap that a command of a draw list draws. Heatmaps with the same content look the same,
    /// from one rendered frame to the next one.
    struct DrawnHeatmap {
        std::uint64_t content = 0;
        Box box;  // points of the window
    };
    static std::optional<std::vector<DrawnHeatmap>> drawn_heatmaps(const ImDrawCmd& command);
    static bool draws_heatmaps(const ImDrawCmd& command) {
        return command.UserCallback == draw_heatmaps;
    }

    /// Returns a number for the content of a command's texture. It is the same from one rendered
    /// frame to the next one, whatever was drawn between them, only where the texture looks the
    /// same.
    std::uint64_t texture_content(const ImDrawCmd& command) const;

  private:
    struct HeatmapsCall {
        FigureView* view;
        std::vector<HeatmapMark> marks;  // boxes in points of the window
    };

    static void draw_heatmaps(const ImDrawList*, const ImDrawCmd* command);
    void draw_heatmap(const HeatmapMark& mark, const ImDrawCmd& command);
    void add_picture(const PictureMark& mark, ImDrawList& list, ImVec2 offset, float scale);
    void add_heatmaps(std::span<const Mark> marks, ImDrawList& list, ImVec2 offset, float scale);

    struct KeptTexture {
        KeptFigure kept;
        float pixels_per_point = 1;
        Framebuffer texture;
        std::uint64_t number = 0;  // in the order in which they were made
        bool is_drawn = false;
        int unused_frames = 0;
    };
    void draw_into(const KeptTexture& texture, const std::function<void(ImDrawData*)>& render);

    Fonts& fonts_;
    HeatmapRenderer& heatmaps_;
    PixelTextures pictures_;
    std::vector<std::unique_ptr<KeptTexture>> textures_;
    std::uint64_t n_textures_ = 0;                      // made so far
    std::vector<std::unique_ptr<HeatmapsCall>> calls_;  // the draw lists point at them
    std::vector<MatrixPtr> drawn_;  // last: while it lives, no other matrix has its address
    std::exception_ptr failure_;
};

}  // namespace headlight
