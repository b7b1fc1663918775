#include "views/held.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/batch.h"
#include "model/changes.h"
#include "text/strings.h"
#include "views/readout_words.h"

namespace headlight {

bool has_item_rows(const Tensor& tensor, int list) {
    return (tensor.rows().kind == AxisKind::Query || tensor.rows().kind == AxisKind::Item) &&
           tensor.rows().list == list;
}

ReadWeights read_weights(const Trace& trace, const Tensor& pattern, const Selection& selection) {
    ReadWeights read;
    const AxisIndices& indices = selection.current().indices;
    const Index n = trace.edges() ? trace.edges()->n_nodes : pattern.rows().size;
    if (!pattern.value || (!trace.edges() && !has_item_rows(pattern, indices.query_list)))
        return read;
    for (const Index query : indices.queries())
        if (query < n) read.queries.push_back(query);
    if (read.queries.empty()) return read;
    const RowsAs as = selection.looks.rows_as;
    read.weights = trace.edges() ? joined_rows(*pattern.value, *trace.edges(), read.queries, as)
                                 : joined_rows(*pattern.value, read.queries, as);
    if (as == RowsAs::Sum) read.most = static_cast<Scalar>(read.queries.size());
    return read;
}

namespace {

std::string join_names(const std::vector<std::string>& items, const std::vector<Index>& queries) {
    constexpr std::size_t kMostNames = 3;
    return joined_few(queries, kMostNames, [&](Index query) {
        return quoted_word(items.at(static_cast<std::size_t>(query)));
    });
}

}  // namespace

std::string joined_name(const std::vector<std::string>& items, const std::vector<Index>& queries,
                        RowsAs as) {
    const std::string names = join_names(items, queries);
    return queries.size() < 2 ? names : (as == RowsAs::Sum ? "sum of " : "mean of ") + names;
}

std::string joined_title(const std::vector<std::string>& items, const std::vector<Index>& queries,
                         RowsAs as) {
    const std::string names = join_names(items, queries);
    return queries.size() < 2 ? names : (as == RowsAs::Sum ? "Sum of " : "Mean of ") + names;
}

std::optional<CellPlace> largest_of_held_row(const Trace& trace, const Selection& selection) {
    const Tensor* tensor = trace.find(selection.chosen);
    if (!tensor || !tensor->value) return std::nullopt;
    const CellPick held = cell_pick(*tensor, selection.held().indices);
    if (held.rows.size() != 1 || tensor->value->cols() == 0) return std::nullopt;
    Index column = 0;
    tensor->value->row(held.rows.front()).maxCoeff(&column);
    return CellPlace{tensor->path(), held.rows.front(), column};
}

std::vector<int> held_nodes(const Selection& selection, const Graph& graph) {
    const AxisIndices& held = selection.held().indices;
    std::vector<int> nodes;
    if (held.edge) return nodes;
    for (const Index node : held.queries())
        if (node >= 0 && static_cast<std::size_t>(node) < graph.nodes.size())
            nodes.push_back(static_cast<int>(node));
    return nodes;
}

void hold_nodes(Selection& selection, const std::vector<int>& nodes) {
    if (nodes.empty()) return selection.release();
    Pick pick = pick_item(nodes.front());
    pick.indices.also.assign(nodes.begin() + 1, nodes.end());
    selection.keep_held(std::move(pick));
}

void see_node(Selection& selection, const Graph& graph, int node) {
    constexpr double kNodesAround = 40;  // so many of them are in view, roughly
    const Node& seen = graph.nodes.at(static_cast<std::size_t>(node));
    const double zoom = std::sqrt(static_cast<double>(graph.nodes.size()) / kNodesAround);
    selection.looks.graph.zoom = {std::max({1.0, zoom, selection.looks.graph.zoom.zoom}), seen.x,
                                  seen.y};
    selection.view = ViewId::Matrix;
    selection.keep_held(pick_item(node));
}

namespace {

/// Returns the edge's row in patterns that have one for each edge; nothing if the layer does not
/// use it.
std::optional<Index> edge_row(const Trace& trace, const Edge& edge) {
    const Edges* edges = trace.edges().get();
    if (!edges || edge.target >= edges->n_nodes) return std::nullopt;
    const auto at = [&](Index node) {
        return edges->neighbour.begin() + edges->offsets[static_cast<std::size_t>(node)];
    };
    const auto found = std::find(at(edge.target), at(edge.target + 1), edge.source);
    if (found == at(edge.target + 1)) return std::nullopt;
    return found - edges->neighbour.begin();
}

}  // namespace

void see_edge(Selection& selection, const Trace& trace, const Components& components,
              const Graph& graph, Edge edge) {
    constexpr double kMostOfView = 0.6;  // the longest edge, as a share of the view
    const Node& source = graph.nodes.at(static_cast<std::size_t>(edge.source));
    const Node& target = graph.nodes.at(static_cast<std::size_t>(edge.target));
    see_node(selection, graph, edge.target);
    const double length =
        std::max<double>({std::abs(source.x - target.x), std::abs(source.y - target.y), 1e-6});
    selection.looks.graph.zoom = {
        std::max(1.0, std::min(selection.looks.graph.zoom.zoom, kMostOfView / length)),
        (source.x + target.x) / 2, (source.y + target.y) / 2};
    const Tensor* pattern = shown_pattern(trace, components, selection);
    const auto row = edge_row(trace, edge);
    if (pattern && row && pattern->rows().kind == AxisKind::Edge)
        selection.keep_held(pick_at(trace, *pattern, *row, 0));
    else
        hold_nodes(selection, {edge.target, edge.source});
}

namespace {

/// Returns only the word, only the key, or the cell of `tensor` that has these indices.
std::optional<HeldPlace> place_in(const Trace& trace, const Tensor& tensor,
                                  const AxisIndices& indices) {
    AxisIndices query;
    query.query = indices.query;
    query.query_list = indices.query_list;
    if (indices == query && has_item_rows(tensor, indices.query_list) &&
        *indices.query < tensor.rows().size)
        return HeldPlace{tensor.path(), {*indices.query}};
    AxisIndices key;
    key.key = indices.key;
    key.key_list = indices.key_list;
    const bool has_key = tensor.columns().kind == AxisKind::Key && indices.key &&
                         tensor.columns().list == indices.key_list;
    if (indices == key && has_key) return HeldPlace{tensor.path(), {}, {*indices.key}};
    const CellPick pick = cell_pick(tensor, indices);
    if (pick.rows.empty()) return std::nullopt;
    const Index column = pick.column.value_or(0);
    if (axis_indices(trace, tensor, pick.rows.front(), column) != indices) return std::nullopt;
    return HeldPlace{tensor.path(), {pick.rows.front()}, {column}};
}

}  // namespace

HeldPlace held_place(const Scene& scene, const Tensor& chosen) {
    const Pick& held = scene.selection.held();
    if (held.is_empty()) return {};
    const auto with_more = [&](HeldPlace place) {
        const std::vector<Index>& also = held.indices.also;
        std::vector<Index>& items = held.indices.query ? place.rows : place.columns;
        items.insert(items.end(), also.begin(), also.end());
        return place;
    };
    if (held.cell) return with_more({held.cell->path, {held.cell->row}, {held.cell->column}});
    AxisIndices indices = held.indices;
    indices.also.clear();
    if (const auto place = place_in(scene.trace, chosen, indices)) return with_more(*place);
    for (const Tensor& tensor : scene.trace.tensors())
        if (const auto place = place_in(scene.trace, tensor, indices)) return with_more(*place);
    return {};
}

void step_held(Selection& selection, const Trace& trace, ArrowSteps steps) {
    const Pick held = selection.held();
    const bool looks = held.indices.query.has_value();
    const bool is_item = looks || held.indices.key.has_value();
    const auto n_items = [&] {
        const int list = looks ? held.indices.query_list : held.indices.key_list;
        return static_cast<Index>(trace.items(list).size());
    };
    if (steps.hold == ArrowSteps::Hold::Extend && is_item && !held.indices.edge) {
        const Tensor* tensor = held.cell ? trace.find(held.cell->path) : nullptr;
        return selection.extend(steps.down, tensor ? tensor->rows().size : n_items());
    }
    if (held.cell) {
        const Tensor& tensor = trace.at(held.cell->path);
        const Index row = std::clamp<Index>(held.cell->row + steps.down, 0, tensor.rows().size - 1);
        const Index column =
            std::clamp<Index>(held.cell->column + steps.right, 0, tensor.columns().size - 1);
        return selection.keep_held(pick_at(trace, tensor, row, column));
    }
    if (!looks || held.indices.key) return;
    const Index item =
        std::clamp<Index>(*held.indices.query + steps.down + steps.right, 0, n_items() - 1);
    selection.keep_held(pick_item(item, held.indices.query_list));
}

void carry_held_cell(Selection& selection, const Trace& trace) {
    const auto cell = selection.held().cell;
    if (!cell || cell->path == selection.chosen) return;
    const Tensor& before = trace.at(cell->path);
    const Tensor& now = trace.at(selection.chosen);
    if (!(before.rows() == now.rows() && before.columns() == now.columns())) return;
    Pick pick = pick_at(trace, now, cell->row, cell->column);
    pick.indices.also = selection.held().indices.also;
    selection.keep_held(std::move(pick));
}

void show_tensor(Selection& selection, const Trace& trace, const Components& components,
                 const std::string& path) {
    selection.choose_tensor(trace, components, path);
    carry_held_cell(selection, trace);
    const auto& cell = selection.held().cell;
    if (cell && cell->path != selection.chosen) selection.release();
}

namespace {

/// Finds the present places of the items of each list.
class Places {
  public:
    Places(const Trace& before, const Trace& after) : before_(before), after_(after) {}

