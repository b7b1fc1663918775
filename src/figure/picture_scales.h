// The user's colour settings, the same for every picture of a matrix.
//
// Goals: one place turns settings into colours, for the window and the exporters. Values that
// depend on every cell are computed once per matrix.
// Not goals: layout, zoom.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "figure/color_scale.h"

namespace headlight {

struct PictureSettings {
    std::string colors;  // name of a color map; empty: the head's colour, or the theme's two
    enum class Scale { Linear, Log, PerRow } scale = Scale::Linear;
    enum class Range {
        Standard,  // probabilities: 0 to 1
        Fitted,    // 0 to the largest, or symmetric about 0
        Fixed,     // low to high
    } range = Range::Standard;
    Scalar low = 0, high = 1;
    FarOut far_out = FarOut::Strongest;
    enum class Numbers { Automatic, Small, Never } numbers = Numbers::Automatic;
    std::optional<int> decimals = {};  // of the numbers; absent: as many as have room

    bool operator==(const PictureSettings&) const = default;
};

/// The colours of one matrix.
struct MatrixColors {
    MatrixPtr values;  // of the scale: the matrix, or its rows as shares of their largest
    ColorScale scale;
    std::string legend;  // "probability, log from 1e−4"
    FarOut far_out = FarOut::Strongest;
    ClippedEnds clipped = {};  // ends of the user's range
};

class MatrixMemory;

class PictureScales {
  public:
    PictureScales();

    PictureSettings& of(Quantity quantity) { return settings_[std::size_t(quantity)]; }
    const PictureSettings& of(Quantity quantity) const { return settings_[std::size_t(quantity)]; }

    /// Returns the settings of A − B. The choices for A and B say nothing of their difference.
    PictureSettings& of_difference() { return difference_; }
    const PictureSettings& of_difference() const { return difference_; }
    /// Returns the scales for pictures of A − B, whose values are signed.
    PictureScales for_difference() const;

    /// Returns the colours of a matrix. `values` may be the tensor's matrix or one made from it,
    /// and is not null. Where 0 is dark, cells that the mask closes have a colour of their own;
    /// null: it is not known.
    MatrixColors colors(const Tensor& tensor, const MatrixPtr& values, const Theme& theme,
                        const MatrixPtr& mask = nullptr) const;
    /// True if the colour of 0 is dark, so that it does not look like nothing.
    bool has_dark_zero(Quantity quantity) const;
    /// Returns the mask that closes cells of a pattern where they must not look like 0; else null.
    MatrixPtr mask_for(const Trace& trace, const Tensor& pattern) const;
    Index count_nan(const MatrixPtr& values) const;
    /// Returns only the scale, for values that lie between 0 and 1.
    ColorScale scale(const Tensor& tensor, const Theme& theme) const;

  private:
    std::array<PictureSettings, 6> settings_;  // in the order of Quantity
    PictureSettings difference_;
    std::shared_ptr<MatrixMemory> memory_;
};

/// Returns the legend of a matrix of A − B: "A − B, linear".
std::string difference_legend(const MatrixColors& colors);

/// True if the user may choose colours, scale and range. False for masks, ranks and brightness.
bool has_free_colors(Quantity quantity);

}  // namespace headlight
