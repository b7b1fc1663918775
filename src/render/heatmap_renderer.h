// Heatmaps on the GPU: one rectangle, a value texture, a colour table and a shader. Small ones are
// coloured before, see heatmap_pixels.h.
//
// Goals: no work per cell and frame; every pixel has exactly the colour that paint gives the value
// under it; far out, the strongest value that the pixel covers, so that no peak is ever lost.
// Not goals: labels, legends, selection marks (those are other marks of the figure).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "figure/figure.h"
#include "render/gl_handles.h"
#include "render/heatmap_pixels.h"
#include "render/shader_program.h"
#include "render/value_textures.h"

namespace headlight {

class ColorTables {
  public:
    /// Returns the scale's table, valid until the next call. The scale has 256 colours.
    const GlTexture& texture(const ColorScale& scale);

  private:
    struct Table {
        std::vector<Color> colors;  // 258
        GlTexture texture;
        std::int64_t last_use = 0;
    };

    Table& oldest_or_new();

    std::vector<Table> tables_;
    std::int64_t n_uses_ = 0;
};

/// The place of a heatmap. Everything is in pixels of the target, y down.
struct HeatmapPlace {
    Box box;
    Box clip;  // nothing is drawn outside
    int target_width = 0, target_height = 0;
    float pixels_per_point = 1;  // for the width of the grid
};

/// Lines are left out along an axis whose cells are narrower than this many pixels.
inline constexpr float kSmallestGridCell_px = 4;

/// Returns how a pixel along the axis reads the cells. `largest` is the largest number of texels
/// that a texture may have along the axis.
AxisSampling axis_sampling(Index n_cells, float size_px, Index largest);

/// The way in which the pixels of a heatmap read its cells.
struct HeatmapSampling {
    AxisSampling x, y;
    std::array<float, 2> grid_px{0, 0};  // width of the lines between the cells

    bool is_pooled() const { return x.pool_steps > 0 || y.pool_steps > 0; }
    bool has_grid() const { return grid_px[0] > 0 || grid_px[1] > 0; }
};

struct HeatmapStats {
    int n_matrices = 0, n_uploads = 0;
    std::size_t size_bytes = 0;
};

class HeatmapRenderer {
  public:
    static constexpr std::size_t kBudget_bytes = std::size_t(1) << 30;
    /// A heatmap without a grid is small if it has no more pixels than this.
    static constexpr float kSmall_px2 = 256 * 256;

    /// The context is current, here and in every other call, the destructor's included.
    explicit HeatmapRenderer(std::size_t budget_bytes = kBudget_bytes,
                             float small_px2 = kSmall_px2);

    /// Draws into the framebuffer that is bound. Leaves texture unit 0 active, blending off and
    /// its own program, vertex array and scissor set. Throws Error if a shader does not compile, or
    /// if the scale does not have 256 colours.
    void draw(const HeatmapMark& mark, const HeatmapPlace& place);

    /// Called once after each frame: lets go of what is not drawn any more, looks for changed
    /// shaders.
    void end_frame();

    HeatmapStats stats() const;
    const std::string& shader_error() const { return shaders_.error(); }
    bool has_live_shaders() const { return shaders_.is_live(); }  // they may change at any time

  private:
    void use_pixels(const HeatmapMark& mark, const HeatmapPlace& place,
                    const HeatmapSampling& sampling);
    void use_values(const HeatmapMark& mark, const HeatmapPlace& place,
                    const HeatmapSampling& sampling);

    ShaderStore shaders_;
    ValueTextures values_;
    ColorTables colors_;
    GlVertexArray no_vertices_;  // core profiles need one, even for vertices without attributes
    Index largest_texture_ = 0;
    float small_px2_;
};

}  // namespace headlight
