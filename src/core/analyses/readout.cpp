#include "core/analyses/readout.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/batch.h"
#include "core/compute.h"
#include "core/error.h"
#include "core/operations/operations.h"
#include "core/plan.h"

namespace headlight {
namespace {

namespace op = operations;

std::optional<TensorId> find_logits(const Plan& plan) {
    const std::string path = logits_path();
    if (!plan.find(path)) return std::nullopt;
    return plan.id_at(path);
}

TensorId logits_in(const Plan& plan) {
    const auto id = find_logits(plan);
    if (!id) throw Error("logits", "the study has none; choose an unembedding");
    return *id;
}

/// True of the output of a layer.
bool is_stream(const PlannedTensor& tensor) {
    return tensor.identity.role == Role::ResidPost && tensor.identity.network != Network::Probe;
}

/// True of an operation that only chooses rows: by numbers that are computed, or by places.
bool chooses_rows(const Operation* operation) {
    return operation == &op::pick_rows || operation == &op::gather_rows;
}

/// Returns the input from which a tensor after the last layer is computed, row by row.
TensorId stream_before(const Plan& plan, TensorId id) {
    const std::vector<TensorId>& inputs = plan[id].inputs;
    return plan[id].operation == &op::pick_rows ? inputs.at(1) : inputs.front();
}

/// Returns the tensors from the one after the last layer to the logits; empty where another
/// attention comes between, as in a network that points.
std::vector<TensorId> readout_chain(const Plan& plan, TensorId logits) {
    std::vector<TensorId> chain;
    TensorId id = logits;
    while (!is_stream(plan[id])) {
        const bool is_attention = plan[id].identity.component == ComponentKind::Attention;
        if (plan[id].is_leaf() || is_attention) return {};
        chain.push_back(id);
        id = stream_before(plan, id);
    }
    std::ranges::reverse(chain);
    return chain;
}

/// Returns the row of the stream that a row of the logits comes from.
Index row_of_stream(const Trace& trace, const std::vector<TensorId>& chain, Index row) {
    for (const TensorId id : chain) {
        if (trace[id].operation() == &op::gather_rows)
            return (*trace[id].settings().indices)[static_cast<std::size_t>(row)];
        if (trace[id].operation() != &op::pick_rows) continue;
        const MatrixPtr at = compute_value(trace, trace[id].inputs().front());
        const Scalar place = (*at)(row, 0);
        if (!(place >= 0)) throw Error("logits", "nothing is asked in this row");
        return row * trace[id].settings().group_rows + static_cast<Index>(std::lround(place));
    }
    return row;
}

/// Applies the operation of a tensor to other rows of its first input.
Matrix replay(const Trace& trace, TensorId id, const Matrix& rows) {
    const Tensor& tensor = trace[id];
    if (chooses_rows(tensor.operation())) return rows;
    std::vector<MatrixPtr> others;
    std::vector<ConstView> in{view(rows)};
    for (std::size_t k = 1; k < tensor.inputs().size(); ++k) {
        others.push_back(compute_value(trace, tensor.inputs()[k]));
        in.push_back(view(*others.back()));
    }
    Matrix result(rows.rows(), tensor.columns().size);
    tensor.operation()->forward(
        {in, tensor.settings(), result.rows(), result.cols(), 0, &trace, id}, view(result));
    return result;
}

void check_row(const Tensor& logits, Index row) {
    if (row < 0 || row >= logits.rows().size)
        throw Error("logits", "there is no row {}; there are {}", row, logits.rows().size);
}

void check_word(const Tensor& logits, Index word) {
    if (word < 0 || word >= logits.columns().size)
        throw Error("logits", "there is no word {}; there are {}", word, logits.columns().size);
}

// ---- attribution ----

/// A number that depends linearly on a row: row · direction + constant.
struct Linear {
    Eigen::RowVectorXd direction;
    double constant = 0;
};

Eigen::RowVectorXd row_of(const Trace& trace, TensorId id, Index row) {
    return compute_value(trace, id)->row(row).cast<double>();
}

/// Returns what the logit of the word is times the one before the cap, which counts as a constant;
/// 1 where nothing is capped.
double capped_share(const Trace& trace, TensorId id, Index row, Index word) {
    if (trace[id].operation() != &op::soft_cap) return 1;
    const auto before =
        static_cast<double>(compute_value(trace, trace[id].inputs()[0])->coeff(row, word));
    const auto after = static_cast<double>(compute_value(trace, id)->coeff(row, word));
    return before == 0 ? 1 : after / before;
}

/// Returns the logit as a function of the input of the logits.
std::optional<Linear> begin_at_logits(const Trace& trace, TensorId id,
                                      const LogitQuestion& question) {
    const bool is_capped = trace[id].operation() == &op::soft_cap;
    const Tensor& logits = trace[is_capped ? trace[id].inputs()[0] : id];
    const bool is_tied = logits.operation() == &op::multiply_transposed ||
                         logits.operation() == &op::multiply_transposed_add;
    const bool is_plain =
        logits.operation() == &op::multiply || logits.operation() == &op::multiply_add;
    if (!is_tied && !is_plain) return std::nullopt;
    const MatrixPtr W = compute_value(trace, logits.inputs()[1]);
    const bool has_bias = logits.inputs().size() > 2;
    const MatrixPtr b = has_bias ? compute_value(trace, logits.inputs()[2]) : nullptr;
    Linear linear{Eigen::RowVectorXd::Zero(is_tied ? W->cols() : W->rows())};
    const auto add = [&](Index word, double sign) {
        const double times = sign * capped_share(trace, id, question.row, word);
        if (is_tied)
            linear.direction += times * W->row(word).cast<double>();
        else
            linear.direction += times * W->col(word).transpose().cast<double>();
        if (b) linear.constant += times * static_cast<double>((*b)(0, word));
    };
    add(question.word, 1);
    if (question.minus) add(*question.minus, -1);
    return linear;
}

/// Makes the number a function of a norm's input instead; the input's mean and deviation count as
/// constants.
void pull_through_norm(Linear& linear, const Trace& trace, TensorId id, Index row) {
    const Tensor& norm = trace[id];
    const Eigen::RowVectorXd x = row_of(trace, norm.inputs()[0], row),
                             gain = row_of(trace, norm.inputs()[1], 0);
    const bool is_layer = norm.operation() == &op::layer_norm;
    if (is_layer) linear.constant += linear.direction.dot(row_of(trace, norm.inputs()[2], 0));
    linear.direction = linear.direction.cwiseProduct(gain);
    const double mean = is_layer ? x.mean() : 0;
    const double deviation =
        std::sqrt((x.array() - mean).square().mean() + norm.settings().epsilon);
    if (is_layer) linear.direction.array() -= linear.direction.mean();
    linear.direction /= deviation;
}

/// Pulls the number through the tensor; true if that was possible.
bool pull_through(Linear& linear, const Trace& trace, TensorId id, Index row) {
    const Operation* operation = trace[id].operation();
    if (chooses_rows(operation) || operation == &op::copy) return true;
    if (operation == &op::scaled_sum && trace[id].inputs().size() == 1) {
        linear.direction *= static_cast<double>(trace[id].settings().scale);
        return true;
    }
    if (operation != &op::layer_norm && operation != &op::rms_norm) return false;
    pull_through_norm(linear, trace, id, row);
    return true;
}

class Addends {
  public:
    Addends(const Trace& trace, Eigen::RowVectorXd direction, Index row)
        : trace_(trace), direction_(std::move(direction)), row_(row) {}

