#include <functional>
#include <queue>
#include <utility>

#include "text/subwords/piece_model.h"
#include "text/utf8.h"

namespace headlight {
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
            pieces.find_id(std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">");
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

    /// The first in the queue is the one with the lowest rank, and of these the leftmost.
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

}  // namespace headlight
