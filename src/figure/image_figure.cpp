#include "figure/image_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kTitle = 24, kPatchGap = 28, kImageMargin = 14;
constexpr float kImageTitleSize = 12, kLeastImageTitle = 8, kImageTitleMargin = 6;

std::uint8_t color_byte(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255));
}

/// Returns a pixel's colour. One channel is grey; of more than three the first three are red, green
/// and blue.
Color pixel_color(const ImageInput& input, int pixel) {
    const float* p = input.pixels.data() + static_cast<std::ptrdiff_t>(pixel) * input.channels;
    if (input.channels < 3) return {color_byte(p[0]), color_byte(p[0]), color_byte(p[0])};
    return {color_byte(p[0]), color_byte(p[1]), color_byte(p[2])};
}

std::shared_ptr<const Pixels> pixels_of(const ImageInput& input, auto change) {
    Pixels pixels{input.columns, input.rows, {}};
    pixels.rgba.reserve(static_cast<std::size_t>(input.rows) * input.columns * 4);
    for (int i = 0; i < input.rows * input.columns; ++i) {
        const Color color = change(pixel_color(input, i));
        pixels.rgba.insert(pixels.rgba.end(), {color.r, color.g, color.b, 255});
    }
    return std::make_shared<const Pixels>(std::move(pixels));
}

Box cell_box(Box grid, Index rows, Index columns, Index row, Index column) {
    const float w = grid.width / static_cast<float>(columns),
                h = grid.height / static_cast<float>(rows);
    return {grid.x + static_cast<float>(column) * w, grid.y + static_cast<float>(row) * h, w, h};
}

/// Draws the pixels; many pixels become one picture, as many cells of a heatmap do.
void draw_pixels(Figure& figure, const ImageInput& input, Box box) {
    constexpr int kMostRects = 10'000;
    if (input.rows * input.columns > kMostRects)
        return figure.add(PictureMark{box, pixels_of(input, [](Color color) { return color; })});
    for (int i = 0; i < input.rows * input.columns; ++i)
        figure.add(
            RectMark{cell_box(box, input.rows, input.columns, i / input.columns, i % input.columns),
                     pixel_color(input, i)});
}

/// Draws the picture in pale grey, so that colours over it keep their meaning.
void draw_pale_pixels(Figure& figure, const ImageInput& input, Box box, const Theme& theme) {
    constexpr float kPictureShare = 0.5f;
    const auto pale = [&](Color color) {
        const float grey = (0.299f * color.r + 0.587f * color.g + 0.114f * color.b);
        const auto byte = static_cast<std::uint8_t>(std::lround(grey));
        return mixed(theme.card, {byte, byte, byte}, kPictureShare);
    };
    figure.add(PictureMark{box, pixels_of(input, pale)});
}

/// Makes the colours more transparent the less they stand for.
ColorScale over_picture(ColorScale scale) {
    constexpr float kStrongest = 225;
    for (std::size_t k = 0; k < scale.colors.size(); ++k) {
        const float share = static_cast<float>(k) / static_cast<float>(scale.colors.size() - 1);
        scale.colors[k].a = static_cast<std::uint8_t>(std::lround(kStrongest * std::sqrt(share)));
    }
    return scale;
}

void outline(Figure& figure, const ImageInput& input, Box grid, std::optional<Index> patch,
             Color color, float width) {
    if (!patch || *patch >= input.patch_rows * input.patch_columns) return;
    figure.add(RectMark{cell_box(grid, input.patch_rows, input.patch_columns,
                                 *patch / input.patch_columns, *patch % input.patch_columns),
                        {0, 0, 0, 0},
                        color,
                        width,
                        1});
}

void mark_patches(Figure& figure, const ImageInput& input, Box box, const Theme& theme) {
    figure.add(RectMark{box, {0, 0, 0, 0}, theme.border, 1});
    outline(figure, input, box, input.hovered, theme.text, 1.5f);
    for (const Index query : input.queries)
        outline(figure, input, box, query, theme.selection, 2.5f);
}

MatrixPtr weights_grid(const ImageInput& input) {
    Matrix grid = Matrix::Zero(input.patch_rows, input.patch_columns);
    const auto n =
        std::min<std::size_t>(input.weights.size(), static_cast<std::size_t>(grid.size()));
    std::copy_n(input.weights.begin(), n, grid.data());
    return std::make_shared<const Matrix>(std::move(grid));
}

