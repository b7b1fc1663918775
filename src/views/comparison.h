// Comparison: the other thing, B, beside A, which is the study that is looked at.
//
// Goals: another sentence, head, state or study is one thing, B. Not goals: keeping B up to date
// (app_state/comparison_run.h), pictures of the two (compared_sides.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "core/analyses/difference.h"
#include "core/trace.h"
#include "model/document.h"
#include "views/selection.h"

namespace headlight {

/// The kinds of B follow.
struct OtherSentence {
    int sentence = 0;
};
struct OtherHead {
    std::string attention;  // path of the part
    int head = 0;
};
struct OtherStudy {
    enum class From {
        Itself,    // `document`
        LastStep,  // A before its last step
        LastSave,  // A as it was opened or saved
        Settings,  // the network of `document`, for what A is about: its settings, and its weights
                   // without A's edits, if it has weights
    } from = From::Itself;
    std::string name = {};
    Document document = {};
    std::string name_a = "now";
    bool is_named_by_words = false;       // by those in which the texts differ, if they are few
    std::optional<std::size_t> tab = {};  // the number of the open study that it is
    std::filesystem::path file = {};      // its file, absolute; empty: from none
    std::function<void(Document&)> change = {};  // from Itself: makes B of A as it is now
};
using Other = std::variant<OtherSentence, OtherHead, OtherStudy>;

/// Takes the names of A and of B from "now|before"; without a bar the name of B stays.
void name_sides(OtherStudy& study, const std::string& names);

/// Returns another text of a recording, counted from 0. Throws Error if there is none.
OtherStudy other_recorded_text(const Document& a, int number);

/// The chosen tensor of A beside that of B.
struct ComparedTensor {
    const Tensor* a = nullptr;
    const Tensor* b = nullptr;  // with values; null: `problem` says why there is none
    std::string problem;        // also why the two have no difference
    MatchedValues matched;      // of B, in A's places; without values where there is no difference
    std::optional<Difference> difference;
    std::optional<RowDistances> rows;  // of probabilities
    Tensor tensor;                     // A − B
    MatrixPtr extremes;                // the lowest and highest values of both, for one scale
};

/// Returns the path of the same tensor in another head; the path itself where all heads share the
/// tensor.
std::string path_of_other(const Tensor& tensor, const Component& attention, int head);

struct Comparison {
    enum class Show { Both, All, Difference };  // A | B, A | B | A − B, A − B
    Show show = Show::All;
    std::optional<Other> b;      // absent: nothing is compared
    std::string name_a, name_b;  // "head 0", "now"; "head 3", "before “Set heads to 4”"
    // The trace of B's sentence, its parts and its document; null while B has no trace.
    TracePtr trace = {};
    Components components = {};
    const Document* document = nullptr;
    ComparedTensor chosen = {};

    bool is_on() const { return b.has_value(); }
    /// Returns B if it is of that kind; null if it is of another, or nothing is compared.
    template <typename Kind>
    const Kind* other() const {
        return b ? std::get_if<Kind>(&*b) : nullptr;
    }
    /// Returns B's path for the tensor that has this path in A; the same path while B has no trace.
    std::string path_in_b(const std::string& path) const;
    /// True if B is another head, and the tensor is not of a head.
    bool is_of_all_heads(const std::string& path) const;
    /// Returns B's tensor for that of A; null if it has none with values.
    const Tensor* find(const std::string& path) const;
};

}  // namespace headlight
