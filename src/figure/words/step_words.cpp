#include "figure/words/step_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "core/analyses/composition.h"
#include "core/analyses/influence.h"
#include "core/operations/analysis_operations.h"
#include "core/operations/operations.h"
#include "core/operations/recurrent_operations.h"
#include "core/operations/score_operations.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace op = operations;

/// Placeholders for the name of the study's items; for a row, or one of a sum; for the symbols of
/// the inputs after the first.
constexpr std::string_view kItem = "{item}", kRow = "{row}", kFactor = "{W}";

struct RoleWords {
    Role role;
    const char *title, *sentence;
};

constexpr RoleWords kByRole[] = {
    {Role::Image, "Image", "One row per pixel, one column per channel, from 0 to 1."},
    {Role::Patches, "Patches", "The pixels of each patch, side by side in one row."},
    {Role::EdgeFeatures, "Edge features",
     "A vector for each edge, in addition to those of its nodes."},
    {Role::Positions, "Positions", "A vector for each position, so that the order counts."},
    {Role::ResidPre, "Input of the layer", "What the layer reads: one row per {item}."},
    {Role::ResidAttn, "Residual stream", "The output of the attention is added to its input."},
    {Role::ResidMid, "Residual stream", "The output of the attention is added to its input."},
    {Role::ResidPost, "Output of the layer", "The output is added to the input."},
    {Role::NormInput, "Sum before the norm", "The output is added to the input."},
    {Role::QueryKeyCircuit, "What the head asks for",
     "W_Q and W_K as one matrix: which features look for which."},
    {Role::ValueOutputCircuit, "What the head moves",
     "W_V and W_O as one matrix: what a read feature adds to the output."},
    {Role::Query, "Queries", "What each {item} looks for: its row times {W}."},
    {Role::Key, "Keys", "What each {item} can be found by: its row times {W}."},
    {Role::Value, "Values", "What each {item} passes on when it is read: its row times {W}."},
    {Role::NewKey, "New key", "Only the new {item}'s key is computed; the others are cached."},
    {Role::NewValue, "New value",
     "Only the new {item}'s value is computed; the others are cached."},
    {Role::NormedQuery, "Normed queries", "Each query over its root mean square, then scaled."},
    {Role::NormedKey, "Normed keys", "Each key over its root mean square, then scaled."},
    {Role::RotatedQuery, "Rotated queries",
     "Pairs of columns rotate with the position of the query."},
    {Role::RotatedKey, "Rotated keys", "Pairs of columns rotate with the position of the key."},
    {Role::QueryHidden, "Query's share", "What the query adds to the hidden layer of its scores."},
    {Role::KeyHidden, "Key's share", "What the key adds to the hidden layer of its scores."},
    {Role::ContentScores, "Content scores", "How well each query matches each key in content."},
    {Role::ContentMix, "Values read", "The values, weighted by each row of the pattern."},
    {Role::PositionMix, "Positions read", "Vectors of the distances, weighted by the pattern."},
    {Role::UncappedScores, "Uncapped scores", "How well each query matches each key."},
    {Role::MaskedScores, "Masked scores",
     "Keys that may not be read get −∞, and so a weight of 0."},
    {Role::SourceScores, "Scores as neighbour", "A number for each node, used when it is read."},
    {Role::TargetScores, "Scores as reader", "A number for each node, used when it reads."},
    {Role::EdgeScores, "Scores of edges", "A number for each edge, from its features."},
    {Role::RawScores, "Raw scores", "For each edge, the reader's number plus the neighbour's."},
    {Role::HeadOutput, "Output of the head",
     "Each {item} takes the values, weighted by its row of A."},
    {Role::HeadResult, "Share of the head", "What this head adds to the output: Z times its W_O."},
    {Role::MlpGate, "Gate", "What each unit of the hidden layer is multiplied by."},
    {Role::MlpPre, "Hidden layer", "Each row times W_in, plus b_in: here no {item} reads another."},
    {Role::MlpOutput, "Output of the MLP",
     "Each row times W_out, plus b_out: as wide as the model."},
    {Role::AttentionOutput, "Output of the attention",
     "The heads, mixed by W_O: one row per {item} again."},
    {Role::Logits, "Logits", "A score for each word that the network could answer."},
    {Role::Probabilities, "Probabilities",
     "Softmax of the logits: each row distributes 1 over the words."},
    {Role::Answer, "Answer",
     "What the asked word stands for: each word of the sentence has a probability."},
    {Role::ClassLogits, "Logits", "A score for each class that the {item} could belong to."},
    {Role::ClassProbabilities, "Classes",
     "Softmax of the logits: each row distributes 1 over the classes."},
    {Role::Context, "Contexts", "What each step knows of the source."},
    {Role::Annotations, "Annotations", "Each word's states in both directions, side by side."},
    {Role::FirstState, "First state", "Before the first word there is nothing to remember: zeros."},
    {Role::FirstMemory, "First memory",
     "Before the first word there is nothing to remember: zeros."},
    {Role::States, "States", "One row per word: what was read so far, in this direction."},
    {Role::GateInput, "Input of a gate",
     "What the input adds inside the cell, for all steps at once."},
    {Role::ResetGate, "Reset gate",
     "Between 0 and 1 for each unit: how much of the old state the candidate sees."},
    {Role::UpdateGate, "Update gate",
     "Between 0 and 1 for each unit: how much of the old state is kept."},
    {Role::InputGate, "Input gate",
     "Between 0 and 1 for each unit: how much of the candidate the memory takes in."},
    {Role::ForgetGate, "Forget gate",
     "Between 0 and 1 for each unit: how much of its old content the memory keeps."},
    {Role::OutputGate, "Output gate",
     "Between 0 and 1 for each unit: how much of the memory the new state shows."},
    {Role::StepInput, "Input of the step", "The previous word and what was read, side by side."},
    {Role::WordBefore, "Word before", "The embedding of the previous word."},
    {Role::BeforeLogits, "Before the logits", "The larger one of each pair of units (maxout)."},
};

