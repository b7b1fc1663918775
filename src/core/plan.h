// Plan: the parts of an evaluation, before any value: every tensor's path, equation, operation and
// inputs, in the order of computation.
//
// Goals: immutable and shared once it is made. A study gets a new plan when its shape changes, not
// when a number in it changes.
// Not goals: values and interventions, which belong to the Trace.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity.h"
#include "core/operation.h"
#include "core/scalar.h"

namespace headlight {

/// The meaning of an index along an axis.
enum class AxisKind {
    Query,      // an item that reads
    Key,        // an item that is read
    Item,       // a token or a node, in both roles
    Edge,       // an edge: one item reads another
    Model,      // a feature of d_model, or of a node
    HeadKey,    // d_k
    HeadValue,  // d_v, or the width of a graph head
    Concat,     // the heads' outputs side by side
    Hidden,     // the units of a hidden layer
    Distance,   // j − i, clipped; index 0 is the most negative
    Direction,  // down and right on a grid, or along a line
    Bucket,     // a range of distances
    Position,   // in a sentence
    Head,
    Named,   // whatever the list names: vocabulary, metrics, layers, heads, steps, channels
    Single,  // a single index
};

/// The meaning of the rows or columns of a tensor.
struct Axis {
    AxisKind kind = AxisKind::Single;
    Index size = 1;
    int list = 0;      // index into the plan's lists, for Query, Key, Item and Named
    Index groups = 1;  // the number of sentences of equal length stacked along it
    Index first = 0;   // the list's item that has index 0

    bool operator==(const Axis&) const = default;
};

using SharedNames = std::shared_ptr<const std::vector<std::string>>;

/// The names of an axis's indices.
struct ItemList {
    std::string noun = "token";
    SharedNames names = {};
    SharedNames shown = {};  // in pictures; null: the names
};

using TensorId = std::size_t;

/// The kind of numbers in a tensor; it decides their colours.
enum class Quantity {
    Signed,
    Amount,  // never negative
    Probability,
    Mask,
    Intensity,
    Rank,
};

/// The stage of the computation that a tensor belongs to. Pictures of the flow are arranged by it.
enum class Stage { Input, Weight, Projection, Score, Mix, Output };

/// The times at which the value is kept in memory.
enum class Keep {
    Always,
    WhenSmall,  // n × n matrices: always in small studies, else only while watched
    OnDemand,   // only while watched
};

/// One tensor of a plan.
struct PlannedTensor {
    std::string path;        // "blocks.0.attn.heads.2.pattern", for people
    Identity identity = {};  // its place and role, for code
    std::string symbol;      // "A"
    std::string equation;    // "A = softmax(S)"
    Axis rows = {}, columns = {};
    Quantity quantity = Quantity::Signed;
    Stage stage = Stage::Weight;
    Keep keep = Keep::Always;

    const Operation* operation = nullptr;
    OperationSettings settings = {};
    std::vector<TensorId> inputs = {};

    const char* head_name = nullptr;  // "who", of the head that answers that question

    Index first_row = 0;  // in a page: the index of row 0 among the rows of all sentences

    std::string_view name() const { return last_segments(path); }  // "pattern"
    bool is_leaf() const { return inputs.empty(); }
    /// Returns the edges, if the tensor has one number per edge: the edges of a node form one row
    /// of the pattern. Null otherwise.
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
    TensorId id_at(std::string_view path) const;             // throws Error

    /// The names of the items: the words of a sentence, the nodes of a graph. List 0 is the main
    /// one; a translation has its source in list 0 and its target in list 1.
    std::vector<ItemList> lists = {{}};
    const std::vector<std::string>& items(int list = 0) const {
        return *lists[std::size_t(list)].names;
    }
    const std::vector<std::string>& shown_items(int list = 0) const;  // as pictures write them
    int add_list(std::string noun, std::vector<std::string> names);

    std::shared_ptr<const Edges> edges;  // null if the study has no graph
    Index grid_columns = 0;              // items of list 0 form an image this wide; 0: they do not
    Index grid_begin = 0;                // the first item that lies in the image
    Index image_columns = 0;             // pixels beside each other; the rows of `image` are pixels

  private:
    std::size_t find_place(std::string_view path) const;
    void make_room();

    std::vector<PlannedTensor> tensors_;
    // A hash table of the paths with open addressing: id + 1, or 0 if free. At most half full.
    std::vector<TensorId> places_;
};

Index count_bytes(const PlannedTensor& tensor);  // the size of its values
/// Returns where the tensor's values come from, if they come when they are asked for; else null.
const LaterMatrices* find_later(const PlannedTensor& tensor);
/// True if the plan is small enough that WhenSmall values are kept.
bool keeps_when_small(const Plan& plan);

/// True if `path` matches `glob`, in which * matches any run of characters and ? any one character.
bool matches(std::string_view glob, std::string_view path);

// ---- names of rows and columns: words, nodes, edges ----

/// Returns "query", "d_model", "edge" …
std::string axis_name(const Plan& plan, const Axis& axis);

/// Returns the name of one index: a word, a node, "9 ← 33" for an edge (9 reads 33), else the
/// number.
std::string axis_label(const Plan& plan, const Axis& axis, Index index);
std::string shown_label(const Plan& plan, const Axis& axis, Index index);  // in pictures

/// True if the indices of the axis have names of their own.
bool has_names(const Axis& axis);

/// True if the indices are words, nodes or patches: the items that the study is about.
bool is_of_items(const Axis& axis);

/// Returns the tensor's columns as one of its rows has them: where sentences are stacked, the
/// columns of a row are the words of the row's own sentence.
Axis columns_of_row(const Plan& plan, const PlannedTensor& tensor, Index row);

/// Returns a column's name for all rows; "key 2" where each of several sentences has another word
/// there.
std::string column_head(const Plan& plan, const PlannedTensor& tensor, Index column);
std::string shown_column_head(const Plan& plan, const PlannedTensor& tensor, Index column);

/// Returns all names of an index; the last one is easy to type. If 9 reads 33 along an edge, its
/// names are "9 ← 33", "33->9" and "9<-33".
std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index);

/// Returns all indices with that name, ascending.
std::vector<Index> find_on_axis(const Plan& plan, const Axis& axis, const std::string& name);

/// Returns the name as a formula writes it: \_ is a letter, where _ begins an index.
std::string name_in_formula(const std::string& name);

}  // namespace headlight
