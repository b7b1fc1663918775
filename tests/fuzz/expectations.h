// What must be true of everything that a reader accepts or refuses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"
#include "graph/graph.h"
#include "model/document.h"

namespace headlight::fuzz {

/// Ends the program, so that the fuzzer keeps the input.
inline void expect(bool is_so) {
    if (!is_so) std::abort();
}

/// Runs a reader. It may throw an Error with a place, on one line unless it ends with a program
/// that helps; anything else ends the program.
template <typename Action>
void expect_only_errors(Action action) {
    try {
        action();
    } catch (const Error& error) {
        const std::string_view what = error.what();
        const std::string_view first_line = what.substr(0, what.find('\n'));
        expect(what.starts_with('['));
        expect(first_line.size() == what.size() || first_line.ends_with("in Python:"));
    }
}

/// Checks that the graph is within the limits, edges join nodes, and numbers are finite.
inline void expect_sound(const Graph& graph) {
    const auto n = static_cast<int>(graph.nodes.size());
    const std::size_t width = graph.n_features();
    expect(n >= 1 && n <= kMaxNodes && graph.edges.size() <= kMaxEdges);
    for (const Node& node : graph.nodes) {
        const auto features = node.features.values();
        expect(!node.name.empty() && std::isfinite(node.x) && std::isfinite(node.y));
        expect(features.empty() || features.size() == width);
        expect(std::ranges::all_of(features, [](float value) { return std::isfinite(value); }));
    }
    for (const Edge& edge : graph.edges) {
        expect(edge.source >= 0 && edge.source < n && edge.target >= 0 && edge.target < n);
        expect(std::isfinite(edge.weight));
    }
}

inline void expect_sound(const ImageStudy& image) {
    expect(image.rows >= 1 && image.rows <= kMaxImageSide);
    expect(image.columns >= 1 && image.columns <= kMaxImageSide);
    for (const float value : image.pixels) expect(value >= 0 && value <= 1);
}

}  // namespace headlight::fuzz