constexpr RoleWords kOfSharedHeads[] = {
    {Role::Key, "Keys", "What each {item} can be found by; some heads share them."},
    {Role::Value, "Values", "What each {item} passes on when read; some heads share them."},
};

constexpr RoleWords kOfGraphs[] = {
    {Role::NodeFeatures, "Transformed features", "Each node's features, times the head's W."},
    {Role::HeadOutput, "Output of the head", "Each node's mix of its neighbours' vectors."},
};

constexpr RoleWords kOfDecoder[] = {
    {Role::FirstState, "First state",
     "The decoder's first state, made from the encoder's last one."},
    {Role::States, "Decoder states", "One row per step: what was written so far, and read for it."},
};

/// The words for a role that is made in several ways, if it is made in another way than kByRole
/// assumes.
struct MadeWords {
    Role role;
    const Operation* operation;
    const char *title, *sentence;
};

constexpr MadeWords kByMaking[] = {
    {Role::Query, &op::copy, "Queries", "What each {item} looks for: its row, unchanged."},
    {Role::Key, &op::copy, "Keys", "What each {item} can be found by: its row, unchanged."},
    {Role::Value, &op::copy, "Values", "What each {item} passes on when read: its row, unchanged."},
    {Role::PositionScores, &op::relative_scores, "Position scores",
     "Each query times the vector of each distance."},
    {Role::PositionScores, &op::alibi_bias, "Position scores",
     "The farther the key, the more is subtracted from its score."},
    {Role::PositionScores, &op::bucket_bias, "Position scores",
     "A number for each bucket of distances."},
    {Role::PositionScores, &op::causal_bucket_bias, "Position scores",
     "A number for each bucket of distances."},
    {Role::PositionScores, &op::quadratic_scores, "Position scores",
     "Highest at the head's own offset from the query."},
    {Role::Key, &op::append_rows, "Keys so far", "The cached keys, with the new one below."},
    {Role::Value, &op::append_rows, "Values so far", "The cached values, with the new one below."},
    {Role::NormedKey, &op::append_rows, "Keys so far", "The cached keys, with the new one below."},
    {Role::RotatedKey, &op::append_rows, "Keys so far", "The cached keys, with the new one below."},
    {Role::KeyHidden, &op::append_rows, "Rows so far", "The cached rows, with the new one below."},
    {Role::Scores, &op::soft_cap, "Scores",
     "Large scores are pressed below the cap; small ones stay."},
    {Role::Logits, &op::soft_cap, "Logits",
     "Large logits are pressed below the cap; small ones stay."},
    {Role::Scores, &op::stack_rows, "Scores",
     "How well each state of the decoder matches each word."},
    {Role::Pattern, &op::stack_rows, "Alignment",
     "What each written word reads of the source: each row sums to 1."},
    {Role::HeadOutput, &op::add, "Output of the head",
     "Values and vectors of distances, weighted by A."},
    {Role::Context, &op::copy, "Context", "The encoder's last state, the same at every step."},
    {Role::Context, &op::multiply, "Context", "The source's states, weighted by this row of α."},
    {Role::Annotations, &op::copy, "Annotations", "Each word's state, once it is read."},
    {Role::AttentionOutput, &op::copy, "Output of the attention", "The heads side by side."},
    {Role::AttentionOutput, &op::scaled_sum, "Output of the attention",
     "The heads, added and scaled."},
    {Role::ResidPre, &op::add, "Input of the layer", "The sum of embeddings and positions."},
    {Role::ResidPost, &op::scaled_sum, "Output of the layer",
     "Attention and MLP are both added to the input."},
};

