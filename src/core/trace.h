// Trace: every named matrix of one evaluation, in the order of computation.
//
// Goals: panels, exporters, commands and tests read everything from here. Immutable once computed.
// Not goals: being saved; knowing what a user asked for (that is the Document).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/hold.h"
#include "core/operation.h"

namespace headlight {

using TensorId = std::size_t;

/// What an index along an axis stands for.
enum class AxisKind {
    Query,      // an item that looks
    Key,        // an item that is looked at
    Item,       // a token or a node, in both roles
    Edge,       // an edge: one item reading another
    Model,      // d_model, or a node's feature
    HeadKey,    // d_k
    HeadValue,  // d_v, or the width of a graph head
    Concat,     // the heads' widths side by side
    Single,     // one column
};

struct Axis {
    AxisKind kind = AxisKind::Single;
    Index size = 1;

    bool operator==(const Axis&) const = default;
};

/// How the values are meant to be read, and so coloured.
enum class Quantity { Signed, Probability, Mask };

/// Where in the computation a tensor stands; pictures of the flow are arranged by it.
enum class Stage { Input, Weight, Projection, Score, Mix, Output };

/// When the value is held in memory.
enum class Keep {
    Always,
    WhenSmall,  // n × n matrices: always in small studies, else only while watched
    OnDemand,   // only while watched
};

struct Tensor {
    std::string path;      // "blocks.0.attn.heads.2.pattern"
    std::string symbol;    // "A"
    std::string equation;  // "A = softmax(S)"
    Axis rows = {}, columns = {};
    Quantity quantity = Quantity::Signed;
    Stage stage = Stage::Weight;
    Keep keep = Keep::Always;

    const Operation* operation = nullptr;
    OperationSettings settings = {};
    std::vector<TensorId> inputs = {};

    Hold hold = {};           // cells set by hand
    MatrixPtr computed = {};  // before the hold; null when not kept
    MatrixPtr value = {};     // after it; the same matrix when nothing is held

    bool is_leaf() const { return inputs.empty(); }
    /// Where one row an edge is meant, the edges of a node are one row of the pattern.
    const Edges* row_edges() const {
        return rows.kind == AxisKind::Edge ? settings.edges.get() : nullptr;
    }
};

class Trace {
  public:
    /// Appends a tensor that has no value yet. Throws Error if its path is taken.
    TensorId add(Tensor tensor);

    const std::vector<Tensor>& tensors() const { return tensors_; }
    std::vector<Tensor>& tensors() { return tensors_; }
    const Tensor& operator[](TensorId id) const { return tensors_[id]; }

    const Tensor* find(std::string_view path) const;  // null if absent
    const Tensor& at(std::string_view path) const;    // throws Error, naming near paths
    TensorId id_of(std::string_view path) const;      // throws Error

    /// What the items are, and their names: the words of a sentence, the nodes of a graph.
    std::string item_noun = "token";
    std::shared_ptr<const std::vector<std::string>> items;
    std::shared_ptr<const Edges> edges;  // null for a sentence

  private:
    std::vector<Tensor> tensors_;
    std::unordered_map<std::string, TensorId> by_path_;
};

/// "query", "d_model", "edge" …
std::string axis_name(const Trace& trace, const Axis& axis);

/// The name of one index: a word, a node, "9 ← 33" for an edge (9 reads 33), else the number.
std::string axis_label(const Trace& trace, const Axis& axis, Index index);

/// True if `path` matches `glob`, where * stands for any run of characters and ? for any one.
bool matches(std::string_view glob, std::string_view path);

}  // namespace headlight
