#include "model/edits.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/error.h"
#include "model/evaluate.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Where each old index of an axis is now; −1 if it is gone.
using IndexMap = std::vector<Index>;

/// Words before the first and after the last difference keep their identity.
IndexMap map_words(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (tail < shorter - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    IndexMap map(before.size(), -1);
    for (std::size_t i = 0; i < head; ++i) map[i] = static_cast<Index>(i);
    for (std::size_t i = 0; i < tail; ++i)
        map[before.size() - 1 - i] = static_cast<Index>(after.size() - 1 - i);
    // A word that is being typed is still the same word.
    if (before.size() == after.size() && head + tail + 1 == before.size())
        map[head] = static_cast<Index>(head);
    return map;
}

IndexMap map_names(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::map<std::string, Index> place;
    for (std::size_t i = 0; i < after.size(); ++i) place[after[i]] = static_cast<Index>(i);
    IndexMap map;
    for (const std::string& name : before) {
        const auto it = place.find(name);
        map.push_back(it == place.end() ? -1 : it->second);
    }
    return map;
}

IndexMap map_edges(const Edges& before, const Edges& after, const IndexMap& nodes) {
    std::map<std::pair<Index, Index>, Index> place;
    for (std::size_t e = 0; e < after.row.size(); ++e)
        place[{after.row[e], after.neighbour[e]}] = static_cast<Index>(e);
    IndexMap map;
    for (std::size_t e = 0; e < before.row.size(); ++e) {
        const auto it = place.find({nodes[static_cast<std::size_t>(before.row[e])],
                                    nodes[static_cast<std::size_t>(before.neighbour[e])]});
        map.push_back(it == place.end() ? -1 : it->second);
    }
    return map;
}

/// The maps of every axis whose indices can move.
struct Moves {
    IndexMap items, edges;

    Index moved(AxisKind kind, Index index) const {
        switch (kind) {
            case AxisKind::Query:
            case AxisKind::Key:
            case AxisKind::Item:
                return at(items, index);
            case AxisKind::Edge:
                return at(edges, index);
            default:
                return index;
        }
    }

    static Index at(const IndexMap& map, Index index) {
        return index < static_cast<Index>(map.size()) ? map[static_cast<std::size_t>(index)] : -1;
    }
};

void move_holds(Holds& holds, const Trace& before, const Moves& moves) {
    for (auto& [path, hold] : holds) {
        const Tensor* tensor = before.find(path);
        if (!tensor) continue;
        Hold moved{.cells = {}, .rows = hold.rows};
        for (const HeldCell& cell : hold.cells) {
            const Index row = moves.moved(tensor->rows.kind, cell.row);
            const Index column = moves.moved(tensor->columns.kind, cell.column);
            if (row >= 0 && column >= 0) moved.cells.push_back({row, column, cell.value});
        }
        std::sort(moved.cells.begin(), moved.cells.end(), [](const HeldCell& a, const HeldCell& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        });
        hold = std::move(moved);
    }
    std::erase_if(holds, [](const auto& entry) { return entry.second.cells.empty(); });
}

/// The plan of a document that may have nothing to attend to.
std::optional<Trace> find_plan(const Document& document) {
    if (document.holds.empty()) return std::nullopt;  // nothing will have to move
    try {
        return plan(document);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

void set_cell(Document& document, const std::string& path, Index row, Index column, Scalar value) {
    document.holds[path].set(row, column, value);
}

void reset_cell(Document& document, const std::string& path, Index row, Index column) {
    const auto it = document.holds.find(path);
    if (it == document.holds.end()) return;
    it->second.reset(row, column);
    if (it->second.cells.empty()) document.holds.erase(it);
}

void reset_tensor(Document& document, const std::string& path) {
    document.holds.erase(path);
}

void set_tensor(Document& document, const Tensor& tensor, const Matrix& values) {
    if (values.rows() != tensor.rows.size || values.cols() != tensor.columns.size)
        throw Error("edit",
                    tensor.path + " is " + shape_text(tensor.rows.size, tensor.columns.size) +
                        ", the values given are " + shape_text(values.rows(), values.cols()));
    for (Index i = 0; i < values.rows(); ++i)
        for (Index j = 0; j < values.cols(); ++j)
            if (values(i, j) != values(i, j))
                throw Error("edit", "the value for " + tensor.path + "[" + std::to_string(i) +
                                        ", " + std::to_string(j) +
                                        "] is NaN; a cell needs a number, or −inf");
    document.holds[tensor.path] = hold_all(values);
}

void set_text(Document& document, const std::string& text) {
    SentenceStudy* study = document.sentence();
    if (!study) throw Error("edit", "this study is a graph, it has no text");
    const std::vector<std::string> words = split_words(text);
    const std::optional<Trace> before = find_plan(document);
    study->text = text;
    if (before)
        move_holds(document.holds, *before,
                   {.items = map_words(*before->items, words), .edges = {}});
}

void set_graph_study(Document& document, GraphStudy changed) {
    GraphStudy* study = document.graph();
    if (!study) throw Error("edit", "this study is a sentence, it has no graph");
    const std::optional<Trace> before = find_plan(document);
    *study = std::move(changed);
    if (!before) return;
    std::vector<std::string> names;
    for (const Node& node : study->graph.nodes) names.push_back(node.name);
    Moves moves{.items = map_names(*before->items, names), .edges = {}};
    moves.edges = map_edges(*before->edges, readings(*study), moves.items);
    move_holds(document.holds, *before, moves);
}

Edges readings(const GraphStudy& study) {
    const auto n = static_cast<Index>(study.graph.nodes.size());
    std::vector<Reading> list;
    for (const Edge& edge : study.graph.edges) {
        list.push_back({edge.target, edge.source});
        if (!study.graph.directed) list.push_back({edge.source, edge.target});
    }
    if (study.self_loops == SelfLoops::On)
        for (Index i = 0; i < n; ++i) list.push_back({i, i});
    return make_edges(n, std::move(list));
}

}  // namespace headlight
