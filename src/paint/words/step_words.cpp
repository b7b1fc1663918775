#include "paint/words/step_words.h"

#include <algorithm>
#include <vector>

#include "core/operations/address_operations.h"
#include "core/operations/analysis_operations.h"
#include "core/operations/block_operations.h"
#include "core/operations/graph_operations.h"
#include "core/operations/image_operations.h"
#include "core/operations/mask_operations.h"
#include "core/operations/operations.h"
#include "core/operations/position_operations.h"
#include "core/operations/recurrent_operations.h"
#include "core/operations/score_operations.h"
#include "paint/words/plain_formula.h"

namespace headlight {
namespace {

namespace op = operations;

struct PathWords {
    const char *glob, *name, *sentence;
};

/// "{item}" is what the study's items are called: token, node, word; "{W}" the symbol of the second
/// input.
constexpr PathWords kByPath[] = {
    {"image", "Image", "One row a pixel, one column a channel, from 0 to 1."},
    {"patches", "Patches", "The pixels of each patch stand side by side in one row."},
    {"edge_features", "Edge features", "A vector for each edge, beside those of its nodes."},
    {"*pos_embed", "Positions", "A vector for each place, so that the order counts."},
    {"*resid_pre", "Input of the layer", "What the layer reads: one row a {item}."},
    {"*resid_attn", "Residual stream", "What the attention found is added to what it read."},
    {"*resid_mid", "Residual stream", "What the attention found is added to what it read."},
    {"*resid_post", "Output of the layer", "What was found is added to what was read."},
    {"*ln*.in", "Sum before the norm", "What was found is added to what was read."},
    {"*.QK", "What the head asks for", "W_Q and W_K as one matrix: which features ask for which."},
    {"*.OV", "What the head moves", "W_V and W_O as one matrix: what becomes of what is read."},
    {"*.heads.*.q", "Queries", "What each {item} looks for: its row times {W}."},
    {"*.heads.*.k", "Keys", "What each {item} can be found by: its row times {W}."},
    {"*.heads.*.v", "Values", "What each {item} hands over when it is read: its row times {W}."},
    {"*.kv.*.k", "Keys", "What each {item} can be found by; some heads share them."},
    {"*.kv.*.v", "Values", "What each {item} hands over when read; some heads share them."},
    {"*.k_new", "New key", "Only the new {item}'s key is computed; the others are cached."},
    {"*.v_new", "New value", "Only the new {item}'s value is computed; the others are cached."},
    {"*.rot_q", "Rotated queries", "Pairs of columns turn with the position of the query."},
    {"*.rot_k", "Rotated keys", "Pairs of columns turn with the position of the key."},
    {"*.query_hidden", "Query's share", "What the query adds to the hidden layer of its scores."},
    {"*key_hidden", "Key's share", "What the key adds to the hidden layer of its scores."},
    {"*.content_scores", "Content scores", "How well each query matches each key in content."},
    {"*.content_z", "Values read", "The values, weighted by each row of the pattern."},
    {"*.position_z", "Positions read", "Vectors of the distances, weighted by the pattern."},
    {"*.masked_e", "Masked scores", "What may not be read gets −∞, and so the weight 0."},
    {"*.masked_scores", "Masked scores", "What may not be read gets −∞, and so the weight 0."},
    {"*.score_src", "Scores as neighbour", "A number for each node, for when it is read."},
    {"*.score_dst", "Scores as reader", "A number for each node, for when it reads."},
    {"*.score_edge", "Scores of edges", "A number for each edge, from its features."},
    {"*.raw_scores", "Raw scores", "The reader's number plus the neighbour's, on each edge."},
    {"gat.*.heads.*.h*", "Transformed features", "Each node's features, times the head's W."},
    {"gat.*.heads.*.out", "Output of the head", "Each node's mix of its neighbours' vectors."},
    {"*.z", "Output of the head", "Each {item} takes up the values, weighted by its row of A."},
    {"*.result", "Share of the head", "What this head adds to the output: Z times its W_O."},
    {"*.mlp.pre", "Hidden layer", "Each row times W_in, plus b_in: here nobody reads another."},
    {"*.mlp.out", "Output of the MLP", "Each row times W_out, plus b_out: as wide as the model."},
    {"*attn.out", "Output of the attention", "The heads, mixed by W_O: one row a {item} again."},
    {"*cross.out", "Output of the attention", "The heads, mixed by W_O: one row a {item} again."},
    {"*logits", "Logits", "A score for each of the study's words as the next one."},
    {"probs", "Probabilities", "Softmax of the logits: each row shares out 1 among the words."},
    {"*context", "Contexts", "What each step knows of the source."},
    {"*encoder.h", "Annotations", "Each word's states in both directions, side by side."},
    {"*s_init*", "First state", "Where the decoder starts: made from the encoder's last state."},
    {"*h_init", "First state", "Before the first word there is nothing to remember: zeros."},
    {"*c_init", "First memory", "Before the first word there is nothing to remember: zeros."},
    {"decoder.s", "Decoder states", "One row a step: what is written so far, and read for it."},
    {"*ward.h", "States", "One row a word: what is read so far, in this direction."},
    {"*.x_?", "Input of a gate", "What the input adds inside the cell, for all steps at once."},
    {"*.steps.*.x", "Input of the step", "The word before and what was read, side by side."},
    {"decoder*.y", "Word before", "The embedding of the word that stands before."},
    {"decoder.attn.*.pattern", "Alignment",
     "What each word written reads of the source: shares of 1."},
    {"decoder.attn.*.scores", "Scores", "How well each state of the decoder matches each word."},
    {"decoder.t", "Before the logits", "Of each pair of units the larger one (maxout)."},
};

/// Where a path is made in several ways, the one that kByPath does not mean.
struct MadeWords {
    const char* glob;
    const Operation* operation;
    const char *name, *sentence;
};

std::vector<MadeWords> words_by_making() {
    return {
        {"*.q", &op::copy, "Queries", "What each {item} looks for: its row as it is."},
        {"*.k", &op::copy, "Keys", "What each {item} can be found by: its row as it is."},
        {"*.v", &op::copy, "Values", "What each {item} hands over when read: its row as it is."},
        {"*.position_scores", &op::relative_scores, "Position scores",
         "Each query times a vector of each distance."},
        {"*.position_scores", &op::alibi_bias, "Position scores",
         "The farther the key, the more is taken off its score."},
        {"*.position_scores", &op::bucket_bias, "Position scores",
         "A number for each bucket of distances."},
        {"*.position_scores", &op::causal_bucket_bias, "Position scores",
         "A number for each bucket of distances."},
        {"*.position_scores", &op::quadratic_scores, "Position scores",
         "Highest at the head's own offset from the query."},
        {"*.k", &op::append_rows, "Keys so far", "The keys that were kept, the new one below."},
        {"*.v", &op::append_rows, "Values so far", "The values that were kept, the new one below."},
        {"*.rot_k", &op::append_rows, "Keys so far", "The keys that were kept, the new one below."},
        {"*key_hidden", &op::append_rows, "Rows so far", "The rows that were kept, the new below."},
        {"*.steps.*.r", &op::sigmoid_gate, "Reset gate",
         "Between 0 and 1 for each unit: how much of the old state the candidate sees."},
        {"*.steps.*.z", &op::sigmoid_gate, "Update gate",
         "Between 0 and 1 for each unit: how much of the old state is kept."},
        {"*.steps.*.i", &op::sigmoid_gate, "Input gate",
         "Between 0 and 1 for each unit: how much of the candidate the memory takes in."},
        {"*.steps.*.f", &op::sigmoid_gate, "Forget gate",
         "Between 0 and 1 for each unit: how much of its old content the memory keeps."},
        {"*.steps.*.o", &op::sigmoid_gate, "Output gate",
         "Between 0 and 1 for each unit: how much of the memory the new state shows."},
        {"*.z", &op::add, "Output of the head", "Values and vectors of distances, weighted by A."},
        {"*.steps.*.c", &op::copy, "Context", "The encoder's last state, the same at every step."},
        {"*.steps.*.c", &op::multiply, "Context",
         "The source's states, weighted by this row of α."},
        {"*encoder.h", &op::copy, "Annotations", "Each word's state, once it is read."},
        {"*attn.out", &op::copy, "Output of the attention", "The heads side by side."},
        {"*attn.out", &op::scaled_sum, "Output of the attention", "The heads, added and scaled."},
        {"*cross.out", &op::copy, "Output of the attention", "The heads side by side."},
        {"*cross.out", &op::scaled_sum, "Output of the attention", "The heads, added and scaled."},
        {"*resid_*", &op::layer_norm, "Norm of the sum",
         "Each row of the sum with mean 0 and variance 1, then scaled and shifted."},
        {"*resid_pre", &op::add, "Input of the layer", "Embeddings and positions, added up."},
    };
}

struct OperationWords {
    const Operation* operation;
    const char *name, *sentence;
};

std::vector<OperationWords> attention_words() {
    return {
        {&op::attention_mask, "Mask", "0 where a key may be read, −∞ where it may not."},
        {&op::multiply_transposed, "Scores",
         "How well each query matches each key: a dot product."},
        {&op::cosine_scores, "Scores", "The cosine of the angle between each query and each key."},
        {&op::additive_scores, "Scores", "A small network scores each query against each key."},
        {&op::additive_hidden, "Hidden layer", "tanh of query and key, for every pair of them."},
        {&op::relative_mix, "Positions read", "Vectors of the distances, weighted by the pattern."},
        {&op::edge_scores, "Scores", "The reader's number plus the neighbour's, on each edge."},
        {&op::edge_feature_scores, "Scores", "Reader, neighbour and edge: three numbers added."},
        {&op::edge_pair_scores, "Scores", "Both nodes' vectors added, LeakyReLU, then times a."},
        {&op::edge_dot_scores, "Scores", "The reader's query times the neighbour's key."},
        {&op::all_sum_scores, "Scores of all pairs", "As if everybody were everybody's neighbour."},
        {&op::all_pair_scores, "Scores of all pairs",
         "As if everybody were everybody's neighbour."},
        {&op::ranking, "Ranking", "The place of each key among those of its row, 0 the best."},
        {&op::softmax_rows, "Attention pattern",
         "Softmax: each row shares out 1 among the keys. A row looks, a column is looked at."},
        {&op::edge_softmax, "Attention pattern",
         "Softmax: each node shares out 1 among its neighbours."},
        {&op::hard_rows, "Attention pattern",
         "Each row reads only the first key with the best score."},
        {&op::top_k_rows, "Attention pattern", "Softmax of each row's best keys; the rest get 0."},
        {&op::sparsemax_rows, "Attention pattern",
         "Each row shares out 1; scores that are low get just 0."},
        {&op::entmax_rows, "Attention pattern", "Each row shares out 1; low scores get just 0."},
        {&op::edge_mix, "Output of the head", "Each node's mix of its neighbours' vectors."},
        {&op::edge_feature_mix, "Output of the head", "A mix of neighbours' values and of edges."},
        {&op::concat_columns, "Side by side",
         "The columns of all its parts, one part after the other."},
        {&op::scaled_sum, "Mean", "The inputs are added, and scaled."},
    };
}

std::vector<OperationWords> block_words() {
    return {
        {&op::named_rows, "Embeddings", "Each {item} enters as a vector: its row."},
        {&op::seeded_weight, "Weights", "What training would change: the same whatever is read."},
        {&op::stored_rows, "Weights", "What was learned elsewhere, and brought here."},
        {&op::stored_columns, "Weights", "What was learned elsewhere, and brought here."},
        {&op::zeros, "Zeros", "0 everywhere."},
        {&op::ones, "Ones", "1 everywhere."},
        {&op::first_state, "First state",
         "Before the first word there is nothing to remember: zeros."},
        {&op::listed, "Given values", "Numbers that the study brings along."},
        {&op::sinusoidal_positions, "Positions", "Sine and cosine waves of each position."},
        {&op::sinusoidal_2d, "Positions", "Sine and cosine waves of each row and column."},
        {&op::copy, "Copy", "The same numbers, under a new name."},
        {&op::add, "Sum", "Cell by cell, the two matrices are added."},
        {&op::subtract, "Difference", "Cell by cell, what the second lacks of the first."},
        {&op::multiply, "Product", "Each row, times a matrix."},
        {&op::multiply_add, "Product", "Each row, times a matrix, plus a bias."},
        {&op::layer_norm, "Layer norm",
         "Each row with mean 0 and variance 1, then scaled and shifted."},
        {&op::relu, "Activation", "What is negative becomes 0."},
        {&op::gelu, "Activation", "What is negative is pressed towards 0; what is large passes."},
        {&op::gelu_tanh, "Activation",
         "What is negative is pressed towards 0; what is large passes."},
        {&op::elu, "Activation", "What is negative is bent towards −1; the rest passes."},
        {&op::leaky_relu, "Scores", "LeakyReLU: what is negative shrinks; the rest passes."},
        {&op::sigmoid, "Sigmoid", "Every number is pressed between 0 and 1."},
        {&op::tanh, "Tanh", "Every number is pressed between −1 and 1."},
        {&op::gather_rows, "Chosen rows", "Some rows, in an order of their own."},
        {&op::append_rows, "Rows so far", "The cached rows, and the new one below them."},
        {&op::row_slice, "Slice", "Some rows of a larger matrix."},
        {&op::stack_rows, "All steps", "The rows of all steps, one below the other."},
        {&op::patches, "Patches", "The pixels of each patch stand side by side in one row."},
        {&op::convolution, "Convolution", "One kernel slides over the image, without attention."},
    };
}

std::vector<OperationWords> recurrent_words() {
    return {
        {&op::sigmoid_gate, "Gate", "Between 0 and 1 for each unit: how much passes."},
        {&op::tanh_gate, "Candidate", "What the state may take up, from the input and the state."},
        {&op::gru_candidate, "Candidate", "A new state; the reset gate says what it remembers."},
        {&op::gru_mix, "New state", "The update gate mixes the old state and the candidate."},
        {&op::lstm_memory, "Memory cell", "The forget gate keeps, the input gate lets in."},
        {&op::lstm_state, "New state", "What the output gate lets out of the memory cell."},
        {&op::add_row, "Masked scores", "What may not be read gets −∞: the softmax makes it 0."},
        {&op::sum_of_products, "Before the maxout",
         "State, word before and context, each weighted."},
        {&op::maxout_pairs, "Maxout", "Of each pair of units, the larger one."},
        {&op::argmax_row, "Word written", "The embedding of the word with the largest logit."},
    };
}

/// One word for many: what is read off the network, or stands in no table.
StepWords words_of_rest(const Tensor& tensor) {
    if (tensor.stage() == Stage::Weight && tensor.is_leaf())
        return {"Weights", "What training would change: the same whatever is read."};
    return {plain_formula(tensor.symbol()),
            "Read off the computation: " + plain_formula(tensor.equation()) + "."};
}

const OperationWords* find_words(const Operation* operation) {
    static const std::vector<OperationWords> all = [] {
        std::vector<OperationWords> words = attention_words();
        for (const auto& more : {block_words(), recurrent_words()})
            words.insert(words.end(), more.begin(), more.end());
        return words;
    }();
    const auto it = std::find_if(all.begin(), all.end(), [&](const OperationWords& words) {
        return words.operation == operation;
    });
    return it == all.end() ? nullptr : &*it;
}

/// Positions are added to the score of a content.
bool is_sum_of_scores(const Tensor& tensor) {
    return tensor.stage() == Stage::Score && tensor.operation() == &op::add &&
           !tensor.path().ends_with("masked_scores");
}

StepWords raw_words(const Tensor& tensor) {
    if (tensor.is_leaf() && tensor.operation() != &op::seeded_weight &&
        tensor.path().ends_with("embed") && !tensor.path().ends_with("pos_embed"))
        return {"Embeddings", "Each {item} enters as a vector: its row."};
    static const std::vector<MadeWords> made = words_by_making();
    for (const MadeWords& words : made)
        if (words.operation == tensor.operation() && matches(words.glob, tensor.path()))
            return {words.name, words.sentence};
    if (is_sum_of_scores(tensor))
        return {"Scores", "How well each query matches each key, in content and in distance."};
    for (const PathWords& words : kByPath)
        if (matches(words.glob, tensor.path())) return {words.name, words.sentence};
    if (const OperationWords* words = find_words(tensor.operation()))
        return {words->name, words->sentence};
    return words_of_rest(tensor);
}

std::string shape_of(const Tensor& tensor) {
    return shape_text(tensor.rows().size, tensor.columns().size);
}

/// "4 × (12 × 8)" for inputs of one shape, "12 × 8, 10 × 8" for a few others.
std::string input_shapes(const Trace& trace, const Tensor& tensor, const char* sign) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> shapes;
    for (const TensorId input : tensor.inputs()) shapes.push_back(shape_of(trace[input]));
    const bool are_alike = std::all_of(shapes.begin(), shapes.end(), [&](const std::string& shape) {
        return shape == shapes.front();
    });
    if (are_alike && shapes.size() > kMost)
        return std::to_string(shapes.size()) + " × (" + shapes.front() + ")";
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, shapes.size()); ++i)
        text += (i == 0 ? "" : sign) + shapes[i];
    return shapes.size() > kMost ? text + ", …" : text;
}

