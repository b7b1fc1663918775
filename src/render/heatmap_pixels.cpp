#include "render/heatmap_pixels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figure/color_scale.h"

namespace headlight {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

// Pools only numbers: the strongest is the largest or the smallest of all, so one pass keeps both.
void pool_numbers(const CellBlocks& from, CellBlocks& to, int x_steps, int y_steps) {
    const Index side = Index(1) << x_steps;
    std::vector<float> low(to.columns), high(to.columns);
    for (Index i = 0; i < to.rows; ++i) {
        std::fill(low.begin(), low.end(), kLargest);
        std::fill(high.begin(), high.end(), -kLargest);
        const Index end_row = std::min(from.rows, (i + 1) << y_steps);
        for (Index row = i << y_steps; row < end_row; ++row) {
            const float* values = from.values.data() + row * from.columns;
            for (Index j = 0; j < to.columns; ++j) {
                const Index end = std::min(from.columns, (j + 1) * side);
                for (Index column = j * side; column < end; ++column) {
                    low[j] = std::min(low[j], values[column]);
                    high[j] = std::max(high[j], values[column]);
                }
            }
        }
        for (Index j = 0; j < to.columns; ++j) {
            to.values[i * to.columns + j] = high[j] >= -low[j] ? high[j] : low[j];
        }
    }
}

struct Cell {
    std::uint8_t cell_class;
    float value;

    bool operator<(const Cell& other) const {
        if (cell_class != other.cell_class) return cell_class < other.cell_class;
        const float mine = std::abs(value), theirs = std::abs(other.value);
        return mine != theirs ? mine < theirs : value < other.value;
    }
};

void pool_classes(const CellBlocks& from, CellBlocks& to, int x_steps, int y_steps) {
    std::vector<Cell> strongest(to.values.size(), Cell{0, 0});
    for (Index row = 0; row < from.rows; ++row) {
        for (Index column = 0; column < from.columns; ++column) {
            const Index at = row * from.columns + column;
            Cell& best = strongest[(row >> y_steps) * to.columns + (column >> x_steps)];
            best = std::max(best, Cell{from.classes[at], from.values[at]});
        }
    }
    to.classes.resize(strongest.size());
    for (std::size_t at = 0; at < strongest.size(); ++at) {
        to.values[at] = strongest[at].value;
        to.classes[at] = strongest[at].cell_class;
    }
}

}  // namespace

CellBlocks cell_blocks(const Matrix& matrix) {
    CellBlocks blocks{matrix.rows(), matrix.cols(), {}, {}};
    blocks.values.assign(matrix.data(), matrix.data() + matrix.size());
    // A finite sum of v − v is 0; anything else taints it.
    if ((matrix.array() - matrix.array()).sum() == 0) return blocks;

    blocks.classes.resize(blocks.values.size());
    bool all_numbers = true;
    for (std::size_t at = 0; at < blocks.values.size(); ++at) {
        const Scalar value = matrix.data()[at];
        const bool is_masked = std::isinf(value) && value < 0;
        const CellClass kind = std::isnan(value) ? CellClass::NotANumber
                               : is_masked       ? CellClass::Masked
                                                 : CellClass::Number;
        blocks.classes[at] = static_cast<std::uint8_t>(kind);
        blocks.values[at] = kind == CellClass::Number ? std::min(blocks.values[at], kLargest) : 0;
        all_numbers = all_numbers && kind == CellClass::Number;
    }
    if (all_numbers) blocks.classes.clear();
    return blocks;
}

CellBlocks pool(const CellBlocks& blocks, int x_steps, int y_steps) {
    CellBlocks pooled{halved(blocks.rows, y_steps), halved(blocks.columns, x_steps), {}, {}};
    pooled.values.resize(pooled.rows * pooled.columns);
    if (blocks.classes.empty()) {
        pool_numbers(blocks, pooled, x_steps, y_steps);
    } else {
        pool_classes(blocks, pooled, x_steps, y_steps);
    }
    return pooled;
}

CellBlocks pool_means(const CellBlocks& cells, int x_steps, int y_steps) {
    CellBlocks means{halved(cells.rows, y_steps), halved(cells.columns, x_steps), {}, {}};
    const std::size_t n = static_cast<std::size_t>(means.rows) * means.columns;
    std::vector<double> sums(n);
    std::vector<int> counts(n);
    std::vector<bool> has_nan(n);
    for (Index row = 0; row < cells.rows; ++row) {
        for (Index column = 0; column < cells.columns; ++column) {
            const Index at = row * cells.columns + column;
            const Index to = (row >> y_steps) * means.columns + (column >> x_steps);
            const auto kind = cells.classes.empty() ? CellClass::Number
                                                    : static_cast<CellClass>(cells.classes[at]);
            if (kind == CellClass::NotANumber) has_nan[to] = true;
            if (kind != CellClass::Number) continue;
            sums[to] += cells.values[at];
            ++counts[to];
        }
    }
    means.values.resize(n);
    if (!cells.classes.empty()) means.classes.resize(n);
    for (std::size_t at = 0; at < n; ++at) {
        means.values[at] = counts[at] > 0 ? static_cast<float>(sums[at] / counts[at]) : 0;
        if (means.classes.empty()) continue;
        means.classes[at] = static_cast<std::uint8_t>(has_nan[at]      ? CellClass::NotANumber
                                                      : counts[at] > 0 ? CellClass::Number
                                                                       : CellClass::Masked);
    }
    return means;
}

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
