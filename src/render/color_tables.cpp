#include "render/color_tables.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::size_t kColors = 256;
constexpr std::size_t kTablesKept = 64;

// The colours of a table are compared without building one: this runs for every heatmap drawn.
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

void check_colors(const ColorScale& scale) {
    if (scale.colors.size() != kColors) {
        throw Error("colour table", "it has " + std::to_string(scale.colors.size()) +
                                        " colours; it must have " + std::to_string(kColors));
    }
}

ColorTables::Table& ColorTables::oldest_or_new() {
    if (tables_.size() < kTablesKept) return tables_.emplace_back();
    return *std::min_element(tables_.begin(), tables_.end(), [](const Table& a, const Table& b) {
        return a.last_use < b.last_use;
    });
}

bool is_translucent(const ColorScale& scale) {
    return lets_through(scale.nan_color) || lets_through(scale.masked_color) ||
           std::any_of(scale.colors.begin(), scale.colors.end(), lets_through);
}

}  // namespace headlight
