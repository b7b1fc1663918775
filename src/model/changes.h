// Changes to a Document that need its Plan: to a number, a head, a sentence, a graph.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/components.h"
#include "core/edges.h"
#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// A named change of what is open.
template <class State>
struct EditOf {
    std::string label;                   // "Set W_Q[3, 2] to 0.7"
    std::function<void(State&)> change;  // may throw Error: then nothing has happened
    std::string gesture = {};            // edits of one gesture (a drag, typing) are one step
};
using Edit = EditOf<Document>;

/// Edits that a panel asks for while it draws; the frame applies them afterwards.
class Edits {
  public:
    void push(Edit edit) { edits_.push_back(std::move(edit)); }
    void push(std::string label, std::function<void(Document&)> change, std::string gesture = {}) {
        push({std::move(label), std::move(change), std::move(gesture)});
    }
    /// Ends the gesture: the next edit starts a new step.
    void end_gesture() { ends_gesture_ = true; }

    bool is_empty() const { return edits_.empty(); }
    std::vector<Edit> take() { return std::exchange(edits_, {}); }
    bool take_end_of_gesture() { return std::exchange(ends_gesture_, false); }

  private:
    std::vector<Edit> edits_;
    bool ends_gesture_ = false;
};

/// Sets one cell: an edit of a leaf, a pin of a computed tensor. Switches the tensor's earlier
/// edits on again if they were off. Throws Error for NaN.
void set_cell(Document& document, const std::string& path, Index row, Index column, Scalar value);

/// Undoes what was set by hand in a cell, or in a tensor.
void reset_cell(Document& document, const std::string& path, Index row, Index column);
void reset_tensor(Document& document, const std::string& path);

/// Throws Error if the values do not have the tensor's shape, or one is NaN.
void check_values(const PlannedTensor& tensor, const Matrix& values);

/// Sets every cell of a tensor. Throws Error if the shape differs or a value is NaN.
void set_tensor(Document& document, const PlannedTensor& tensor, const Matrix& values);

/// Sets a tensor of one of several stacked sentences. Only the rows of that sentence change.
void patch_tensor(Document& document, const PlannedTensor& tensor, const Matrix& values);

/// Changes the text of a sentence study, or one text of an alignment. Edits and pins stay with
/// their words when the words move within a line. Throws Error if the text is not UTF-8.
void set_text(Document& document, const std::string& text);
/// Resets the cells that belong to words of the study's own text, since they would mean other words
/// in another text; weights and ablations stay. Returns the paths of the reset tensors.
std::vector<std::string> reset_cells_of_words(Document& document);
enum class Side { Source, Target };
void set_text(Document& document, Side side, const std::string& text);

/// Shows a text of a recording of several, counted from 0. The text must exist; the nodes of a
/// graph have no places yet.
void show_recorded_text(RecordedStudy& study, int number);
/// Shows a text as an edit, and clears everything set by hand. Throws Error if there is no such
/// text.
void choose_recorded_text(Document& document, int number);

/// Maps each old word to its new place; −1 if it is gone. The words before the first and after the
/// last difference stay, and a word that is being typed is still the same one.
std::vector<Index> map_words(const std::vector<std::string>& before,
                             const std::vector<std::string>& after);

/// Changes the graph or its self-loops. Edits and pins follow their nodes (by name) and edges.
void set_graph_study(Document& document, GraphStudy changed);

/// Copies the settings of a study of the same kind; the text, graph or image stays. Throws Error if
/// the kinds differ.
void set_settings(Document& document, const Study& changed);
/// Returns the document with the settings of `network`, and with its weights if it has some instead
/// of edits made by hand. Throws Error if they are of different kinds.
Document with_network_of(Document document, const Document& network);

/// Changes the graph; edits and pins follow their nodes and edges. Throws Error if there is none,
/// or if the graph belongs to a recording and the change is not only in places of nodes.
void change_graph(Document& document, const std::function<void(Graph&)>& change);

/// Returns the edges as a layer sees them: undirected edges in both directions, and self-loops if
/// they are switched on.
Edges graph_edges(const Graph& graph, Switch self_loops = Switch::Off);
Edges graph_edges(const GraphStudy& study);

bool are_same_but_for_places(Graph a, const Graph& b);

// ---- ablation: an intervention by which a head adds nothing of its own to the output ----

/// Returns the head's tensor that an ablation sets: z, or in a graph attention out. Null if it has
/// none.
const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head);

/// Returns the tensor's current ablation; nothing if it is not ablated.
std::optional<Ablation> find_ablation(const Tensor& z);

/// Ablates a tensor and replaces what was set in it. With no ablation given, takes the ablation
/// back. It holds for every row, even if the text and the settings change.
void ablate(Document& document, const std::string& path, std::optional<Ablation> ablation);

/// Returns the name of that change: "Ablate head 2 to zero", "Restore head 2".
std::string ablation_name(const Component& attention, int head, std::optional<Ablation> ablation);

/// Ablates every head of the attention but one, which is restored if it was ablated.
void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation);
/// Takes back every ablation of the attention's heads; other pins stay.
void restore_heads(Document& document, const Trace& whole, const Component& attention);

}  // namespace headlight
