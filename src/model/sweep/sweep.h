// Sweep: one intervention on each component in turn, and the change of a chosen quantity.
//
// Goals: any component of any layer is one evaluation, which computes only the tensors after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analyses/readout.h"
#include "core/compute.h"
#include "model/document.h"

namespace headlight {

/// The replacement of a component's output.
enum class SweepKind {
    Zero,
    Mean,      // of its rows
    Resample,  // its rows at other tokens, or its output in another text   [Chan 2022]
    Patch,  // the values that it has in another trace of the same shape   [Wang 2022, Zhang 2023]
};

/// The components that are replaced, one at a time.
enum class SweepSites {
    Heads,   // each head's output z
    Layers,  // each attention's output, biases included, and each MLP's
    Tokens,  // the residual stream of one token, before and after each layer  [Meng 2022, §2.1]
};

enum class SweepQuantity { Logit, Loss, Probability, Divergence };

/// True if the quantity is that of one place of the logits; the loss is that of the whole text.
inline bool asks_of_place(SweepQuantity quantity) {
    return quantity != SweepQuantity::Loss;
}
/// True if the quantity is that of one word.
inline bool asks_of_word(SweepQuantity quantity) {
    return quantity == SweepQuantity::Logit || quantity == SweepQuantity::Probability;
}

/// The input of a head that a path ends in.
enum class HeadInput { Query, Key, Value, All };

/// Path patching: the change goes from the replaced component only to the receiver. All other heads
/// keep their outputs; MLPs and norms between the two are computed anew. Everything after the
/// receiving head is computed anew.                       [Wang 2022, §3.1, appendix B]
struct SweepPath {
    int layer = -1, head = -1;  // the receiver; −1: the logits
    HeadInput through = HeadInput::All;

    bool ends_in_logits() const { return layer < 0; }
    bool operator==(const SweepPath&) const = default;
};

/// The way in which outputs are resampled: by a shuffle, or by a text, that is drawn for each
/// component.
struct Resampling {
    std::uint64_t seed = 1;
    int n_draws = 1;  // the change is their mean

    bool operator==(const Resampling&) const = default;
};

struct SweepSettings {
    SweepKind kind = SweepKind::Mean;
    SweepSites over = SweepSites::Heads;
    SweepQuantity quantity = SweepQuantity::Logit;
    std::optional<SweepPath> path = {};  // none: by every path
    Resampling resampling = {};          // of Resample

    bool operator==(const SweepSettings&) const = default;
};

struct Sweep {
    SweepSettings settings;
    LogitQuestion question = {};  // its row where a place is asked of, its words where one is
    /// For Patch: one trace. For Resample: the texts that are drawn from; without any, each
    /// token gets the row of another token of the same text.
    std::vector<const Trace*> from = {};
};

/// The part of the network that one row of the result belongs to.
struct SweepRow {
    int layer = 0;  // over tokens: after which layer; −1: the input of the first one
    ComponentKind attention = ComponentKind::Attention;  // of heads; of Layers each row has all

    bool operator==(const SweepRow&) const = default;
};

struct SweepResult {
    SweepSites over = SweepSites::Heads;
    std::vector<SweepRow> rows;
    /// "head 0" …; "attention", "cross-attention" and "MLP"; or the tokens as pictures write them.
    std::vector<std::string> columns;
    Matrix change;  // the quantity with the intervention, less `before`; NaN: no such component
    double before = 0;
};

/// True if layers have a row for each of two attentions, as those of a decoder.
bool has_two_attentions(const SweepResult& result);

/// Returns "layer 1"; where a decoder's layers have two attentions of heads, "self 1" and "cross
/// 1"; over tokens "input" and "after layer 1".
std::vector<std::string> row_names(const SweepResult& result);

/// True if the plan has heads whose output can be replaced, and logits.
bool can_sweep(const Plan& plan);

/// Runs a sweep. `base` is a trace of the document with the values of everything that is kept.
/// Interventions that the document has stay; that of the component itself is replaced. The progress
/// of `for_each` is advanced by the whole sweep; it can throw Cancelled. Along a path only
/// components of layers before the receiver's are replaced. Throws Error if there is nothing to
/// sweep, no such receiver, or if another trace has other shapes.
SweepResult run_sweep(const Document& document, const Trace& base, const Sweep& sweep,
                      const ForEach& for_each = serial());

/// Does the same in pieces, which all that it refers to must outlive.
Pieces<SweepResult> run_sweep_in_pieces(const Document& document, const Trace& base,
                                        const Sweep& sweep, const ForEach& for_each);

/// Writes "each head's output replaced by 0, one at a time".
std::string sweep_sentence(const SweepSettings& settings, std::size_t n_texts = 0);

/// Returns the receiver that a text names: "1.2" is head 2 of layer 1, "logits" are the logits.
/// Throws Error if it names none of the plan.
SweepPath path_to(const Plan& plan, const std::string& receiver);

/// Returns how each component's rows change places: row i gets that of the result's i-th entry. No
/// counted row keeps its own, unless it is the only one of its sentence; padding does.
std::vector<Index> shuffled_rows(const Trace& base, TensorId id, const Resampling& resampling,
                                 int draw);

}  // namespace headlight
