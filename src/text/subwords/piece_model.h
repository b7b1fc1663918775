// The vocabulary of a tokenizer, and the models that find the pieces of a word: byte pairs, word
// pieces, unigrams.
//
// Goals: the same pieces as Hugging Face's tokenizers; linear time, or nearly, for a word of any
// length. Not goals: training; dropout and sampling.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

/// A piece, and the bytes of the word that it stands for. The unknown piece may stand for many.
struct FoundPiece {
    PieceId id = 0;
    std::size_t begin = 0, end = 0;
};

/// The pieces <0x00> to <0xFF>, where the vocabulary has them.
using BytePieces = std::array<std::optional<PieceId>, 256>;
BytePieces find_byte_pieces(const PieceTable& pieces);

/// Byte pair encoding: begins with characters, and joins the pair that comes first in the list of
/// merges until there is none, from the left.                              [Sennrich 2016]
class BytePairs {
  public:
    struct Merge {
        PieceId left, right, joined;
    };
    struct Settings {
        std::optional<PieceId> unknown;
        bool joins_unknown = false;  // unknown parts in a row are one piece
        bool falls_back_to_bytes = false;
        bool prefers_whole_words = false;  // a word that is a piece is not taken apart
        std::string prefix, suffix;  // of characters but the first, of the last, as in the pieces
    };

    /// Takes the merges in the order of their rank.
    BytePairs(PieceTable pieces, const std::vector<Merge>& merges, Settings settings);

    const PieceTable& pieces() const { return pieces_; }
    void find(std::string_view word, std::vector<FoundPiece>& to) const;

  private:
    struct Symbol;
    struct Candidate;

    std::vector<Symbol> symbols_in(std::string_view word) const;
    std::optional<PieceId> find_character(std::string_view word, std::size_t begin,
                                          std::size_t end) const;
    void merge(std::vector<Symbol>& symbols) const;

    PieceTable pieces_;
    NumberTable merges_;  // left and right → rank and joined
    Settings settings_;
    BytePieces bytes_;
    std::vector<std::optional<PieceId>> characters_;  // pieces of one common character
};

/// WordPiece: the longest piece at the beginning, then the longest that goes on with a prefix (##);
/// a word that cannot be covered is unknown as a whole.                      [Wu 2016]
class WordPieces {
  public:
    struct Settings {
        PieceId unknown = 0;
        std::string prefix = "##";
        std::size_t most_characters = 100;  // a longer word is unknown
    };

    WordPieces(PieceTable pieces, Settings settings);

    const PieceTable& pieces() const { return pieces_; }
    void find(std::string_view word, std::vector<FoundPiece>& to) const;

  private:
    PieceTable pieces_;
    Settings settings_;
};

/// Unigram language model: the pieces whose scores have the largest sum.      [Kudo 2018]
class Unigrams {
  public:
    struct Settings {
        PieceId unknown = 0;
        bool falls_back_to_bytes = false;
    };

    /// Takes a score for each id.
    Unigrams(PieceTable pieces, std::vector<double> scores, Settings settings);

    const PieceTable& pieces() const { return pieces_; }
    void find(std::string_view word, std::vector<FoundPiece>& to) const;

  private:
    struct Step;

    std::vector<Step> best_steps(std::string_view word) const;
    void append(std::string_view word, std::size_t begin, std::size_t end,
                std::vector<FoundPiece>& to) const;

    PieceTable pieces_;
    std::vector<double> scores_;
    Settings settings_;
    BytePieces bytes_;
    double unknown_score_ = 0;
    NumberTable edges_;                  // of the trie: node and byte → node
    std::vector<std::uint32_t> leaves_;  // by node: 1 + the id of the piece that ends there, or 0
};

using PieceModel = std::variant<BytePairs, WordPieces, Unigrams>;

}  // namespace headlight
