#include "io/arrays/recording_shards.h"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/host.h"
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

/// The shards of a recording that come when they are asked for.
class LaterShards {
  public:
    LaterShards(const RecordingIndex& index, fs::path folder)
        : index_(index), folder_(std::move(folder)), states_(index_.shards.size()) {
        for (std::size_t shard = 0; shard < states_.size(); ++shard) look_for(shard);
    }

    /// Looks into the folder only for what was asked for: this is called for all heads, in every
    /// frame.
    bool is_there(Index number) {
        const std::lock_guard lock(mutex_);
        const std::size_t shard = shard_of(number);
        if (states_[shard] == State::Asked) look_for(shard);
        return states_[shard] == State::There;
    }

    void ask(Index number) {
        const std::lock_guard lock(mutex_);
        const std::size_t shard = shard_of(number);
        const auto& ask = host().ask_file;
        if (states_[shard] == State::Missing && ask && ask(path(shard)))
            states_[shard] = State::Asked;
    }

    std::string words() {
        const std::lock_guard lock(mutex_);
        const bool is_asked = std::ranges::count(states_, State::Asked) > 0;
        return is_asked ? "the pattern is asked from the notebook, which sends it as soon as its "
                          "kernel is idle; after a restart of the kernel run the cell again"
                        : "the pattern is not here; it must be asked from a running notebook";
    }

  private:
    enum class State { Missing, Asked, There };

    std::size_t shard_of(Index number) const {
        const RecordedMatrix matrix = recorded_matrix(index_.attentions, number);
        return static_cast<std::size_t>(index_.piece_with(matrix).shard);
    }
    fs::path path(std::size_t shard) const { return folder_ / index_.shards[shard]; }
    void look_for(std::size_t shard) {
        std::error_code ignored;
        if (fs::is_regular_file(path(shard), ignored)) states_[shard] = State::There;
    }

    RecordingIndex index_;
    fs::path folder_;
    std::vector<State> states_;
    std::mutex mutex_;
};

/// Reads matrices of an array [layers, heads, rows, columns] of one text.
std::shared_ptr<const MatrixSource> matrices_of_heads(StoredArray array) {
    return std::make_shared<const MatrixSource>(
        MatrixSource{[array = std::move(array)](Index number, Index first_row, View rows) {
            const std::uint64_t row = static_cast<std::uint64_t>(number) * array.shape[2] +
                                      static_cast<std::uint64_t>(first_row);
            read_numbers(array, row * array.shape[3], rows);
        }});
}

/// Returns the array of that name, which must have that shape.
StoredArray summary_at(const Shard& shard, const std::string& name,
                       const std::vector<std::uint64_t>& shape) {
    const auto found = shard.arrays.find(name);
    if (found == shard.arrays.end())
        throw Error(shard.name, "holds no array {}, which the index names", in_quotes(name));
    if (found->second.shape != shape)
        throw Error(found->second.data.name, "is {}, but it must be {}",
                    shape_list(found->second.shape), shape_list(shape));
    return found->second;
}

std::shared_ptr<const LaterMatrices> later_matrices(const RecordingIndex& index,
                                                    const fs::path& folder) {
    const std::shared_ptr<const Shard> shard = open_shard(
        bytes_of_file(folder / index.shards[static_cast<std::size_t>(index.summaries->shard)]));
    const auto n_layers = static_cast<std::uint64_t>(index.attentions[0].n_layers),
               n_heads = static_cast<std::uint64_t>(index.attentions[0].n_heads);
    const std::size_t n_tokens = index.texts->front().tokens.size();
    const auto found = shard->arrays.find(index.summaries->overviews);
    const std::uint64_t side = found != shard->arrays.end() && found->second.shape.size() == 4
                                   ? std::clamp<std::uint64_t>(found->second.shape[3], 1, n_tokens)
                                   : 1;
    const StoredArray overviews =
        summary_at(*shard, index.summaries->overviews, {n_layers, n_heads, side, side});
    const StoredArray metrics =
        summary_at(*shard, index.summaries->metrics,
                   {n_layers, n_heads, 2, static_cast<std::uint64_t>(head_metric_names().size())});
    const auto shards = std::make_shared<LaterShards>(index, folder);
    return std::make_shared<const LaterMatrices>(
        LaterMatrices{.is_there = [shards](Index number) { return shards->is_there(number); },
                      .ask = [shards](Index number) { shards->ask(number); },
                      .words = [shards] { return shards->words(); },
                      .overview_side = static_cast<Index>(side),
                      .overviews = matrices_of_heads(overviews),
                      .metrics = matrices_of_heads(metrics)});
}

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

MatrixSource matrices(const RecordingIndex& index, OpenShard open) {
    const auto pieces = std::make_shared<const PieceMatrices>(index, std::move(open));
    return {[pieces](Index number, Index first_row, View rows) {
        pieces->read(number, first_row, rows);
    }};
}

}  // namespace

std::shared_ptr<const MatrixSource> matrices_in_shards(const RecordingIndex& index,
                                                       const fs::path& folder) {
    const auto shards = std::make_shared<ShardFolder>(folder, index.shards);
    MatrixSource source = matrices(index, [shards](int shard) { return shards->open(shard); });
    if (!index.summaries) return std::make_shared<const MatrixSource>(std::move(source));
    source.later = later_matrices(index, folder);
    // Who reads a matrix that is not there yet finds it there the next time.
    source.read = [read = std::move(source.read), later = source.later](
                      Index number, Index first_row, View rows) {
        if (!later->is_there(number)) {
            later->ask(number);
            throw Error("recording", later->words());
        }
        read(number, first_row, rows);
    };
    return std::make_shared<const MatrixSource>(std::move(source));
}

std::shared_ptr<const MatrixSource> matrices_in_file(const RecordingIndex& index,
                                                     const ByteSource& file) {
    return std::make_shared<const MatrixSource>(
        matrices(index, [shard = open_shard(file)](int) { return shard; }));
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
            const Index number = recorded_number(index.attentions, matrix);
            if (!source.later || source.later->is_there(number)) source.read(number, 0, view(none));
        };
        check(RecordedPart::Pattern, piece.first_head);
        if (attention.d_k > 0) check(RecordedPart::Query, piece.first_head);
        if (attention.d_k > 0) check(RecordedPart::Key, piece.first_head / group);
        if (attention.d_v > 0) check(RecordedPart::Value, piece.first_head / group);
    }
}

}  // namespace headlight
