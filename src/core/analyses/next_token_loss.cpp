#include "core/analyses/next_token_loss.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "core/analyses/readout.h"
#include "core/compute.h"
#include "core/error.h"

namespace headlight {
namespace {

/// The most logits that are in memory at once.
constexpr Index kMostLogitsAtOnce = Index(1) << 22;

/// Returns the word of the vocabulary that each token is, −1 if it is none of them.
std::vector<Index> numbers_of_tokens(const Trace& trace, const Tensor& logits) {
    const std::vector<std::string>& tokens = trace.items(logits.rows().list);
    const std::vector<std::string>& words = trace.items(logits.columns().list);
    std::unordered_map<std::string_view, Index> numbers;
    numbers.reserve(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) numbers.emplace(words[k], static_cast<Index>(k));
    std::vector<Index> found;
    for (const std::string& token : tokens) {
        const auto at = numbers.find(token);
        found.push_back(at == numbers.end() ? Index(-1) : at->second);
    }
    return found;
}

double cross_entropy(const Matrix& logits, Index row, Index word) {
    const double largest = static_cast<double>(logits.row(row).maxCoeff());
    const double sum = (logits.row(row).cast<double>().array() - largest).exp().sum();
    return largest + std::log(sum) - static_cast<double>(logits(row, word));
}

}  // namespace

std::vector<Index> next_tokens(const Trace& trace) {
    const Tensor& logits = trace.at(logits_path());
    const std::vector<Index> tokens = numbers_of_tokens(trace, logits);
    const Index n = logits.rows().size, of_sentence = n / logits.rows().groups;
    if (std::ssize(tokens) != n)
        throw Error("loss", "the logits are not one row a token, so no text is foretold");
    std::vector<Index> next(tokens.size(), -1);
    for (Index i = 0; i + 1 < n; ++i)
        if ((i + 1) % of_sentence != 0)
            next[static_cast<std::size_t>(i)] = tokens[static_cast<std::size_t>(i) + 1];
    return next;
}

double next_token_loss(const Trace& trace, const Matrix& stream, const std::vector<Index>& next) {
    const Index n_words = trace.at(logits_path()).columns().size;
    const Index at_once = std::max<Index>(1, kMostLogitsAtOnce / n_words);
    double sum = 0;
    Index count = 0;
    for (Index first = 0; first < stream.rows(); first += at_once) {
        const Index n_rows = std::min(at_once, stream.rows() - first);
        const Matrix logits = read_out(trace, stream.middleRows(first, n_rows));
        for (Index k = 0; k < n_rows; ++k) {
            const Index word = next[static_cast<std::size_t>(first + k)];
            if (word < 0) continue;
            sum += cross_entropy(logits, k, word);
            ++count;
        }
    }
    if (count == 0)
        throw Error("loss",
                    "the text has no next token: it needs two tokens that the vocabulary "
                    "has");
    return sum / static_cast<double>(count);
}

double next_token_loss(const Trace& trace) {
    return next_token_loss(trace, *compute_value(trace, last_stream(trace)), next_tokens(trace));
}

}  // namespace headlight
