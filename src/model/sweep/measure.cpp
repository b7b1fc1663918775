#include "model/sweep/measure.h"

#include <cmath>

#include "core/analyses/next_token_loss.h"

namespace headlight {
namespace {

std::vector<double> log_probabilities(const Matrix& logits, Index row) {
    const auto largest = static_cast<double>(logits.row(row).maxCoeff());
    double sum = 0;
    for (Index w = 0; w < logits.cols(); ++w)
        sum += std::exp(static_cast<double>(logits(row, w)) - largest);
    std::vector<double> logs;
    for (Index w = 0; w < logits.cols(); ++w)
        logs.push_back(static_cast<double>(logits(row, w)) - largest - std::log(sum));
    return logs;
}

double difference_asked(const std::vector<double>& logs, const LogitQuestion& question) {
    const auto p = [&](Index word) { return std::exp(logs[static_cast<std::size_t>(word)]); };
    return p(question.word) - (question.minus ? p(*question.minus) : 0);
}

double divergence(const std::vector<double>& log_before, const std::vector<double>& log_after) {
    double sum = 0;
    for (std::size_t w = 0; w < log_before.size(); ++w) {
        const double p = std::exp(log_before[w]);
        if (p > 0) sum += p * (log_before[w] - log_after[w]);
    }
    return sum;
}

}  // namespace

Measure::Measure(const Trace& base, const Sweep& sweep)
    : base_(base), quantity_(sweep.settings.quantity), question_(sweep.question) {
    if (quantity_ == SweepQuantity::Loss) {
        next_ = next_tokens(base);
        return;
    }
    place_ = row_of_stream(base, question_.row);
    if (quantity_ == SweepQuantity::Divergence)
        log_before_ =
            log_probabilities(*compute_value(base, base.id_at(logits_path())), question_.row);
}

double Measure::before() const {
    if (next_) return next_token_loss(base_);
    if (quantity_ == SweepQuantity::Divergence) return 0;
    const double logit = logit_asked(base_, question_);  // checks row and word
    if (quantity_ == SweepQuantity::Logit) return logit;
    const MatrixPtr logits = compute_value(base_, base_.id_at(logits_path()));
    return difference_asked(log_probabilities(*logits, question_.row), question_);
}

double Measure::of_logits(const Matrix& logits) const {
    const auto logit = [&](Index word) { return static_cast<double>(logits(0, word)); };
    if (quantity_ == SweepQuantity::Logit)
        return logit(question_.word) - (question_.minus ? logit(*question_.minus) : 0);
    const std::vector<double> logs = log_probabilities(logits, 0);
    return quantity_ == SweepQuantity::Probability ? difference_asked(logs, question_)
                                                   : divergence(log_before_, logs);
}

double Measure::of(const Matrix& stream) const {
    if (next_) return next_token_loss(base_, stream, *next_);
    return of_logits(read_out(base_, stream.row(place_)));
}

}  // namespace headlight