/// The words of an analysis of the network, whose symbol is its title.
struct AnalysisWords {
    const Operation* operation;
    const char* sentence;
};

constexpr AnalysisWords kOfAnalyses[] = {
    {&op::collect_metric, "What the heads do, measured: one number for every head."},
    {&op::head_metrics, "What this head does, measured: one number for every metric."},
    {&op::overview, "The pattern in few cells: each is the largest of those that fall on it."},
    {&op::with_residual,
     "The mean pattern plus the identity, for the residual stream: rows sum to 1."},
    {&op::attention_flow, "The greatest flow from each {item} down to each {item} of the input."},
    {&op::gradient_attention, "Each weight times how much it raises the output; never below 0."},
    {&op::composition, "How much of what an earlier head writes a later head reads."},
    {&op::recorded, "Another program has computed these numbers, and recorded them in a file."},
    {&op::joined_pieces,
     "The attention between words: the sum over the pieces that are read, the mean over those that "
     "read."},
    {&op::influence, "How strongly each row of the input moves each row of the output."},
};

/// Returns words for an analysis of the network, or for a tensor that is in no table.
StepWords words_of_rest(const Tensor& tensor) {
    if (tensor.stage() == Stage::Weight && tensor.is_leaf())
        return {"Weights", "What training would change: the same for every input."};
    const std::string title = plain_formula(tensor.symbol());
    const auto found =
        std::ranges::find(kOfAnalyses, tensor.operation(), &AnalysisWords::operation);
    if (found != std::end(kOfAnalyses)) return {title, found->sentence};
    return {title,
            fmt::format("Computed from other matrices: {}.", plain_formula(tensor.equation()))};
}

/// True if positions are added to the score of a content.
bool is_sum_of_scores(const Tensor& tensor) {
    return tensor.stage() == Stage::Score && tensor.operation() == &op::add &&
           tensor.identity().role != Role::MaskedScores;
}

bool is_residual_stream(const Tensor& tensor) {
    const Role role = tensor.identity().role;
    return role == Role::ResidAttn || role == Role::ResidMid || role == Role::ResidPost;
}

/// True of a norm after the sum with the residual; the sentences of norms mention each {row}.
bool is_norm_of_sum(const Tensor& tensor) {
    const char* sentence = tensor.operation()->words.sentence;
    return is_residual_stream(tensor) && sentence &&
           std::string_view(sentence).find(kRow) != std::string_view::npos;
}

std::optional<StepWords> find_words(std::span<const RoleWords> table, Role role) {
    const auto found = std::ranges::find(table, role, &RoleWords::role);
    if (found == table.end()) return std::nullopt;
    return StepWords{found->title, found->sentence};
}

