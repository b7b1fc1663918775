// Regions: where each named thing was drawn, so that scripts and tests can point at it by its name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "paint/heatmap_layout.h"

namespace headlight {

/// Names: "button Undo", "field Heads", "tab Graph", "text Sentence", "node 9" … Cells of a
/// tensor's picture are found by its path.
class Regions {
  public:
    void clear() { boxes_.clear(), grids_.clear(); }
    void add(const std::string& name, Box box) { boxes_[name] = box; }
    /// Where a tensor is drawn more than once, the larger picture counts.
    void add_grid(const std::string& path, const CellGrid& grid);

    std::optional<Box> find(const std::string& name) const;
    std::optional<Box> find_cell(const std::string& path, Index row, Index column) const;
    const std::map<std::string, Box>& boxes() const { return boxes_; }

  private:
    std::map<std::string, Box> boxes_;
    std::map<std::string, CellGrid> grids_;
};

}  // namespace headlight
