#include "learn/tasks/graph_tasks.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "graph/built_in_graphs.h"
#include "graph/layout.h"
#include "model/evaluate.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::uint64_t kPartitionSeed = 7;
constexpr int kHeldOutDictionaries = 200;

GraphStudy& graph_in(Document& document, const Recipe& recipe) {
    if (!document.graph()) throw Error("training", "{} needs the study of a graph", recipe.task);
    return *document.graph();
}

/// Gives each node a feature, which is 1 for itself.
void give_own_features(Graph& graph) {
    const std::size_t n = graph.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<float> features(n, 0);
        features[i] = 1;
        graph.nodes[i].features = Features(std::move(features));
    }
}

Document make_study(Graph graph, const GraphSettings& layer) {
    return {.study = GraphStudy{.graph = std::move(graph), .layer = layer},
            .seed = 1,
            .interventions = {}};
}

GraphSettings two_layers(GraphMechanism mechanism, int d_out, int n_classes) {
    return {.mechanism = mechanism,
            .n_layers = 2,
            .n_heads = {{4}},
            .d_out = {{d_out}},
            .combine = Combine::Mean,
            .n_classes = n_classes};
}

int group_of_class(Index label) {
    return static_cast<int>(label) + 1;
}

/// Returns the nodes of a group, those with the most edges first.
std::vector<std::size_t> nodes_by_degree(const Graph& graph, int group) {
    std::vector<int> degrees(graph.nodes.size());
    for (const Edge& edge : graph.edges) {
        ++degrees[static_cast<std::size_t>(edge.source)];
        ++degrees[static_cast<std::size_t>(edge.target)];
    }
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].group == group) nodes.push_back(i);
    std::ranges::stable_sort(nodes, std::ranges::greater(),
                             [&](std::size_t node) { return degrees[node]; });
    return nodes;
}

/// The keys that the queries ask for, and the values that the keys hold.
struct Dictionary {
    std::vector<Index> asked, values;
};

Dictionary draw_dictionary(Random& random, Index n_keys) {
    Dictionary drawn;
    for (Index i = 0; i < n_keys; ++i) {
        drawn.asked.push_back(i);
        drawn.values.push_back(random.below(n_keys));
    }
    return drawn;
}

/// Fills one row for each key from that row on, then one for each query: the key that it is or asks
/// for, and the value that it has.
void put_features(const Dictionary& dictionary, Index n_keys, Matrix& features, Index first_row) {
    auto rows = features.middleRows(first_row, 2 * n_keys);
    rows.setZero();
    for (Index i = 0; i < n_keys; ++i) {
        const auto k = static_cast<std::size_t>(i);
        rows(i, i) = 1;
        rows(i, n_keys + dictionary.values[k]) = 1;
        rows(n_keys + i, dictionary.asked[k]) = 1;
        rows(n_keys + i, 2 * n_keys) = 1;  // no value
    }
}

/// Makes so many dictionaries side by side, none of which reads another.
Graph dictionary_graph(Index n_keys, Index n_dictionaries) {
    Graph graph;
    graph.title = "A dictionary";
    graph.directed = true;
    Random random(kHeldOutSeed);
    for (Index d = 0; d < n_dictionaries; ++d) {
        const Dictionary dictionary = draw_dictionary(random, n_keys);
        Matrix features(2 * n_keys, 2 * n_keys + 1);
        put_features(dictionary, n_keys, features, 0);
        const std::string which = n_dictionaries > 1 ? fmt::format("{} ", d) : "";
        for (Index i = 0; i < 2 * n_keys; ++i) {
            const Index key = i % n_keys;
            const bool is_query = i >= n_keys;
            const Index value = dictionary.values[static_cast<std::size_t>(key)];
            const std::string letter(1, static_cast<char>('a' + key % 26));
            const std::string name = key < 26 ? letter : letter + std::to_string(key / 26);
            const auto row = features.row(i);
            graph.nodes.push_back(
                {.name = which + name + (is_query ? "?" : fmt::format(" = {}", value)),
                 .x = (static_cast<float>(key) + 0.5f) / static_cast<float>(n_keys),
                 .y = is_query ? 0.85f : 0.15f,
                 .group = group_of_class(value),
                 .features = Features({row.begin(), row.end()})});
        }
        for (Index query = 0; query < n_keys; ++query)
            for (Index key = 0; key < n_keys; ++key)
                graph.edges.push_back({static_cast<int>(2 * d * n_keys + key),
                                       static_cast<int>((2 * d + 1) * n_keys + query)});
    }
    return graph;
}

