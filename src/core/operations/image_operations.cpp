// Images as rows of pixels, and the convolution that attention is compared with.
#include <algorithm>
#include <cmath>

#include "core/numeric/short_number.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

/// Returns the row of the pixel at (y, x), or of the nearest one in the image.
Index pixel_row(Index y, Index x, Index image_rows, Index image_columns) {
    return std::clamp(y, Index(0), image_rows - 1) * image_columns +
           std::clamp(x, Index(0), image_columns - 1);
}

// ---- patches ----

Index count_images(const Call& call) {
    return call.settings.group_rows == 0 ? 1 : call.rows / call.settings.group_rows;
}

/// Returns the pixel, and its channel, from which a cell of the patches comes.
CellRef patch_source(const Call& call, Index item, Index column) {
    const Index side = call.settings.step, channels = call[0].cols();
    const Index pixels = call[0].rows() / count_images(call);  // of one image
    const Index image_columns = call.settings.count, image_rows = pixels / image_columns;
    const Index patch_columns = (image_columns + side - 1) / side;
    const Index place = column / channels, patch = row_position(call, item);
    const Index y = patch / patch_columns * side + place / side;
    const Index x = patch % patch_columns * side + place % side;
    const Index row = row_group(call, item) * pixels + pixel_row(y, x, image_rows, image_columns);
    return {0, row, column % channels, call[0](row, column % channels)};
}

void patches_forward(const Call& call, View result) {
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j) result(i, j) = patch_source(call, i, j).value;
}

void patches_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < gradient.rows(); ++i)
        for (Index j = 0; j < gradient.cols(); ++j) {
            const CellRef pixel = patch_source(call, i, j);
            into[0](pixel.row, pixel.column) += gradient(i, j);
        }
}

Explanation patches_explain(const Call& call, ConstView, Index i, Index j) {
    const CellRef pixel = patch_source(call, i, j);
    return {.rule = "a pixel of the patch",
            .terms = {{{pixel}, pixel.value}},
            .sum = pixel.value,
            .finish = {}};
}

// ---- channels ----

void normalized_forward(const Call& call, View Y) {
    Y = (call[0].rowwise() - call[1].row(0)).array().rowwise() / call[2].row(0).array();
}

void normalized_pull(const Call& call, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // Y = (X − m) / s:  ∂X += ∂Y / s,  ∂m −= Σ ∂Y / s,  ∂s −= Σ ∂Y Y / s
    const auto deviation = call[2].row(0).array();
    const Matrix scaled = gradient.array().rowwise() / deviation;
    into[0] += scaled;
    into[1].row(0) -= scaled.colwise().sum();
    into[2].row(0) -= scaled.cwiseProduct(Y).colwise().sum();
}

Explanation normalized_explain(const Call& call, ConstView Y, Index i, Index j) {
    const Scalar x = call[0](i, j), mean = call[1](0, j);
    return {.rule = "(I(p,c) − mean(c)) / std(c)",
            .terms = {{{{0, i, j, x}}, x}},
            .sum = x,
            .finish = {{"− the channel's mean " + short_number(mean), x - mean},
                       {"÷ its deviation " + short_number(call[2](0, j)), Y(i, j)}}};
}

// ---- convolution ----

/// Returns the pixel that the kernel's cell h reads for the pixel p.
Index neighbour_at(const Call& call, Index item, std::size_t h) {
    const auto side = static_cast<Index>(std::lround(std::sqrt(call.in.size() - 1)));
    const Index middle = (side - 1) / 2, cell = static_cast<Index>(h);
    const Index pixels = call[0].rows() / count_images(call), p = row_position(call, item);
    const Index columns = call.settings.count, rows = pixels / columns;
    return row_group(call, item) * pixels + pixel_row(p / columns + cell / side - middle,
                                                      p % columns + cell % side - middle, rows,
                                                      columns);
}

void convolution_forward(const Call& call, View result) {
    result.setZero();
    for (Index p = 0; p < call.rows; ++p)
        for (std::size_t h = 0; h + 1 < call.in.size(); ++h)
            result.row(p).noalias() += call[0].row(neighbour_at(call, p, h)) * call[h + 1];
}

void convolution_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // Y(p) += X(q) W_h:  ∂X(q) += ∂Y(p) W_hᵀ,  ∂W_h += X(q)ᵀ ∂Y(p)
    for (Index p = 0; p < gradient.rows(); ++p)
        for (std::size_t h = 0; h + 1 < call.in.size(); ++h) {
            const Index q = neighbour_at(call, p, h);
            into[0].row(q).noalias() += gradient.row(p) * call[h + 1].transpose();
            into[h + 1].noalias() += call[0].row(q).transpose() * gradient.row(p);
        }
}

Explanation convolution_explain(const Call& call, ConstView result, Index p, Index d) {
    Explanation e{.rule = "Σ_h X(p + Δ_h) · W_h", .terms = {}, .sum = result(p, d), .finish = {}};
    for (std::size_t h = 0; h + 1 < call.in.size(); ++h) {
        const Index q = neighbour_at(call, p, h);
        for (Index c = 0; c < call[0].cols(); ++c) {
            const Scalar x = call[0](q, c), w = call[h + 1](c, d);
            e.terms.push_back({{{0, q, c, x}, {h + 1, c, d, w}}, x * w});
        }
    }
    return e;
}

}  // namespace

const Operation patches{
    "patches",    {"Patches", "The pixels of each patch, side by side in one row."},
    kWhole,       patches_forward,
    patches_pull, patches_explain};
const Operation normalized_channels{
    "normalised channels",
    {"Normalised", "The mean of each channel is subtracted, and it is divided by its deviation."},
    row_inputs(0),
    normalized_forward,
    normalized_pull,
    normalized_explain};
const Operation convolution{
    "convolution",    {"Convolution", "One kernel slides over the image, without attention."},
    kWhole,           convolution_forward,
    convolution_pull, convolution_explain};

std::span<const Operation* const> image_operations() {
    static const Operation* const table[] = {&patches, &normalized_channels, &convolution};
    return table;
}

}  // namespace headlight::operations
