#include "io/arrays/recording_index.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/mechanisms/image_attention.h"
#include "graph/graph_builder.h"
#include "io/arrays/array_file.h"
#include "io/arrays/safetensors.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Reads a whole number between `least` and `most`, both included.
int whole_number(const JsonView& view, std::int64_t least, std::uint64_t most) {
    return static_cast<int>(view.integer(least, static_cast<std::int64_t>(most)));
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

/// Reads the name of a file in the folder of the index; throws Error for one that leads away.
std::string read_bare_name(const JsonView& name) {
    constexpr std::size_t kMostBytes = 255;
    std::string bare = name.text();
    const bool is_bare = !bare.empty() && bare.size() <= kMostBytes && bare != "." &&
                         bare != ".." && bare.find_first_of("/\\") == std::string::npos &&
                         bare.find('\0') == std::string::npos;
    if (!is_bare)
        name.fail("{} is not the name of a file in the folder of the index", in_quotes(bare));
    return bare;
}

// ---- patches ----

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
    const JsonView pixels = view.at("pixels");
    if (pixels.size() != 2) pixels.fail("must be [rows, columns]");
    patches.pixels = {whole_number(pixels[0], 1, kMaxPreparedSide),
                      whole_number(pixels[1], 1, kMaxPreparedSide)};
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
        if (has_edges_) {
            for (const char* key : {"tokens", "source", "patches"})
                if (const auto found = view.find(key))
                    found->fail(
                        "is there, but attention of the kind 'edges' has 'nodes' and 'edges'");
            return read_graph_text(view);
        }
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
    bool has_source_, has_edges_;
};

/// Reads the list `texts` of an index with these attentions. Throws Error, naming the place, for
/// anything that is not allowed.
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

}  // namespace

std::vector<Index> edge_order(const Graph& graph) {
    std::vector<Index> order(graph.edges.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index e) {
        return reader_and_read(graph.edges[static_cast<std::size_t>(e)]);
    });
    return order;
}

