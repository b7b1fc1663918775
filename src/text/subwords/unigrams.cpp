#include <algorithm>
#include <limits>
#include <utility>

#include "text/subwords/piece_model.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr double kUnknownPenalty = 10;  // below the lowest score      [SentencePiece]

std::uint64_t edge_key(std::uint64_t node, char byte) {
    return node << 8 | static_cast<unsigned char>(byte);
}

}  // namespace

/// The best way to a place in the word.
struct Unigrams::Step {
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    double score = 0;
    std::size_t begin = kNone;  // of its last piece
    PieceId id = 0;

    void improve(double other_score, std::size_t other_begin, PieceId other_id) {
        if (begin != kNone && !(other_score > score)) return;
        *this = {other_score, other_begin, other_id};
    }
};

Unigrams::Unigrams(PieceTable pieces, std::vector<double> scores, Settings settings)
    : pieces_(std::move(pieces)),
      scores_(std::move(scores)),
      settings_(settings),
      edges_(4 * pieces_.size()),
      leaves_(1) {
    unknown_score_ = *std::ranges::min_element(scores_) - kUnknownPenalty;
    if (settings_.falls_back_to_bytes) bytes_ = find_byte_pieces(pieces_);
    for (PieceId id = 0; id < pieces_.size(); ++id) {
        const std::string* piece = pieces_.find_piece(id);
        if (!piece || piece->empty()) continue;
        std::uint64_t node = 0;
        for (const char byte : *piece) {
            if (const std::uint64_t* next = edges_.find(edge_key(node, byte))) {
                node = *next;
                continue;
            }
            edges_.set(edge_key(node, byte), leaves_.size());
            node = leaves_.size();
            leaves_.push_back(0);
        }
        leaves_[node] = 1 + id;
    }
}

std::vector<Unigrams::Step> Unigrams::best_steps(std::string_view word) const {
    std::vector<Step> steps(word.size() + 1);
    for (std::size_t begin = 0; begin < word.size();) {
        const double score = steps[begin].score;
        const std::size_t next = begin + decode_code_point(word, begin).size_bytes;
        bool has_single = false;
        std::uint64_t node = 0;
        for (std::size_t at = begin; at < word.size();) {
            const std::uint64_t* edge = edges_.find(edge_key(node, word[at]));
            if (!edge) break;
            node = *edge;
            ++at;
            if (leaves_[node] == 0) continue;
            const PieceId id = leaves_[node] - 1;
            steps[at].improve(score + scores_[id], begin, id);
            has_single = has_single || at == next;
        }
        if (!has_single) steps[next].improve(score + unknown_score_, begin, settings_.unknown);
        begin = next;
    }
    return steps;
}

/// What is unknown may still be a piece where it was joined, or bytes.
void Unigrams::append(std::string_view word, std::size_t begin, std::size_t end,
                      std::vector<FoundPiece>& to) const {
    const std::string_view text = word.substr(begin, end - begin);
    if (const auto id = pieces_.find_id(text)) {
        to.push_back({*id, begin, end});
        return;
    }
    const auto byte_piece = [&](char byte) { return bytes_[static_cast<unsigned char>(byte)]; };
    const bool has_bytes =
        settings_.falls_back_to_bytes &&
        std::ranges::all_of(text, [&](char byte) { return byte_piece(byte).has_value(); });
    if (!has_bytes) {
        to.push_back({settings_.unknown, begin, end});
        return;
    }
    for (const char byte : text) to.push_back({*byte_piece(byte), begin, end});
}

void Unigrams::find(std::string_view word, std::vector<FoundPiece>& to) const {
    const std::vector<Step> steps = best_steps(word);
    std::vector<std::pair<std::size_t, std::size_t>> ranges;  // from the end
    bool was_unknown = false;
    for (std::size_t end = word.size(); end > 0;) {
        const Step& step = steps[end];
        const bool is_unknown = step.id == settings_.unknown;
        if (is_unknown && was_unknown)
            ranges.back().first = step.begin;
        else
            ranges.emplace_back(step.begin, end);
        was_unknown = is_unknown;
        end = step.begin;
    }
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range)
        append(word, range->first, range->second, to);
}

}  // namespace headlight
