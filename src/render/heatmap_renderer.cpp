#include "render/heatmap_renderer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::size_t kColors = 256;
constexpr std::size_t kTablesKept = 64;

// Compares the colours of a table without building one: this runs for every heatmap drawn.
bool same_colors(const std::vector<Color>& table, const ColorScale& scale) {
    return table[kColors] == scale.nan_color && table[kColors + 1] == scale.masked_color &&
           std::equal(scale.colors.begin(), scale.colors.end(), table.begin());
}

bool lets_through(Color color) {
    return color.a != 255;
}

}  // namespace

const GlTexture& ColorTables::texture(const ColorScale& scale) {
    ++n_uses_;
    for (Table& table : tables_) {
        if (!same_colors(table.colors, scale)) continue;
        table.last_use = n_uses_;
        return table.texture;
    }
    Table& table = oldest_or_new();
    table.colors = scale.colors;
    table.colors.push_back(scale.nan_color);
    table.colors.push_back(scale.masked_color);
    table.texture = make_texture(kColorTexture, kColors + 2, 1, table.colors.data());
    table.last_use = n_uses_;
    return table.texture;
}

ColorTables::Table& ColorTables::oldest_or_new() {
    if (tables_.size() < kTablesKept) return tables_.emplace_back();
    return *std::min_element(tables_.begin(), tables_.end(), [](const Table& a, const Table& b) {
        return a.last_use < b.last_use;
    });
}

namespace {

HeatmapSampling make_sampling(const HeatmapMark& mark, const HeatmapPlace& place, Index largest) {
    const Index columns = mark.values->cols(), rows = mark.values->rows();
    HeatmapSampling sampling{axis_sampling(columns, place.box.width, largest),
                             axis_sampling(rows, place.box.height, largest)};
    const float line_px = mark.grid_width * place.pixels_per_point;
    const auto line_at = [line_px](float size_px, Index n) {
        return size_px >= kSmallestGridCell_px * static_cast<float>(n) ? line_px : 0;
    };
    sampling.grid_px = {line_at(place.box.width, columns), line_at(place.box.height, rows)};
    return sampling;
}

FarOut used_far_out(const HeatmapMark& mark, const HeatmapSampling& sampling) {
    return sampling.is_pooled() ? mark.far_out : FarOut::Strongest;
}

/// Returns the edge as OpenGL sees it, with eight bits of a pixel.
float seen_edge(float edge) {
    return std::round(edge * 256) / 256;
}

/// Returns the first pixel whose centre is right of an edge, or on it. OpenGL counts rows from
/// below, so first_row leaves out a centre that is on the edge.
float first_column(float edge) {
    return std::ceil(seen_edge(edge) - 0.5f);
}
float first_row(float edge) {
    return std::floor(seen_edge(edge) - 0.5f) + 1;
}

PixelAxis columns_of(const Box& box, const AxisSampling& sampling) {
    const float first = first_column(box.x);
    return {box.x - first, box.width, static_cast<int>(first_column(box.right()) - first),
            sampling};
}

PixelAxis rows_of(const Box& box, const AxisSampling& sampling) {
    const float first = first_row(box.y);
    return {box.y - first, box.height, static_cast<int>(first_row(box.bottom()) - first), sampling};
}

// Lets only pixels be drawn whose centres are seen; OpenGL counts them from below.
void set_scissor(const Box& seen, int target_height) {
    const int left = static_cast<int>(first_column(seen.x));
    const int right = static_cast<int>(first_column(seen.right()));
    const int top = static_cast<int>(first_row(seen.y));
    const int bottom = static_cast<int>(first_row(seen.bottom()));
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, target_height - bottom, right - left, bottom - top);
}

void set_blending(const HeatmapMark& mark) {
    const ColorScale& scale = mark.scale;
    const bool is_translucent = lets_through(scale.nan_color) || lets_through(scale.masked_color) ||
                                std::any_of(scale.colors.begin(), scale.colors.end(), lets_through);
    if (is_translucent) {
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    } else {
        glDisable(GL_BLEND);
    }
}

void bind_texture(int unit, const GlTexture& texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture.id());
}

ShaderFiles shader_files(const HeatmapMark& mark, const HeatmapSampling& sampling,
                         const LevelTextures& level) {
    const auto define = [](const char* name, bool on) {
        return std::string(name) + (on ? " 1" : " 0");
    };
    return {"heatmap.vert",
            "heatmap.frag",
            {define("POOLED", sampling.is_pooled()),
             define("MEAN", used_far_out(mark, sampling) == FarOut::Mean),
             define("CLASSES", bool(level.classes)),
             define("LOG", mark.scale.steps == ColorScale::Steps::Log),
             define("GRID", sampling.has_grid())}};
}

std::array<float, 4> clip_space(const Box& box, const HeatmapPlace& place) {
    const auto x = [&](float px) { return 2 * px / static_cast<float>(place.target_width) - 1; };
    const auto y = [&](float px) { return 1 - 2 * px / static_cast<float>(place.target_height); };
    return {x(box.x), y(box.y), x(box.right()), y(box.bottom())};
}

