#include "io/arrays/recording_texts.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>

#include "core/mechanisms/image_attention.h"
#include "graph/graph_builder.h"
#include "io/arrays/recording_index.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

int whole_number(const JsonView& view, int least, int most) {
    return static_cast<int>(view.integer(least, most));
}

std::vector<std::string> read_index_tokens(const JsonView& list) {
    if (list.size() == 0) list.fail("is empty; a text has at least one token");
    if (list.size() > kMaxWords)
        list.fail("has {} tokens; at most {} are shown", list.size(), kMaxWords);
    std::vector<std::string> tokens;
    tokens.reserve(list.size());
    list.for_each_element([&](const JsonView& token) {
        tokens.push_back(token.text());
        if (tokens.back().size() > kMaxTokenBytes)
            token.fail("has {} bytes; at most {} are shown", tokens.back().size(), kMaxTokenBytes);
    });
    return tokens;
}

// ---- patches ----

PictureSize read_pixels(const JsonView& view) {
    if (view.size() != 2) view.fail("must be [rows, columns]");
    return {whole_number(view[0], 1, kMaxPreparedSide), whole_number(view[1], 1, kMaxPreparedSide)};
}

RecordedText read_patches(const JsonView& view) {
    view.expect_keys({"rows", "columns", "before", "picture", "pixels"});
    const auto most = static_cast<int>(kMaxWords);
    RecordedText text;
    RecordedPatches patches{.rows = whole_number(view.at("rows"), 1, most),
                            .columns = whole_number(view.at("columns"), 1, most)};
    if (const auto before = view.find("before")) {
        if (before->size() > 0) text.tokens = read_index_tokens(*before);
        patches.before = static_cast<int>(text.tokens.size());
    }
    if (const auto n = std::int64_t{patches.rows} * patches.columns + patches.before; n > most)
        view.fail("are {} tokens; at most {} are shown", n, most);
    std::ranges::move(grid_names(patches.rows, patches.columns), std::back_inserter(text.tokens));
    patches.picture = read_bare_name(view.at("picture"));
    patches.pixels = read_pixels(view.at("pixels"));
    text.patches = std::move(patches);
    return text;
}

// ---- graphs ----

/// Reads the names of nodes, all different, or only their number.
std::vector<std::string> read_node_names(const JsonView& view) {
    std::vector<std::string> names;
    if (!view.is_list()) {
        const int n = whole_number(view, 1, kMaxNodes);
        for (int i = 0; i < n; ++i) names.push_back(std::to_string(i));
        return names;
    }
    if (view.size() == 0) view.fail("is empty; a graph has at least one node");
    if (view.size() > kMaxNodes) view.fail("at most {} are read", kMaxNodes);
    std::set<std::string> seen;
    view.for_each_element([&](const JsonView& name) {
        names.push_back(name.text());
        if (names.back().empty()) name.fail("must not be empty");
        if (names.back().size() > kMaxNameBytes) name.fail("has more than {} bytes", kMaxNameBytes);
        if (!seen.insert(names.back()).second)
            name.fail("a second node is called {}; names must differ", in_quotes(names.back()));
    });
    return names;
}

/// Reads [[sources], [targets]], as PyTorch Geometric's edge_index.
std::vector<Edge> read_index_edges(const JsonView& view, int n_nodes) {
    if (view.size() != 2) view.fail("must be two lists, [sources, targets], of one length");
    const JsonView sources = view[0], targets = view[1];
    if (sources.size() == 0) view.fail("is empty; there is at least one edge");
    if (sources.size() > kMaxEdges) view.fail("at most {} edges are read", kMaxEdges);
    if (sources.size() != targets.size())
        targets.fail("has {} nodes, but there are {} sources", targets.size(), sources.size());
    std::vector<Edge> edges(sources.size());
    const auto node = [&](const JsonView& number) {
        const std::int64_t at = number.integer(0, kMaxNodes);
        if (at >= n_nodes)
            number.fail("is {}, but there are {}, counted from 0", at, counted(n_nodes, "node"));
        return static_cast<int>(at);
    };
    std::size_t e = 0;
    sources.for_each_element([&](const JsonView& number) { edges[e++].source = node(number); });
    e = 0;
    targets.for_each_element([&](const JsonView& number) { edges[e++].target = node(number); });
    return edges;
}

auto reader_and_read(const Edge& edge) {
    return std::pair(edge.target, edge.source);
}

