// Weights: matrices from a file that replace those a seed would draw.
//
// Goals: a study, its history and its traces share them; millions of numbers are never copied.
// Not goals: files (io/arrays/weights_file.h); single cells set by hand (core/intervention.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// A matrix of weights. If rows or columns belong to words or nodes, their names say to which, and
/// they follow these.
struct WeightMatrix {
    MatrixPtr values;
    SharedNames row_names = {}, column_names = {};  // null: they belong to their places
};

using WeightMatrices = std::map<std::string, WeightMatrix, std::less<>>;  // by tensor path

struct PretrainedModel;  // model/pretrained.h
using SharedModel = std::shared_ptr<const PretrainedModel>;

/// Weights never change once they are made.
struct Weights {
    std::string origin;          // "imported from bert.safetensors"
    std::uint64_t checksum = 0;  // of everything below, and of the origin
    WeightMatrices matrices = {};
    bool is_inside = false;    // written into the study, not beside it
    std::string file = {};     // or a model's folder, as the study names it; "" if inside it
    bool is_model = false;     // the file is the folder of a pretrained model
    std::string problem = {};  // why the matrices are missing; empty: they are here
    std::string recipe = {};   // the text of the recipe that trained them; empty: unknown
    SharedModel model = {};    // the model whose files have them; null: they are `matrices`
};

/// Null: everything is drawn from the seed.
using SharedWeights = std::shared_ptr<const Weights>;

SharedWeights make_weights(WeightMatrices matrices, std::string origin);

/// Returns the same weights, to be written into a study; those of a pretrained model stay where
/// they are.
SharedWeights inside(const SharedWeights& weights);

/// True if they have the same origin and numbers.
bool are_same(const SharedWeights& a, const SharedWeights& b);

/// Returns the memory that they take beyond what they share with others (null: all of it).
std::size_t count_bytes(const SharedWeights& weights, const SharedWeights& other);

/// True for leaves that can come from a file: learned ones, not inputs or masks.
bool can_be_stored(const PlannedTensor& tensor);

/// Returns null if no such leaf has that path.
PlannedTensor* find_weight(Plan& plan, const std::string& path);

/// Returns the tensor's numbers as weights. Rows of a word or a node belong to it.
WeightMatrix make_weight(const Plan& plan, const PlannedTensor& tensor, Matrix values);

/// Puts the weights in the place of the plan's leaves. A word gets its row wherever it occurs; a
/// word that the weights do not know is drawn as without them. A matrix that does not fit waits.
/// Throws Error if the matrices are missing.
void take_weights(Plan& plan, const Weights& weights);

/// Returns the paths of the weights that the plan has no place for, in order.
std::vector<std::string> dormant_weights(const Plan& plan, const Weights& weights);

/// Returns the words or nodes of the plan that have no row among the weights that others have.
std::vector<std::string> names_without_weights(const Plan& plan);

/// Writes "“dog”, “cat” and 3 more", as notes name them.
std::string list_few(const std::vector<std::string>& names);

/// A table of learned positions that is shorter than the text: the rest of its rows is drawn.
struct ShortPositions {
    std::string path;
    Index known = 0, wanted = 0;
};
std::vector<ShortPositions> positions_without_weights(const Plan& plan);

/// Returns notes on weights that the plan has no place for, and on words that the weights do not
/// know, one sentence each.
std::vector<std::string> weight_notes(const Plan& plan, const SharedWeights& weights,
                                      std::uint64_t seed);

}  // namespace headlight
