// Text → the words that become tokens.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The longest sentence that the program accepts. Longer n × n patterns would be of no use.
inline constexpr std::size_t kMaxWords = 4096;

/// Returns the words of a text in order, none of them empty, however many there are:
///   - white space of any script, zero-width space and control characters separate words;
///   - letters, marks and digits in a row are one word;
///   - an apostrophe or hyphen between two of them belongs to the word ("didn't", "L'accord",
///     "well-known"), as do the Catalan · and the Hebrew ״ and ׳;
///   - a point or comma between two digits belongs to the number ("3.14", "1,000");
///   - a Chinese character or kana is a word by itself;
///   - anything else is a word by itself, as a whole grapheme cluster: "!", "👍🏽", "🇫🇷";
///   - invisible characters (soft hyphens, direction marks, a byte order mark) are left out; only
///     joiners that shape the letters around them stay.
/// Scripts without spaces other than those two (Thai, Khmer) give one word up to the next space.
/// Throws Error if the text is not UTF-8.
std::vector<std::string> split_words(std::string_view text);

/// Returns the text with '\n' for each line end of another kind (CR LF, a lone CR, VT, FF, NEL,
/// U+2028, U+2029), and a blank for each other control character but the tab, since all of them
/// part words.
std::string with_plain_separators(std::string_view text);

/// Returns the text on one line: line ends and tabs become blanks; those around the text are left
/// out.
std::string on_one_line(std::string_view text);

/// Returns a text that has these words: blanks between them, but none before a full stop, comma or
/// other mark that ends something, and none after an apostrophe that ends a word.
std::string join_words(const std::vector<std::string>& words);

/// Returns the words of each line; lines without a word are left out. Throws Error if the text is
/// not UTF-8.
std::vector<std::vector<std::string>> split_sentences(std::string_view text);

/// True of a token that stands for no word of the text: "<end>", "<|endoftext|>", "[CLS]", "[PAD]".
bool is_special_token(std::string_view word);

/// True of a Chinese character or kana, which is a word by itself.
bool is_ideograph_word(std::string_view word);

/// Throws Error if there are more than kMaxWords. `noun` names the counted things, "words" or
/// "tokens".
void check_word_count(std::size_t n_words, const char* noun = "words");

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
