// Axis: what the rows or columns of a tensor stand for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scalar.h"

namespace headlight {

/// What an index along an axis stands for.
enum class AxisKind {
    Query,      // an item that looks
    Key,        // an item that is looked at
    Item,       // a token or a node, in both roles
    Edge,       // an edge: one item reads another
    Model,      // d_model, or a node's feature
    HeadKey,    // d_k
    HeadValue,  // d_v, or the width of a graph head
    Concat,     // the heads' widths side by side
    Hidden,     // the units of a hidden layer
    Distance,   // j − i, clipped, counted from the most negative
    Direction,  // down and right on a grid, or along a line
    Bucket,     // of distances
    Position,   // in a sentence
    Head,
    Named,   // what its list says: vocabulary, metrics, layers, heads, steps, channels
    Single,  // one column
};

struct Axis {
    AxisKind kind = AxisKind::Single;
    Index size = 1;
    int list = 0;      // index into the plan's lists, for Query, Key, Item and Named
    Index groups = 1;  // sentences of equal length stacked along it
    Index first = 0;   // the list's item that has index 0

    bool operator==(const Axis&) const = default;
};

using SharedNames = std::shared_ptr<const std::vector<std::string>>;

/// The names of an axis's indices.
struct ItemList {
    std::string noun = "token";
    SharedNames names = {};
    SharedNames shown = {};  // in pictures; null: as they are
};

}  // namespace headlight
