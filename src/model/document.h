// Document: the question that a study asks. The only thing that is saved, and that undo knows.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/graph_attention.h"
#include "core/hold.h"
#include "core/self_attention.h"
#include "graph/graph.h"

namespace headlight {

struct SentenceStudy {
    std::string text;  // valid UTF-8
    SelfAttentionSettings layer;

    bool operator==(const SentenceStudy&) const = default;
};

enum class SelfLoops { Off, On };

struct GraphStudy {
    Graph graph;
    GraphAttentionSettings layer;
    SelfLoops self_loops = SelfLoops::On;

    bool operator==(const GraphStudy&) const = default;
};

struct Document {
    std::variant<SentenceStudy, GraphStudy> study;
    std::uint64_t seed = 1;
    Holds holds;  // edits of leaves and pins of computed tensors, by path

    SentenceStudy* sentence() { return std::get_if<SentenceStudy>(&study); }
    const SentenceStudy* sentence() const { return std::get_if<SentenceStudy>(&study); }
    GraphStudy* graph() { return std::get_if<GraphStudy>(&study); }
    const GraphStudy* graph() const { return std::get_if<GraphStudy>(&study); }

    bool operator==(const Document&) const = default;
};

/// What the window opens with.
Document built_in_sentence();
Document built_in_graph();  // Zachary's karate club

/// Ranges that every front end keeps to; evaluate() checks them too.
inline constexpr int kMaxLayers = 4, kMaxHeads = 16, kMaxWidth = 1024;

}  // namespace headlight
