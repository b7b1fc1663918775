#include "render/heatmap_pixels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paint/color_scale.h"

namespace headlight {
namespace {

/// The texels that a pixel covers along one axis: one, or two with a share each.
struct Reach {
    Index first = 0, last = 0;
    float first_share = 1, last_share = 1;

    bool is_same_texel(const Reach& other) const {
        return first == last && other.first == first && other.last == first;
    }
};

std::vector<Reach> reaches(const PixelAxis& axis, Index n_texels) {
    std::vector<Reach> all;
    const float half = axis.sampling.half_footprint;
    for (int p = 0; p < axis.count; ++p) {
        const float place =
            (static_cast<float>(p) + 0.5f - axis.start) * axis.sampling.texels_per_pixel;
        Reach reach;
        reach.first =
            std::clamp<Index>(static_cast<Index>(std::floor(place - half)), 0, n_texels - 1);
        reach.last = std::clamp<Index>(static_cast<Index>(std::ceil(place + half)) - 1, reach.first,
                                       n_texels - 1);
        if (half == 0) reach.last = reach.first;
        const auto edge = static_cast<float>(reach.last);
        reach.first_share = std::max(edge - (place - half), 1e-6f);
        reach.last_share = std::max(place + half - edge, 1e-6f);
        all.push_back(reach);
    }
    return all;
}

struct Texel {
    float value = 0;
    CellClass kind = CellClass::Number;
};

Texel texel_at(const CellBlocks& texels, Index row, Index column) {
    const auto at = static_cast<std::size_t>(row * texels.columns + column);
    return {texels.values[at], texels.classes.empty() ? CellClass::Number
                                                      : static_cast<CellClass>(texels.classes[at])};
}

/// Returns the stronger one: NaN before numbers before masked cells; then the larger magnitude;
/// then the larger value.
Texel stronger(Texel p, Texel q) {
    if (p.kind != q.kind) return p.kind > q.kind ? p : q;
    const float a = std::abs(p.value), b = std::abs(q.value);
    return a > b || (a == b && p.value >= q.value) ? p : q;
}

/// Returns the mean by the texels' share of the pixel; NaN if one is, masked texels do not count.
Texel mean(Texel p, Texel q, const Reach& reach) {
    if (p.kind == CellClass::NotANumber || q.kind == CellClass::NotANumber)
        return {0, CellClass::NotANumber};
    if (p.kind == CellClass::Masked) return q;
    if (q.kind == CellClass::Masked) return p;
    const float a = reach.first_share, b = reach.last_share;
    return {(p.value * a + q.value * b) / (a + b), CellClass::Number};
}

Texel combined(Texel p, Texel q, const Reach& reach, FarOut far_out) {
    if (reach.first == reach.last) return p;
    return far_out == FarOut::Mean ? mean(p, q, reach) : stronger(p, q);
}

Color texel_color(const ColorScale& scale, Texel texel) {
    if (texel.kind == CellClass::NotANumber) return scale.nan_color;
    if (texel.kind == CellClass::Masked) return scale.masked_color;
    return scale.colors[static_cast<std::size_t>(color_index(scale, texel.value))];
}

}  // namespace

std::vector<Color> heatmap_pixels(const CellBlocks& texels, const PixelAxis& x, const PixelAxis& y,
                                  const ColorScale& scale, FarOut far_out) {
    const std::vector<Reach> columns = reaches(x, texels.columns), rows = reaches(y, texels.rows);
    std::vector<std::vector<Texel>> across(static_cast<std::size_t>(texels.rows));
    const auto row_across = [&](Index row) -> const std::vector<Texel>& {
        std::vector<Texel>& made = across[static_cast<std::size_t>(row)];
        if (made.empty())
            for (const Reach& column : columns)
                made.push_back(combined(texel_at(texels, row, column.first),
                                        texel_at(texels, row, column.last), column, far_out));
        return made;
    };
    std::vector<Color> pixels(rows.size() * columns.size());
    auto at = pixels.begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Reach& row = rows[i];
        if (i > 0 && row.is_same_texel(rows[i - 1])) {
            at = std::copy_n(at - x.count, x.count, at);
            continue;
        }
        const std::vector<Texel>&above = row_across(row.first), &below = row_across(row.last);
        at = std::ranges::transform(above, below, at, [&](Texel p, Texel q) {
                 return texel_color(scale, combined(p, q, row, far_out));
             }).out;
    }
    return pixels;
}

}  // namespace headlight
