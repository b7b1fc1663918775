// A recurrent encoder and a decoder that searches through the source.        [Bahdanau 2015]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/intervention.h"
#include "core/mechanisms/word_table.h"
#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// Names the tensors; nothing is computed. n source words; the m target words and <end> are written
/// in m + 1 steps; d = d_state, D = d or, of both directions, 2d. With word t, step i, gate g:
///     encoder.embed (n × d_model)
///     encoder.forward., encoder.backward. W_ig W_hg b_ig b_hg, x_g (n × d), h_init,
///         steps.t.{r z n h | i f g o c h | h} (1 × d), and the same of all steps (n × d)
///     encoder.h (n × D): h_j = [→h_j | ←h_j]; without attention encoder.last (1 × D), its end
///     decoder.embed (<start> and the vocabulary × d_model), decoder.W_ig …, s_init, cross_mask,
///     decoder. W_query W_key v_score, key_hidden (n × d_hidden)
///     decoder.steps.i. y, query_hidden, e, masked_e, alpha (1 × n), c (1 × D), x = [y | c], x_g,
///                      gates, s (1 × d), t_pre, t, logits
///     decoder.attn.heads.0. scores, masked_scores, pattern ((m + 1) × n), decoder.context, .y, .s,
///                      .t and gates: all steps' rows
///     logits, probs ((m + 1) × vocabulary: the different target words and <end>)
///     influence.encoder (n × n), influence.decoder ((m + 1) × n)
/// The query of step i is s_{i−1}; y is the embedding of the target word before (Teacher) or of the
/// largest logit of the step before (Free). The deep output has d maxout units, and reads s_i, as
/// eq. 4 has it; A.2.2 writes s_{i−1}.
/// Lists of the plan: 0 source words, 1 words written (Free: the steps' numbers), 2 vocabulary.
/// Throws Error if there is no source word or a size is out of range.
///
/// With tables, words are looked up: encoder. tokens (n × 1), W_E (vocabulary × d_model), embed,
/// and decoder. tokens (m + 1 words before, the first one <start>), W_E, embed ((m + 1) × d_model).
/// The vocabulary is then that of decoder.W_E.
Plan plan_recurrent(const Words& source, const Words& target, const RecurrentSettings& settings,
                    std::uint64_t seed, const WordTables& tables = {});

/// Several pairs at once, filled up with kPaddingWord to equal lengths: rows of a pair stand one
/// after another, a step has one row a pair, and the mask closes the padding. Where a source has
/// ended, its states are held. Throws Error if there are several and no tables.
Plan plan_recurrent_pairs(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
                          std::uint64_t seed, const WordTables& tables);

/// Passes interventions on the matrices that stack all steps' rows on to the steps themselves, so
/// that a cell pinned in the alignment has its effect. A step's own interventions win if they are
/// on.
Interventions passed_to_steps(const Plan& plan, Interventions interventions);

}  // namespace headlight