    /// Splits the tensor's row into the rows that were added up to it; returns their total
    /// contribution.
    double split(TensorId id, double times) {
        const Tensor& tensor = trace_[id];
        const double all = times * direction_.dot(row_of(trace_, id, row_));
        const Operation* operation = tensor.operation();
        double found = 0;
        if (operation == &op::add || operation == &op::copy || operation == &op::scaled_sum) {
            const bool is_scaled = operation == &op::scaled_sum;
            const double scale = is_scaled ? static_cast<double>(tensor.settings().scale) : 1;
            for (const TensorId input : tensor.inputs()) found += split(input, times * scale);
        } else if (is_output_of_heads(tensor)) {
            found = split_heads(tensor, times);
        } else if (operation == &op::concat_columns) {
            found = split_columns(id, direction_.transpose(), times);
        } else if (operation == &op::rms_norm) {
            found = split_normed(id, times);
        } else {
            take(tensor.identity(), all);
            return all;
        }
        if (!tensor.intervention.is_empty()) take(tensor.identity(), all - found);
        return all;
    }

    std::vector<LogitPart> parts;

  private:
    void take(const Identity& what, double value) { parts.push_back({what, value}); }

    /// True of concat · W_O, with or without a bias.
    bool is_output_of_heads(const Tensor& tensor) const {
        const bool is_product =
            tensor.operation() == &op::multiply || tensor.operation() == &op::multiply_add;
        return is_product && tensor.identity().role == Role::AttentionOutput &&
               trace_[tensor.inputs()[0]].operation() == &op::concat_columns;
    }

