#include "text/subwords/piece_model.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kFewestSlots = 16;

/// Mixes the key so that every bit decides about the lowest bits [MurmurHash3, finalizer].
std::uint64_t mixed(std::uint64_t key) {
    key = (key ^ key >> 33) * 0xFF51AFD7ED558CCD;
    key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53;
    return key ^ key >> 33;
}

std::uint32_t piece_hash(std::string_view piece) {
    return static_cast<std::uint32_t>(mixed(std::hash<std::string_view>()(piece)));
}

}  // namespace

PieceTable::PieceTable(std::vector<std::optional<std::string>> pieces)
    : pieces_(std::move(pieces)) {
    slots_.resize(std::bit_ceil(std::max(kFewestSlots, 2 * pieces_.size())));
    for (std::size_t id = 0; id < pieces_.size(); ++id) {
        if (!pieces_[id]) continue;
        const std::uint32_t hash = piece_hash(*pieces_[id]);
        slots_[slot_index(*pieces_[id], hash)] = {hash, static_cast<std::uint32_t>(id + 1)};
        n_bytes_of_longest_ = std::max(n_bytes_of_longest_, pieces_[id]->size());
    }
}

std::size_t PieceTable::slot_index(std::string_view piece, std::uint32_t hash) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t index = hash & last;
    const auto is_other = [&](const Slot& slot) {
        return slot.id != 0 && (slot.hash != hash || *pieces_[slot.id - 1] != piece);
    };
    while (is_other(slots_[index])) index = (index + 1) & last;
    return index;
}

const std::string* PieceTable::find_piece(PieceId id) const {
    return id < pieces_.size() && pieces_[id] ? &*pieces_[id] : nullptr;
}

std::optional<PieceId> PieceTable::find_id(std::string_view piece) const {
    if (slots_.empty() || piece.size() > n_bytes_of_longest_) return std::nullopt;
    const Slot& slot = slots_[slot_index(piece, piece_hash(piece))];
    return slot.id == 0 ? std::nullopt : std::optional(slot.id - 1);
}

NumberTable::NumberTable(std::size_t n_expected)
    : slots_(std::bit_ceil(std::max(kFewestSlots, 2 * n_expected))) {}

std::size_t NumberTable::slot_index(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t index = mixed(key) & last;
    while (slots_[index].key != key && slots_[index].key != kNoKey) index = (index + 1) & last;
    return index;
}

void NumberTable::set(std::uint64_t key, std::uint64_t value) {
    Slot& slot = slots_[slot_index(key)];
    if (slot.key == key) {
        slot.value = value;
        return;
    }
    slot = {key, value};
    if (++size_ * 2 <= slots_.size()) return;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& moved : old)
        if (moved.key != kNoKey) slots_[slot_index(moved.key)] = moved;
}

const std::uint64_t* NumberTable::find(std::uint64_t key) const {
    const Slot& slot = slots_[slot_index(key)];
    return slot.key == key ? &slot.value : nullptr;
}

namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
constexpr std::size_t kCommonCharacters = 0x400;

std::uint64_t pair_key(PieceId left, PieceId right) {
    return std::uint64_t{left} << 32 | right;
}

}  // namespace

BytePieces find_byte_pieces(const PieceTable& pieces) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    BytePieces found;
    for (std::size_t byte = 0; byte < found.size(); ++byte)
        found[byte] =
            pieces.find_id(fmt::format("<0x{}{}>", kDigits[byte >> 4], kDigits[byte & 15]));
    return found;
}

/// A piece of the word so far, in a list that is linked both ways.
struct BytePairs::Symbol {
    PieceId id;
    std::uint32_t n_bytes;  // 0: it was joined with the one before it
    std::uint32_t previous = kNowhere, next = kNowhere;
};

/// A pair that may be joined, unless one of the two has changed by then.
struct BytePairs::Candidate {
    std::uint32_t rank, place;
    PieceId joined;

    /// Orders the queue: the first is the one with the lowest rank, and of these the leftmost.
    bool operator<(const Candidate& other) const {
        return rank != other.rank ? rank > other.rank : place > other.place;
    }
};

BytePairs::BytePairs(PieceTable pieces, const std::vector<Merge>& merges, Settings settings)
    : pieces_(std::move(pieces)), merges_(merges.size()), settings_(std::move(settings)) {
    for (std::size_t rank = 0; rank < merges.size(); ++rank)
        merges_.set(pair_key(merges[rank].left, merges[rank].right),
                    pair_key(static_cast<PieceId>(rank), merges[rank].joined));
    if (settings_.falls_back_to_bytes) bytes_ = find_byte_pieces(pieces_);
    if (!settings_.prefix.empty() || !settings_.suffix.empty()) return;
    for (char32_t c = 0; c < kCommonCharacters; ++c)
        characters_.push_back(pieces_.find_id(encode_code_point(c)));
}

std::optional<PieceId> BytePairs::find_character(std::string_view word, std::size_t begin,
                                                 std::size_t end) const {
    const std::string_view character = word.substr(begin, end - begin);
    if (!characters_.empty()) {
        const char32_t value = decode_code_point(word, begin).value;
        return value < kCommonCharacters ? characters_[value] : pieces_.find_id(character);
    }
    std::string piece(character);
    if (begin > 0) piece = settings_.prefix + piece;
    if (end == word.size()) piece += settings_.suffix;
    return pieces_.find_id(piece);
}

