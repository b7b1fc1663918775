// The features of nodes, as studies and node-link JSON have them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "io/text/json_view.h"

namespace headlight {

/// Reads a list of numbers, as long as that of every other node: `n_features` is 0 before the first
/// one. Throws Error with the place.
inline Features read_features(const JsonView& list, std::size_t& n_features) {
    if (n_features == 0) n_features = list.size();
    if (list.size() == 0 || list.size() != n_features)
        list.fail("has {} features; all nodes that have some have as many, 1 or more", list.size());
    std::vector<float> values;
    list.for_each_element(
        [&](const JsonView& value) { values.push_back(static_cast<float>(value.number())); });
    return Features(std::move(values));
}

}  // namespace headlight
