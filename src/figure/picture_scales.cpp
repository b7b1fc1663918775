// The colours of matrices by the user's settings, the same for every picture of a matrix.
#include "figure/picture_scales.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "core/components.h"
#include "core/matrix.h"
#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/number_format.h"

namespace headlight {

class MatrixMemory {
  public:
    /// Returns largest_magnitude() of the matrix.
    Scalar largest(const MatrixPtr& matrix);

    /// Returns how many cells are NaN.
    Index count_nan(const MatrixPtr& matrix);

    /// Returns each row divided by its largest finite magnitude. All-zero rows and values that are
    /// not finite stay as they are.
    MatrixPtr by_row(const MatrixPtr& matrix);

    /// Returns the matrix with −∞ in the cells that the mask closes. A cell that stands for a block
    /// of the mask's cells is closed if all of them are. Returns the matrix itself where the mask
    /// closes nothing.
    MatrixPtr closed_by(const MatrixPtr& mask, const MatrixPtr& matrix);

  private:
    struct Entry {
        std::weak_ptr<const Matrix> matrix;
        Scalar largest = -1;  // not looked up yet
        Index n_nan = -1;
        MatrixPtr by_row = nullptr;
        std::weak_ptr<const Matrix> mask = {};  // the mask that made `closed`
        MatrixPtr closed = nullptr;             // null: it closes nothing
    };

    Entry& entry(const MatrixPtr& matrix);

    std::map<const Matrix*, Entry> entries_;
};

namespace {

Scalar largest_finite(const Matrix& values, Index row) {
    Scalar largest = 0;
    for (Index j = 0; j < values.cols(); ++j) {
        const Scalar magnitude = std::abs(values(row, j));
        if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
    }
    return largest;
}

/// Returns the first of `from` rows or columns that fall on number k of `to`.
Index first_under(Index k, Index from, Index to) {
    return k * from / to;
}

Matrix with_closed_cells(const Matrix& mask, Matrix values) {
    if (mask.rows() < values.rows() || mask.cols() < values.cols()) return values;
    for (Index i = 0; i < values.rows(); ++i) {
        const Index top = first_under(i, mask.rows(), values.rows());
        const Index bottom = first_under(i + 1, mask.rows(), values.rows());
        for (Index j = 0; j < values.cols(); ++j) {
            const Index left = first_under(j, mask.cols(), values.cols());
            const Index right = first_under(j + 1, mask.cols(), values.cols());
            if (mask.block(top, left, bottom - top, right - left).maxCoeff() == kMasked)
                values(i, j) = kMasked;
        }
    }
    return values;
}

}  // namespace

Scalar MatrixMemory::largest(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.largest < 0) found.largest = largest_magnitude(*matrix);
    return found.largest;
}

Index MatrixMemory::count_nan(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.n_nan < 0) found.n_nan = matrix->array().isNaN().cast<Index>().sum();
    return found.n_nan;
}

MatrixPtr MatrixMemory::by_row(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.by_row) return found.by_row;
    Matrix parts = *matrix;
    for (Index i = 0; i < parts.rows(); ++i)
        if (const Scalar largest = largest_finite(*matrix, i); largest > 0) parts.row(i) /= largest;
    return found.by_row = std::make_shared<const Matrix>(std::move(parts));
}

MatrixPtr MatrixMemory::closed_by(const MatrixPtr& mask, const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.mask.lock() != mask) {
        found.mask = mask;
        found.closed = mask->minCoeff() == kMasked
                           ? std::make_shared<const Matrix>(with_closed_cells(*mask, *matrix))
                           : nullptr;
    }
    return found.closed ? found.closed : matrix;
}

MatrixMemory::Entry& MatrixMemory::entry(const MatrixPtr& matrix) {
    const auto found = entries_.find(matrix.get());
    if (found != entries_.end() && !found->second.matrix.expired()) return found->second;
    std::erase_if(entries_, [](const auto& item) { return item.second.matrix.expired(); });
    return entries_[matrix.get()] = {.matrix = matrix};
}

