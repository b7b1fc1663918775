#include "ui/panel.h"

#include <stdexcept>
#include <utility>

#include "ui/compat.h"

namespace headlight {

void Regions::add_grid(const std::string& path, const CellGrid& grid) {
    const auto it = grids_.find(path);
    if (it == grids_.end() || it->second.cells.width < grid.cells.width) grids_[path] = grid;
}

bool Regions::is_dismissed() const {
    return compat::is_key_pressed(Key::Escape) && top_part_ / kPopup <= part_ / kPopup;
}

std::optional<Box> Regions::find(const std::string& name) const {
    const auto it = boxes_.find(name);
    if (it != boxes_.end()) return it->second;
    for (const auto& [begin, many] : many_)
        if (name.starts_with(begin))
            return many.lookup(std::string_view(name).substr(begin.size()));
    return std::nullopt;
}

void Regions::add_many(const std::string& name_begin, Lookup lookup) {
    many_[name_begin] = {std::move(lookup), part_};
}

int Regions::part_at(const std::string& name) const {
    const auto it = parts_.find(name);
    if (it != parts_.end()) return it->second;
    for (const auto& [begin, many] : many_)
        if (name.starts_with(begin)) return many.part;
    throw std::out_of_range(name);
}

std::optional<Box> Regions::find_cell(const std::string& path, Index row, Index column) const {
    const auto it = grids_.find(path);
    if (it == grids_.end() || row >= it->second.rows || column >= it->second.columns)
        return std::nullopt;
    const Box seen = common_part(it->second.cell_box(row, column), it->second.seen());
    return seen.is_empty() ? std::nullopt : std::optional(seen);
}

}  // namespace headlight
