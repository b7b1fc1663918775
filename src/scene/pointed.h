// Targets of the pointer: a cell, a word, a node, an edge, a number.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "paint/focus.h"

namespace headlight {

struct PointedCell {
    std::string path;  // the tensor's path
    Index row = 0, column = 0;

    bool operator==(const PointedCell&) const = default;
};

/// A number that can be moved: a setting, by its path (model/settings/number_settings.h), or a
/// cell.
using NumberPlace = std::variant<std::string, PointedCell>;

/// A cell, or only the word, node or edge.
struct Pointed {
    Focus focus;
    std::optional<PointedCell> cell;

    bool is_empty() const { return focus.is_empty() && !cell; }
    bool operator==(const Pointed&) const = default;
};

/// A word or a node that looks.
Pointed point_at_item(Index item, int list = 0);
Pointed point_at(const Trace& trace, const Tensor& tensor, Index row, Index column);

}  // namespace headlight