namespace {

using Range = PictureSettings::Range;
using Scale = PictureSettings::Scale;

constexpr Scalar kSignedDecades = 1e-3f;  // of a log scale, down from its largest value

void set_colors(ColorScale& scale, Quantity quantity, const std::string& name) {
    if (is_signed(quantity)) {
        if (const ColorMap* map = find_map(diverging_maps(), name))
            scale.colors = diverging_colors(*map);
    } else if (const ColorMap* map = find_map(sequential_maps(), name)) {
        scale.colors = sequential_colors(*map);
    }
}

/// Sets the automatic limits of the scale, or the user's.
void set_range(ColorScale& scale, const Tensor& tensor, const PictureSettings& settings,
               Scalar limit) {
    if (tensor.quantity() == Quantity::Probability && settings.range == Range::Fitted)
        scale.high = std::min(Scalar(1), limit);
    if (settings.range != Range::Fixed) return;
    if (is_signed(tensor.quantity())) {
        if (settings.high > 0) scale.low = -(scale.high = settings.high);
    } else if (settings.high > settings.low) {
        scale.low = settings.low;
        scale.high = settings.high;
    }
}

ClippedEnds clipped_ends(const ColorScale& scale, Quantity quantity, Scalar largest,
                         const Matrix& values) {
    const bool is_above = largest > scale.high;
    if (is_signed(quantity)) return {is_above, is_above};
    const auto is_below = [&](Scalar v) { return std::isfinite(v) && v < scale.low; };
    return {scale.low > 0 && std::any_of(values.data(), values.data() + values.size(), is_below),
            is_above};
}

/// Sets a log scale. In a row of n probabilities it begins near a hundredth of an even share 1/n,
/// which is next to nothing.
void set_log(ColorScale& scale, const Tensor& tensor) {
    const bool is_share = tensor.quantity() == Quantity::Probability && !tensor.row_edges();
    const auto n = static_cast<Scalar>(std::max<Index>(1, tensor.columns().size));
    const Scalar decade = std::pow(Scalar(10), std::floor(std::log10(Scalar(0.01) / n)));
    Scalar floor = is_share ? decade : scale.high * kSignedDecades;
    if (scale.low > 0) floor = scale.low;
    scale.steps = ColorScale::Steps::Log;
    scale.floor = std::min(floor, scale.high / 10);
    if (scale.low >= 0) scale.low = scale.floor;
}

std::string legend_text(const Tensor& tensor, const PictureSettings& settings,
                        const ColorScale& scale) {
    const bool is_probability = tensor.quantity() == Quantity::Probability;
    switch (settings.scale) {
        case Scale::Linear:
            return scale_name(tensor);
        case Scale::Log:
            return fmt::format("{}, log from {}{}",
                               is_probability                 ? "probability"
                               : is_signed(tensor.quantity()) ? "signed"
                                                              : "amount",
                               scale.low < 0 ? "±" : "", format_tick(scale.floor, {scale.floor}));
        case Scale::PerRow:
            return "per row, of the row’s largest";
    }
    return "";
}

}  // namespace

PictureScales::PictureScales() : memory_(std::make_shared<MatrixMemory>()) {}

PictureScales PictureScales::for_difference() const {
    PictureScales scales = *this;
    scales.of(Quantity::Signed) = difference_;
    return scales;
}

std::string difference_legend(const MatrixColors& colors) {
    constexpr std::string_view kOfValues = "signed, ";
    const std::string& legend = colors.legend;
    return "A − B, " + (legend.starts_with(kOfValues) ? legend.substr(kOfValues.size()) : legend);
}

bool has_free_colors(Quantity quantity) {
    return quantity == Quantity::Signed || quantity == Quantity::Amount ||
           quantity == Quantity::Probability;
}

bool PictureScales::has_dark_zero(Quantity quantity) const {
    if (quantity != Quantity::Probability) return false;
    const ColorMap* map = find_map(sequential_maps(), of(quantity).colors);
    constexpr double kDark = 0.5;  // lightness
    return map && oklab_from(map->anchors.front()).L < kDark;
}

MatrixColors PictureScales::colors(const Tensor& tensor, const MatrixPtr& values,
                                   const Theme& theme, const MatrixPtr& mask) const {
    const PictureSettings& settings = of(tensor.quantity());
    const bool needs_limit =
        tensor.quantity() == Quantity::Signed || tensor.quantity() == Quantity::Mask ||
        tensor.quantity() == Quantity::Amount || settings.range == Range::Fitted;
    const Scalar largest = needs_limit ? memory_->largest(values) : Scalar(1);
    const Scalar limit = symmetric_limit(largest);
    MatrixColors colors{values, standard_scale(tensor, limit, theme), scale_name(tensor),
                        settings.far_out};
    if (tensor.quantity() == Quantity::Mask && largest == 0) colors.scale = open_scale(theme);
    if (!has_free_colors(tensor.quantity())) return colors;
    set_colors(colors.scale, tensor.quantity(), settings.colors);
    if (settings.scale == Scale::PerRow) {
        colors.values = memory_->by_row(values);
        colors.scale.low = is_signed(tensor.quantity()) ? Scalar(-1) : Scalar(0);
        colors.scale.high = 1;
    } else {
        set_range(colors.scale, tensor, settings, limit);
        if (settings.range == Range::Fixed)
            colors.clipped =
                clipped_ends(colors.scale, tensor.quantity(), memory_->largest(values), *values);
        if (settings.scale == Scale::Log) set_log(colors.scale, tensor);
    }
    colors.legend = legend_text(tensor, settings, colors.scale);
    if (!has_dark_zero(tensor.quantity())) return colors;
    // Masked cells are as light as the theme can: no map that begins dark has a light grey.
    const bool is_text_lighter = oklab_from(theme.text).L > oklab_from(theme.masked).L;
    colors.scale.masked_color = is_text_lighter ? theme.text : theme.masked;
    const MatrixPtr closed = mask ? memory_->closed_by(mask, colors.values) : colors.values;
    if (closed != colors.values) colors.legend += "; masked: light";
    colors.values = closed;
    return colors;
}

MatrixPtr PictureScales::mask_for(const Trace& trace, const Tensor& tensor) const {
    const Tensor* mask = has_dark_zero(tensor.quantity()) ? find_mask(trace, tensor) : nullptr;
    return mask ? mask->value : nullptr;
}

Index PictureScales::count_nan(const MatrixPtr& values) const {
    return memory_->count_nan(values);
}

ColorScale PictureScales::scale(const Tensor& tensor, const Theme& theme) const {
    ColorScale scale = standard_scale(tensor, 1, theme);
    if (has_free_colors(tensor.quantity()))
        set_colors(scale, tensor.quantity(), of(tensor.quantity()).colors);
    return scale;
}

}  // namespace headlight
