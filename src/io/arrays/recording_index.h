// RecordingIndex lists the contents of a recording of several texts, and the files that hold them.
// It describes each text: tokens, the patches of a picture, or the nodes and edges of a graph.
//
// Goals: everything is checked before any shard is opened, so that a small file cannot claim much
// memory or time. Not goals: the numbers (recording_shards.h). The format is described in
// docs/formats.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files/open_file.h"
#include "io/text/json_view.h"
#include "model/document.h"

namespace headlight {

/// Returns, for each edge in the order of the layer (see Edges), its place in Graph::edges.
std::vector<Index> edge_order(const Graph& graph);

/// The arrays of a text's attention, for some of its layers and heads.
struct RecordedPiece {
    int text = 0, attention = 0;  // attention: in the index's list
    int shard = 0;                // in the index's list; 0 in a file that is its own index
    int first_layer = 0, end_layer = 0, first_head = 0, end_head = 0;
    std::string pattern, q, k, v;  // names of arrays; "" if one was not recorded

    bool has(int layer, int head) const {
        return first_layer <= layer && layer < end_layer && first_head <= head && head < end_head;
    }
    int n_layers() const { return end_layer - first_layer; }
    int n_heads() const { return end_head - first_head; }
};

/// The shard that has the overviews and the metrics of all heads, where the others come later.
struct RecordedSummaries {
    int shard = 0;
    std::string overviews, metrics;  // names of arrays
};

struct RecordingIndex {
    std::string model;  // for people
    std::shared_ptr<const std::vector<RecordedText>> texts;
    RecordedAttentions attentions;
    std::vector<std::string> shards;    // bare names; none in a file that is its own index
    std::vector<RecordedPiece> pieces;  // sorted by text and attention
    std::optional<RecordedSummaries> summaries = {};

    /// The piece with that head; there is exactly one.
    const RecordedPiece& piece_with(const RecordedMatrix& matrix) const;
};

/// The most tokens' bytes, heads, texts and shards; see docs/formats.md.
inline constexpr std::uint64_t kMaxPatterns = 20'000, kMaxPatternsOfTexts = 100'000'000;
inline constexpr std::size_t kMaxTokenBytes = 1000, kMaxShards = 100'000;

/// True of a JSON object with the key "attention".
bool is_recording_index(const JsonSource& source);

/// Says if the arrays are in files of their own, or in the file that holds the index.
enum class ShardsAre { Beside, Within };

/// Throws Error, naming the place, for anything that docs/formats.md does not allow.
RecordingIndex read_recording_index(const JsonSource& source, ShardsAre shards);

/// The index in the metadata of a safetensors file, as JSON; nothing for any other file.
std::optional<std::string> find_own_index(const ByteSource& bytes);

}  // namespace headlight
