// A graph with the attention of one head on its edges.
#include "paint/graphs/graph_figure.h"

#include <algorithm>
#include <numeric>

#include "paint/figure_parts.h"
#include "paint/graphs/graph_choice.h"
#include "paint/graphs/graph_labels.h"
#include "paint/graphs/graph_legend.h"
#include "paint/graphs/graph_marks.h"

namespace headlight {
namespace {

class GraphDrawing {
  public:
    GraphDrawing(const GraphInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input),
          theme_(theme),
          measure_(measure),
          geometry_(graph_geometry(input)),
          marks_(input, theme, geometry_),
          focus_(find_focus(input, geometry_, input.choice)) {
        figure_.width = input.box.right();
        figure_.height = input.box.bottom();
    }

    GraphFigure paint() {
        add_edges();
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node)
            marks_.add_node(figure_, node, focus_.node_look(node));
        add_node_names(figure_, name_request(), theme_, measure_);
        add_graph_legend(figure_, input_, geometry_, theme_, measure_);
        return {std::move(figure_), std::move(geometry_)};
    }

  private:
    void add_edges() {
        for (const int edge : drawing_order(marks_, focus_, input_.edges.size()))
            marks_.add_edge(figure_, edge, focus_.edge_emphasis(edge),
                            focus_.node_look(input_.edges[edge].i));
    }

    NodeNames name_request() const {
        NodeNames names{input_.nodes, geometry_, {}, {}, geometry_.plot, input_.label_size};
        names.fills = marks_.value_fills();
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node) {
            const NodeLook look = focus_.node_look(node);
            if (look.is_faded) names.faded.push_back(node);
            if (look.is_hovered || look.is_selected) names.important.push_back(node);
        }
        for (const int node : focus_.beside_chosen()) names.important.push_back(node);
        return names;
    }

    const GraphInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    GraphGeometry geometry_;
    GraphMarks marks_;
    GraphFocus focus_;
    Figure figure_;
};

}  // namespace

GraphFigure graph_figure(const GraphInput& input, const Theme& theme, const MeasureText& measure) {
    if (input.times != 1) {
        const MeasureText enlarged = measure_enlarged(measure, input.times);
        Figure figure = graph_figure(without_times(input), theme, enlarged).figure;
        enlarge(figure, input.times);
        return {std::move(figure), graph_geometry(input)};
    }
    return GraphDrawing(input, theme, measure).paint();
}

}  // namespace headlight
