// A graph that the user owns: nodes with names and places, edges between them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// Sizes that every reader of graphs observes.
inline constexpr int kMaxNodes = 200'000;
inline constexpr int kMaxEdges = 2'000'000;
inline constexpr int kMaxFeatures = 100'000;             // of a node
inline constexpr std::size_t kMaxNumbers = 100'000'000;  // features of all nodes

/// Numbers that were given with a node. Copies share them.
class Features {
  public:
    Features() = default;
    explicit Features(std::vector<float> values)
        : values_(std::make_shared<const std::vector<float>>(std::move(values))) {}

    std::span<const float> values() const { return values_ ? *values_ : std::span<const float>(); }
    bool operator==(const Features& other) const;

  private:
    std::shared_ptr<const std::vector<float>> values_;
};

struct Node {
    std::string name;       // unique within the graph, not empty
    float x = 0, y = 0;     // place on the plane, in [0,1]² after layout
    int group = 0;          // known class or community, 0 when there is none
    std::string word = {};  // the word, if the graph is a sentence; else empty
    // The name by which its random features are drawn, if it differs: the name that it had at
    // first.
    std::string drawn_as = {};
    Features features = {};  // all nodes with features have equally many

    bool operator==(const Node&) const = default;
};

/// Returns the key that a node's random features are drawn with: its word, so that a sentence's
/// nodes get the same features as the sentence, or the name that it had at first.
std::string embedding_key(const Node& node);

/// source → target: the target reads the source. In an undirected graph both read each other.
struct Edge {
    int source = 0, target = 0;  // indices into Graph::nodes
    float weight = 1;            // 1 when there is none

    bool operator==(const Edge&) const = default;
};

struct Graph {
    std::string title;
    bool directed = false;
    std::vector<Node> nodes;
    std::vector<Edge> edges;  // no duplicates; undirected: each pair once; self-edges allowed

    bool operator==(const Graph&) const = default;

    int find_node(const std::string& name) const;  // −1 if absent
    bool has_edge(int source, int target) const;   // undirected: in either order
    bool has_weights() const;                      // one that is not 1
    std::size_t n_features() const;                // of a node; 0 when none are given

    /// Edits of the graph. Each throws Error and changes nothing when it cannot be done.
    int add_node(std::string name, float x, float y);  // returns the new node's index
    void add_edge(int source, int target);             // throws if it exists already
    void remove_edge(int source, int target);          // throws if absent
    void remove_node(int node);                        // and every edge at it
    void remove_nodes(std::span<const int> nodes);     // several of them, in any order
    void rename_node(int node, std::string name);
    std::string unused_name() const;  // smallest number that is no node's name
};

}  // namespace headlight