namespace {

constexpr std::int64_t kIndexVersion = 1;
constexpr std::int64_t kMaxRecordedWidth = 65'536;

constexpr std::array<std::pair<std::string_view, RecordedKind>, 4> kRecordedKinds = {
    {{"self", RecordedKind::Self},
     {"cross", RecordedKind::Cross},
     {"source", RecordedKind::Source},
     {"edges", RecordedKind::Edges}}};

// ---- attentions ----

/// Reads the number of heads; for graphs it may be a list with one number for each layer.
void read_heads(const JsonView& heads, RecordedAttention& attention) {
    if (!heads.is_list() || attention.kind != RecordedKind::Edges) {
        attention.n_heads = whole_number(heads, 1, kMaxPatterns);
        return;
    }
    if (heads.size() != static_cast<std::size_t>(attention.n_layers))
        heads.fail("has {} for {}", counted(static_cast<std::int64_t>(heads.size()), "number"),
                   counted(attention.n_layers, "layer"));
    heads.for_each_element([&](const JsonView& number) {
        attention.layer_heads.push_back(whole_number(number, 1, kMaxPatterns));
    });
    attention.n_heads = std::ranges::max(attention.layer_heads);
}

RecordedAttention read_attention(const JsonView& view) {
    view.expect_keys({"kind", "layers", "heads", "kv_heads", "d_k", "d_v"});
    RecordedAttention attention{.kind = view.at("kind").choice(kRecordedKinds),
                                .n_layers = whole_number(view.at("layers"), 1, kMaxPatterns)};
    read_heads(view.at("heads"), attention);
    attention.n_kv_heads = attention.n_heads;
    const auto width = [&](const char* key) {
        const auto found = view.find(key);
        return found ? static_cast<Index>(found->integer(1, kMaxRecordedWidth)) : Index{0};
    };
    attention.d_k = width("d_k");
    attention.d_v = width("d_v");
    const auto shared = view.find("kv_heads");
    if (!shared) return attention;
    if (!attention.layer_heads.empty()) shared->fail("needs layers with equally many heads");
    attention.n_kv_heads = whole_number(*shared, 1, kMaxPatterns);
    if (attention.n_heads % attention.n_kv_heads != 0)
        shared->fail("does not divide the {} heads", attention.n_heads);
    return attention;
}

RecordedAttentions read_attentions(const JsonView& list) {
    if (list.size() == 0) list.fail("is empty; a recording has at least one kind of attention");
    RecordedAttentions attentions;
    std::uint64_t n_patterns = 0;
    list.for_each_element([&](const JsonView& view) {
        const RecordedAttention attention = read_attention(view);
        for (const RecordedAttention& before : attentions)
            if (before.kind == attention.kind) view.fail("is of a kind that came before");
        if (!attentions.empty() &&
            (attention.kind == RecordedKind::Edges || attentions[0].kind == RecordedKind::Edges))
            view.fail("is beside another kind, but attention along 'edges' stands alone");
        n_patterns += static_cast<std::uint64_t>(count_recorded_patterns({&attention, 1}));
        attentions.push_back(attention);
    });
    if (n_patterns > kMaxPatterns)
        list.fail("have {} heads in all layers; at most {} heads are shown", n_patterns,
                  kMaxPatterns);
    return attentions;
}

// ---- shards ----

std::vector<std::string> read_shards(const JsonView& list) {
    if (list.size() > kMaxShards)
        list.fail("has {} shards; at most {} are read", list.size(), kMaxShards);
    std::vector<std::string> shards;
    std::set<std::string> seen;
    list.for_each_element([&](const JsonView& name) {
        shards.push_back(read_bare_name(name));
        if (!seen.insert(shards.back()).second) name.fail("is here twice");
    });
    return shards;
}

// ---- arrays ----

std::pair<int, int> read_range(const JsonView& range, int size) {
    if (range.size() != 2) range.fail("must be [first, end]");
    const std::pair places{whole_number(range[0], 0, static_cast<std::uint64_t>(size)),
                           whole_number(range[1], 0, static_cast<std::uint64_t>(size))};
    if (places.first >= places.second) range.fail("is empty: the end comes after what is in it");
    return places;
}

class PieceReader {
  public:
    PieceReader(const RecordingIndex& index, ShardsAre shards) : index_(index), shards_(shards) {}

    RecordedPiece read(const JsonView& view) const {
        view.expect_keys({"shard", "text", "kind", "layers", "heads", "pattern", "q", "k", "v"});
        RecordedPiece piece;
        piece.text = whole_number(view.at("text"), 0, index_.texts->size() - 1);
        piece.attention = attention_at(view.at("kind"));
        piece.shard = shard_at(view);
        const RecordedAttention& attention =
            index_.attentions[static_cast<std::size_t>(piece.attention)];
        std::tie(piece.first_layer, piece.end_layer) =
            read_range(view.at("layers"), attention.n_layers);
        std::tie(piece.first_head, piece.end_head) =
            read_range(view.at("heads"), attention.n_heads);
        check_shared(view.at("heads"), attention, piece);
        for (int l = piece.first_layer; l < piece.end_layer; ++l)
            if (piece.end_head > attention.heads_in(l))
                view.at("heads").fail("layer {} has {}", l, attention.heads_in(l));
        piece.pattern = name_at(view, "pattern", true, "");
        piece.q = name_at(view, "q", attention.d_k > 0, "d_k");
        piece.k = name_at(view, "k", attention.d_k > 0, "d_k");
        piece.v = name_at(view, "v", attention.d_v > 0, "d_v");
        return piece;
    }

  private:
    int attention_at(const JsonView& kind) const {
        const RecordedKind wanted = kind.choice(kRecordedKinds);
        for (std::size_t a = 0; a < index_.attentions.size(); ++a)
            if (index_.attentions[a].kind == wanted) return static_cast<int>(a);
        kind.fail("is not a kind that 'attentions' lists");
    }

    int shard_at(const JsonView& view) const {
        if (shards_ == ShardsAre::Beside)
            return index_.shards.empty()
                       ? (view.fail("there is no shard"), 0)
                       : whole_number(view.at("shard"), 0, index_.shards.size() - 1);
        if (const auto shard = view.find("shard"))
            shard->fail("an index within its file has no shards");
        return 0;
    }