std::vector<BytePairs::Symbol> BytePairs::symbols_in(std::string_view word) const {
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    std::uint32_t n_unknown = 0;  // bytes that wait for their piece
    const auto finish_unknown = [&] {
        if (n_unknown > 0) symbols.push_back({*settings_.unknown, n_unknown});
        n_unknown = 0;
    };
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t begin = at;
        at += decode_code_point(word, at).size_bytes;
        const auto n_bytes = static_cast<std::uint32_t>(at - begin);
        if (const auto id = find_character(word, begin, at)) {
            finish_unknown();
            symbols.push_back({*id, n_bytes});
            continue;
        }
        const auto byte_piece = [&](std::size_t k) {
            return bytes_[static_cast<unsigned char>(word[k])];
        };
        bool has_bytes = settings_.falls_back_to_bytes;
        for (std::size_t k = begin; k < at; ++k) has_bytes = has_bytes && byte_piece(k);
        for (std::size_t k = begin; has_bytes && k < at; ++k)
            symbols.push_back({*byte_piece(k), 1});
        if (has_bytes || !settings_.unknown) continue;
        if (!settings_.joins_unknown) finish_unknown();
        n_unknown += n_bytes;
    }
    finish_unknown();
    for (std::uint32_t k = 0; k < symbols.size(); ++k) {
        symbols[k].previous = k == 0 ? kNowhere : k - 1;
        symbols[k].next = k + 1 == symbols.size() ? kNowhere : k + 1;
    }
    return symbols;
}

void BytePairs::merge(std::vector<Symbol>& symbols) const {
    std::vector<Candidate> first;
    const auto candidate = [&](std::uint32_t place) -> std::optional<Candidate> {
        const Symbol& left = symbols[place];
        if (left.next == kNowhere) return std::nullopt;
        const std::uint64_t* found = merges_.find(pair_key(left.id, symbols[left.next].id));
        if (!found) return std::nullopt;
        return Candidate{static_cast<std::uint32_t>(*found >> 32), place,
                         static_cast<PieceId>(*found)};
    };
    for (std::uint32_t place = 0; place < symbols.size(); ++place)
        if (const auto found = candidate(place)) first.push_back(*found);
    std::priority_queue<Candidate> queue(std::less<Candidate>(), std::move(first));

    while (!queue.empty()) {
        const Candidate top = queue.top();
        queue.pop();
        Symbol& left = symbols[top.place];
        if (left.n_bytes == 0) continue;
        const auto now = candidate(top.place);
        if (!now || now->joined != top.joined) continue;  // one of the two has changed
        Symbol& right = symbols[left.next];
        left.id = top.joined;
        left.n_bytes += right.n_bytes;
        left.next = right.next;
        right.n_bytes = 0;
        if (left.next != kNowhere) symbols[left.next].previous = top.place;
        if (left.previous != kNowhere)
            if (const auto found = candidate(left.previous)) queue.push(*found);
        if (const auto found = candidate(top.place)) queue.push(*found);
    }
}

void BytePairs::find(std::string_view word, std::vector<FoundPiece>& to) const {
    if (settings_.prefers_whole_words)
        if (const auto id = pieces_.find_id(word)) {
            to.push_back({*id, 0, word.size()});
            return;
        }
    std::vector<Symbol> symbols = symbols_in(word);
    merge(symbols);
    std::size_t at = 0;
    for (const Symbol& symbol : symbols) {
        if (symbol.n_bytes == 0) continue;
        to.push_back({symbol.id, at, at + symbol.n_bytes});
        at += symbol.n_bytes;
    }
}

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

/// Appends a part of the word: a piece if it is one after all, else bytes, else the unknown piece.
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

WordPieces::WordPieces(PieceTable pieces, Settings settings)
    : pieces_(std::move(pieces)), settings_(std::move(settings)) {}

void WordPieces::find(std::string_view word, std::vector<FoundPiece>& to) const {
    const std::size_t n_before = to.size();
    std::string piece;
    const auto longest_from = [&](std::size_t begin) -> std::optional<FoundPiece> {
        piece = begin > 0 ? settings_.prefix : std::string();
        const std::size_t n_prefix = piece.size();
        std::size_t end = std::min(word.size(), begin + pieces_.n_bytes_of_longest());
        piece.append(word, begin, end - begin);
        for (; end > begin; --end, piece.pop_back()) {
            const bool is_whole =
                end == word.size() || (static_cast<unsigned char>(word[end]) & 0xC0) != 0x80;
            if (!is_whole || piece.size() == n_prefix) continue;
            if (const auto id = pieces_.find_id(piece)) return FoundPiece{*id, begin, end};
        }
        return std::nullopt;
    };
    bool is_covered = count_code_points(word) <= settings_.most_characters;
    for (std::size_t at = 0; is_covered && at < word.size();) {
        const auto found = longest_from(at);
        is_covered = found.has_value();
        if (!found) break;
        to.push_back(*found);
        at = found->end;
    }
    if (is_covered) return;
    to.resize(n_before);
    to.push_back({settings_.unknown, 0, word.size()});
}

}  // namespace headlight
