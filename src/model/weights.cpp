#include "model/weights.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/analyses/head_metrics.h"
#include "core/bits.h"
#include "core/error.h"
#include "core/operations/operations.h"
#include "model/pretrained.h"
#include "model/vocabulary.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace op = operations;

// ---- checksum ----

class Sum {
  public:
    void add(std::uint64_t word) { sum_.add(word); }
    void add(std::string_view text) {
        add(text.size());
        sum_.add_bytes(text);
    }
    void add(const Matrix& values) {
        add(static_cast<std::uint64_t>(values.rows()));
        add(static_cast<std::uint64_t>(values.cols()));
        for (Index k = 0; k < values.size(); ++k)
            add(std::bit_cast<std::uint32_t>(static_cast<float>(values.data()[k])));
    }
    void add(const SharedNames& names) {
        add(names ? names->size() + 1 : 0);
        if (!names) return;
        for (const std::string& name : *names) add(std::string_view(name));
    }
    std::uint64_t value() const { return sum_.value(); }

  private:
    Fnv1a sum_;
};

// ---- rows by name ----

/// The place of each index of an axis in a stored matrix; −1: nowhere. Null: each in its own place.
using Places = std::shared_ptr<const std::vector<Index>>;

/// Returns the names of an axis's indices, if they are words or nodes.
SharedNames find_names(const Plan& plan, const Axis& axis) {
    if (axis.kind != AxisKind::Item && axis.kind != AxisKind::Named) return nullptr;
    const SharedNames& all = plan.lists[static_cast<std::size_t>(axis.list)].names;
    if (!all || axis.first != 0 || static_cast<Index>(all->size()) != axis.size) return nullptr;
    return all;
}

/// Finds the rows of words. A word that occurs several times takes its rows one after another, then
/// the first one again.
Places find_places(const std::vector<std::string>& wanted, const std::vector<std::string>& known) {
    std::unordered_map<std::string_view, std::vector<Index>> places;
    for (std::size_t i = 0; i < known.size(); ++i)
        places[known[i]].push_back(static_cast<Index>(i));
    std::unordered_map<std::string_view, std::size_t> met;
    auto found = std::make_shared<std::vector<Index>>();
    for (const std::string& name : wanted) {
        const auto those = places.find(name);
        const std::size_t times = met[name]++;
        if (those == places.end())
            found->push_back(-1);
        else
            found->push_back(those->second[times < those->second.size() ? times : 0]);
    }
    return found;
}

bool is_in_place(const Places& places) {
    if (!places) return true;
    for (std::size_t i = 0; i < places->size(); ++i)
        if ((*places)[i] != static_cast<Index>(i)) return false;
    return true;
}

/// Returns the first `wanted` rows; rows that do not exist have no place.
Places first_places(Index wanted, Index known) {
    auto places = std::make_shared<std::vector<Index>>();
    for (Index i = 0; i < wanted; ++i) places->push_back(i < known ? i : -1);
    return places;
}

/// True of rows of learned positions: a longer text has some without stored values.
bool are_positions(const PlannedTensor& tensor) {
    return (tensor.rows.kind == AxisKind::Item || tensor.rows.kind == AxisKind::Position) &&
           tensor.rows.groups == 1;
}

/// Returns nothing if the axis cannot be filled from a matrix of that size.
std::optional<Places> places_along(const Plan& plan, const Axis& axis, const SharedNames& names,
                                   Index known) {
    const SharedNames wanted = names ? find_names(plan, axis) : nullptr;
    if (wanted && wanted == names) return Places();  // the table of the weights itself
    if (wanted) return find_places(*wanted, *names);
    if (axis.size != known) return std::nullopt;
    return Places();
}

/// The operation and the places by which a leaf takes a matrix. It is absent if the matrix does not
/// fit.
struct Fit {
    const Operation* operation = nullptr;
    Places places;
};

std::optional<Fit> fit(const Plan& plan, const PlannedTensor& tensor, const WeightMatrix& matrix) {
    const Matrix& values = *matrix.values;
    const auto columns = places_along(plan, tensor.columns, matrix.column_names, values.cols());
    if (!columns) return std::nullopt;
    auto rows = places_along(plan, tensor.rows, matrix.row_names, values.rows());
    if (!rows && !matrix.row_names && are_positions(tensor))
        rows = first_places(tensor.rows.size, values.rows());
    if (!rows) return std::nullopt;
    const bool is_whole = tensor.rows.size == values.rows() &&
                          tensor.columns.size == values.cols() && is_in_place(*columns) &&
                          is_in_place(*rows) && tensor.rows.groups == 1;
    if (is_whole) return Fit{&op::stored_rows, nullptr};
    if (is_in_place(*columns) && tensor.columns.size == values.cols())
        return Fit{&op::stored_rows, *rows ? *rows : first_places(tensor.rows.size, values.rows())};
    if (tensor.rows.size == values.rows() && is_in_place(*rows))
        return Fit{&op::stored_columns, *columns};
    return std::nullopt;
}

