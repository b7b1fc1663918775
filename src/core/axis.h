// Axis: the meaning of the rows or columns of a tensor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scalar.h"

namespace headlight {

/// The meaning of an index along an axis.
enum class AxisKind {
    Query,      // an item that reads
    Key,        // an item that is read
    Item,       // a token or a node, in both roles
    Edge,       // an edge: one item reads another
    Model,      // a feature of d_model, or of a node
    HeadKey,    // d_k
    HeadValue,  // d_v, or the width of a graph head
    Concat,     // the heads' outputs side by side
    Hidden,     // the units of a hidden layer
    Distance,   // j − i, clipped; index 0 is the most negative
    Direction,  // down and right on a grid, or along a line
    Bucket,     // a range of distances
    Position,   // in a sentence
    Head,
    Named,   // whatever the list names: vocabulary, metrics, layers, heads, steps, channels
    Single,  // a single index
};

struct Axis {
    AxisKind kind = AxisKind::Single;
    Index size = 1;
    int list = 0;      // index into the plan's lists, for Query, Key, Item and Named
    Index groups = 1;  // the number of sentences of equal length stacked along it
    Index first = 0;   // the list's item that has index 0

    bool operator==(const Axis&) const = default;
};

using SharedNames = std::shared_ptr<const std::vector<std::string>>;

/// The names of an axis's indices.
struct ItemList {
    std::string noun = "token";
    SharedNames names = {};
    SharedNames shown = {};  // in pictures; null: the names
};

}  // namespace headlight
