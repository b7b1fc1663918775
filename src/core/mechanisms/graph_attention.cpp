#include "core/mechanisms/graph_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/image_attention.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"
#include "core/settings.h"

namespace headlight {
namespace {

/// A plan of a graph that is being named.
struct GraphNet {
    const GraphSettings& settings;
    std::uint64_t seed;
    Plan plan;
    TensorId edge_features = 0;  // if settings.d_edge > 0

    Index n_nodes() const { return plan.edges->n_nodes; }
    bool has_edge_features() const { return settings.d_edge > 0; }
    bool has_all_pairs() const;
    bool is_last(int layer) const { return layer + 1 == settings.n_layers; }
    bool has_bias() const { return settings.bias == Switch::On; }
    /// True if the heads of the layer are averaged, not concatenated.
    bool is_mean(int layer) const;

    Axis item() const { return {AxisKind::Item, n_nodes()}; }
    Axis query() const { return {AxisKind::Query, n_nodes()}; }
    Axis key() const { return {AxisKind::Key, n_nodes()}; }
    Axis edge() const { return {AxisKind::Edge, plan.edges->size()}; }
    Axis width(int layer) const { return {AxisKind::HeadValue, settings.d_out.of(layer)}; }
    /// Returns the axis of the layer's heads side by side.
    Axis concat_width(int layer) const;

    /// Adds a weight, seeded and named by its path; its symbol is given.
    TensorId weight(Named named, std::string symbol, Axis rows, Axis columns = {});
    /// Adds X W, "H = X W".
    TensorId project(TensorName name, TensorId x, TensorId W);
    /// Adds X W + b with that name for b if there are biases; else X W.
    TensorId project(TensorName name, TensorId x, TensorId W, TensorName bias);
    /// Adds the result of an operation that reads the edges.
    TensorId along_edges(TensorName name, std::string equation, const Operation& operation,
                         std::vector<TensorId> inputs, Scalar scale = 1);