bool is_stored(const PlannedTensor& tensor) {
    return tensor.operation == &op::stored_rows || tensor.operation == &op::stored_columns;
}

void take(PlannedTensor& tensor, const Fit& fit, const WeightMatrix& matrix,
          const std::string& origin) {
    tensor.settings.stored =
        std::make_shared<const StoredMatrix>(StoredMatrix{matrix.values, tensor.operation, origin});
    tensor.settings.indices = fit.places;
    tensor.operation = fit.operation;
}

/// Gives a tied unembedding the rows of the words' embeddings.
void tie_unembedding(Plan& plan, const Weights& weights) {
    PlannedTensor* W_U = find_weight(plan, "W_U");
    if (!W_U || W_U->operation != &op::named_rows) return;
    for (const char* path : {"embed", "decoder.embed", "target.embed"}) {
        const auto embed = weights.matrices.find(path);
        if (embed == weights.matrices.end()) continue;
        if (const auto found = fit(plan, *W_U, embed->second))
            return take(*W_U, *found, embed->second, weights.origin);
    }
}

/// Builds the probe from words and positions that the weights know.
void take_probe(Plan& plan, const Weights& weights) {
    const auto take_from = [&](const char* path, const char* weight) {
        const auto matrix = weights.matrices.find(weight);
        PlannedTensor* tensor = find_weight(plan, path);
        if (!tensor || matrix == weights.matrices.end()) return;
        if (const auto found = fit(plan, *tensor, matrix->second))
            take(*tensor, *found, matrix->second, weights.origin);
    };
    take_from("probe.W_pos", "W_pos");
    const auto embed = weights.matrices.find("embed");
    if (embed == weights.matrices.end() || !embed->second.row_names) return;
    if (!find_weight(plan, "probe.embed")) return;
    set_probe_words(plan, *embed->second.row_names);
    take_from("probe.embed", "embed");
    take_from("probe.pos_embed", plan.find("W_pos") ? "W_pos" : "pos_embed");
}

}  // namespace

SharedWeights make_weights(WeightMatrices matrices, std::string origin) {
    Sum sum;
    sum.add(std::string_view(origin));
    for (const auto& [path, matrix] : matrices) {
        sum.add(std::string_view(path));
        sum.add(*matrix.values);
        sum.add(matrix.row_names);
        sum.add(matrix.column_names);
    }
    return std::make_shared<const Weights>(Weights{
        .origin = std::move(origin), .checksum = sum.value(), .matrices = std::move(matrices)});
}

SharedWeights inside(const SharedWeights& weights) {
    if (!weights || weights->is_model) return weights;
    Weights changed = *weights;
    changed.is_inside = true;
    return std::make_shared<const Weights>(std::move(changed));
}

bool are_same(const SharedWeights& a, const SharedWeights& b) {
    return a == b || (a && b && a->checksum == b->checksum);
}

std::size_t count_bytes(const SharedWeights& weights, const SharedWeights& other) {
    if (!weights || weights == other) return 0;
    std::set<const Matrix*> shared;
    if (other)
        for (const auto& [path, matrix] : other->matrices) shared.insert(matrix.values.get());
    std::size_t bytes = sizeof *weights;
    for (const auto& [path, matrix] : weights->matrices) {
        bytes += sizeof matrix + path.size();
        if (shared.insert(matrix.values.get()).second)
            bytes += static_cast<std::size_t>(matrix.values->size()) * sizeof(Scalar);
    }
    return bytes;
}

bool can_be_stored(const PlannedTensor& tensor) {
    const auto is_pair = [](const Axis& axis) {
        return axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
               axis.kind == AxisKind::Edge;
    };
    if (is_pair(tensor.rows) || is_pair(tensor.columns)) return false;
    const Operation* operation = tensor.operation;
    return operation == &op::named_rows || operation == &op::seeded_weight ||
           operation == &op::zeros || operation == &op::ones || operation == &op::first_state ||
           operation == &op::sinusoidal_positions || operation == &op::starting_values ||
           operation == &op::fetched_weight || is_stored(tensor);
}

PlannedTensor* find_weight(Plan& plan, const std::string& path) {
    const PlannedTensor* tensor = plan.find(path);
    return tensor && can_be_stored(*tensor) ? &plan.tensors()[plan.id_at(path)] : nullptr;
}

