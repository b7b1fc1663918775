// Alike words: a word that is spelt much like another one, by the pieces of two and three letters
// that they share, as in fastText [Bojanowski et al. 2017, §3.2], but counted, not learned.
//
// Goals: "streets" finds "street", and "tird" "tired".
// Not goals: the meaning of a word; ends that change it much ("left", "leave").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class SimilarWords {
  public:
    /// Considers only words of three letters or more; digits and signs match only themselves.
    explicit SimilarWords(const std::vector<std::string>& words);

    /// Returns the place of the word that is most alike: it begins with the same letter, and the
    /// cosine of their counted pieces is at least kLeastSimilarity. Nothing if there is none.
    std::optional<std::size_t> find(std::string_view word) const;

    static constexpr double kLeastSimilarity = 0.6;

  private:
    using Pieces = std::map<std::u32string, int>;
    struct Entry {
        std::size_t place;
        Pieces pieces;
    };

    std::map<char32_t, std::vector<Entry>> by_first_;
};

}  // namespace headlight