    /// Returns −1 if the word is gone.
    Index of(int list, Index item) const {
        const auto l = static_cast<std::size_t>(list);
        if (l >= before_.lists().size() || l >= after_.lists().size()) return item;
        const std::vector<Index> map = map_words(before_.items(list), after_.items(list));
        return item < std::ssize(map) ? map[static_cast<std::size_t>(item)] : item;
    }

    Index on(const Axis& axis, Index index) const {
        const bool is_of_words = axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
                                 axis.kind == AxisKind::Item;
        return is_of_words ? of(axis.list, index) : index;
    }

  private:
    const Trace& before_;
    const Trace& after_;
};

/// Returns the asked word with what it reads most, in the pattern that is shown.
Pick asked_cell(const Selection& selection, const Trace& page, const Components& components,
                Index row) {
    const Tensor* pattern = shown_pattern(page, components, selection);
    if (!pattern || !pattern->value || row >= pattern->value->rows()) return pick_item(row);
    Index key = 0;
    pattern->value->row(row).maxCoeff(&key);
    return pick_at(page, *pattern, row, key);
}

bool was_asked_held(const Selection& selection, const Trace& before) {
    const std::optional<Index> asked = asked_row(before);
    const AxisIndices& held = selection.held().indices;
    return !selection.held().is_empty() && asked && held.query_list == 0 && held.query == asked;
}

/// True if it is, or reads, the padding after a shorter sentence.
bool is_padding(const Pick& held, const Trace& page) {
    const auto is_after_end = [&](const std::optional<Index>& item, int list) {
        const auto l = static_cast<std::size_t>(list);
        if (!item || l >= page.lists().size() || !page.lists()[l].names) return false;
        const std::vector<std::string>& words = page.items(list);
        return *item < std::ssize(words) && *item >= count_before_padding(words);
    };
    return is_after_end(held.indices.query, held.indices.query_list) ||
           is_after_end(held.indices.key, held.indices.key_list);
}

/// Returns an empty result if one of its words is gone.
Pick moved(const Pick& held, const Trace& before, const Trace& after) {
    const Places places(before, after);
    if (held.cell) {
        const Tensor* was = before.find(held.cell->path);
        const Tensor* is = after.find(held.cell->path);
        if (!was || !is) return held;
        const Index row = places.on(was->rows(), held.cell->row);
        const Index column = places.on(was->columns(), held.cell->column);
        if (row < 0 || column < 0) return {};
        Pick now = pick_at(after, *is, row, column);
        now.indices.also = held.indices.also;
        for (Index& also : now.indices.also) also = places.on(was->rows(), also);
        std::erase(now.indices.also, -1);
        return now;
    }
    Pick now = held;
    std::optional<Index>& first = now.indices.query ? now.indices.query : now.indices.key;
    if (!first) return now;
    const int list = now.indices.query ? now.indices.query_list : now.indices.key_list;
    std::vector<Index>& also = now.indices.also;
    also.insert(also.begin(), *first);
    for (Index& item : also) item = places.of(list, item);
    std::erase(also, -1);
    if (also.empty()) return {};
    first = also.front();
    also.erase(also.begin());
    if (now.indices.query && now.indices.key) {
        now.indices.key = places.of(now.indices.key_list, *now.indices.key);
        if (now.indices.key == -1) return {};
    }
    return now;
}

}  // namespace

void follow_words(Selection& selection, const Trace& before, const Trace& after,
                  const Components& components) {
    if (before.edges() || after.edges()) return;
    const std::optional<Index> asked = asked_row(after), was_asked = asked_row(before);
    const Pick& held = selection.held();
    const bool was_held = was_asked_held(selection, before);
    const bool asks_first = held.is_empty() && asked && !was_asked;
    const Pick now = moved(held, before, after);
    if (asked && (asks_first || (was_held && now.is_empty())))
        selection.keep_held(asked_cell(selection, after, components, *asked));
    else if (now != held)
        selection.keep_held(now);
}

void turn_words(Selection& selection, const Trace& before, const Trace& after,
                const Components& components) {
    const std::optional<Index> asked = asked_row(after);
    const bool is_lost = is_padding(selection.held(), after);
    if (asked && (is_lost || was_asked_held(selection, before)))
        selection.keep_held(asked_cell(selection, after, components, *asked));
    else if (is_lost)
        selection.keep_held({});
}

}  // namespace headlight