/// Returns words that only some mechanisms have for a role.
std::span<const RoleWords> own_words(const Identity& identity) {
    if (identity.kv_group >= 0) return kOfSharedHeads;
    if (identity.component == ComponentKind::GraphAttention) return kOfGraphs;
    if (identity.network == Network::Decoder && identity.layer < 0) return kOfDecoder;
    return {};
}

StepWords raw_words(const Tensor& tensor) {
    const Identity& identity = tensor.identity();
    const bool is_looked_up = tensor.is_leaf() && tensor.operation() != &op::seeded_weight;
    if (identity.role == Role::Embedding && is_looked_up)
        return {"Embeddings", "Each {item} enters as a vector: its row."};
    for (const MadeWords& words : kByMaking)
        if (words.operation == tensor.operation() && words.role == identity.role)
            return {words.title, words.sentence};
    if (is_norm_of_sum(tensor)) return {"Norm of the sum", tensor.operation()->words.sentence};
    if (is_sum_of_scores(tensor))
        return {"Scores", "How well each query matches each key, in content and in distance."};
    if (const auto words = find_words(own_words(identity), identity.role)) return *words;
    if (const auto words = find_words(kByRole, identity.role)) return *words;
    if (const OperationWords& words = tensor.operation()->words; words.title)
        return {words.title, words.sentence};
    return words_of_rest(tensor);
}

std::string tensor_shape(const Tensor& tensor) {
    return shape_text(tensor.rows().size, tensor.columns().size);
}

/// Writes "4 × (12 × 8)" for inputs of one shape, "12 × 8, 10 × 8" for a few others.
std::string input_shapes(const Trace& trace, const Tensor& tensor, const char* sign) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> shapes;
    for (const TensorId input : tensor.inputs()) shapes.push_back(tensor_shape(trace[input]));
    const bool are_alike = std::all_of(shapes.begin(), shapes.end(), [&](const std::string& shape) {
        return shape == shapes.front();
    });
    if (are_alike && shapes.size() > kMost)
        return fmt::format("{} × ({})", shapes.size(), shapes.front());
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, shapes.size()); ++i)
        text += (i == 0 ? "" : sign) + shapes[i];
    return shapes.size() > kMost ? text + ", …" : text;
}

/// Writes "W_Q", or "W_Q, plus b_Q".
std::string factor_text(const Trace& trace, const Tensor& tensor) {
    std::string factor;
    for (std::size_t i = 1; i < tensor.inputs().size(); ++i)
        factor += (i > 1 ? ", plus " : "") + plain_formula(trace[tensor.inputs()[i]].symbol());
    return factor;
}

}  // namespace

StepWords step_words(const Trace& trace, const Tensor& tensor) {
    StepWords words = raw_words(tensor);
    words.sentence = replaced_all(std::move(words.sentence), kFactor, factor_text(trace, tensor));
    words.sentence = replaced_all(std::move(words.sentence), kRow,
                                  is_residual_stream(tensor) ? "row of the sum" : "row");
    const int list = tensor.rows().kind == AxisKind::Named ? 0 : tensor.rows().list;
    const std::string& noun = trace.lists()[static_cast<std::size_t>(list)].noun;
    words.sentence = replaced_all(std::move(words.sentence), kItem, noun);
    return words;
}

std::string step_shapes(const Trace& trace, const Tensor& tensor) {
    if (tensor.is_leaf()) return tensor_shape(tensor);
    const std::string arrow = " → " + tensor_shape(tensor);
    const Operation* operation = tensor.operation();
    if (operation == &op::multiply || operation == &op::multiply_add ||
        operation == &op::multiply_transposed || operation == &op::multiply_transposed_add) {
        const Tensor& left = trace[tensor.inputs()[0]];
        return fmt::format("{} · {}{}", tensor_shape(left),
                           shape_text(left.columns().size, tensor.columns().size), arrow);
    }
    const char* sign = operation == &op::add ? " + " : operation == &op::subtract ? " − " : ", ";
    return input_shapes(trace, tensor, sign) + arrow;
}

}  // namespace headlight