/// "W_Q", or "W_Q, plus b_Q"
std::string factor_of(const Trace& trace, const Tensor& tensor) {
    std::string factor;
    for (std::size_t i = 1; i < tensor.inputs().size(); ++i)
        factor += (i > 1 ? ", plus " : "") + plain_formula(trace[tensor.inputs()[i]].symbol());
    return factor;
}

}  // namespace

StepWords step_words(const Trace& trace, const Tensor& tensor) {
    StepWords words = raw_words(tensor);
    constexpr std::string_view kFactor = "{W}";
    if (const std::size_t at = words.sentence.find(kFactor); at != std::string::npos)
        words.sentence.replace(at, kFactor.size(), factor_of(trace, tensor));
    constexpr std::string_view kItem = "{item}";
    const int list = tensor.rows().kind == AxisKind::Named ? 0 : tensor.rows().list;
    const std::string& noun = trace.lists()[static_cast<std::size_t>(list)].noun;
    for (std::size_t at; (at = words.sentence.find(kItem)) != std::string::npos;)
        words.sentence.replace(at, kItem.size(), noun);
    return words;
}

std::string step_shapes(const Trace& trace, const Tensor& tensor) {
    if (tensor.is_leaf()) return shape_of(tensor);
    const std::string arrow = " → " + shape_of(tensor);
    const Operation* operation = tensor.operation();
    if (operation == &op::multiply || operation == &op::multiply_add ||
        operation == &op::multiply_transposed) {
        const Tensor& left = trace[tensor.inputs()[0]];
        return shape_of(left) + " · " + shape_text(left.columns().size, tensor.columns().size) +
               arrow;
    }
    const char* sign = operation == &op::add ? " + " : operation == &op::subtract ? " − " : ", ";
    return input_shapes(trace, tensor, sign) + arrow;
}

}  // namespace headlight