    static void check_shared(const JsonView& heads, const RecordedAttention& attention,
                             const RecordedPiece& piece) {
        const int group = attention.n_heads / attention.n_kv_heads;
        const bool has_shared = attention.d_k > 0 || attention.d_v > 0;
        if (has_shared && (piece.first_head % group != 0 || piece.end_head % group != 0))
            heads.fail("cuts through heads that share keys and values; {} of them do", group);
    }

    static std::string name_at(const JsonView& view, const char* key, bool is_wanted,
                               const char* width) {
        const auto name = view.find(key);
        if (is_wanted && !name)
            view.fail("the key '{}' is missing{}", key,
                      *width ? fmt::format(", but 'attentions' has '{}'", width) : "");
        if (!name) return "";
        if (!is_wanted) name->fail("is here, but 'attentions' has no '{}'", width);
        if (name->text().empty() || name->text().size() > kMaxArrayNameBytes)
            name->fail("an array's name has 1 to {} bytes", kMaxArrayNameBytes);
        return name->text();
    }

    const RecordingIndex& index_;
    ShardsAre shards_;
};

/// Reads where the summaries of a text's heads are, whose patterns come later.
RecordedSummaries read_summaries(const JsonView& view, const RecordingIndex& index) {
    view.expect_keys({"shard", "overviews", "metrics"});
    const RecordedAttention& attention = index.attentions.front();
    if (index.shards.empty() || index.texts->size() > 1 || index.attentions.size() > 1 ||
        attention.kind != RecordedKind::Self || attention.d_k > 0 || attention.d_v > 0)
        view.fail(
            "are of one text with shards, whose only attention is patterns of the kind 'self'");
    return {whole_number(view.at("shard"), 0, index.shards.size() - 1), view.at("overviews").text(),
            view.at("metrics").text()};
}

std::string piece_text(const RecordedPiece& piece, const RecordingIndex& index) {
    const RecordedKind kind = index.attentions[static_cast<std::size_t>(piece.attention)].kind;
    return fmt::format("text {}, kind '{}'", piece.text,
                       kRecordedKinds[static_cast<std::size_t>(kind)].first);
}

auto place_of_piece(const RecordedPiece& piece) {
    return std::pair(piece.text, piece.attention);
}

/// Throws Error unless the pieces of one text and attention hold each head exactly once.
void check_cover(std::span<const RecordedPiece> pieces, const RecordingIndex& index,
                 const JsonView& list) {
    const RecordedAttention& attention =
        index.attentions[static_cast<std::size_t>(pieces[0].attention)];
    std::vector<std::size_t> firsts;  // of the heads of each layer
    std::size_t n_heads = 0;
    for (int l = 0; l < attention.n_layers; ++l) {
        firsts.push_back(n_heads);
        n_heads += static_cast<std::size_t>(attention.heads_in(l));
    }
    std::vector<bool> is_there(n_heads);
    std::size_t n_there = 0;
    for (const RecordedPiece& piece : pieces) {
        // The area is counted first: overlaps end the loop before they cost more than one text.
        n_there +=
            static_cast<std::size_t>(piece.n_layers()) * static_cast<std::size_t>(piece.n_heads());
        if (n_there > is_there.size())
            list.fail("{}: a head is here more than once", piece_text(piece, index));
        for (int l = piece.first_layer; l < piece.end_layer; ++l)
            for (int h = piece.first_head; h < piece.end_head; ++h) {
                auto is_here =
                    is_there[firsts[static_cast<std::size_t>(l)] + static_cast<std::size_t>(h)];
                if (is_here)
                    list.fail("{}: layer {}, head {} is here more than once",
                              piece_text(piece, index), l, h);
                is_here = true;
            }
    }
    const auto gap = std::ranges::find(is_there, false);
    if (gap == is_there.end()) return;
    const auto at = static_cast<std::size_t>(gap - is_there.begin());
    const auto layer = std::ranges::upper_bound(firsts, at) - firsts.begin() - 1;
    list.fail("{}: layer {}, head {} is missing", piece_text(pieces[0], index), layer,
              at - firsts[static_cast<std::size_t>(layer)]);
}

void check_complete(const RecordingIndex& index, const JsonView& list) {
    auto piece = index.pieces.begin();
    for (std::size_t t = 0; t < index.texts->size(); ++t)
        for (std::size_t a = 0; a < index.attentions.size(); ++a) {
            const std::pair place(static_cast<int>(t), static_cast<int>(a));
            const auto end = std::find_if(piece, index.pieces.end(), [&](const auto& other) {
                return place_of_piece(other) != place;
            });
            if (piece == end) {
                RecordedPiece missing;
                missing.text = place.first;
                missing.attention = place.second;
                list.fail("{} is missing", piece_text(missing, index));
            }
            check_cover({piece, end}, index, list);
            piece = end;
        }
}

}  // namespace

