// Document: the question that a study asks. Only the document is saved, and only it changes by
// undo.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/intervention.h"
#include "core/matrix.h"
#include "core/mechanisms/recorded.h"
#include "core/settings.h"
#include "graph/graph.h"
#include "model/settings/picture.h"
#include "model/weights.h"

namespace headlight {

/// One sentence a line; each attends to itself.
struct SentenceStudy {
    std::string text;  // valid UTF-8
    StackSettings layer;
    Switch decoding = Switch::Off;  // also computes word by word, with a cache of keys and values

    bool operator==(const SentenceStudy&) const = default;
};

enum class AlignmentMechanism { Cross, Transformer, Recurrent };

/// A target that reads a source, as a translation reads its original.
struct AlignmentStudy {
    std::string source, target;  // valid UTF-8
    AlignmentMechanism mechanism = AlignmentMechanism::Cross;
    StackSettings layer;          // of Cross and Transformer
    RecurrentSettings recurrent;  // of Recurrent

    bool operator==(const AlignmentStudy&) const = default;
};

struct GraphStudy {
    Graph graph;
    GraphSettings layer;
    Switch self_loops = Switch::On;

    bool operator==(const GraphStudy&) const = default;
};

struct ImageStudy {
    int rows = 0, columns = 0, channels = 3;
    std::vector<float> pixels;  // row by row, channels last, 0 … 1; of a given picture none
    ImageSettings layer;
    std::optional<ImageFile> picture = {};  // its pixels are read instead

    /// Throws Error if the given picture is not open.
    std::span<const float> values() const;
    bool operator==(const ImageStudy&) const = default;
};

/// The picture that a recording's tokens are patches of, after `before` other tokens.
struct RecordedPatches {
    int rows = 0, columns = 0, before = 0;
    std::string picture = {};  // the name of a PNG or JPEG in the folder of the recording's file
    PictureSize pixels = {};
};

/// The content of a recorded text: tokens, and the source that cross-attention reads, if there is
/// one; or the patches of a picture; or the nodes of a graph, named by the tokens.
struct RecordedText {
    std::vector<std::string> tokens = {}, source = {};
    std::optional<RecordedPatches> patches = {};
    std::shared_ptr<const Graph> graph = {};  // without places; null: there is none

    /// Compares only the tokens; the rest is in the file.
    bool operator==(const RecordedText& other) const {
        return tokens == other.tokens && source == other.source;
    }
};

struct Document;

/// Attention that another program has recorded in a file, or that of a study whose pieces of words
/// are joined; one of its texts is shown.
struct RecordedStudy {
    std::string file;                             // absolute; opened by io/arrays/recording.h
    std::shared_ptr<const Document> joined = {};  // its study (joined_pieces.h); null: from a file
    RecordedText text;                            // the shown one
    int text_number = 0;
    RecordedAttentions attentions = {};                 // those of every text
    std::shared_ptr<const MatrixSource> source = {};    // null: the file is not open
    std::shared_ptr<const MatrixSource> pictures = {};  // by text; null if there are none
    Graph graph = {};  // the shown text's, with places; without nodes if it has none
    std::shared_ptr<const std::vector<RecordedText>> texts = {};  // null if there is only one
    std::vector<std::string> shards = {};                         // other files that are read
    std::vector<std::string> notes = {};                          // oddities of the file
    bool is_looked_through = false;  // all patterns were checked for these notes at opening

    int count_texts() const { return texts ? static_cast<int>(texts->size()) : 1; }

    /// Compares only the questions; the answers are in the file.
    bool operator==(const RecordedStudy& other) const;
};

using Study = std::variant<SentenceStudy, AlignmentStudy, GraphStudy, ImageStudy, RecordedStudy>;

struct Document {
    Study study;
    std::uint64_t seed = 1;
    Interventions interventions;  // edits of leaves and pins of computed tensors, by path
    SharedWeights weights = {};   // from a file, below the edits; null: drawn from the seed

    SentenceStudy* sentence() { return std::get_if<SentenceStudy>(&study); }
    const SentenceStudy* sentence() const { return std::get_if<SentenceStudy>(&study); }
    AlignmentStudy* alignment() { return std::get_if<AlignmentStudy>(&study); }
    const AlignmentStudy* alignment() const { return std::get_if<AlignmentStudy>(&study); }
    GraphStudy* graph() { return std::get_if<GraphStudy>(&study); }
    const GraphStudy* graph() const { return std::get_if<GraphStudy>(&study); }
    ImageStudy* image() { return std::get_if<ImageStudy>(&study); }
    const ImageStudy* image() const { return std::get_if<ImageStudy>(&study); }

    RecordedStudy* recorded() { return std::get_if<RecordedStudy>(&study); }
    const RecordedStudy* recorded() const { return std::get_if<RecordedStudy>(&study); }

    /// Returns the graph that is drawn, of a graph study or of a recording; null if it is about
    /// none.
    Graph* drawn_graph();
    const Graph* drawn_graph() const;

    bool operator==(const Document& other) const {
        return seed == other.seed && are_same(weights, other.weights) &&
               interventions == other.interventions && study == other.study;
    }
};

/// The studies that the window opens with.
Document built_in_sentence();
Document built_in_alignment();
Document built_in_graph();  // Zachary's karate club
Document built_in_image();  // the sun over a field, 5 × 10 pixels

/// Sizes that every front end observes; evaluate() checks them too. See also settings.h.
inline constexpr int kMaxImageSide = 64, kMaxChannels = 16;
inline constexpr int kMaxPreparedSide = 2048;  // of a given picture, when it is prepared
inline constexpr int kMaxRecordedTexts = 100'000;

}  // namespace headlight
