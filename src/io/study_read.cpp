#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "graph/edge_list.h"
#include "graph/layout.h"
#include "io/json_view.h"
#include "io/printable.h"
#include "io/study.h"
#include "io/study_words.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr int kMaxInt = std::numeric_limits<int>::max();

/// Settings that are missing keep the default of their type.
void read_integer(const JsonView& object, std::string_view key, int high, int& setting) {
    if (const auto view = object.find(key)) setting = static_cast<int>(view->integer(1, high));
}

template <typename Choice, std::size_t n>
void read_choice(const JsonView& object, std::string_view key, const ChoiceWords<Choice, n>& words,
                 Choice& setting) {
    if (const auto view = object.find(key)) setting = view->choice(words);
}

template <typename Switch>
void read_switch(const JsonView& object, std::string_view key, Switch& setting) {
    if (const auto view = object.find(key)) setting = view->flag() ? Switch::On : Switch::Off;
}

SelfAttentionSettings read_sentence_layer(const JsonView& object) {
    object.expect_keys(
        {"n_layers", "n_heads", "d_model", "d_k", "d_v", "mask", "positions", "residual"});
    SelfAttentionSettings layer;
    read_integer(object, "n_layers", kMaxLayers, layer.n_layers);
    read_integer(object, "n_heads", kMaxHeads, layer.n_heads);
    read_integer(object, "d_model", kMaxWidth, layer.d_model);
    read_integer(object, "d_k", kMaxWidth, layer.d_k);
    read_integer(object, "d_v", kMaxWidth, layer.d_v);
    read_choice(object, "mask", kMaskWords, layer.mask);
    read_choice(object, "positions", kPositionWords, layer.positions);
    read_switch(object, "residual", layer.residual);
    return layer;
}

SentenceStudy read_sentence(const JsonView& root) {
    root.expect_keys({"headlight", "kind", "text", "layer", "seed", "edits"});
    SentenceStudy study;
    const JsonView text = root.at("text");
    study.text = text.text();
    if (study.text.size() > kMaxTextBytes)
        text.fail("must be at most " + std::to_string(kMaxTextBytes) + " bytes long, not " +
                  std::to_string(study.text.size()));
    const std::size_t n_words = split_words(study.text).size();
    if (n_words > kMaxWords)
        text.fail("must have at most " + std::to_string(kMaxWords) + " words, not " +
                  std::to_string(n_words));
    if (const auto layer = root.find("layer")) study.layer = read_sentence_layer(*layer);
    return study;
}

class GraphReader {
  public:
    Graph read(const JsonView& object) {
        object.expect_keys({"title", "directed", "nodes", "edges"});
        if (const auto title = object.find("title")) graph_.title = title->text();
        if (const auto directed = object.find("directed")) graph_.directed = directed->flag();
        read_nodes(object.at("nodes"));
        if (const auto edges = object.find("edges")) read_edges(*edges);
        if (n_placed_ == 0) lay_out(graph_);
        return std::move(graph_);
    }

  private:
    void read_nodes(const JsonView& list) {
        if (list.size() > kMaxNodes)
            list.fail("at most " + std::to_string(kMaxNodes) + " nodes are read");
        list.for_each_element([&](const JsonView& node) { read_node(node); });
        if (n_placed_ != 0 && n_placed_ != graph_.nodes.size())
            list.fail("some nodes have a place and some have none; give x and y to all or to none");
    }

    /// "name", or {"name": …, "x": …, "y": …, "group": …}
    void read_node(const JsonView& view) {
        Node node;
        const JsonView name = view.is_text() ? view : view.at("name");
        node.name = name.text();
        if (node.name.empty()) name.fail("must not be empty");
        if (!index_.emplace(node.name, static_cast<int>(graph_.nodes.size())).second)
            name.fail("a second node is called " + in_quotes(node.name) + "; names must differ");
        if (!view.is_text()) read_node_details(view, node);
        graph_.nodes.push_back(std::move(node));
    }

    void read_node_details(const JsonView& view, Node& node) {
        view.expect_keys({"name", "x", "y", "group"});
        if (view.find("x").has_value() != view.find("y").has_value())
            view.fail("needs both x and y, or neither");
        if (view.find("x")) ++n_placed_;
        if (const auto x = view.find("x")) node.x = static_cast<float>(x->number());
        if (const auto y = view.find("y")) node.y = static_cast<float>(y->number());
        if (const auto group = view.find("group"))
            node.group = static_cast<int>(group->integer(0, kMaxInt));
    }

    void read_edges(const JsonView& list) {
        if (list.size() > kMaxEdges)
            list.fail("at most " + std::to_string(kMaxEdges) + " edges are read");
        list.for_each_element([&](const JsonView& edge) { read_edge(edge); });
    }

    /// ["source", "target"]
    void read_edge(const JsonView& view) {
        if (view.size() != 2) view.fail("an edge has two node names: [\"source\", \"target\"]");
        const Edge edge{node_named(view[0]), node_named(view[1])};
        std::pair ends(edge.source, edge.target);
        if (!graph_.directed && ends.first > ends.second) std::swap(ends.first, ends.second);
        if (!edges_.insert(ends).second)
            view.fail("this edge is here for the second time; keep one");
        graph_.edges.push_back(edge);
    }