const RecordedPiece& RecordingIndex::piece_with(const RecordedMatrix& matrix) const {
    const RecordedAttention& attention = attentions[static_cast<std::size_t>(matrix.attention)];
    const bool is_shared = matrix.part == RecordedPart::Key || matrix.part == RecordedPart::Value;
    const int head =
        is_shared ? matrix.head * (attention.n_heads / attention.n_kv_heads) : matrix.head;
    const std::pair place(static_cast<int>(matrix.text), matrix.attention);
    auto piece = std::ranges::lower_bound(pieces, place, {}, place_of_piece);
    for (; piece != pieces.end() && place_of_piece(*piece) == place; ++piece)
        if (piece->has(matrix.layer, head)) return *piece;
    throw Error("recording", "has no such head");
}

bool is_recording_index(const JsonSource& source) {
    const JsonView root(source);
    return root.is_object() && root.find("attention").has_value();
}

RecordingIndex read_recording_index(const JsonSource& source, ShardsAre shards) {
    const JsonView root(source);
    root.expect_keys(
        {"attention", "model", "texts", "attentions", "shards", "arrays", "summaries"});
    const JsonView version = root.at("attention");
    if (const auto number = version.integer(0, kMaxRecordedWidth); number != kIndexVersion)
        version.fail("is version {} of the format; version {} is read", number, kIndexVersion);
    RecordingIndex index;
    if (const auto model = root.find("model")) index.model = model->text();
    index.attentions = read_attentions(root.at("attentions"));
    const JsonView texts = root.at("texts");
    index.texts = std::make_shared<const std::vector<RecordedText>>(
        read_recorded_texts(texts, index.attentions));
    const auto n_patterns = static_cast<std::uint64_t>(count_recorded_patterns(index.attentions));
    if (n_patterns * index.texts->size() > kMaxPatternsOfTexts)
        texts.fail("have {} heads together; at most {} are read", n_patterns * index.texts->size(),
                   kMaxPatternsOfTexts);
    if (shards == ShardsAre::Within && index.texts->front().patches)
        texts[0].at("patches").fail("an index within its file has no pictures beside it");
    if (shards == ShardsAre::Beside)
        index.shards = read_shards(root.at("shards"));
    else if (const auto list = root.find("shards"))
        list->fail("an index within its file has no shards");
    const PieceReader reader(index, shards);
    const JsonView arrays = root.at("arrays");
    arrays.for_each_element(
        [&](const JsonView& view) { index.pieces.push_back(reader.read(view)); });
    std::ranges::stable_sort(index.pieces, {}, place_of_piece);
    check_complete(index, arrays);
    if (const auto summaries = root.find("summaries"))
        index.summaries = read_summaries(*summaries, index);
    return index;
}

std::optional<std::string> find_own_index(const ByteSource& bytes) {
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (array_format(beginning, bytes.size) != ArrayFormat::Safetensors) return std::nullopt;
    auto metadata = read_safetensors_metadata(bytes);
    const auto index = metadata.find("attention_index");
    if (index == metadata.end()) return std::nullopt;
    return std::move(index->second);
}

}  // namespace headlight
