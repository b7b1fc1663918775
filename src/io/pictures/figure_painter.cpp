#include "io/pictures/figure_painter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "figure/cell_grid.h"
#include "figure/color_scale.h"
#include "io/pictures/figure_text.h"

namespace headlight {
namespace {

/// Returns the rank of a cell among those that share a pixel, of which the highest is shown: NaN
/// before all numbers, then by magnitude, whose bits are in its order; masked cells last.
std::uint32_t rank(Scalar value) {
    if (value == kMasked) return 0;
    const float magnitude = std::isnan(value) ? std::numeric_limits<float>::infinity()
                                              : static_cast<float>(std::abs(value));
    return std::bit_cast<std::uint32_t>(magnitude) + 1;
}

/// Returns the cells that share each of the `parts` pixels along an axis; a cell on a pixel's edge
/// is in two.
std::vector<IndexRange> shared_cells(Index count, Index parts) {
    std::vector<IndexRange> cells;
    for (Index k = 0; k < parts; ++k) {
        const Index first = k * count / parts;
        cells.push_back({first, std::max(first + 1, ((k + 1) * count + parts - 1) / parts)});
    }
    return cells;
}

/// Values and their ranks, side by side.
struct Ranked {
    std::vector<Scalar> values;
    std::vector<std::uint32_t> ranks;

    explicit Ranked(Index n)
        : values(static_cast<std::size_t>(n)), ranks(static_cast<std::size_t>(n)) {}
};

/// Reduces one row after the other to the strongest of each pixel's cells, the first of equals.
class RowReducer {
  public:
    RowReducer(Index n_columns, Index n_pixels)
        : pixels_(shared_cells(n_columns, n_pixels)), keys_(static_cast<std::size_t>(n_columns)) {
        for (const IndexRange& cells : pixels_) most_ = std::max(most_, cells.size());
    }

    void reduce(const Scalar* row, Ranked& best) {
        // Among equals the lower column is the larger key.
        for (std::size_t j = 0; j < keys_.size(); ++j)
            keys_[j] = std::uint64_t{rank(row[j])} << 32 | (kLast - static_cast<std::uint32_t>(j));
        for (std::size_t p = 0; p < pixels_.size(); ++p) {
            const auto [first, end] = pixels_[p];
            std::uint64_t key = keys_[static_cast<std::size_t>(first)];
            // Every pixel takes the same number of steps, repeating the last cell, so that no
            // branch is unpredictable.
            for (Index k = 1; k < most_; ++k)
                key = std::max(key, keys_[static_cast<std::size_t>(std::min(first + k, end - 1))]);
            best.values[p] = row[kLast - static_cast<std::uint32_t>(key)];
            best.ranks[p] = static_cast<std::uint32_t>(key >> 32);
        }
    }

