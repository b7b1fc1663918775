// Queries and keys as the scores read them: with a norm, and turned by their positions.
#pragma once

#include "core/heads/head_scores.h"

namespace headlight {

/// Where the results stand that are made from keys, which heads may share.
class KeyPlace {
  public:
    KeyPlace(const Plan& plan, const AttentionPlace& place, const Head& head);

    bool has_cache() const { return has_cache_; }
    /// An earlier result made from the same keys.
    TensorId beside(const Plan& plan, Role role) const;
    /// What is made from new keys, at `at`: "heads.0.rot_k", with a cache "heads.0.rot_k_new".
    Named named_at(const Location& at, Role role) const;
    const Location& keys() const { return keys_; }

  private:
    Location keys_;
    bool has_cache_;
};

struct QueriesKeys {
    TensorId q = 0, k = 0;
    TensorId new_k = 0;  // the rows of k that are not from the cache
};

/// The head's q and k, by the settings with an RMS norm, norm_q norm_k (gains q_norm.w k_norm.w,
/// 1 × d_k, of all heads) [Henry 2020, Dehghani 2023], then turned, rot_q rot_k [Su 2021].
/// Throws Error if heads of several widths would share a gain.
QueriesKeys add_queries_keys(Plan& plan, const AttentionSettings& settings,
                             const AttentionPlace& place, const Head& head);

}  // namespace headlight
