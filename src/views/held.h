// The held rows, nodes, steps and words, and their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pattern_rows.h"
#include "graph/graph.h"
#include "views/scene.h"
#include "views/selection.h"

namespace headlight {

/// True if the rows of the tensor are items of that list, so that several can be joined.
bool has_item_rows(const Tensor& tensor, int list);

/// The weights that the querying items together give each key, according to a pattern with a value
/// (in a graph, each node). No weights if none of the items is a row of it.
struct ReadWeights {
    std::vector<Index> queries;
    std::vector<Scalar> weights;
    Scalar most = 1;  // the largest possible weight: for a sum, the number of its rows
};
ReadWeights read_weights(const Trace& trace, const Tensor& pattern, const Selection& selection);

/// Returns the largest number of the held row of a matrix; nothing if no row of it is held, or
/// several.
std::optional<CellPlace> largest_of_held_row(const Trace& trace, const Selection& selection);

/// Returns “it”; sum of “it”, “tired”; mean of “it”, “tired”, “was” and 2 more
std::string joined_name(const std::vector<std::string>& items, const std::vector<Index>& queries,
                        RowsAs as);
/// Returns the joined name as a heading: Sum of “it”, “tired”
std::string joined_title(const std::vector<std::string>& items, const std::vector<Index>& queries,
                         RowsAs as);

/// Returns those held nodes that the graph has; none while only an edge is held.
std::vector<int> held_nodes(const Selection& selection, const Graph& graph);

/// Holds all of the nodes together; nothing is held if there are none.
void hold_nodes(Selection& selection, const std::vector<int>& nodes);

/// Holds a node and shows it with what is around it.
void see_node(Selection& selection, const Graph& graph, int node);

/// Holds the edge in the shown pattern, and shows both of its ends; where no pattern has it, the
/// ends are held.
void see_edge(Selection& selection, const Trace& trace, const Components& components,
              const Graph& graph, Edge edge);

struct HeldPlace {
    std::string path;                 // the matrix's path; "": nothing is held
    std::vector<Index> rows = {};     // more than one: items that look, as AxisIndices::also
    std::vector<Index> columns = {};  // more than one, without rows: items that are looked at
};

/// Returns a row or a cell that represents what the selection holds, in `chosen` if it has one, or
/// else in any matrix.
HeldPlace held_place(const Scene& scene, const Tensor& chosen);

/// The movement that this frame's arrow keys ask for.
struct ArrowSteps {
    Index down = 0, right = 0;
    enum class Hold { Move, Extend } hold = Hold::Move;
};

/// Moves a held cell through its matrix, or a held word through its list. Extending adds or removes
/// rows.
void step_held(Selection& selection, const Trace& trace, ArrowSteps steps);

/// Takes the held cell along to the chosen matrix, if that has the same rows and columns.
void carry_held_cell(Selection& selection, const Trace& trace);

/// Shows that matrix large and keeps the held cell in it. If the matrix has no such cell, nothing
/// is held.
void show_tensor(Selection& selection, const Trace& trace, const Components& components,
                 const std::string& path);

/// Keeps a held word, row or cell with its words, which are those before and after the change. If
/// the word that the study asks about was held, or nothing was and the text asks for the first
/// time, the cell of the asked word that reads most is held.
void follow_words(Selection& selection, const Trace& before, const Trace& after,
                  const Components& components);

/// Keeps the asked word held in another of several sentences. What would be padding there is let
/// go; the asked word is held instead, if there is one.
void turn_words(Selection& selection, const Trace& before, const Trace& after,
                const Components& components);

}  // namespace headlight
