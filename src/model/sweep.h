// Sweep: one intervention on each head in turn, and how a chosen logit changes by it.
//
// Goals: any head of any layer is one evaluation, which computes only what comes after the head.
#pragma once

#include <string>
#include <vector>

#include "core/analyses/readout.h"
#include "core/compute.h"
#include "model/document.h"

namespace headlight {

/// What happens to a head's output.
enum class SweepKind {
    Zero,
    Mean,   // of its rows
    Patch,  // the values that it has in another trace of the same shape   [Wang 2022, Zhang 2023]
};

struct Sweep {
    SweepKind kind = SweepKind::Mean;
    LogitQuestion question;
    const Trace* from = nullptr;  // of Patch
};

struct SweepResult {
    std::vector<int> layers;  // one a row
    Matrix change;  // layers × heads: the asked logit with the intervention, less `before`
    double before = 0;
};

/// True if the plan has heads whose output can be replaced, and logits.
bool can_sweep(const Plan& plan);

/// `base` is a trace of the document with the values of everything that is kept. Interventions that
/// the document has stay; that of the head itself is replaced. The progress of `for_each` is
/// advanced by the whole sweep; it can throw Cancelled. Throws Error if there is nothing to sweep,
/// or if the other trace has other shapes.
SweepResult sweep_heads(const Document& document, const Trace& base, const Sweep& sweep,
                        const ForEach& for_each = serial());

/// "each head's output replaced by 0, one at a time"
std::string sweep_sentence(SweepKind kind);

}  // namespace headlight
