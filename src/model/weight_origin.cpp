#include "model/weight_origin.h"

#include <fmt/format.h>

#include "core/operations/operations.h"
#include "model/weights.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// The number of matrices of one kind, and how many of them are as they were drawn.
struct Drawn {
    int all = 0, drawn = 0;

    void count(bool is_drawn) {
        ++all;
        drawn += is_drawn ? 1 : 0;
    }
};

std::string file_name(const std::string& file) {
    return file.substr(file.rfind('/') + 1);
}

/// Describes the origin without the study's plan, which would have to be made.
std::string origin_of_joined(const Document& pieces) {
    const RecordedStudy* recorded = pieces.recorded();
    const std::string origin = recorded         ? "recorded in " + file_name(recorded->file)
                               : pieces.weights ? pieces.weights->origin
                                                : "untrained";
    return origin + "; pieces joined to words";
}

}  // namespace

bool is_set_by_hand(const Document& document, const PlannedTensor& tensor) {
    const auto at = document.interventions.find(tensor.path);
    if (at == document.interventions.end() || !at->second.is_on) return false;
    const auto n_cells = static_cast<std::size_t>(tensor.rows.size * tensor.columns.size);
    return at->second.cells.size() >= n_cells;
}

std::string weight_origin(const Document& document, const Plan& plan) {
    if (const RecordedStudy* recorded = document.recorded())
        return recorded->joined ? origin_of_joined(*recorded->joined)
                                : "recorded in " + file_name(recorded->file);
    Drawn weights, vectors;  // vectors: of words, or the features of nodes
    int stored = 0;
    for (const PlannedTensor& tensor : plan.tensors()) {
        const bool is_probe = tensor.identity.is_probe();
        if (tensor.settings.stored && !is_probe) ++stored;
        if (tensor.operation == &operations::seeded_weight && !is_probe)
            weights.count(!is_set_by_hand(document, tensor));
        if (tensor.operation == &operations::named_rows && !is_probe)
            vectors.count(!is_set_by_hand(document, tensor));
    }
    const std::string seed = fmt::format(" drawn from seed {}", document.seed);
    const std::string noun = document.graph() ? "features" : "embeddings";
    if (stored > 0) {
        const Weights& from = *document.weights;
        std::string rest;
        if (weights.drawn > 0)
            rest = fmt::format("; {} of {} weights{}", weights.drawn, weights.all + stored, seed);
        // A text may be longer than the weights know.
        for (const auto& [path, known, wanted] : positions_without_weights(plan))
            rest += fmt::format("; {} of {} positions{}", wanted - known, wanted, seed);
        const bool is_whole = rest.empty() && dormant_weights(plan, from).empty();
        return (is_whole ? from.origin : without_accuracy(from.origin)) + rest;
    }
    if (weights.all == 0 && vectors.drawn > 0) return "untrained: " + noun + seed;
    if (weights.drawn > 0 && weights.drawn == weights.all) return "untrained: weights" + seed;
    if (weights.drawn > 0)
        return fmt::format("partly untrained: {} of {} weights{}", weights.drawn, weights.all,
                           seed);
    if (weights.all == 0) return "";
    return "weights set by hand" + (vectors.drawn > 0 ? ", " + noun + seed : "");
}

std::vector<std::string> matrices_set_by_hand(const Document& document, const Plan& plan) {
    const std::string origin = weight_origin(document, plan);
    const bool says_weights = origin.starts_with("weights set by hand") || origin == "set by hand";
    std::vector<std::string> paths;
    for (const auto& [path, intervention] : document.interventions) {
        const PlannedTensor* tensor = plan.find(path);
        const bool is_said = says_weights && tensor && tensor->inputs.empty();
        if (intervention.is_on && !is_said) paths.push_back(path);
    }
    // The words of joined pieces are computed from the study of the pieces.
    if (const RecordedStudy* recorded = document.recorded(); recorded && recorded->joined)
        for (const auto& [path, intervention] : recorded->joined->interventions)
            if (intervention.is_on) paths.push_back(path + " of the pieces");
    return paths;
}

std::string set_by_hand_text(std::size_t n_matrices) {
    if (n_matrices == 0) return "";
    return counted(static_cast<std::int64_t>(n_matrices), "matrix is", "matrices are") +
           " set by hand";
}

std::string without_accuracy(const std::string& origin) {
    const std::size_t test = origin.find(" % of ");
    if (test == std::string::npos) return origin;
    const std::size_t begin = origin.rfind(", ", test), end = origin.find(" right", test);
    if (begin == std::string::npos || end == std::string::npos) return origin;
    if (origin.find(" held-out ", test) > end) return origin;
    constexpr std::size_t kRight = 6;
    return origin.substr(0, begin) + origin.substr(end + kRight);
}

StoredWeights count_stored(const Plan& plan) {
    StoredWeights count;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (tensor.identity.is_probe()) continue;
        const bool is_stored = tensor.settings.stored != nullptr;
        const bool is_drawn = tensor.operation == &operations::seeded_weight ||
                              tensor.operation == &operations::named_rows;
        if (is_stored) ++count.n_stored;
        if (is_stored || is_drawn) ++count.n_all;
    }
    return count;
}

}  // namespace headlight