    /// Adds head.W_edge and head.h_edge = F W_edge, the head's view of the edge features.
    TensorId edge_projection(const Location& head);
    /// Adds head.pattern: the softmax over the edges of each node.
    TensorId pattern(const Location& head, TensorId scores);
    /// Adds the activation after the layer; returns x if there is none. Without a symbol it gets
    /// its own.
    TensorId activated(TensorName name, int layer, TensorId x);
    /// Adds head.all_scores and head.ranking, unless the graph is too large.
    void ranking(const Location& head, std::string equation, const Operation& operation,
                 std::vector<TensorId> inputs, Scalar scale);
};

/// Each names the tensors of one head that reads x, and returns its output.
TensorId add_gat_head(GraphNet& net, const Location& head, TensorId x);

bool GraphNet::has_all_pairs() const {
    return n_nodes() <= kMostPairedNodes;
}

bool GraphNet::is_mean(int layer) const {
    return (is_last(layer) ? settings.combine : settings.inner_combine) == Combine::Mean;
}

Axis GraphNet::concat_width(int layer) const {
    return {AxisKind::Concat, Index(settings.n_heads.of(layer)) * settings.d_out.of(layer)};
}

TensorId GraphNet::weight(Named named, std::string symbol, Axis rows, Axis columns) {
    return add_weight(plan, {std::move(named), std::move(symbol), rows, columns}, seed);
}

TensorId GraphNet::project(TensorName name, TensorId x, TensorId W) {
    std::string equation = fmt::format("{} = {} {}", name.symbol, plan[x].symbol, plan[W].symbol);
    name.stage = Stage::Projection;
    return add_product(plan, std::move(name), std::move(equation), x, W);
}

TensorId GraphNet::project(TensorName name, TensorId x, TensorId W, TensorName bias) {
    if (!has_bias()) return project(std::move(name), x, W);
    bias.columns = plan[W].columns;
    const TensorId b = add_constant(plan, std::move(bias), operations::zeros);
    std::string equation =
        fmt::format("{} = {} {} + {}", name.symbol, plan[x].symbol, plan[W].symbol, plan[b].symbol);
    name.stage = Stage::Projection;
    name.columns = plan[W].columns;
    return add_result(plan, std::move(name), std::move(equation), operations::multiply_add,
                      {x, W, b});
}

TensorId GraphNet::along_edges(TensorName name, std::string equation, const Operation& operation,
                               std::vector<TensorId> inputs, Scalar scale) {
    return add_result(plan, std::move(name), std::move(equation), operation, std::move(inputs),
                      {.scale = scale, .edges = plan.edges});
}

TensorId GraphNet::edge_projection(const Location& head) {
    const Axis columns = width(head.layer);
    const TensorId W = weight(head.at("W_edge"), "W_{edge}", plan[edge_features].columns, columns);
    return project({head.at("h_edge", Role::NodeFeatures), "H_{edge}", edge(), columns},
                   edge_features, W);
}

TensorId GraphNet::pattern(const Location& head, TensorId scores) {
    return along_edges(
        {head.at(Role::Pattern), "α", edge(), {}, Stage::Score, Quantity::Probability},
        fmt::format("α(i,j) = softmax_j {}(i,j)", plan[scores].symbol), operations::edge_softmax,
        {scores});
}

TensorId GraphNet::activated(TensorName name, int layer, TensorId x) {
    const bool is_left_out = is_last(layer) && settings.last_activation == Switch::Off;
    if (settings.activation == Activation::None || is_left_out) return x;
    const bool is_elu = settings.activation == Activation::Elu;
    const std::string function = is_elu ? "ELU" : "ReLU";
    if (name.symbol.empty()) name.symbol = function;
    name.rows = item(), name.columns = plan[x].columns, name.stage = Stage::Output;
    return add_result(plan, std::move(name), fmt::format("{}({})", function, plan[x].symbol),
                      is_elu ? operations::elu : operations::relu, {x});
}

void GraphNet::ranking(const Location& head, std::string equation, const Operation& operation,
                       std::vector<TensorId> inputs, Scalar scale) {
    if (!has_all_pairs()) return;
    const TensorId all =
        add_result(plan,
                   {head.at("all_scores"), "S", query(), key(), Stage::Score, Quantity::Signed,
                    Keep::OnDemand},
                   std::move(equation), operation, std::move(inputs), {.scale = scale});
    add_result(
        plan,
        {head.at("ranking"), "rank", query(), key(), Stage::Score, Quantity::Rank, Keep::OnDemand},
        "rank of key j for query i; 0 is read most", operations::ranking, {all});
}

/// Adds the heads side by side, or their mean.
TensorId add_combined(GraphNet& net, const Location& here, std::vector<TensorId> heads) {
    const bool is_mean = net.is_mean(here.layer);
    const Axis width = is_mean ? net.width(here.layer) : net.concat_width(here.layer);
    const Scalar share = 1 / static_cast<Scalar>(heads.size());
    TensorName name{here.at("combined"), is_mean ? "mean" : "concat", net.item(), width,
                    Stage::Output};
    return is_mean ? add_result(net.plan, std::move(name), "Σ_h H'_h / heads",
                                operations::scaled_sum, std::move(heads), {.scale = share})
                   : add_result(net.plan, std::move(name), "[H'_0 | H'_1 | …]",
                                operations::concat_columns, std::move(heads));
}

/// Adds one layer that reads x, "gat.l" with heads of one kind: their results, combined, out.
/// Returns out.
TensorId add_gat_layer(GraphNet& net, int layer, TensorId x, decltype(add_gat_head)& add_head) {
    const Location here{.component = ComponentKind::GraphAttention, .layer = layer};
    std::vector<TensorId> heads;
    for (int h = 0; h < net.settings.n_heads.of(layer); ++h)
        heads.push_back(add_head(net, here.of_head(h), x));
    TensorId combined = add_combined(net, here, std::move(heads));
    if (net.has_bias()) {
        const Axis width = net.plan[combined].columns;
        const TensorId b =
            add_constant(net.plan, {here.at("b", Role::Bias), "b", {}, width}, operations::zeros);
        const std::string symbol = net.plan[combined].symbol + " + b";
        combined =
            add_result(net.plan, {here.at("biased"), symbol, net.item(), width, Stage::Output},
                       symbol, operations::add_bias, {combined, b});
    }
    const TensorId out = net.activated({here.at("out"), "out"}, layer, combined);
    if (out != combined) return out;
    return add_result(
        net.plan, {here.at("out"), "out", net.item(), net.plan[combined].columns, Stage::Output},
        net.plan[combined].symbol, operations::copy, {combined});
}

/// Scores s(e) = H(i) a_dst + H(j) a_src [+ H_edge(e) a_edge], before the LeakyReLU.
struct NodeScores {
    TensorId dst = 0, src = 0;
};

TensorId add_raw_scores(GraphNet& net, const Location& head, const NodeScores& nodes) {
    TensorName raw{head.at(Role::RawScores), "s", net.edge(), {}, Stage::Score};
    if (!net.has_edge_features())
        return net.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j)", operations::edge_scores,
                               {nodes.dst, nodes.src});
    const TensorId h_edge = net.edge_projection(head);
    const TensorId a_edge = net.weight(head.at("a_edge"), "a_{edge}", net.width(head.layer));
    const TensorId edge =
        net.project({head.at(Role::EdgeScores), "s_{edge}", net.edge()}, h_edge, a_edge);
    return net.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j) + s_{edge}(i,j)",
                           operations::edge_feature_scores, {nodes.dst, nodes.src, edge});
}

