// Builds a graph for a reader: names become nodes, edges come once, sizes have limits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"

namespace headlight {

enum class Directed { No, Yes };

/// The changes by a reader that the user may not expect.
struct GraphNotes {
    int n_duplicates = 0;  // left out; in an undirected graph "a b" and "b a" are the same edge
    int n_self_edges = 0;  // kept
    std::vector<std::string> others = {};

    bool operator==(const GraphNotes&) const = default;
};

/// Writes "2 duplicate edges left out, 1 self-edge"; "" if there is nothing to say.
std::string notes_text(const GraphNotes& notes);

/// Puts text of a file in quotes, for a message: on one line, not too long.
std::string shown(std::string_view text);

/// A graph as read from a file.
struct ReadGraph {
    Graph graph;  // without places, if the file has none
    GraphNotes notes;
};

/// The longest name of a node.
inline constexpr std::size_t kMaxNameBytes = 1000;

/// Groups numbered from 1 on in the order in which their labels come; "" is group 0.
class GroupLabels {
  public:
    int find_or_add_group(std::string_view label);
    void note(GraphNotes& notes) const;  // "groups 1 red, 2 blue", unless they are many

  private:
    std::map<std::string, int, std::less<>> group_of_;
};

/// A refusal without a place in the file. The reader that catches it adds the place.
struct GraphRefusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Builds the graph. Every violation of its rules throws GraphRefusal.
class GraphBuilder {
  public:
    explicit GraphBuilder(Directed directed) { set_directed(directed); }

    void set_directed(Directed directed);   // before the first edge
    int node_named(std::string_view name);  // its index; an unknown name becomes a node
    int add_node(std::string_view name);    // one that there is not yet
    std::optional<int> find_node(std::string_view name) const;
    Node& node(int index) { return read_.graph.nodes[static_cast<std::size_t>(index)]; }
    int n_nodes() const { return static_cast<int>(read_.graph.nodes.size()); }

    void add_edge(int source, int target, float weight = 1);  // a duplicate is only counted
    void note(std::string text) { read_.notes.others.push_back(std::move(text)); }

    ReadGraph take();  // throws if there is no node

  private:
    ReadGraph read_;
    std::unordered_map<std::string, int> index_of_;
    std::unordered_set<std::uint64_t> known_edges_;
};

/// Edges as a file has them: each with its attributes, and perhaps with a direction of its own. The
/// attribute "weight", or else a number that is called "value", is the weight; others have no
/// effect and are named in a note. Throws GraphRefusal.
class FileEdges {
  public:
    /// Begins the next edge; its attributes follow.
    void begin(int source, int target, Directed directed);
    void set(std::string_view attribute, std::string_view text);
    void set_weight(float weight) { edges_.back().weight = weight; }
    void set_weights(const std::vector<float>& weights);  // of all edges

    /// Adds the edges. A graph whose edges are all of one kind has that direction, even if the
    /// builder was told another one; with both kinds, it is directed, and an undirected edge is
    /// two.
    void add_to(GraphBuilder& builder) const;

  private:
    struct FileEdge {
        int source, target;
        float weight;
        Directed directed;
    };
    std::vector<FileEdge> edges_;
    std::vector<std::string> without_effect_;
    bool has_weight_ = false;  // the last edge
};

/// Writes "without effect: attributes 'a', 'b' of edges"; `what` is "attribute".
std::string note_of_no_effect(std::string_view what, const std::vector<std::string>& names,
                              std::string_view whose);

/// Returns the whole of `text` as a finite number; a decimal point, no blanks. Nothing if it is
/// none.
std::optional<float> finite_number(std::string_view text);
bool is_finite_number(std::string_view text);
/// Says why a text is none: "is not a finite number", or "is too small for a number of 32 bits, …".
std::string why_no_number(std::string_view text);
/// True of a number that cannot be used: nan, inf, 1e50, 1e-50.
bool is_unusable_number(std::string_view text);

}  // namespace headlight
