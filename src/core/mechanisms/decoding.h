// Decodes word by word, as a language model writes: each step computes one row and keeps keys and
// values.
//
// Goals: the numbers of the full pass, from the same weights and mask, with a fraction of the work;
// equal up to rounding, since a product of one row may be added up in another order.
// Not goals: choosing the next word; pins of the full pass, which the steps do not share.
#pragma once

#include <cstdint>

#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// Adds the steps to a planned sentence of n words (transformer.h), all only on demand. Step t,
/// with S = decoding.steps.t, reads row t of blocks.0.resid_pre:
///     S.mask (1 × (t+1): that much of row t of the full pass's mask)
///     S.blocks.l.*  as in the full pass, with one query; from step 1 on the rows that are made
///                   only of keys are new ones below those of the step before:
///                   heads.h.k_new (1 × d_k), heads.h.k ((t+1) × d_k), v_new, v …
///     S.ln_final.out  (if final_norm)
///     decoding.out (n × d_model: the rows of all steps), decoding.difference (from the full pass)
///     decoding.work (n × 2: multiply-adds for word t, by a full pass | with the cache)
/// Throws Error if several sentences are stacked, the mask is not causal, the last layer is
/// pointing, or there are too many steps.
void plan_decoding(Plan& plan, const StackSettings& settings, std::uint64_t seed);

namespace operations {

/// W(t,0): the multiply-adds of a full pass over the words 0 … t, W(t,1): those of step t. Counted
/// from the shapes of all products of matrices, and of scores and mixes that are sums over a width;
/// from the shapes of all products of matrices, and of scores and mixes that are sums over a width;
/// work cell by cell or row by row is not counted. Input: the full pass's result. An analysis.
extern const Operation decoding_work;

}  // namespace operations
}  // namespace headlight
