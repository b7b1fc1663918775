// The quantity of a sweep, measured on what the last layer gives out.
#pragma once

#include <optional>
#include <vector>

#include "model/sweep/sweep.h"

namespace headlight {

/// p = softmax of the logits of the place that is asked of, p₀ that of the trace itself:
///     Logit        logit(word) − logit(minus)
///     Probability  p(word) − p(minus)
///     Divergence   KL(p₀ ‖ p) = Σ_w p₀(w) (log p₀(w) − log p(w)), in nats      [Conmy 2023]
///     Loss         of the text's own next tokens (next_token_loss.h)
class Measure {
  public:
    /// `base` outlives it. Throws Error if there is no such row or word.
    Measure(const Trace& base, const Sweep& sweep);

    double before() const;
    /// `stream`: in place of what the last layer gives out, n × d_model.
    double of(const Matrix& stream) const;

  private:
    double of_logits(const Matrix& logits) const;  // 1 × words

    const Trace& base_;
    SweepQuantity quantity_;
    LogitQuestion question_;
    Index place_ = 0;                              // row of the last stream
    std::vector<double> log_before_;               // log p₀, of Divergence
    std::optional<std::vector<Index>> next_ = {};  // of Loss
};

}  // namespace headlight
