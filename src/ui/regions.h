// Regions: where each named thing was drawn, so that scripts and tests can point at it by its name.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "paint/figures/heatmap_layout.h"

namespace headlight {

/// Names: "button Undo", "field Heads", "tab Graph", "text Sentence", "node 9" … Cells of a
/// tensor's picture are found by its path.
class Regions {
  public:
    void clear() { *this = {}; }
    void add(const std::string& name, Box box) {
        boxes_[name] = box, parts_[name] = part_;
        has_popup_ = has_popup_ || part_ >= kPopup;
    }
    /// Where a tensor is drawn more than once, the larger picture counts.
    void add_grid(const std::string& path, const CellGrid& grid);

    /// Very many things of one kind, whose names begin alike: each is looked up when it is sought.
    using Lookup = std::function<std::optional<Box>(std::string_view rest_of_name)>;
    void add_many(const std::string& name_begin, Lookup lookup);

    /// What follows is in that part.
    void begin_part(int part) { part_ = part; }
    /// What is drawn between the two lies over everything else, and is alone within reach.
    void begin_popup() { part_ += kPopup, top_part_ = std::max(top_part_, part_); }
    void end_popup() { part_ -= kPopup; }
    /// A popup that asks for an answer; `end_popup` ends it.
    void begin_dialog() { begin_popup(), has_dialog_ = true; }
    bool has_popup() const { return has_popup_; }
    bool has_dialog() const { return has_dialog_; }
    /// In a popup, at its end: whether Esc closes it, and not a list that is open over it.
    bool is_dismissed() const;
    bool is_in_popup(const std::string& name) const { return part_at(name) >= kPopup; }

    /// In the order in which one reads the parts of the window; the name must be there.
    int part_at(const std::string& name) const;
    std::optional<Box> find(const std::string& name) const;
    /// What is seen of a cell; nothing while it is out of view.
    std::optional<Box> find_cell(const std::string& path, Index row, Index column) const;
    const std::map<std::string, Box>& boxes() const { return boxes_; }

  private:
    static constexpr int kPopup = 1000;

    std::map<std::string, Box> boxes_;
    std::map<std::string, int> parts_;
    std::map<std::string, CellGrid> grids_;
    struct Many {
        Lookup lookup;
        int part;
    };
    std::map<std::string, Many> many_;
    int part_ = 0, top_part_ = 0;
    bool has_popup_ = false, has_dialog_ = false;
};

}  // namespace headlight