/// Every class needs nodes, and every group a class.
void check_groups(const GraphStudy& study) {
    const int n_classes = study.layer.n_classes;
    std::vector<long> counts(static_cast<std::size_t>(std::max(0, n_classes)));
    for (const Node& node : study.graph.nodes) {
        if (node.group > n_classes)
            throw Error("training",
                        "node {} is in group {}; with n_classes = {} groups go from 1 to {}",
                        node.name, node.group, n_classes, n_classes);
        if (node.group > 0) ++counts[static_cast<std::size_t>(node.group - 1)];
    }
    if (std::ranges::all_of(counts, [](long count) { return count == 0; }))
        throw Error("training",
                    "no node of the graph has a group, so there is nothing to learn: say \"group\" "
                    "of nodes, from 1");
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k] == 0)
            throw Error("training",
                        "no node is in group {}; with n_classes = {} there are the groups 1 to {}",
                        k + 1, n_classes, n_classes);
}

}  // namespace

NodeTask::NodeTask(const Recipe& recipe) : study_(recipe.study) {
    const GraphStudy& study = graph_in(study_, recipe);
    check_groups(study);
    const Graph& graph = study.graph;
    known_.resize(graph.nodes.size());
    for (Index label = 0; label < study.layer.n_classes; ++label) {
        std::vector<std::size_t> nodes = nodes_by_degree(graph, group_of_class(label));
        nodes.resize(std::min(nodes.size(), static_cast<std::size_t>(recipe.known)));
        for (const std::size_t node : nodes) known_[node] = true;
    }
    const Shard tested = shard(false);
    if (std::ranges::all_of(tested.classes, [](Index label) { return label == kNoClass; }))
        throw Error("training", "every node with a group is known; none is left to be told");
    Document document = study_;
    document.seed = recipe.seed;
    plan_ = training_plan(*headlight::plan(document), "logits");
}

std::string NodeTask::note() const {
    std::string names;
    const Graph& graph = study_.graph()->graph;
    for (std::size_t i = 0; i < known_.size(); ++i)
        if (known_[i]) append_part(names, ", ", graph.nodes[i].name);
    names = "known nodes: " + names;
    const auto n_without = std::ranges::count(graph.nodes, 0, &Node::group);
    if (n_without == 0) return names;
    return fmt::format("{}; neither trained nor tested: {} without a group", names,
                       counted(n_without, "node"));
}

std::string NodeTask::own_title() const {
    const std::string& title = study_.graph()->graph.title;
    return title.empty() ? "Groups of a graph" : "Groups of " + title;
}

Shard NodeTask::shard(bool is_known) const {
    Shard shard;
    const std::vector<Node>& nodes = study_.graph()->graph.nodes;
    // Groups count from 1, classes from 0; a node of group 0 has none.
    for (std::size_t i = 0; i < nodes.size(); ++i)
        shard.classes.push_back(known_[i] == is_known && nodes[i].group > 0 ? nodes[i].group - 1
                                                                            : kNoClass);
    return shard;
}

Shard NodeTask::draw(Random&) const {
    return shard(true);
}

std::vector<Shard> NodeTask::held_out() const {
    return {shard(false)};
}