TensorId add_gat_head(GraphNet& net, const Location& head, TensorId x) {
    const auto slope = static_cast<Scalar>(net.settings.slope);
    const Axis width = net.width(head.layer);
    const TensorId W = net.weight(head.at("W"), "W", net.plan[x].columns, width);
    const TensorId a_src = net.weight(head.at("a_src"), "a_{src}", width);
    const TensorId a_dst = net.weight(head.at("a_dst"), "a_{dst}", width);
    const TensorId H =
        net.project({head.at("h", Role::NodeFeatures), "H", net.item(), width}, x, W);
    const TensorId src = net.project({head.at(Role::SourceScores), "s_{src}", net.key()}, H, a_src);
    const TensorId dst =
        net.project({head.at(Role::TargetScores), "s_{dst}", net.query()}, H, a_dst);
    const TensorId raw = add_raw_scores(net, head, {dst, src});
    const TensorId scores =
        net.along_edges({head.at(Role::Scores), "e", net.edge(), {}, Stage::Score},
                        "e = LeakyReLU(s)", operations::leaky_relu, {raw}, slope);
    const TensorId pattern = net.pattern(head, scores);
    const TensorId out =
        net.along_edges({head.at(Role::HeadOutput), "H'", net.item(), width, Stage::Mix},
                        "H'(i) = Σ_j α(i,j) H(j)", operations::edge_mix, {pattern, H});
    net.ranking(head, "LeakyReLU(s_{dst}(i) + s_{src}(j))", operations::all_sum_scores, {dst, src},
                slope);
    return out;
}

TensorId add_gatv2_head(GraphNet& net, const Location& head, TensorId x) {
    const auto slope = static_cast<Scalar>(net.settings.slope);
    const Axis features = net.plan[x].columns, width = net.width(head.layer);
    const TensorId W_src = net.weight(head.at("W_src"), "W_{src}", features, width);
    const TensorId W_dst = net.weight(head.at("W_dst"), "W_{dst}", features, width);
    const TensorId a = net.weight(head.at("a"), "a", width);
    const TensorId src =
        net.project({head.at("h_src", Role::NodeFeatures), "H_{src}", net.key(), width}, x, W_src,
                    {head.at("b_src", Role::Bias), "b_{src}"});
    const TensorId dst =
        net.project({head.at("h_dst", Role::NodeFeatures), "H_{dst}", net.query(), width}, x, W_dst,
                    {head.at("b_dst", Role::Bias), "b_{dst}"});
    std::vector<TensorId> inputs{dst, src, a};
    std::string sum = "H_{dst}(i) + H_{src}(j)";
    const std::string all_pairs = fmt::format("a · LeakyReLU({})", sum);
    if (net.has_edge_features()) {
        inputs.push_back(net.edge_projection(head));
        sum += " + H_{edge}(i,j)";
    }
    const TensorId scores = net.along_edges(
        {head.at(Role::Scores), "e", net.edge(), {}, Stage::Score},
        fmt::format("e = a · LeakyReLU({})", sum), operations::edge_pair_scores, inputs, slope);
    const TensorId pattern = net.pattern(head, scores);
    const TensorId out =
        net.along_edges({head.at(Role::HeadOutput), "H'", net.item(), width, Stage::Mix},
                        "H'(i) = Σ_j α(i,j) H_{src}(j)", operations::edge_mix, {pattern, src});
    net.ranking(head, all_pairs, operations::all_pair_scores, {dst, src, a}, slope);
    return out;
}

