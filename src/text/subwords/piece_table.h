// The vocabulary of a tokenizer, and a table of whole numbers by whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

using PieceId = std::uint32_t;

/// A number of pieces that no tokenizer reaches; ids are smaller.
inline constexpr std::size_t kMostPieces = std::size_t{1} << 22;
/// The most bytes of one piece; the longest that are used have a few hundred.
inline constexpr std::size_t kMostPieceBytes = 4096;

/// Pieces by id and ids by piece. An id may be without a piece.
class PieceTable {
  public:
    PieceTable() = default;
    /// Takes the piece of each id, from 0. Of several equal pieces, the last has the id.
    explicit PieceTable(std::vector<std::optional<std::string>> pieces);

    /// Returns one more than the largest id.
    std::size_t size() const { return pieces_.size(); }
    /// Returns null if no piece has this id.
    const std::string* find_piece(PieceId id) const;
    std::optional<PieceId> find_id(std::string_view piece) const;
    std::size_t n_bytes_of_longest() const { return n_bytes_of_longest_; }

  private:
    /// A place in the hash table of pieces; id is 1 too many, 0 where there is none.
    struct Slot {
        std::uint32_t hash = 0, id = 0;
    };

    std::size_t slot_index(std::string_view piece, std::uint32_t hash) const;

    std::vector<std::optional<std::string>> pieces_;
    std::vector<Slot> slots_;  // a power of two, at most half full
    std::size_t n_bytes_of_longest_ = 0;
};

/// A hash table that is only filled, of two numbers of 64 bits: pairs of ids, edges of a trie. A
/// key is any number but 2⁶⁴ − 1.
class NumberTable {
  public:
    explicit NumberTable(std::size_t n_expected = 0);

    /// Replaces the value that a key has.
    void set(std::uint64_t key, std::uint64_t value);
    /// Returns null if the key has no value.
    const std::uint64_t* find(std::uint64_t key) const;
    std::size_t size() const { return size_; }

  private:
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = kNoKey, value = 0;
    };

    std::size_t slot_index(std::uint64_t key) const;

    std::vector<Slot> slots_;  // a power of two, at most half full
    std::size_t size_ = 0;
};

}  // namespace headlight
