// The mask of an attention: one leaf for every rule, and for all of them together.
//
// Goals: rules combine by being read together, so a closed cell always has its reason in words.
// Not goals: cells closed by hand; those are edits of the leaf.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/operation.h"
#include "core/settings.h"

namespace headlight {

/// Fills up the shorter of several sentences. Never made by split_words.
inline constexpr std::string_view kPaddingWord = "<pad>";
/// Ends a document; it belongs to the one before it.
inline constexpr std::string_view kSeparatorWord = "|";
/// Stands for the document of a padding token.
inline constexpr Index kNoDocument = -1;

/// Query i may read key j where every rule is open. i and j count within their sentence.
struct MaskRule {
    Switch causal = Switch::Off;  // open: j ≤ i
    Index window = 0;             // open: |i − j| ≤ window; 0: any distance
    Index dilation = 1;           // open: (j − i) mod dilation = 0
    Index n_sentences = 1;        // stacked, of equal length
    /// The document of each key and of each query of the stack, or both empty. Open: the key has
    /// one, and it is the query's. A query without one (padding) reads every document.
    std::vector<Index> key_documents = {}, query_documents = {};
};

/// Returns the document of each word: 0, 1, …, the number of separators before it; all 0 if
/// documents are Off; kNoDocument for padding. `words` are those of one sentence.
std::vector<Index> document_ids(std::span<const std::string> words, Switch documents);

/// Returns the mask rule of a layer for n_sentences sentences, each attending to itself; `words`
/// are all their words.
MaskRule sentence_mask(const MaskSettings& settings, std::span<const std::string> words,
                       Index n_sentences = 1, int layer = 0);
/// Returns the mask rule for n_query queries per sentence that read `key_words`, except the
/// padding.
MaskRule cross_mask(std::span<const std::string> key_words, Index n_query, Index n_sentences = 1);

/// Returns the rule as attention_mask reads it. Throws Error if a size is out of range.
OperationSettings mask_settings(const MaskRule& rule, Index n_query, Index n_key);
/// Writes "M(i,j) = 0 if j ≤ i, |i − j| ≤ 2, else −∞"; "M = 0" where every cell is open.
std::string mask_equation(const OperationSettings& settings);
/// True if no rule closes a cell: M = 0.
bool is_open(const OperationSettings& settings);

namespace operations {

/// M(i,j) = 0 where every rule of MaskRule is open, else −∞. A leaf of (n_sentences · n_query) ×
/// n_key. Settings, made by mask_settings: key "causal" or "", count: window, step: dilation,
/// group_rows, indices: null, or of each sentence the keys' documents and then
/// the queries'.
extern const Operation attention_mask;

std::span<const Operation* const> mask_operations();

}  // namespace operations
}  // namespace headlight