/// A layer of the graph transformer, "blocks.l".
class Layer {
  public:
    Layer(GraphNet& net, int layer)
        : net_(net),
          here_{.component = ComponentKind::Attention, .layer = layer},
          has_output_(net.settings.output == Switch::On && !net.is_mean(layer)) {}

    /// Returns the output of the layer.
    TensorId add(TensorId input) {
        const TensorId x = add_result(net_.plan,
                                      {here_.beside(Role::ResidPre), "X", net_.item(),
                                       net_.plan[input].columns, Stage::Input},
                                      "X = " + net_.plan[input].symbol, operations::copy, {input});
        if (has_output_)
            W_O_ = add_weight(net_.plan,
                              {here_.at("W_O"), "W_O", concat_width(), model(), Stage::Output},
                              net_.seed);
        std::vector<TensorId> z;
        for (int h = 0; h < net_.settings.n_heads.of(here_.layer); ++h) z.push_back(add_head(h, x));
        const TensorId out = add_skip(x, add_output(std::move(z)));
        return net_.activated({here_.beside("out"), ""}, here_.layer, out);
    }

  private:
    Axis model() const { return {AxisKind::Model, net_.settings.d_in}; }
    int d_out() const { return net_.settings.d_out.of(here_.layer); }
    Axis d_k() const { return {AxisKind::HeadKey, d_out()}; }
    Axis concat_width() const { return net_.concat_width(here_.layer); }
    Scalar scale() const { return 1 / std::sqrt(static_cast<Scalar>(d_out())); }

    TensorId add_head(int h, TensorId x) {
        const Location head = here_.of_head(h);
        const Axis features = net_.plan[x].columns, d_v = net_.width(here_.layer);
        const TensorId W_Q = net_.weight(head.at("W_Q"), "W_Q", features, d_k());
        const TensorId W_K = net_.weight(head.at("W_K"), "W_K", features, d_k());
        const TensorId W_V = net_.weight(head.at("W_V"), "W_V", features, d_v);
        const TensorId q = net_.project({head.at(Role::Query), "Q", net_.query(), d_k()}, x, W_Q,
                                        {head.at("b_Q", Role::Bias), "b_Q"});
        const TensorId k = net_.project({head.at(Role::Key), "K", net_.key(), d_k()}, x, W_K,
                                        {head.at("b_K", Role::Bias), "b_K"});
        const TensorId v = net_.project({head.at(Role::Value), "V", net_.key(), d_v}, x, W_V,
                                        {head.at("b_V", Role::Bias), "b_V"});
        const TensorId z = add_reading(head, {q, k, v});
        if (has_output_)
            add_result(net_.plan,
                       {head.at(Role::HeadResult), "Z W_O", net_.query(), model(), Stage::Mix,
                        Quantity::Signed, Keep::OnDemand},
                       fmt::format("Z W_O[head {}]", head.head), operations::multiply, {z, W_O_},
                       {.begin = Index(head.head) * d_out()});
        net_.ranking(head, "Q K^T / √d_k", operations::multiply_transposed, {q, k}, scale());
        return z;
    }

    struct Projections {
        TensorId q = 0, k = 0, v = 0;
    };

