#include "io/arrays/recording_shards.h"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The most files that are open at once.
constexpr std::size_t kMostOpenShards = 32;

/// A file that is open.
struct Shard {
    std::string name;  // for messages
    std::map<std::string, StoredArray, std::less<>> arrays = {};
};

std::shared_ptr<const Shard> open_shard(const ByteSource& bytes) {
    const auto shard = std::make_shared<Shard>(Shard{bytes.name});
    for (StoredArray& array : find_safetensors_arrays(bytes)) {
        std::string name = array.name;
        shard->arrays.emplace(std::move(name), std::move(array));
    }
    return shard;
}

/// The shards of a folder; those that were looked at last are open.
class ShardFolder {
  public:
    ShardFolder(fs::path folder, std::vector<std::string> names)
        : folder_(std::move(folder)), names_(std::move(names)), seen_(names_.size()) {}

    std::shared_ptr<const Shard> open(int shard) {
        const std::lock_guard lock(mutex_);
        const auto found =
            std::ranges::find(open_, shard, [](const auto& entry) { return entry.first; });
        if (found != open_.end()) {
            open_.splice(open_.begin(), open_, found);
            return found->second;
        }
        const fs::path path = folder_ / names_[static_cast<std::size_t>(shard)];
        const ByteSource bytes = bytes_of_file(path);
        check_unchanged(shard, path, bytes.size);
        open_.emplace_front(shard, open_shard(bytes));
        if (open_.size() > kMostOpenShards) open_.pop_back();
        return open_.front().second;
    }

  private:
    /// A shard that was closed and opened again must be the one that it was.
    void check_unchanged(int shard, const fs::path& path, std::uint64_t size) {
        std::error_code ignored;
        const Look look{size, fs::last_write_time(path, ignored)};
        auto& before = seen_[static_cast<std::size_t>(shard)];
        if (before && *before != look)
            throw Error(path_text(path), "changed while it was open; open it again");
        before = look;
    }

    using Look = std::pair<std::uint64_t, fs::file_time_type>;

    fs::path folder_;
    std::vector<std::string> names_;
    std::vector<std::optional<Look>> seen_;
    std::list<std::pair<int, std::shared_ptr<const Shard>>> open_;  // the last one first
    std::mutex mutex_;
};

using OpenShard = std::function<std::shared_ptr<const Shard>(int shard)>;

/// Finds matrices in the arrays of pieces.
class PieceMatrices {
  public:
    PieceMatrices(RecordingIndex index, OpenShard open)
        : index_(std::move(index)), open_(std::move(open)) {
        for (const RecordedText& text : *index_.texts)
            if (text.graph) orders_.push_back(edge_order(*text.graph));
    }

    void read(Index number, Index first_row, View rows) const {
        const RecordedMatrix matrix = recorded_matrix(index_.attentions, number);
        const RecordedPiece& piece = index_.piece_with(matrix);
        const auto shard = open_(piece.shard);
        const Place place = place_in(matrix, piece);
        const StoredArray& array = array_at(*shard, place);
        const std::uint64_t at =
            static_cast<std::uint64_t>(matrix.layer - piece.first_layer) * place.shape[1] +
            static_cast<std::uint64_t>(matrix.head - place.first);
        if (matrix.part == RecordedPart::Pattern && !orders_.empty()) {
            if (rows.rows() == 0) return;
            // The file has the edges in its own order.
            const std::vector<Index>& order = orders_[static_cast<std::size_t>(matrix.text)];
            Matrix all(std::ssize(order), 1);
            read_numbers(array, at * place.shape[2], view(all));
            for (Index e = 0; e < rows.rows(); ++e)
                rows(e, 0) = all(order[static_cast<std::size_t>(first_row + e)], 0);
            return;
        }
        read_numbers(array,
                     (at * place.shape[2] + static_cast<std::uint64_t>(first_row)) * place.shape[3],
                     rows);
    }

  private:
    /// The array of a piece, its shape, and the head that it begins with.
    struct Place {
        const std::string& name;
        std::vector<std::uint64_t> shape;
        int first = 0;
    };

