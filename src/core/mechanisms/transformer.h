// Stacks of Transformer blocks over words.                                     [Vaswani 2017]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/word_table.h"
#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// Names the tensors of one or several sentences that read themselves; nothing is computed. Shorter
/// sentences are filled up with kPaddingWord, which nobody reads; all are stacked, so that X is
/// (sentences · n) × d_model and a pattern (sentences · n) × n. With layer l:
///     embed, pos_embed, mask
///     blocks.l.resid_pre, blocks.l.*  (block.h)
///     ln_final. w b out, W_U, logits, probs  (by the settings; the vocabulary is every different
///                                             word, in order of appearance)
///     tokens, W_E                        (with a table, which is then the vocabulary)
///     asked, asked_out, logits, probs, answer  (Readout::Pronoun: of the last "it" of each
///                                             sentence, a row each; without one, they are NaN)
///     probe.*, heads.h.metrics, metrics.*  (head_metrics.h), across.*  (across_layers.h),
///     composition.*  (composition.h)
/// Throws Error if there is no sentence, one has no word, or settings contradict each other.
/// Readout::Questions: the heads of the last layer have the names of kQuestionNames.
Plan plan_sentences(const std::vector<Words>& sentences, const StackSettings& settings,
                    std::uint64_t seed, WordTable table = {});

/// Names the tensors of sentences as plan_sentences does, but only the layers, the probe and the
/// heads' metrics.
Plan plan_head_metrics(const std::vector<Words>& sentences, const StackSettings& settings,
                       std::uint64_t seed);

/// Names the tensors of cross-attention: queries from the target, keys and values from the source,
/// layer on layer; no self-attention:
///     source.embed … source.out, target.embed …, cross_mask, blocks.l.cross.*
Plan plan_cross_attention(const SourceTarget& words, const StackSettings& settings,
                          std::uint64_t seed);

/// The encoder reads the source, the causal decoder its own words and the encoder's result:
///     encoder.* and decoder.* as of sentences, decoder.blocks.l.cross.*, logits, probs
/// With tables, words are looked up: encoder.tokens and encoder.W_E, decoder.tokens and
/// decoder.W_E. The decoder then reads <start> and the target; at each place it writes the next
/// word, at the last one <end>. The rows of the cross-attention and of the logits are named after
/// the words written.
Plan plan_encoder_decoder(const SourceTarget& words, const StackSettings& settings,
                          std::uint64_t seed, const WordTables& tables = {});

/// Names the tensors of several pairs, stacked as sentences are; see plan_sentences.
Plan plan_encoder_decoder_pairs(const std::vector<SourceTarget>& pairs,
                                const StackSettings& settings, std::uint64_t seed,
                                const WordTables& tables);

/// Returns every different word, in order of appearance, without padding.
Words collect_vocabulary(const std::vector<Words>& sentences);

}  // namespace headlight