    /// Adds scores, pattern, z. The features of an edge are added to its key and to its value.
    TensorId add_reading(const Location& head, const Projections& at) {
        TensorName scores{head.at(Role::Scores), "S", net_.edge(), {}, Stage::Score};
        TensorName z{head.at(Role::HeadOutput), "Z", net_.query(), net_.width(here_.layer),
                     Stage::Mix};
        if (!net_.has_edge_features()) {
            const TensorId pattern = net_.pattern(
                head, net_.along_edges(std::move(scores), "S(i,j) = Q(i) · K(j) / √d_k",
                                       operations::edge_dot_scores, {at.q, at.k}, scale()));
            return net_.along_edges(std::move(z), "Z(i) = Σ_j α(i,j) V(j)", operations::edge_mix,
                                    {pattern, at.v});
        }
        const TensorId edge = net_.edge_projection(head);
        const TensorId pattern = net_.pattern(
            head,
            net_.along_edges(std::move(scores), "S(i,j) = Q(i) · (K(j) + H_{edge}(i,j)) / √d_k",
                             operations::edge_dot_scores, {at.q, at.k, edge}, scale()));
        return net_.along_edges(std::move(z), "Z(i) = Σ_j α(i,j) (V(j) + H_{edge}(i,j))",
                                operations::edge_feature_mix, {pattern, at.v, edge});
    }

    TensorId add_output(std::vector<TensorId> z) {
        Named out = here_.at(Role::AttentionOutput);
        const Scalar share = 1 / static_cast<Scalar>(z.size());
        if (net_.is_mean(here_.layer))
            return add_result(
                net_.plan,
                {std::move(out), "out", net_.query(), net_.width(here_.layer), Stage::Output},
                "Σ_h Z_h / heads", operations::scaled_sum, std::move(z), {.scale = share});
        Named side_by_side = has_output_ ? here_.at("concat") : std::move(out);
        const TensorId concat =
            add_result(net_.plan,
                       {std::move(side_by_side), has_output_ ? "concat" : "out", net_.query(),
                        concat_width(), Stage::Output},
                       "[Z_0 | Z_1 | …]", operations::concat_columns, std::move(z));
        return has_output_ ? add_mixed(concat) : concat;
    }

    TensorId add_mixed(TensorId concat) {
        TensorName out{here_.at(Role::AttentionOutput), "out", net_.query(), model(),
                       Stage::Output};
        if (!net_.has_bias())
            return add_product(net_.plan, std::move(out), "concat · W_O", concat, W_O_);
        const TensorId b = add_constant(
            net_.plan, {here_.at("b_O", Role::Bias), "b_O", {}, model()}, operations::zeros);
        return add_result(net_.plan, std::move(out), "concat · W_O + b_O", operations::multiply_add,
                          {concat, W_O_, b});
    }

    /// Adds the layer's input to its output, through a matrix of its own.       [Shi 2021, eq. 5]
    TensorId add_skip(TensorId x, TensorId out) {
        if (net_.settings.skip == Switch::Off) return out;
        const Axis width = net_.plan[out].columns;
        const TensorId W =
            net_.weight(here_.beside("W_skip"), "W_{skip}", net_.plan[x].columns, width);
        const TensorId skip = net_.project({here_.beside("skip"), "skip", net_.query(), width}, x,
                                           W, {here_.beside("b_skip", Role::Bias), "b_{skip}"});
        return add_result(net_.plan,
                          {here_.beside("sum"), "out + skip", net_.query(), width, Stage::Output},
                          "out + skip", operations::add, {out, skip});
    }

    GraphNet& net_;
    Location here_;
    bool has_output_;
    TensorId W_O_ = 0;
};

bool are_sizes(const Widths& list) {
    return !list.values.empty() && std::ranges::min(list.values) >= 1;
}

void check_list(const char* key, const Widths& list, int n_layers) {
    if (list.is_list() && std::ssize(list.values) != n_layers)
        throw Error("graph", "{} has {} numbers for {} layers; give one, or one for each layer",
                    key, list.values.size(), n_layers);
}