    int node_named(const JsonView& view) const {
        const auto it = index_.find(view.text());
        if (it == index_.end()) view.fail("no node is called " + in_quotes(view.text()));
        return it->second;
    }

    Graph graph_;
    std::unordered_map<std::string, int> index_;  // by name
    std::size_t n_placed_ = 0;
    std::set<std::pair<int, int>> edges_;
};

GraphStudy read_graph(const JsonView& root) {
    root.expect_keys({"headlight", "kind", "graph", "layer", "seed", "edits"});
    GraphStudy study;
    study.graph = GraphReader().read(root.at("graph"));
    const auto layer = root.find("layer");
    if (!layer) return study;
    layer->expect_keys(
        {"n_heads", "d_in", "d_out", "slope", "combine", "activation", "self_loops"});
    read_integer(*layer, "n_heads", kMaxHeads, study.layer.n_heads);
    read_integer(*layer, "d_in", kMaxWidth, study.layer.d_in);
    read_integer(*layer, "d_out", kMaxWidth, study.layer.d_out);
    if (const auto slope = layer->find("slope")) {
        study.layer.slope = static_cast<float>(slope->number());
        if (study.layer.slope < 0 || study.layer.slope > 1)
            slope->fail("must be a number from 0 to 1");
    }
    read_choice(*layer, "combine", kCombineWords, study.layer.combine);
    read_choice(*layer, "activation", kActivationWords, study.layer.activation);
    read_switch(*layer, "self_loops", study.self_loops);
    return study;
}

/// [[row, column, value], …] in any order.
std::vector<HeldCell> read_cells(const JsonView& list) {
    std::vector<HeldCell> cells;
    cells.reserve(list.size());
    list.for_each_element([&](const JsonView& cell) {
        if (cell.size() != 3) cell.fail("a cell is [row, column, value]");
        cells.push_back({cell[0].integer(0, kMaxInt), cell[1].integer(0, kMaxInt),
                         cell[2].number(Infinity::Allowed)});
    });
    const auto place = [](const HeldCell& cell) { return std::pair(cell.row, cell.column); };
    std::ranges::stable_sort(cells, {}, place);
    const auto twice = std::ranges::adjacent_find(cells, {}, place);
    if (twice != cells.end())
        list.fail("cell [" + std::to_string(twice->row) + ", " + std::to_string(twice->column) +
                  "] is here twice; keep one");
    return cells;
}

/// [[value, …], …]
std::vector<HeldCell> read_matrix(const JsonView& rows) {
    std::vector<HeldCell> cells;
    Index row = 0;
    const std::size_t n_columns = rows.size() == 0 ? 0 : rows[0].size();
    rows.for_each_element([&](const JsonView& values) {
        if (values.size() != n_columns)
            values.fail("this row has " + std::to_string(values.size()) +
                        " values, the first has " + std::to_string(n_columns));
        Index column = 0;
        values.for_each_element([&](const JsonView& value) {
            cells.push_back({row, column++, value.number(Infinity::Allowed)});
        });
        ++row;
    });
    return cells;
}

Hold read_hold(const JsonView& object) {
    object.expect_keys({"cells", "matrix", "rows"});
    Hold hold;
    read_choice(object, "rows", kRowWords, hold.rows);
    const auto cells = object.find("cells"), matrix = object.find("matrix");
    if (cells.has_value() == matrix.has_value())
        object.fail(cells ? "has both 'cells' and 'matrix'; keep one"
                          : "needs 'cells' or 'matrix'");
    hold.cells = cells ? read_cells(*cells) : read_matrix(*matrix);
    return hold;
}

void check_version(const JsonView& root) {
    const auto view = root.find("headlight");
    if (!view) return;  // written by hand
    const auto version = view->integer(1, kMaxInt);
    if (version > kStudyVersion)
        view->fail("format version " + std::to_string(version) +
                   " is newer than this program, which reads up to " +
                   std::to_string(kStudyVersion) + "; get a newer Headlight");
}

enum class StudyKind { Sentence, Graph };
constexpr ChoiceWords<StudyKind, 2> kKindWords = {
    {{"sentence", StudyKind::Sentence}, {"graph", StudyKind::Graph}}};

}  // namespace

Document read_study(std::string_view bytes, std::string_view source_name) {
    const std::string name(source_name);
    const JsonSource source{name, parse_json(bytes, name)};
    const JsonView root(source);
    if (!root.is_object()) root.fail("a study is an object { … }");
    check_version(root);  // first: a newer format may have other keys
    Document document;
    if (root.at("kind").choice(kKindWords) == StudyKind::Sentence)
        document.study = read_sentence(root);
    else
        document.study = read_graph(root);
    if (const auto seed = root.find("seed")) document.seed = seed->unsigned_integer();
    if (const auto edits = root.find("edits"))
        edits->for_each_member([&](const std::string& path, const JsonView& hold) {
            document.holds.emplace(path, read_hold(hold));
        });
    return document;
}

}  // namespace headlight