    Place place_in(const RecordedMatrix& matrix, const RecordedPiece& piece) const {
        const RecordedAttention& attention =
            index_.attentions[static_cast<std::size_t>(matrix.attention)];
        const RecordedText& text = (*index_.texts)[static_cast<std::size_t>(matrix.text)];
        const std::uint64_t n_tokens = text.tokens.size(), n_source = text.source.size(),
                            n_query = attention.kind == RecordedKind::Source ? n_source : n_tokens,
                            n_key = reads_tokens(attention.kind) ? n_tokens : n_source;
        const int group = attention.n_heads / attention.n_kv_heads;
        const auto sized = [&](const std::string& name, std::uint64_t rows, std::uint64_t columns,
                               int heads_each) {
            return Place{name,
                         {static_cast<std::uint64_t>(piece.n_layers()),
                          static_cast<std::uint64_t>(piece.n_heads() / heads_each), rows, columns},
                         piece.first_head / heads_each};
        };
        switch (matrix.part) {
            case RecordedPart::Query:
                return sized(piece.q, n_query, static_cast<std::uint64_t>(attention.d_k), 1);
            case RecordedPart::Key:
                return sized(piece.k, n_key, static_cast<std::uint64_t>(attention.d_k), group);
            case RecordedPart::Value:
                return sized(piece.v, n_key, static_cast<std::uint64_t>(attention.d_v), group);
            case RecordedPart::Pattern:
                break;
        }
        if (text.graph) return sized(piece.pattern, text.graph->edges.size(), 1, 1);
        return sized(piece.pattern, n_query, n_key, 1);
    }

    static const StoredArray& array_at(const Shard& shard, const Place& place) {
        const auto found = shard.arrays.find(place.name);
        if (found == shard.arrays.end())
            throw Error(
                shard.name,
                "holds no array {}, which the index names; one of the two is of another recording",
                in_quotes(place.name));
        if (found->second.shape != place.shape)
            throw Error(found->second.data.name,
                        "is {}, but its index says {}, [layers, heads, rows, columns]",
                        shape_list(found->second.shape), shape_list(place.shape));
        return found->second;
    }

    RecordingIndex index_;
    OpenShard open_;
    std::vector<std::vector<Index>> orders_;  // of the edges of each text
};

std::shared_ptr<const MatrixSource> matrices(const RecordingIndex& index, OpenShard open) {
    const auto pieces = std::make_shared<const PieceMatrices>(index, std::move(open));
    return std::make_shared<const MatrixSource>(
        MatrixSource{[pieces](Index number, Index first_row, View rows) {
            pieces->read(number, first_row, rows);
        }});
}

}  // namespace

std::shared_ptr<const MatrixSource> matrices_in_shards(const RecordingIndex& index,
                                                       const fs::path& folder) {
    const auto shards = std::make_shared<ShardFolder>(folder, index.shards);
    return matrices(index, [shards](int shard) { return shards->open(shard); });
}

std::shared_ptr<const MatrixSource> matrices_in_file(const RecordingIndex& index,
                                                     const ByteSource& file) {
    return matrices(index, [shard = open_shard(file)](int) { return shard; });
}

void check_recorded_text(const MatrixSource& source, const RecordingIndex& index, int text) {
    Matrix none(0, 0);
    for (const RecordedPiece& piece : index.pieces) {
        if (piece.text != text) continue;
        const RecordedAttention& attention =
            index.attentions[static_cast<std::size_t>(piece.attention)];
        const int group = attention.n_heads / attention.n_kv_heads;
        RecordedMatrix matrix{text, piece.attention, piece.first_layer};
        const auto check = [&](RecordedPart part, int head) {
            matrix.part = part, matrix.head = head;
            source.read(recorded_number(index.attentions, matrix), 0, view(none));
        };
        check(RecordedPart::Pattern, piece.first_head);
        if (attention.d_k > 0) check(RecordedPart::Query, piece.first_head);
        if (attention.d_k > 0) check(RecordedPart::Key, piece.first_head / group);
        if (attention.d_v > 0) check(RecordedPart::Value, piece.first_head / group);
    }
}

}  // namespace headlight