void check(const GraphNodes& nodes, const Edges& edges, const GraphSettings& settings) {
    if (nodes.names.empty()) throw Error("graph", "there is no node to attend to; add a node");
    if (settings.n_layers < 1 || settings.d_in < 1 || !are_sizes(settings.n_heads) ||
        !are_sizes(settings.d_out))
        throw Error("graph", "layers, heads and widths must be at least 1");
    check_list("n_heads", settings.n_heads, settings.n_layers);
    check_list("d_out", settings.d_out, settings.n_layers);
    if (settings.d_edge < 0)
        throw Error("graph", "d_edge is {}; it is the width of edge features, or 0 for none",
                    settings.d_edge);
    if (nodes.features && nodes.features->rows() != edges.n_nodes)
        throw Error("graph", "the features have {} rows, one is needed for each of {} nodes",
                    nodes.features->rows(), edges.n_nodes);
    if (edges.n_nodes != static_cast<Index>(nodes.names.size()))
        throw Error("graph", "the edges are for {} nodes, there are {}", edges.n_nodes,
                    nodes.names.size());
}

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

TensorId add_embedding(GraphNet& net, GraphNodes& nodes) {
    const bool is_transformer = net.settings.mechanism == GraphMechanism::Transformer;
    TensorName name{Location().at(Role::Embedding),
                    is_transformer ? "E" : "X",
                    net.item(),
                    {AxisKind::Model, net.settings.d_in},
                    Stage::Input};
    if (nodes.features)
        return add_result(net.plan, std::move(name), "given features, one row a node",
                          operations::listed, {}, {.values = nodes.features});
    return add_result(net.plan, std::move(name), "features, one row a node", operations::named_rows,
                      {}, {.seed = net.seed, .names = shared(std::move(nodes.keys))});
}

/// Adds one feature an edge: its weight.
void add_edge_weights(GraphNet& net, const MatrixPtr& weights) {
    const int list = net.plan.add_list("edge feature", {"weight"});
    net.edge_features =
        add_result(net.plan,
                   {Location().at(Role::EdgeFeatures),
                    "F",
                    net.edge(),
                    {AxisKind::Named, 1, list},
                    Stage::Input},
                   "weights, one row an edge", operations::listed, {}, {.values = weights});
}

void add_edge_features(GraphNet& net) {
    const int width = net.settings.d_edge;
    std::vector<std::string> numbers;
    for (int f = 0; f < width; ++f) numbers.push_back(std::to_string(f));
    const int list = net.plan.add_list("edge feature", std::move(numbers));
    net.edge_features =
        add_result(net.plan,
                   {Location().at(Role::EdgeFeatures),
                    "F",
                    net.edge(),
                    {AxisKind::Named, width, list},
                    Stage::Input},
                   "features, one row an edge", operations::edge_features, {},
                   {.seed = net.seed, .names = net.plan.lists[0].names, .edges = net.plan.edges});
}

TensorId add_layer(GraphNet& net, int layer, TensorId x) {
    switch (net.settings.mechanism) {
        case GraphMechanism::Gat:
            return add_gat_layer(net, layer, x, add_gat_head);
        case GraphMechanism::GatV2:
            return add_gat_layer(net, layer, x, add_gatv2_head);
        case GraphMechanism::Transformer:
            return Layer(net, layer).add(x);
    }
    throw Error("graph", "this mechanism is unknown");
}

}  // namespace

Plan plan_graph_attention(GraphNodes nodes, Edges edges, const GraphSettings& asked,
                          std::uint64_t seed) {
    GraphSettings settings = asked;
    if (nodes.features) settings.d_in = static_cast<int>(nodes.features->cols());
    check(nodes, edges, settings);
    GraphNet net{.settings = settings, .seed = seed, .plan = {}};
    net.plan.lists[0] = {"node", shared(std::move(nodes.names))};
    net.plan.edges = shared(std::move(edges));
    const TensorId embed = add_embedding(net, nodes);
    if (net.has_edge_features())
        nodes.edge_weights ? add_edge_weights(net, nodes.edge_weights) : add_edge_features(net);
    TensorId out = embed;
    for (int l = 0; l < settings.n_layers; ++l) out = add_layer(net, l, out);
    if (settings.n_classes > 0)
        add_class_readout(net.plan, out, class_names(settings.n_classes), net.seed);
    if (net.has_all_pairs()) add_influence(net.plan, out, embed, "influence");
    return std::move(net.plan);
}

}  // namespace headlight