DictionaryTask::DictionaryTask(const Recipe& recipe, int shard_size) : study_(recipe.study) {
    GraphStudy& study = graph_in(study_, recipe);
    n_keys_ = study.layer.n_classes;
    n_dictionaries_ = shard_size;
    if (n_keys_ < 2) throw Error("training", "a dictionary needs at least 2 keys: n_classes");
    study.graph = dictionary_graph(n_keys_, 1);
    Document document = study_;
    document.graph()->graph = dictionary_graph(n_keys_, n_dictionaries_);
    document.seed = recipe.seed;
    plan_ = training_plan(*headlight::plan(document), "logits");
    embed_ = plan_.plan->id_at("embed");
}

Shard DictionaryTask::draw(Random& random) const {
    auto features = std::make_shared<Matrix>(n_dictionaries_ * 2 * n_keys_, 2 * n_keys_ + 1);
    Shard shard;
    for (Index d = 0; d < n_dictionaries_; ++d) {
        const Dictionary dictionary = draw_dictionary(random, n_keys_);
        put_features(dictionary, n_keys_, *features, 2 * d * n_keys_);
        shard.classes.insert(shard.classes.end(), static_cast<std::size_t>(n_keys_), kNoClass);
        for (const Index key : dictionary.asked)
            shard.classes.push_back(dictionary.values[static_cast<std::size_t>(key)]);
    }
    shard.inputs = {{embed_, std::move(features)}};
    return shard;
}

std::vector<Shard> DictionaryTask::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<Shard> shards;
    for (Index n = 0; n < kHeldOutDictionaries; n += n_dictionaries_)
        shards.push_back(draw(random));
    return shards;
}

Document karate_study(GraphMechanism mechanism) {
    Graph graph = karate_club();
    for (Node& node : graph.nodes) ++node.group;  // the file lists one faction only
    give_own_features(graph);
    return make_study(std::move(graph), two_layers(mechanism, 4, 2));
}

Document partition_study(GraphMechanism mechanism) {
    constexpr int kNodes = 60, kGroups = 3;
    constexpr double kWithin = 0.25, kBetween = 0.02;
    Graph graph;
    graph.title = "Three groups";
    Random random(kPartitionSeed);
    for (int i = 0; i < kNodes; ++i)
        graph.nodes.push_back({.name = std::to_string(i), .group = group_of_class(i % kGroups)});
    for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j < i; ++j)
            if (random.chance(i % kGroups == j % kGroups ? kWithin : kBetween))
                graph.edges.push_back({j, i});
    give_own_features(graph);
    lay_out(graph);
    return make_study(std::move(graph), two_layers(mechanism, 8, kGroups));
}

Document dictionary_study(GraphMechanism mechanism, int n_keys) {
    return make_study(
        dictionary_graph(n_keys, 1),
        {.mechanism = mechanism, .n_heads = {{1}}, .d_out = {{32}}, .n_classes = n_keys});
}

namespace {

Recipe karate_recipe(const char* task, GraphMechanism mechanism) {
    return {.task = task,
            .study = karate_study(mechanism),
            .steps = 100,
            .batch = 1,
            .learning_rate = 0.01,
            .warm_up = 0,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .weight_decay = 5e-4},
            .known = 1};
}

Recipe dictionary_recipe(const char* task, GraphMechanism mechanism) {
    return {.task = task,
            .study = dictionary_study(mechanism, 8),
            .steps = 1500,
            .batch = 32,
            .learning_rate = 0.01,
            .warm_up = 0,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam}};
}

}  // namespace

Recipe karate_gat_recipe() {
    return karate_recipe("karate", GraphMechanism::Gat);
}

Recipe karate_gatv2_recipe() {
    return karate_recipe("karate-gatv2", GraphMechanism::GatV2);
}

Recipe partition_recipe() {
    Recipe recipe = karate_recipe("three-groups", GraphMechanism::GatV2);
    recipe.study = partition_study(GraphMechanism::GatV2);
    recipe.steps = 200;
    recipe.known = 3;
    return recipe;
}

Recipe dictionary_gatv2_recipe() {
    return dictionary_recipe("dictionary", GraphMechanism::GatV2);
}

Recipe dictionary_gat_recipe() {
    return dictionary_recipe("dictionary-gat", GraphMechanism::Gat);
}

}  // namespace headlight