WeightMatrix make_weight(const Plan& plan, const PlannedTensor& tensor, Matrix values) {
    const Operation* made_by =
        is_stored(tensor) ? tensor.settings.stored->otherwise : tensor.operation;
    const bool has_named_rows = made_by == &op::named_rows || tensor.rows.kind == AxisKind::Named;
    return {.values = std::make_shared<const Matrix>(std::move(values)),
            .row_names = has_named_rows ? find_names(plan, tensor.rows) : nullptr,
            .column_names = tensor.columns.kind == AxisKind::Named
                                ? find_names(plan, tensor.columns)
                                : nullptr};
}

void take_weights(Plan& plan, const Weights& weights) {
    if (!weights.problem.empty())
        throw Error(weights.file.empty() ? "weights" : weights.file, weights.problem);
    if (weights.model) take_model(plan, weights.model, weights.origin);
    for (const auto& [path, matrix] : weights.matrices)
        if (PlannedTensor* tensor = find_weight(plan, path))
            if (const auto found = fit(plan, *tensor, matrix))
                take(*tensor, *found, matrix, weights.origin);
    tie_unembedding(plan, weights);
    take_probe(plan, weights);
}

std::vector<std::string> dormant_weights(const Plan& plan, const Weights& weights) {
    std::vector<std::string> dormant;
    if (weights.model) dormant = dormant_matrices(plan, *weights.model);
    for (const auto& [path, matrix] : weights.matrices) {
        const PlannedTensor* tensor = plan.find(path);
        const bool is_taken =
            tensor && is_stored(*tensor) && tensor->settings.stored->values == matrix.values;
        if (!is_taken) dormant.push_back(path);
    }
    return dormant;
}

std::vector<std::string> names_without_weights(const Plan& plan) {
    std::vector<std::string> names;
    std::set<std::string_view> met;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (!is_stored(tensor) || !tensor.settings.indices) continue;
        if (tensor.identity.is_probe()) continue;
        const bool is_by_row = tensor.operation == &op::stored_rows;
        const SharedNames all = find_names(plan, is_by_row ? tensor.rows : tensor.columns);
        const std::vector<Index>& places = *tensor.settings.indices;
        const bool is_named = tensor.settings.stored->otherwise == &op::named_rows || !is_by_row;
        for (std::size_t i = 0; all && is_named && i < places.size(); ++i)
            if (places[i] < 0 && met.insert((*all)[i]).second) names.push_back((*all)[i]);
    }
    return names;
}

std::vector<ShortPositions> positions_without_weights(const Plan& plan) {
    std::vector<ShortPositions> found;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (!is_stored(tensor) || !tensor.settings.indices || tensor.identity.is_probe()) continue;
        const std::vector<Index>& places = *tensor.settings.indices;
        const auto known = std::ranges::find(places, Index{-1}) - places.begin();
        const bool is_named = tensor.settings.stored->otherwise == &op::named_rows;
        if (!is_named && are_positions(tensor) && known < std::ssize(places))
            found.push_back({tensor.path, known, std::ssize(places)});
    }
    return found;
}

std::string list_few(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 5;
    return joined_few(names, kShown,
                      [](const std::string& name) { return fmt::format("“{}”", name); });
}

std::vector<std::string> weight_notes(const Plan& plan, const SharedWeights& weights,
                                      std::uint64_t seed) {
    std::vector<std::string> notes;
    if (!weights) return notes;
    const std::string drawn = fmt::format("drawn from seed {}", seed);
    const auto strangers = names_without_weights(plan);
    if (!strangers.empty())
        notes.push_back(fmt::format("{}{} no row among the weights {}: {}", list_few(strangers),
                                    strangers.size() == 1 ? " has" : " have", weights->origin,
                                    drawn));
    for (const auto& [path, known, wanted] : positions_without_weights(plan))
        notes.push_back(fmt::format("{} knows {} of {}: the rest is {}", path,
                                    counted(known, "position"), counted(wanted, "word"), drawn));
    std::vector<std::string> unknown, by_letters;
    for (const ReplacedWord& replaced : replaced_words(plan))
        if (replaced.by.empty() || replaced.by == kUnknownWord)
            unknown.push_back(replaced.word);
        else
            by_letters.push_back(fmt::format("{} ≈ {}", replaced.word, replaced.by));
    if (!by_letters.empty())
        notes.push_back("not in the vocabulary of the weights, read by their letters: " +
                        list_few(by_letters));
    if (!unknown.empty())
        notes.push_back(fmt::format("{}{} not in the vocabulary of the weights: read as {}",
                                    list_few(unknown), unknown.size() == 1 ? " is" : " are",
                                    kUnknownWord));
    const auto dormant = dormant_weights(plan, *weights);
    if (!dormant.empty())
        notes.push_back(fmt::format("the study has no place now for {} of {} {}: {}",
                                    dormant.size(),
                                    counted(std::ssize(weights->matrices), "matrix", "matrices"),
                                    weights->origin, list_few(dormant)));
    return notes;
}

}  // namespace headlight