/// Places two boxes of the image's proportions, side by side or one above the other.
void place(ImageFigure& figure, const ImageInput& input) {
    const float aspect = static_cast<float>(input.columns) / static_cast<float>(input.rows);
    const float w = input.width - 2 * kImageMargin, h = input.height - 2 * kImageMargin;
    const auto fitted = [&](float room_width, float room_height) {
        const float width = std::min(room_width, (room_height - kTitle) * aspect);
        return Point{std::max(1.0f, width), std::max(1.0f, width / aspect)};
    };
    const Point beside = fitted((w - kPatchGap) / 2, h), above = fitted(w, (h - kPatchGap) / 2);
    const bool is_beside = beside.x >= above.x;
    const Point size = is_beside ? beside : above;
    const float total_w = is_beside ? 2 * size.x + kPatchGap : size.x;
    const float total_h = is_beside ? size.y + kTitle : 2 * (size.y + kTitle) + kPatchGap / 2;
    const Point at{(input.width - total_w) / 2, (input.height - total_h) / 2 + kTitle};
    figure.image = {at.x, at.y, size.x, size.y};
    figure.attention = figure.image;
    if (is_beside)
        figure.attention.x += size.x + kPatchGap;
    else
        figure.attention.y += size.y + kTitle + kPatchGap / 2;
}

}  // namespace

std::optional<Index> ImageFigure::patch_at(Point p) const {
    for (const Box& box : {image, attention}) {
        if (!box.contains(p)) continue;
        const auto row =
            static_cast<Index>((p.y - box.y) / box.height * static_cast<float>(patch_rows));
        const auto column =
            static_cast<Index>((p.x - box.x) / box.width * static_cast<float>(patch_columns));
        return std::min(row, patch_rows - 1) * patch_columns + std::min(column, patch_columns - 1);
    }
    return std::nullopt;
}

float height_beside(const ImageInput& input, float width) {
    const float each = (width - 2 * kImageMargin - kPatchGap) / 2;
    return 2 * kImageMargin + kTitle +
           each * static_cast<float>(input.rows) / static_cast<float>(input.columns);
}

float height_above(const ImageInput& input, float width) {
    const float each = (width - 2 * kImageMargin) * static_cast<float>(input.rows) /
                       static_cast<float>(input.columns);
    return 2 * kImageMargin + 2 * (each + kTitle) + kPatchGap;
}

ImageFigure image_figure(const ImageInput& input, const Theme& theme, const MeasureText& measure) {
    ImageFigure result{
        {input.width, input.height, {}}, {}, {}, input.patch_rows, input.patch_columns};
    place(result, input);
    Figure& figure = result.figure;
    const bool is_beside = result.attention.x > result.image.x;
    const float right = input.width - kImageTitleMargin;
    // If the title over the weights has no room, the range of the scale is left out last.
    const auto title = [&](Box box, std::string text, const std::string& range, float end) {
        const float room = end - box.x;
        const auto fits = [&](const std::string& words) {
            return measure(words, kLeastImageTitle, Font::Regular) <= room;
        };
        if (!range.empty())
            text = fits(fmt::format("{}, {}", text, range)) ? fmt::format("{}, {}", text, range)
                                                            : range;
        TextMark mark{{box.x, box.y - 8}, text, kImageTitleSize, theme.muted, Font::Regular};
        // Widths are not quite in proportion to sizes.
        while (mark.size > kLeastImageTitle && measure(text, mark.size, Font::Regular) > room)
            mark.size = std::max(kLeastImageTitle, mark.size - 0.25f);
        shorten(mark, room, measure);
        figure.add(std::move(mark));
    };
    title(result.image, input.name, "", is_beside ? result.attention.x - kImageTitleMargin : right);
    draw_pixels(figure, input, result.image);
    const std::string name =
        input.weights_name.empty() ? "Point at a patch to see what it reads" : input.weights_name;
    const bool has_range = input.title.empty() && !input.weights.empty();
    title(result.attention, input.title.empty() ? name : input.title,
          has_range ? "0 to " + format_value(input.scale.high, 3) : "", right);
    const Scalar cells = static_cast<Scalar>(input.patch_columns);
    // The weights lie over the picture where it shows more than its patches do.
    const bool is_over = !input.weights.empty() && input.columns > input.patch_columns;
    if (is_over) draw_pale_pixels(figure, input, result.attention, theme);
    figure.add(HeatmapMark{.box = result.attention,
                           .values = weights_grid(input),
                           .scale = is_over ? over_picture(input.scale) : input.scale,
                           .grid_color = theme.card,
                           .grid_width = cells > 40 ? 0.0f : 1.0f});
    for (const Box& box : {result.image, result.attention}) mark_patches(figure, input, box, theme);
    return result;
}

ImageFigure image_alone(const ImageInput& input, const Theme& theme) {
    const float aspect = static_cast<float>(input.columns) / static_cast<float>(input.rows);
    const float width = std::min(input.width, input.height * aspect);
    const Box box{0, 0, width, width / aspect};
    ImageFigure result{{box.width, box.height, {}}, box, {}, input.patch_rows, input.patch_columns};
    draw_pixels(result.figure, input, box);
    mark_patches(result.figure, input, box, theme);
    return result;
}

}  // namespace headlight
