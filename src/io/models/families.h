// The families of pretrained models that are known: the meaning of config.json, and the tensors
// that arrays become.
//
// A new family is a row of a table with its settings and its rules, in decoder_families.cpp,
// encoder_families.cpp, or families.cpp for graphs. An error or a note names every tensor that a
// folder lacks and every array that is left over.
#pragma once

#include <span>
#include <string_view>

#include "io/models/model_config.h"
#include "model/document.h"
#include "model/imports/tensor_mapping.h"

namespace headlight {

/// The way in which several tensors share the outputs of one array, in the order of their rules.
/// InTurn: all heads of the first tensor, then all of the second one. InEachGroup: the same within
/// each group of heads that share keys and values (where none do, a head is a group).
enum class Sharing { None, InTurn, InEachGroup };

/// The meaning of an array's dimensions. Matrix: the last one is columns, all others are rows.
/// Kernel: a convolution whose windows do not overlap, [outputs, channels, rows, columns], which a
/// row of outputs × (rows · columns · channels) multiplies.
enum class ArrayKind { Matrix, Kernel };

/// A rule that says which tensor an array becomes.
struct FamilyRule {
    std::string_view array;   // its name; # is a layer
    std::string_view tensor;  // its path; # is a layer, * a head or a group of them
    Turn turn = Turn::Kept;   // nn.Linear computes x Wᵀ: its weights are transposed
    Sharing sharing = Sharing::None;
    ArrayKind kind = ArrayKind::Matrix;
    float plus = 0;  // added to its numbers: gains that are stored as their distance from 1
};

struct Family {
    std::string_view type;                      // as config.json calls it
    std::string_view title;                     // for people
    std::string_view says;                      // what is special about it, for the docs
    Study (*study)(const ModelConfig& config);  // its input is still to be given
    /// A prefix that names of the network itself may have; heads' names do not have it.
    std::string_view prefix;
    std::span<const FamilyRule> rules;
    /// Arrays that hold nothing learned, or serve other tasks; # is a layer, * is anything.
    std::span<const std::string_view> unused;
    /// Returns how many rows of the positions' table come before the first position; null: none.
    int (*skipped_positions)(const ModelConfig& config) = nullptr;
    /// True if arrays that no rule takes, and that are not known to be unused, are refused; else
    /// they are noted.
    bool refuses_left_over = false;
};

std::span<const Family> families();

/// Sets heads of one width, which must be given where it is not d_model / n_heads (0).
void set_heads(StackSettings& s, int n_heads, int d_head, const ModelConfig& config);

/// Null if there is none of that type.
const Family* find_family(std::string_view type);

/// True for types that are no families here, and whose keys and arrays are those of a family that
/// computes something else.
bool computes_otherwise(std::string_view type);

/// Throws Error, naming the families that are known, if this one is not.
const Family& family_for(const ModelConfig& config);

}  // namespace headlight
