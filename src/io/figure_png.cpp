// A figure as PNG bytes, drawn with Cairo and Pango.
#include "io/figure_png.h"

#include <algorithm>
#include <cairo.h>
#include <cmath>
#include <memory>
#include <numbers>
#include <pango/pangocairo.h>

#include "core/error.h"
#include "paint/cell_grid.h"
#include "paint/color_scale.h"

namespace headlight {
namespace {

constexpr int kLargestSide = 32767;  // Cairo's limit

template <auto release>
struct Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using SurfacePtr = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using ContextPtr = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using LayoutPtr = std::unique_ptr<PangoLayout, Release<g_object_unref>>;
using FontOptionsPtr = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;
using DescriptionPtr = std::unique_ptr<PangoFontDescription, Release<pango_font_description_free>>;

SurfacePtr make_surface(int width, int height) {
    SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        throw Error("png", "no picture of " + std::to_string(width) + " × " +
                               std::to_string(height) + " pixels can be made");
    return surface;
}

const char* description_of(Font font) {
    switch (font) {
        case Font::Regular:
            return "Inter, DejaVu Sans, sans-serif";
        case Font::Bold:
            return "Inter, DejaVu Sans, sans-serif Bold";
        case Font::Math:
            return "DejaVu Serif, serif Italic";
        case Font::Mono:
            return "DejaVu Sans Mono, monospace";
    }
    return "sans-serif";
}

/// The words at an arrow stay on their sides, also when they are written from right to left: an
/// invisible left-to-right mark stands before and behind it.
std::string with_sided_arrows(std::string text) {
    constexpr std::string_view kMark = "\u200e";
    for (const std::string_view arrow : {" → ", " ← "})
        for (std::size_t at = 0; (at = text.find(arrow, at)) != std::string::npos;) {
            text.insert(at + arrow.size(), kMark);
            text.insert(at, kMark);
            at += arrow.size() + 2 * kMark.size();
        }
    return text;
}

/// One line of text. Nothing is hinted or rounded, so that every scale gives the same places.
LayoutPtr make_line(cairo_t* cairo, const std::string& text, float size, Font font) {
    LayoutPtr layout(pango_cairo_create_layout(cairo));
    PangoContext* context = pango_layout_get_context(layout.get());
    const FontOptionsPtr options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options.get());
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    const DescriptionPtr description(pango_font_description_from_string(description_of(font)));
    pango_font_description_set_absolute_size(description.get(), size * PANGO_SCALE);
    pango_layout_set_font_description(layout.get(), description.get());
    pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    pango_layout_set_auto_dir(layout.get(), FALSE);
    const std::string sided = with_sided_arrows(text);
    const std::unique_ptr<char, Release<g_free>> valid(
        g_utf8_make_valid(sided.data(), static_cast<gssize>(sided.size())));
    pango_layout_set_text(layout.get(), valid.get(), -1);
    return layout;
}

double line_width(PangoLayout* line) {
    PangoRectangle extents;
    pango_layout_get_extents(line, nullptr, &extents);
    return static_cast<double>(extents.width) / PANGO_SCALE;
}

/// Which of the cells that share a pixel is shown: NaN before all numbers, masked cells last.
Scalar rank(Scalar value) {
    if (std::isnan(value)) return std::numeric_limits<Scalar>::infinity();
    return value == kMasked ? Scalar(-1) : std::abs(value);
}

struct CellBlock {
    Index first_row, last_row, first_column, last_column;  // inclusive
};

Scalar strongest(const Matrix& values, const CellBlock& block) {
    Scalar best = values(block.first_row, block.first_column);
    for (Index i = block.first_row; i <= block.last_row; ++i)
        for (Index j = block.first_column; j <= block.last_column; ++j)
            if (rank(values(i, j)) > rank(best)) best = values(i, j);
    return best;
}

/// Of the numbers; NaN if one is not a number, masked if all are.
Scalar mean(const Matrix& values, const CellBlock& block) {
    double sum = 0;
    Index count = 0;
    for (Index i = block.first_row; i <= block.last_row; ++i)
        for (Index j = block.first_column; j <= block.last_column; ++j) {
            if (std::isnan(values(i, j))) return values(i, j);
            if (values(i, j) == kMasked) continue;
            sum += values(i, j);
            ++count;
        }
    return count > 0 ? static_cast<Scalar>(sum / static_cast<double>(count)) : kMasked;
}

/// At most one sample a pixel along each side.
Matrix pooled(const Matrix& values, Index rows, Index columns, FarOut far_out) {
    if (rows >= values.rows() && columns >= values.cols()) return values;
    rows = std::min(rows, values.rows());
    columns = std::min(columns, values.cols());
    const auto last = [](Index k, Index parts, Index count) {
        return std::max(k * count / parts, ((k + 1) * count + parts - 1) / parts - 1);
    };
    Matrix result(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) {
            const CellBlock block{i * values.rows() / rows, last(i, rows, values.rows()),
                                  j * values.cols() / columns, last(j, columns, values.cols())};
            result(i, j) = far_out == FarOut::Mean ? mean(values, block) : strongest(values, block);
        }
    return result;
}

/// The mark with those of its cells only that are seen.
HeatmapMark seen_cells(const HeatmapMark& mark) {
    const CellGrid grid{mark.box, mark.values->rows(), mark.values->cols(), mark.seen()};
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    HeatmapMark part = mark;
    part.values = std::make_shared<const Matrix>(
        mark.values->block(rows.first, columns.first, rows.size(), columns.size()));
    const Box corner = grid.box_of(rows.first, columns.first);
    part.box = {corner.x, corner.y, corner.width * columns.size(), corner.height * rows.size()};
    return part;
}

std::uint32_t premultiplied(Color c) {
    const auto times_alpha = [&](std::uint32_t channel) { return (channel * c.a + 127) / 255; };
    return std::uint32_t{c.a} << 24 | times_alpha(c.r) << 16 | times_alpha(c.g) << 8 |
           times_alpha(c.b);
}

SurfacePtr surface_of(const Matrix& values, const ColorScale& scale) {
    SurfacePtr surface =
        make_surface(static_cast<int>(values.cols()), static_cast<int>(values.rows()));
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (Index i = 0; i < values.rows(); ++i) {
        auto* pixels = reinterpret_cast<std::uint32_t*>(bytes + i * stride);
        for (Index j = 0; j < values.cols(); ++j)
            pixels[j] = premultiplied(color_of(scale, values(i, j)));
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

/// Draws each kind of mark; the context is in points.
class Painter {
  public:
    Painter(cairo_t* cairo, float scale) : cairo_(cairo), scale_(scale) {}

    void operator()(const RectMark& mark) {
        add_rounded(mark.box, mark.radius);
        fill_and_stroke(mark.fill, mark.stroke, mark.stroke_width);
    }

    void operator()(const CircleMark& mark) {
        cairo_new_path(cairo_);
        cairo_arc(cairo_, mark.center.x, mark.center.y, mark.radius, 0, 2 * std::numbers::pi);
        fill_and_stroke(mark.fill, mark.stroke, mark.stroke_width);
    }

    void operator()(const LineMark& mark) {
        cairo_move_to(cairo_, mark.from.x, mark.from.y);
        cairo_line_to(cairo_, mark.to.x, mark.to.y);
        fill_and_stroke({0, 0, 0, 0}, mark.color, mark.width);
    }

    void operator()(const CurveMark& mark) {
        cairo_move_to(cairo_, mark.from.x, mark.from.y);
        cairo_curve_to(cairo_, mark.control_1.x, mark.control_1.y, mark.control_2.x,
                       mark.control_2.y, mark.to.x, mark.to.y);
        fill_and_stroke({0, 0, 0, 0}, mark.color, mark.width);
    }

    void operator()(const TriangleMark& mark) {
        cairo_move_to(cairo_, mark.a.x, mark.a.y);
        cairo_line_to(cairo_, mark.b.x, mark.b.y);
        cairo_line_to(cairo_, mark.c.x, mark.c.y);
        cairo_close_path(cairo_);
        fill_and_stroke(mark.fill, {0, 0, 0, 0}, 0);
    }

    void operator()(const TextMark& mark) {
        if (mark.text.empty() || !(mark.size > 0)) return;
        const LayoutPtr line = make_line(cairo_, mark.text, mark.size, mark.font);
        const double shift = mark.align == Align::Start ? 0
                             : mark.align == Align::End ? -line_width(line.get())
                                                        : -line_width(line.get()) / 2;
        cairo_save(cairo_);
        cairo_translate(cairo_, mark.at.x, mark.at.y);
        cairo_rotate(cairo_, mark.angle_deg * std::numbers::pi / 180);
        cairo_move_to(cairo_, shift,
                      -static_cast<double>(pango_layout_get_baseline(line.get())) / PANGO_SCALE);
        set_color(mark.color);
        pango_cairo_show_layout(cairo_, line.get());
        cairo_restore(cairo_);
    }

    void operator()(const HeatmapMark& mark) {
        if (!mark.values || mark.values->size() == 0) return;
        const Box seen = mark.seen();
        if (seen.is_empty()) return;
        if (mark.clip.is_empty()) return draw_heatmap(mark);
        cairo_save(cairo_);
        cairo_rectangle(cairo_, seen.x, seen.y, seen.width, seen.height);
        cairo_clip(cairo_);
        draw_heatmap(seen_cells(mark));
        cairo_restore(cairo_);
    }

  private:
    void set_color(Color c) {
        cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    }

    void fill_and_stroke(Color fill, Color stroke, float width) {
        if (fill.a > 0) {
            set_color(fill);
            cairo_fill_preserve(cairo_);
        }
        if (stroke.a > 0 && width > 0) {
            set_color(stroke);
            cairo_set_line_width(cairo_, width);
            cairo_stroke_preserve(cairo_);
        }
        cairo_new_path(cairo_);
    }

    void add_rounded(const Box& box, float radius) {
        const double r = std::clamp(radius, 0.0f, std::min(box.width, box.height) / 2);
        cairo_new_path(cairo_);
        if (r <= 0) {
            cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
            return;
        }
        constexpr double quarter = std::numbers::pi / 2;
        cairo_arc(cairo_, box.right() - r, box.y + r, r, -quarter, 0);
        cairo_arc(cairo_, box.right() - r, box.bottom() - r, r, 0, quarter);
        cairo_arc(cairo_, box.x + r, box.bottom() - r, r, quarter, 2 * quarter);
        cairo_arc(cairo_, box.x + r, box.y + r, r, 2 * quarter, 3 * quarter);
        cairo_close_path(cairo_);
    }

    Index pixels(float points) const {
        const auto count = static_cast<Index>(std::ceil(points * scale_));
        return std::clamp<Index>(count, 1, kLargestSide);
    }

    void draw_heatmap(const HeatmapMark& mark) {
        draw_cells(mark);
        if (mark.grid_width > 0) draw_grid(mark);
    }

    void draw_cells(const HeatmapMark& mark) {
        const Matrix values =
            pooled(*mark.values, pixels(mark.box.height), pixels(mark.box.width), mark.far_out);
        const SurfacePtr surface = surface_of(values, mark.scale);
        cairo_save(cairo_);
        cairo_translate(cairo_, mark.box.x, mark.box.y);
        cairo_scale(cairo_, mark.box.width / values.cols(), mark.box.height / values.rows());
        cairo_set_source_surface(cairo_, surface.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        cairo_pattern_set_extend(cairo_get_source(cairo_), CAIRO_EXTEND_PAD);
        cairo_rectangle(cairo_, 0, 0, values.cols(), values.rows());
        cairo_fill(cairo_);
        cairo_restore(cairo_);
    }

    void draw_grid(const HeatmapMark& mark) {
        const Box& box = mark.box;
        const float column = box.width / mark.values->cols(),
                    row = box.height / mark.values->rows();
        cairo_new_path(cairo_);
        for (Index j = 1; j < mark.values->cols(); ++j) {
            cairo_move_to(cairo_, box.x + j * column, box.y);
            cairo_line_to(cairo_, box.x + j * column, box.bottom());
        }
        for (Index i = 1; i < mark.values->rows(); ++i) {
            cairo_move_to(cairo_, box.x, box.y + i * row);
            cairo_line_to(cairo_, box.right(), box.y + i * row);
        }
        fill_and_stroke({0, 0, 0, 0}, mark.grid_color, mark.grid_width);
    }

    cairo_t* cairo_;
    float scale_;
};

int side_of(float points, float scale) {
    const float side = std::ceil(points * scale - 1e-3f);
    if (!(side >= 1) || side > kLargestSide)
        throw Error("png",
                    "a side of " + std::to_string(side) +
                        " pixels is not possible; use 1 to 32767 (change the size or scale)");
    return static_cast<int>(side);
}

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string png_of(const Figure& figure, float scale, Color ground) {
    const SurfacePtr surface =
        make_surface(side_of(figure.width, scale), side_of(figure.height, scale));
    const ContextPtr cairo(cairo_create(surface.get()));
    cairo_set_source_rgba(cairo.get(), ground.r / 255.0, ground.g / 255.0, ground.b / 255.0,
                          ground.a / 255.0);
    cairo_paint(cairo.get());
    cairo_scale(cairo.get(), scale, scale);
    cairo_set_line_join(cairo.get(), CAIRO_LINE_JOIN_MITER);
    Painter painter(cairo.get(), scale);
    for (const Mark& mark : figure.marks) std::visit(painter, mark);
    std::string bytes;
    if (cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes) !=
        CAIRO_STATUS_SUCCESS)
        throw Error("png", "the picture could not be encoded");
    return bytes;
}

MeasureText pango_measure() {
    const std::shared_ptr<cairo_t> cairo(cairo_create(make_surface(1, 1).get()), cairo_destroy);
    return [cairo](const std::string& text, float size, Font font) {
        return static_cast<float>(line_width(make_line(cairo.get(), text, size, font).get()));
    };
}

}  // namespace headlight