RecordedText read_graph_text(const JsonView& view) {
    auto graph = std::make_shared<Graph>();
    graph->directed = true;
    RecordedText text{.tokens = read_node_names(view.at("nodes"))};
    for (const std::string& name : text.tokens) graph->nodes.push_back({.name = name});
    const JsonView edges = view.at("edges");
    graph->edges = read_index_edges(edges, static_cast<int>(text.tokens.size()));
    const std::vector<Index> order = edge_order(*graph);
    const auto at = [&](Index e) {
        return reader_and_read(graph->edges[static_cast<std::size_t>(e)]);
    };
    const auto twice = std::ranges::adjacent_find(order, {}, at);
    if (twice != order.end())
        edges.fail("numbers {} and {} both lead from node {} to node {}; an edge comes once",
                   twice[0], twice[1], at(*twice).second, at(*twice).first);
    text.graph = std::move(graph);
    return text;
}

// ---- all ----

bool has_kind(const RecordedAttentions& attentions, auto... kinds) {
    return std::ranges::any_of(attentions, [&](const RecordedAttention& attention) {
        return ((attention.kind == kinds) || ...);
    });
}

class TextReader {
  public:
    explicit TextReader(const RecordedAttentions& attentions)
        : has_source_(has_kind(attentions, RecordedKind::Cross, RecordedKind::Source)),
          has_edges_(has_kind(attentions, RecordedKind::Edges)) {}

    RecordedText read(const JsonView& view) const {
        view.expect_keys({"tokens", "source", "patches", "nodes", "edges"});
        for (const char* key : {"nodes", "edges"})
            if (const auto found = view.find(key); found && !has_edges_)
                found->fail("is there, but no attention of the kind 'edges' reads it");
        if (has_edges_) return read_of_graph(view);
        const auto patches = view.find("patches");
        if (patches && has_source_) patches->fail("have attention of the kind 'self' only");
        if (patches && view.find("tokens"))
            patches->fail("stand in place of tokens; keep one of the two");
        RecordedText text = patches ? read_patches(*patches)
                                    : RecordedText{.tokens = read_index_tokens(view.at("tokens"))};
        const auto source = view.find("source");
        if (source && !has_source_)
            source->fail("is there, but no attention of the kind 'cross' or 'source' reads it");
        if (!source && has_source_)
            view.fail("has no 'source', which attention of the kind 'cross' or 'source' reads");
        if (source) text.source = read_index_tokens(*source);
        return text;
    }

  private:
    static RecordedText read_of_graph(const JsonView& view) {
        for (const char* key : {"tokens", "source", "patches"})
            if (const auto found = view.find(key))
                found->fail("is there, but attention of the kind 'edges' has 'nodes' and 'edges'");
        return read_graph_text(view);
    }

    bool has_source_, has_edges_;
};

/// True if a name leads nowhere but into the folder of the index.
bool is_bare_name(const std::string& name) {
    constexpr std::size_t kMaxNameBytesOfFile = 255;
    return !name.empty() && name.size() <= kMaxNameBytesOfFile && name != "." && name != ".." &&
           name.find_first_of("/\\") == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace

std::vector<RecordedText> read_recorded_texts(const JsonView& list,
                                              const RecordedAttentions& attentions) {
    if (list.size() == 0) list.fail("is empty; a recording has at least one text");
    if (list.size() > static_cast<std::size_t>(kMaxRecordedTexts))
        list.fail("has {} texts; at most {} are read", list.size(), kMaxRecordedTexts);
    std::vector<RecordedText> texts;
    texts.reserve(list.size());
    const TextReader reader(attentions);
    list.for_each_element([&](const JsonView& view) {
        texts.push_back(reader.read(view));
        if (texts.back().patches.has_value() != texts.front().patches.has_value())
            view.fail("is of patches, or the first text is; all texts are or none");
    });
    return texts;
}

std::string read_bare_name(const JsonView& name) {
    std::string bare = name.text();
    if (!is_bare_name(bare))
        name.fail("{} is not the name of a file in the folder of the index", in_quotes(bare));
    return bare;
}

std::vector<Index> edge_order(const Graph& graph) {
    std::vector<Index> order(graph.edges.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index e) {
        return reader_and_read(graph.edges[static_cast<std::size_t>(e)]);
    });
    return order;
}

}  // namespace headlight
