// Leads from the question to the answer: Document → Plan → Trace; and the memory and the work that
// this needs, estimated before it begins.
#pragma once

#include "core/compute.h"
#include "model/document.h"

namespace headlight {

/// Returns the plan of the study. Throws Error if there is nothing to attend to (no word, no node)
/// or a setting is out of range.
std::shared_ptr<const Plan> plan(const Document& document);

/// True if the two have the same plan: they are equal or differ only in cells set by hand.
bool have_same_plan(const Document& a, const Document& b);

/// Returns the document's interventions as the tensors of its plan receive them. Those on the
/// stacked steps of a recurrent study are passed on to each step, ablations to the probe.
Interventions interventions_in(const Document& document, const Plan& plan);

/// Evaluates the document. Everything that has not changed is shared with `previous` (null if there
/// is none).
Trace evaluate(const Document& document, const Trace* previous, const Watched& watched,
               const ForEach& for_each = serial());

/// Does the same in pieces, which all that it refers to must outlive.
Pieces<Trace> evaluate_in_pieces(const Document& document, const Trace* previous,
                                 const Watched& watched, const ForEach& for_each);

/// Returns the memory of this machine. A process that exceeds it is killed without a message.
double memory_bytes();

/// Returns the memory that all matrices of the plan take together, though a trace keeps only some
/// of them.
double count_bytes(const Plan& plan);

/// Throws Error, naming the largest matrix, if the matrices that the trace keeps take more than
/// `most_bytes`.
void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes);

/// The most that a study may need.
struct StudyBounds {
    double work = 0;   // multiply-adds of an evaluation of everything
    double bytes = 0;  // of all matrices together
};
/// Returns the bounds for a study that comes from an unreviewed change: a slider that is dragged
/// before an audience, an answer that somebody sent. They are about a second and some memory, or
/// twice the need of the study as it is written.
StudyBounds bounds_of_changes(const Plan& written);
/// Throws Error, naming the largest matrix, if the plan needs more.
void check_bounds(const Plan& plan, const StudyBounds& bounds);

/// Writes "its largest matrix, blocks.0.attn.heads.0.scores, is 4096 × 4096".
std::string largest_matrix(const Plan& plan);

}  // namespace headlight