void set_place(const ShaderProgram& program, const HeatmapPlace& place,
               const HeatmapSampling& sampling, const LevelTextures& level) {
    program.set("u_rect", clip_space(common_part(place.box, place.clip), place));
    program.set("u_origin", std::array{place.box.x, place.box.y});
    program.set("u_target_height", static_cast<float>(place.target_height));
    program.set("u_size", std::array{level.columns, level.rows});
    program.set("u_texels_per_pixel",
                std::array{sampling.x.texels_per_pixel, sampling.y.texels_per_pixel});
    if (sampling.is_pooled()) {
        program.set("u_half_footprint",
                    std::array{sampling.x.half_footprint, sampling.y.half_footprint});
    }
}

void set_colors(const ShaderProgram& program, const HeatmapMark& mark,
                const HeatmapSampling& sampling) {
    program.set("u_range", std::array{static_cast<float>(mark.scale.low),
                                      static_cast<float>(mark.scale.high)});
    if (mark.scale.steps == ColorScale::Steps::Log)
        program.set("u_floor", static_cast<float>(mark.scale.floor));
    if (!sampling.has_grid()) return;
    program.set("u_grid_px", sampling.grid_px);
    const Color grid = mark.grid_color;
    program.set("u_grid_color",
                std::array{grid.r / 255.f, grid.g / 255.f, grid.b / 255.f, grid.a / 255.f});
}

void set_textures(const ShaderProgram& program, const LevelTextures& level,
                  const GlTexture& colors) {
    program.set("t_values", 0);
    program.set("t_colors", 1);
    if (level.classes) {
        program.set("t_classes", 2);
        bind_texture(2, level.classes);
    }
    bind_texture(1, colors);
    bind_texture(0, level.values);
}

}  // namespace

AxisSampling axis_sampling(Index n_cells, float size_px, Index largest) {
    const float cells_per_pixel = static_cast<float>(n_cells) / size_px;
    const bool far_out = cells_per_pixel > 1;
    AxisSampling sampling;
    if (far_out) sampling.pool_steps = static_cast<int>(std::ceil(std::log2(cells_per_pixel)));
    // Blocks larger than the matrix say nothing more.
    while (sampling.pool_steps > 0 && halved(n_cells, sampling.pool_steps - 1) == 1) {
        --sampling.pool_steps;
    }
    while (halved(n_cells, sampling.pool_steps) > largest) ++sampling.pool_steps;
    sampling.texels_per_pixel = std::ldexp(cells_per_pixel, -sampling.pool_steps);
    sampling.half_footprint = far_out ? sampling.texels_per_pixel / 2 : 0;
    return sampling;
}

HeatmapRenderer::HeatmapRenderer(std::size_t budget_bytes, float small_px2)
    : values_(budget_bytes), small_px2_(small_px2) {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    no_vertices_ = GlVertexArray(id);
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    largest_texture_ = largest;
}

void HeatmapRenderer::draw(const HeatmapMark& mark, const HeatmapPlace& place) {
    const Box seen = common_part(place.box, place.clip);
    const bool visible = seen.width > 0 && seen.height > 0;
    if (!visible || !mark.values || mark.values->size() == 0) return;

    if (mark.scale.colors.size() != kColors)
        throw Error("colour table", "it has {} colours; it must have {}", mark.scale.colors.size(),
                    kColors);
    const HeatmapSampling sampling = make_sampling(mark, place, largest_texture_);
    if (!sampling.has_grid() && place.box.width * place.box.height <= small_px2_)
        use_pixels(mark, place, sampling);
    else
        use_values(mark, place, sampling);
    set_scissor(seen, place.target_height);
    set_blending(mark);
    glBindVertexArray(no_vertices_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
}

void HeatmapRenderer::use_pixels(const HeatmapMark& mark, const HeatmapPlace& place,
                                 const HeatmapSampling& sampling) {
    const PictureLook look{columns_of(place.box, sampling.x), rows_of(place.box, sampling.y),
                           used_far_out(mark, sampling)};
    const GlTexture& pixels = values_.picture(mark.values, look, mark.scale);
    const ShaderProgram& program = shaders_.program({"heatmap.vert", "pixels.frag", {}});
    program.use();
    const Box whole_pixels{place.box.x - look.x.start, place.box.y - look.y.start,
                           static_cast<float>(look.x.count), static_cast<float>(look.y.count)};
    program.set("u_rect", clip_space(whole_pixels, place));
    program.set("t_pixels", 0);
    bind_texture(0, pixels);
}

void HeatmapRenderer::use_values(const HeatmapMark& mark, const HeatmapPlace& place,
                                 const HeatmapSampling& sampling) {
    const LevelTextures& level = values_.level(
        mark.values, {sampling.x.pool_steps, sampling.y.pool_steps, used_far_out(mark, sampling)});
    const GlTexture& colors = colors_.texture(mark.scale);
    const ShaderProgram& program = shaders_.program(shader_files(mark, sampling, level));
    program.use();
    set_place(program, place, sampling, level);
    set_colors(program, mark, sampling);
    set_textures(program, level, colors);
}

void HeatmapRenderer::end_frame() {
    values_.end_frame();
    shaders_.reload_changed();
}

HeatmapStats HeatmapRenderer::stats() const {
    return {values_.n_matrices(), values_.n_uploads(), values_.size_bytes()};
}

}  // namespace headlight