  private:
    static constexpr std::uint32_t kLast = 0xFFFFFFFF;
    std::vector<IndexRange> pixels_;
    Index most_ = 0;  // the most cells that a pixel has
    std::vector<std::uint64_t> keys_;
};

void take_stronger(Ranked& best, const Ranked& other) {
    Scalar* values = best.values.data();
    std::uint32_t* ranks = best.ranks.data();
    const Scalar* more = other.values.data();
    const std::uint32_t* more_ranks = other.ranks.data();
    for (std::size_t j = 0; j < best.values.size(); ++j) {
        const bool is_stronger = more_ranks[j] > ranks[j];
        values[j] = is_stronger ? more[j] : values[j];
        ranks[j] = is_stronger ? more_ranks[j] : ranks[j];
    }
}

/// Reduces the cells along the rows first, each row once, then across them.
void pool_strongest(const Matrix& values, Matrix& result, const Steps& steps) {
    const auto rows = shared_cells(values.rows(), result.rows());
    RowReducer reducer(values.cols(), result.cols());
    Ranked best(result.cols()), row(result.cols()), last(result.cols());
    Index reduced = -1;  // the row that `last` is of
    for (Index i = 0; i < result.rows(); ++i) {
        const auto [first, end] = rows[static_cast<std::size_t>(i)];
        if (first == reduced)
            std::swap(best, last);
        else
            reducer.reduce(&values(first, 0), best);
        for (reduced = first; reduced + 1 < end;) {
            reducer.reduce(&values(++reduced, 0), row);
            take_stronger(best, row);
        }
        std::copy(best.values.begin(), best.values.end(), &result(i, 0));
        std::swap(last, reduced == first ? best : row);
        steps.advance(1.0 / static_cast<double>(result.rows()));
    }
}

/// Returns the mean of the numbers; NaN if a cell is NaN, masked if all are.
Scalar mean(const Matrix& values, const IndexRange& rows, const IndexRange& columns) {
    double sum = 0;
    Index count = 0;
    for (Index i = rows.first; i < rows.end; ++i)
        for (Index j = columns.first; j < columns.end; ++j) {
            if (std::isnan(values(i, j))) return values(i, j);
            if (values(i, j) == kMasked) continue;
            sum += values(i, j);
            ++count;
        }
    return count > 0 ? static_cast<Scalar>(sum / static_cast<double>(count)) : kMasked;
}

void pool_mean(const Matrix& values, Matrix& result, const Steps& steps) {
    const auto rows = shared_cells(values.rows(), result.rows());
    const auto columns = shared_cells(values.cols(), result.cols());
    for (Index i = 0; i < result.rows(); ++i) {
        for (Index j = 0; j < result.cols(); ++j)
            result(i, j) = mean(values, rows[static_cast<std::size_t>(i)],
                                columns[static_cast<std::size_t>(j)]);
        steps.advance(1.0 / static_cast<double>(result.rows()));
    }
}

}  // namespace

HeatmapMark seen_cells(const HeatmapMark& mark) {
    const CellGrid grid{mark.box, mark.values->rows(), mark.values->cols(), mark.seen()};
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    if (rows.size() == grid.rows && columns.size() == grid.columns) return mark;
    HeatmapMark part = mark;
    part.values = std::make_shared<const Matrix>(
        mark.values->block(rows.first, columns.first, rows.size(), columns.size()));
    const Box corner = grid.cell_box(rows.first, columns.first);
    part.box = {corner.x, corner.y, corner.width * columns.size(), corner.height * rows.size()};
    return part;
}

MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out,
                 const Steps& steps) {
    const Index n = values->rows(), m = values->cols();
    if (most_rows >= n && most_columns >= m) {
        steps.advance(1);
        return values;
    }
    Matrix result(std::min(most_rows, n), std::min(most_columns, m));
    far_out == FarOut::Mean ? pool_mean(*values, result, steps)
                            : pool_strongest(*values, result, steps);
    return std::make_shared<const Matrix>(std::move(result));
}

namespace {

constexpr Index kMostPixels = 32767;  // along a side: Cairo's limit
constexpr float kSeam = 0.25f;        // points by which a cell goes under its neighbours

/// The colours of a scale as pixels, each premultiplied once.
class PixelColors {
  public:
    explicit PixelColors(const ColorScale& scale)
        : scale_(scale),
          masked_(premultiplied(scale.masked_color)),
          nan_(premultiplied(scale.nan_color)) {
        for (const Color color : scale.colors) colors_.push_back(premultiplied(color));
    }

    /// Returns the same colour as value_color.
    std::uint32_t operator()(Scalar v) const {
        if (std::isnan(v)) return nan_;
        if (v == kMasked) return masked_;
        return colors_[static_cast<std::size_t>(color_index(scale_, v))];
    }

