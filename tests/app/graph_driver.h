// A window with the karate club, and a hand that knows its nodes and edges.
#pragma once

#include <doctest/doctest.h>
#include <string>

#include "app/driver.h"
#include "figure/graphs/graph_marks.h"
#include "views/graph_view.h"

namespace headlight::program_graph_test {

inline const std::string kPattern = "gat.0.heads.0.pattern";

/// The karate club, with its workspace shown.
struct GraphDriver : Driver {
    GraphDriver() {
        program().workbench().open(built_in_graph(), {});
        program().loop().wake();
        settle();
    }

    const Graph& graph() { return document().graph()->graph; }
    /// The index of the edge along which `target` reads `source`; −1 if there is none.
    Index edge_from(const std::string& target, const std::string& source) {
        const Axis edges{AxisKind::Edge, trace().edges()->size()};
        for (Index e = 0; e < edges.size; ++e)
            if (axis_label(trace(), edges, e) == target + " ← " + source) return e;
        return -1;
    }
    GraphGeometry geometry() {
        GraphInput input = graph_input(scene());
        input.box = *regions().find("canvas Graph");
        return graph_geometry(input);
    }
    Point middle_of(Index edge) {
        return point_on(geometry().curves[static_cast<std::size_t>(edge)], 0.5f);
    }
    /// A point of the canvas with nothing near it.
    Point free_place() {
        const GraphGeometry now = geometry();
        const Box seen = common_part(now.inner, now.plot);
        for (float x = seen.x; x < seen.right(); x += 10)
            for (float y = seen.y; y < seen.bottom(); y += 10)
                if (!now.node_at({x, y}) && !now.edge_at({x, y}, 40)) return {x, y};
        FAIL("no free place");
        return {};
    }
    void release() { press(Key::Escape); }
};

}  // namespace headlight::program_graph_test