    /// Splits what a norm is made of, whose root mean square counts as a constant.
    double split_normed(TensorId id, double times) {
        Linear linear{direction_};
        pull_through_norm(linear, trace_, id, row_);
        const Eigen::RowVectorXd outer = std::exchange(direction_, linear.direction);
        const double sum = split(trace_[id].inputs()[0], times);
        direction_ = outer;
        return sum;
    }

    double split_heads(const Tensor& out, double times) {
        const MatrixPtr W_O = compute_value(trace_, out.inputs()[1]);
        const double sum =
            split_columns(out.inputs()[0], W_O->cast<double>() * direction_.transpose(), times);
        if (out.inputs().size() < 3) return sum;
        const double bias = times * direction_.dot(row_of(trace_, out.inputs()[2], 0));
        take(trace_[out.inputs()[2]].identity(), bias);
        return sum + bias;
    }

    /// Splits heads side by side, each of whose columns adds itself times a number.
    double split_columns(TensorId concat, const Eigen::VectorXd& factors, double times) {
        const Eigen::RowVectorXd values = row_of(trace_, concat, row_);
        double sum = 0;
        Index begin = 0;
        for (const TensorId head : trace_[concat].inputs()) {
            const Index width = trace_[head].columns().size;
            const double value =
                times * values.segment(begin, width).dot(factors.segment(begin, width));
            take(trace_[head].identity(), value);
            sum += value;
            begin += width;
        }
        return sum;
    }