  private:
    const ColorScale& scale_;
    std::vector<std::uint32_t> colors_;
    std::uint32_t masked_, nan_;
};

SurfacePtr make_surface(const Matrix& values, const ColorScale& scale, const Steps& steps) {
    const PixelColors color(scale);
    SurfacePtr surface =
        make_pixels(static_cast<int>(values.cols()), static_cast<int>(values.rows()));
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (Index i = 0; i < values.rows(); ++i) {
        auto* pixels = reinterpret_cast<std::uint32_t*>(bytes + i * stride);
        for (Index j = 0; j < values.cols(); ++j) pixels[j] = color(values(i, j));
        steps.advance(1.0 / static_cast<double>(values.rows()));
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

SurfacePtr make_surface(const Pixels& picture) {
    SurfacePtr surface = make_pixels(picture.width, picture.height);
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < picture.height; ++y) {
        auto* row = reinterpret_cast<std::uint32_t*>(bytes + std::ptrdiff_t{y} * stride);
        for (int x = 0; x < picture.width; ++x) {
            const std::uint8_t* p = picture.at(x, y);
            const auto times_alpha = [&](int c) {
                return static_cast<std::uint32_t>((p[c] * p[3] + 127) / 255);
            };
            row[x] = std::uint32_t{p[3]} << 24 | times_alpha(0) << 16 | times_alpha(1) << 8 |
                     times_alpha(2);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

/// Draws each kind of mark.
class Painter {
  public:
    Painter(cairo_t* cairo, const PaintedOn& on, const Steps& steps)
        : cairo_(cairo), on_(on), steps_(steps) {}

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
        const TextLine line(cairo_, mark.text, mark.size, mark.font);
        const double shift = mark.align == Align::Start ? 0
                             : mark.align == Align::End ? -line.width()
                                                        : -line.width() / 2;
        cairo_save(cairo_);
        cairo_translate(cairo_, mark.at.x, mark.at.y);
        cairo_rotate(cairo_, mark.angle_deg * std::numbers::pi / 180);
        cairo_move_to(cairo_, shift, -line.baseline());
        set_color(mark.color);
        line.draw(cairo_);
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

    void operator()(const PictureMark& mark) {
        if (!mark.pixels || mark.box.is_empty()) return;
        const Pixels& pixels = *mark.pixels;
        draw_surface(make_surface(pixels).get(), mark.box, pixels.width, pixels.height);
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

    void draw_heatmap(const HeatmapMark& mark) {
        const bool is_paper = on_.background == PaintedOn::Background::Paper;
        is_paper&& mark.values->size() <= kMostVectorCells ? draw_cells(mark) : draw_image(mark);
        if (mark.grid_width > 0) draw_grid(mark);
    }

    /// Draws one rectangle a cell. A viewer smooths the edges of each, so the background would
    /// shine through between two: where nothing is transparent each goes on under the next.
    void draw_cells(const HeatmapMark& mark) {
        const Matrix& values = *mark.values;
        const CellGrid grid{mark.box, values.rows(), values.cols()};
        const bool is_opaque =
            std::ranges::all_of(mark.scale.colors, [](Color c) { return c.a == 255; }) &&
            mark.scale.masked_color.a == 255 && mark.scale.nan_color.a == 255;
        const float seam = is_opaque ? kSeam : 0;
        for (Index i = 0; i < values.rows(); ++i) {
            for (Index j = 0; j < values.cols(); ++j) {
                const Box box = grid.cell_box(i, j);
                const float right = j + 1 < values.cols() ? seam : 0;
                const float below = i + 1 < values.rows() ? seam : 0;
                set_color(value_color(mark.scale, values(i, j)));
                cairo_rectangle(cairo_, box.x, box.y, box.width + right, box.height + below);
                cairo_fill(cairo_);
            }
            steps_.advance(1.0 / static_cast<double>(values.rows()));
        }
    }

    /// Returns how many cells a side of the image may have.
    Index room_for_cells(float points) const {
        if (on_.background == PaintedOn::Background::Paper) return kMostImageCells;
        const auto count = static_cast<Index>(std::ceil(points * on_.pixels_per_point));
        return std::clamp<Index>(count, 1, kMostPixels);
    }

    void draw_image(const HeatmapMark& mark) {
        const MatrixPtr values =
            pooled(mark.values, room_for_cells(mark.box.height), room_for_cells(mark.box.width),
                   mark.far_out, steps_.part(0.5));
        const SurfacePtr surface = make_surface(*values, mark.scale, steps_.part(0.5));
        draw_surface(surface.get(), mark.box, static_cast<int>(values->cols()),
                     static_cast<int>(values->rows()));
    }

    /// Draws the pixels without smoothing.
    void draw_surface(cairo_surface_t* surface, const Box& box, int width, int height) {
        cairo_save(cairo_);
        cairo_translate(cairo_, box.x, box.y);
        cairo_scale(cairo_, box.width / static_cast<double>(width),
                    box.height / static_cast<double>(height));
        cairo_set_source_surface(cairo_, surface, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        // On paper an image that goes on beyond its edges would become a pattern.
        if (on_.background == PaintedOn::Background::Pixels)
            cairo_pattern_set_extend(cairo_get_source(cairo_), CAIRO_EXTEND_PAD);
        cairo_rectangle(cairo_, 0, 0, width, height);
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
    const PaintedOn& on_;
    Steps steps_;  // of this mark
};

}  // namespace

double drawing_work(const Mark& mark) {
    constexpr double kCellsToAMark = 100;
    const auto* heatmap = std::get_if<HeatmapMark>(&mark);
    const bool has_cells = heatmap && heatmap->values;
    return 1 + (has_cells ? static_cast<double>(heatmap->values->size()) / kCellsToAMark : 0.0);
}

double drawing_work(const Figure& figure) {
    double work = 0;
    for (const Mark& mark : figure.marks) work += drawing_work(mark);
    return work;
}

void paint_figure(cairo_t* cairo, const Figure& figure, const PaintedOn& on) {
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
    const double work = drawing_work(figure);
    for (const Mark& mark : figure.marks) {
        const Steps steps = on.steps.part(drawing_work(mark) / work);
        std::visit(Painter(cairo, on, steps), mark);
        if (!std::holds_alternative<HeatmapMark>(mark)) steps.advance(1);
    }
}

}  // namespace headlight
