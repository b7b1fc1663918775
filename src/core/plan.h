// Plan: what an evaluation consists of, before any value: every tensor's name, equation, operation
// and inputs, in the order of computation.
//
// Goals: immutable and shared once it is made; made anew when a question changes its shape, not
// when a number in it changes.
// Not goals: values, and what is set by hand; they are the Trace's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/identity/identity.h"
#include "core/operation.h"

namespace headlight {

using TensorId = std::size_t;

/// How the values are meant to be read, and so coloured.
enum class Quantity {
    Signed,
    Amount,  // never negative
    Probability,
    Mask,
    Intensity,
    Rank,
};

/// Where in the computation a tensor stands; pictures of the flow are arranged by it.
enum class Stage { Input, Weight, Projection, Score, Mix, Output };

/// When the value is held in memory.
enum class Keep {
    Always,
    WhenSmall,  // n × n matrices: always in small studies, else only while watched
    OnDemand,   // only while watched
};

/// What a tensor is.
struct PlannedTensor {
    std::string path;        // "blocks.0.attn.heads.2.pattern", for people
    Identity identity = {};  // the same, for everything that asks what the tensor is
    std::string symbol;      // "A"
    std::string equation;    // "A = softmax(S)"
    Axis rows = {}, columns = {};
    Quantity quantity = Quantity::Signed;
    Stage stage = Stage::Weight;
    Keep keep = Keep::Always;

    const Operation* operation = nullptr;
    OperationSettings settings = {};
    std::vector<TensorId> inputs = {};

    Index first_row = 0;  // of a page: where its row 0 is among the rows of all sentences

    std::string_view name() const { return last_segments(path); }  // "pattern"
    bool is_leaf() const { return inputs.empty(); }
    /// Where one number an edge is meant, the edges of a node are one row of the pattern.
    const Edges* row_edges() const {
        const bool is_list = rows.kind == AxisKind::Edge && columns.kind == AxisKind::Single;
        return is_list ? settings.edges.get() : nullptr;
    }
};

class Plan {
  public:
    /// Appends a tensor. Throws Error if its path is taken.
    TensorId add(PlannedTensor tensor);

    const std::vector<PlannedTensor>& tensors() const { return tensors_; }
    std::vector<PlannedTensor>& tensors() { return tensors_; }
    const PlannedTensor& operator[](TensorId id) const { return tensors_[id]; }

    const PlannedTensor* find(std::string_view path) const;  // null if absent
    const PlannedTensor& at(std::string_view path) const;    // throws Error, naming near paths
    TensorId id_of(std::string_view path) const;             // throws Error

    /// What the items are, and their names: the words of a sentence, the nodes of a graph. List 0
    /// is what the study is about; a translation has its source in 0 and its target in 1.
    std::vector<ItemList> lists = {{}};
    const std::vector<std::string>& items(int list = 0) const {
        return *lists[std::size_t(list)].names;
    }
    const std::vector<std::string>& shown_items(int list = 0) const;  // as pictures write them
    int add_list(std::string noun, std::vector<std::string> names);

    std::shared_ptr<const Edges> edges;  // null where nothing is a graph
    Index grid_columns = 0;              // items of list 0 form an image this wide; 0: they do not

  private:
    std::size_t place_of(std::string_view path) const;
    void make_room();

    std::vector<PlannedTensor> tensors_;
    // An open hash table of the paths: id + 1, or 0 in a free place. At most half are taken.
    std::vector<TensorId> places_;
};

Index count_bytes(const PlannedTensor& tensor);  // of its values
/// True if the plan is so small that what is kept when small is kept.
bool keeps_when_small(const Plan& plan);

/// "query", "d_model", "edge" …
std::string axis_name(const Plan& plan, const Axis& axis);

/// The name of one index: a word, a node, "9 ← 33" for an edge (9 reads 33), else the number.
std::string axis_label(const Plan& plan, const Axis& axis, Index index);
std::string shown_label(const Plan& plan, const Axis& axis, Index index);  // in pictures

/// True if `path` matches `glob`, where * stands for any run of characters and ? for any one.
bool matches(std::string_view glob, std::string_view path);

}  // namespace headlight