    const Trace& trace_;
    Eigen::RowVectorXd direction_;
    Index row_;
};

}  // namespace

TensorId last_stream(const Plan& plan) {
    const auto logits = find_logits(plan);
    if (!logits) throw Error("logits", "the study has none; choose an unembedding");
    const std::vector<TensorId> chain = readout_chain(plan, *logits);
    if (chain.empty()) throw Error("logits", "they are not read from layers");
    return stream_before(plan, chain.front());
}

Index row_of_stream(const Trace& trace, Index row) {
    return row_of_stream(trace, readout_chain(trace, logits_in(trace)), row);
}

Matrix read_out(const Trace& trace, const Matrix& rows) {
    Matrix result = rows;
    for (const TensorId id : readout_chain(trace, logits_in(trace)))
        result = replay(trace, id, result);
    return result;
}

std::string pinned_readout(const Trace& trace) {
    for (const TensorId id : readout_chain(trace, logits_in(trace)))
        if (!trace[id].intervention.is_empty()) return trace[id].path();
    return "";
}

std::string logits_path() {
    return kNetworkOutput.at(Role::Logits).path;
}

Index usual_place(const Plan& plan) {
    const Axis& rows = plan[logits_in(plan)].rows;
    for (Index i = 0; has_names(rows) && i < rows.size; ++i) {
        const std::string token = axis_label(plan, rows, i);
        if (token == "[MASK]" || token == "<mask>") return i;
    }
    return last_word(plan, rows);
}

double logit_asked(const Trace& trace, const LogitQuestion& question) {
    const TensorId id = logits_in(trace);
    check_row(trace[id], question.row);
    check_word(trace[id], question.word);
    if (question.minus) check_word(trace[id], *question.minus);
    // If the vocabulary is large, only the one row is computed.
    const bool is_kept =
        trace[id].value || !pinned_readout(trace).empty() || readout_chain(trace, id).empty();
    const MatrixPtr all = is_kept ? compute_value(trace, id) : nullptr;
    const Matrix one = is_kept ? Matrix(all->row(question.row))
                               : read_out(trace, compute_value(trace, last_stream(trace))
                                                     ->row(row_of_stream(trace, question.row)));
    const auto logit = static_cast<double>(one(0, question.word));
    return question.minus ? logit - static_cast<double>(one(0, *question.minus)) : logit;
}

std::vector<TensorId> list_streams(const Plan& plan) {
    std::vector<TensorId> streams;
    const auto logits = find_logits(plan);
    if (!logits || readout_chain(plan, *logits).empty()) return streams;
    const Network network =
        plan[stream_before(plan, readout_chain(plan, *logits).front())].identity.network;
    for (TensorId id = 0; id < *logits; ++id) {
        const PlannedTensor& tensor = plan[id];
        if (tensor.identity.network != network) continue;
        const bool is_first = tensor.identity.role == Role::ResidPre && tensor.identity.layer == 0;
        if (is_first || is_stream(tensor)) streams.push_back(id);
    }
    return streams;
}

Matrix lens_logits(const Trace& trace, Index row) {
    const TensorId logits = logits_in(trace);
    check_row(trace[logits], row);
    const std::vector<TensorId> chain = readout_chain(trace, logits), streams = list_streams(trace);
    if (streams.empty()) throw Error("logits", "they are not read from layers");
    const Index place = row_of_stream(trace, chain, row);
    Matrix rows(std::ssize(streams), trace[streams.front()].columns().size);
    for (std::size_t k = 0; k < streams.size(); ++k)
        rows.row(static_cast<Index>(k)) = compute_value(trace, streams[k])->row(place);
    return read_out(trace, rows);
}

std::optional<LogitParts> attribute_logit(const Trace& trace, const LogitQuestion& question) {
    LogitParts found;
    found.logit = logit_asked(trace, question);
    const TensorId logits = logits_in(trace);
    const std::vector<TensorId> chain = readout_chain(trace, logits);
    if (chain.empty()) return std::nullopt;
    std::optional<Linear> linear = begin_at_logits(trace, logits, question);
    if (!linear) return std::nullopt;
    const Index place = row_of_stream(trace, chain, question.row);
    const std::size_t n_of_logits = trace[logits].operation() == &op::soft_cap ? 2 : 1;
    for (std::size_t k = chain.size() - n_of_logits; k-- > 0;) {
        const bool is_looked_up = trace[chain[k]].rows().size != trace[logits].rows().size;
        const Index row = is_looked_up ? place : question.row;
        if (!pull_through(*linear, trace, chain[k], row)) return std::nullopt;
    }
    Addends addends(trace, linear->direction, place);
    const double stream = addends.split(stream_before(trace, chain.front()), 1);
    if (addends.parts.size() < 2) return std::nullopt;
    found.parts = std::move(addends.parts);
    if (linear->constant != 0)
        found.parts.push_back({{kNetworkOutput, Role::Bias}, linear->constant});
    const double rest = found.logit - stream - linear->constant;
    const double tolerance = 1e-3 * std::max(1.0, std::abs(found.logit));
    if (std::abs(rest) > tolerance)  // set by hand between stream and logit
        found.parts.push_back({trace[logits].identity(), rest});
    return found;
}

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
