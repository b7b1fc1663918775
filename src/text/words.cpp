// Words by the general categories of utf8proc, cluster by cluster.
#include "text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utf8proc.h>
#include <utility>

#include "core/error.h"
#include "text/utf8.h"

namespace headlight {
namespace {

enum class Kind {
    Separator,     // ends a word and is no word
    Invisible,     // as if it were not there
    Letter,        // letters, marks, numbers: goes on with the word
    Ideograph,     // a word by itself, though a letter
    WordJoiner,    // part of a word between two letters
    NumberJoiner,  // part of a number between two digits
    Symbol,        // a word by itself
};

struct Range {
    char32_t first, last;
};

/// Chinese characters, kana and bopomofo; utf8proc does not know scripts.
constexpr std::array<Range, 8> kIdeographs = {{{0x3005, 0x3007},
                                               {0x3041, 0x312F},
                                               {0x31A0, 0x31FF},
                                               {0x3400, 0x4DBF},
                                               {0x4E00, 0x9FFF},
                                               {0xF900, 0xFAFF},
                                               {0xFF66, 0xFF9F},
                                               {0x20000, 0x3FFFF}}};

constexpr std::u32string_view kWordJoiners = U"'’-\u2010\u2011·\u05F3\u05F4";
constexpr std::u32string_view kNumberJoiners = U".,\u066B\u066C";
constexpr char32_t kZeroWidthSpace = 0x200B;

bool is_ideograph(char32_t c) {
    return std::any_of(kIdeographs.begin(), kIdeographs.end(),
                       [c](Range range) { return c >= range.first && c <= range.last; });
}

Kind character_kind(char32_t c) {
    if (kWordJoiners.find(c) != std::u32string_view::npos) return Kind::WordJoiner;
    if (kNumberJoiners.find(c) != std::u32string_view::npos) return Kind::NumberJoiner;
    if (c == kZeroWidthSpace) return Kind::Separator;
    const utf8proc_property_t& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
    switch (property.category) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_ZS:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return Kind::Separator;
        default:
            break;
    }
    if (property.ignorable || property.boundclass == UTF8PROC_BOUNDCLASS_CONTROL)
        return Kind::Invisible;
    const bool is_letter_mark_or_number =
        property.category >= UTF8PROC_CATEGORY_LU && property.category <= UTF8PROC_CATEGORY_NO;
    // These are signs that enclose the digits after them, as Arabic ؀ does.
    const bool is_prefix = property.boundclass == UTF8PROC_BOUNDCLASS_PREPEND;
    if (!is_letter_mark_or_number && !is_prefix) return Kind::Symbol;
    return is_ideograph(c) ? Kind::Ideograph : Kind::Letter;
}

bool is_digit(char32_t c) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ND;
}

/// Reads one cluster after the other; `word_` is the word that may still grow.
class WordSplitter {
  public:
    explicit WordSplitter(std::string_view text) : text_(text) {}

    std::vector<std::string> split() {
        for (std::size_t offset = 0; offset < text_.size();) offset = take(offset);
        finish_word();
        return std::move(words_);
    }

  private:
    /// Returns where the next cluster starts.
    std::size_t take(std::size_t offset) {
        const CodePoint first = decode_code_point(text_, offset);
        const Kind kind = character_kind(first.value);
        const std::size_t after_first = offset + first.size_bytes;
        // A mark after a space is kept though it forms a cluster with the space.
        if (kind == Kind::Separator) finish_word();
        if (kind == Kind::Separator || kind == Kind::Invisible) return after_first;

        const std::size_t end = grapheme_end(text_, offset);
        const std::string_view cluster = text_.substr(offset, end - offset);
        const bool is_single = end == after_first;
        if (kind == Kind::Letter || (is_single && joins(kind, end))) {
            word_ += cluster;
            last_letter_ = first.value;
        } else {
            finish_word();
            words_.emplace_back(cluster);
        }
        return end;
    }

    /// True if a joiner that ends at `end` is inside a word.
    bool joins(Kind kind, std::size_t end) const {
        if (word_.empty() || end >= text_.size()) return false;
        const char32_t next = decode_code_point(text_, end).value;
        if (kind == Kind::WordJoiner) return character_kind(next) == Kind::Letter;
        return kind == Kind::NumberJoiner && is_digit(last_letter_) && is_digit(next);
    }

    void finish_word() {
        if (!word_.empty()) words_.push_back(std::move(word_));
        word_.clear();
    }

    std::string_view text_;
    std::vector<std::string> words_;
    std::string word_;
    char32_t last_letter_ = 0;
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
    check_utf8(text);
    return WordSplitter(text).split();
}

std::string with_plain_separators(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint next = decode_code_point(text, offset);
        const std::string_view bytes = text.substr(offset, next.size_bytes);
        offset += next.size_bytes;
        if (bytes == "\r" && text.substr(offset).starts_with('\n')) continue;
        const char32_t c = next.value;
        if ((c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029)
            plain += '\n';
        else if (is_control(c) && c != '\t')
            plain += ' ';
        else
            plain += bytes;
    }
    return plain;
}

std::string on_one_line(std::string_view text) {
    std::string plain = with_plain_separators(text);
    const std::size_t first = plain.find_first_not_of('\n');
    if (first == std::string::npos) return {};
    plain = plain.substr(first, plain.find_last_not_of('\n') - first + 1);
    std::ranges::replace_if(
        plain, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return plain;
}

std::string join_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool ends_something =
            word.size() == 1 && std::string_view(".,;:!?)").find(word[0]) != std::string_view::npos;
        const bool goes_on = text.ends_with("'") || text.ends_with("’");
        if (!text.empty() && !ends_something && !goes_on) text += ' ';
        text += word;
    }
    return text;
}

std::vector<std::vector<std::string>> split_sentences(std::string_view text) {
    std::vector<std::vector<std::string>> sentences;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::vector<std::string> words = split_words(text.substr(begin, end - begin));
        if (!words.empty()) sentences.push_back(std::move(words));
        begin = end + 1;
    }
    return sentences;
}

bool is_ideograph_word(std::string_view word) {
    return !word.empty() && is_ideograph(decode_code_point(word, 0).value);
}

bool is_special_token(std::string_view word) {
    if (word.size() < 3) return false;
    const char first = word.front(), last = word.back();
    return (first == '<' && last == '>') || (first == '[' && last == ']');
}

void check_word_count(std::size_t n_words, const char* noun) {
    if (n_words > kMaxWords)
        throw Error("text", "{} {}, at most {} fit; shorten the text", n_words, noun, kMaxWords);
}

namespace {

constexpr std::size_t kShortest = 3;

/// Returns the word in lower case, between marks of its two ends; empty unless it consists of three
/// letters or more.
std::u32string decode_letters(std::string_view word) {
    if (find_invalid_utf8(word)) return {};
    const std::string lower = lower_case(word);
    std::u32string letters = U"<";
    for (std::size_t at = 0; at < lower.size();) {
        const CodePoint point = decode_code_point(lower, at);
        const utf8proc_category_t category =
            utf8proc_category(static_cast<utf8proc_int32_t>(point.value));
        if (category < UTF8PROC_CATEGORY_LU || category > UTF8PROC_CATEGORY_MC) return {};
        letters += point.value;
        at += point.size_bytes;
    }
    return letters.size() > kShortest ? letters + U">" : U"";
}

std::map<std::u32string, int> count_pieces(const std::u32string& letters) {
    std::map<std::u32string, int> pieces;
    for (const std::size_t length : {2u, 3u})
        for (std::size_t i = 0; i + length <= letters.size(); ++i)
            ++pieces[letters.substr(i, length)];
    return pieces;
}

double dot(const std::map<std::u32string, int>& a, const std::map<std::u32string, int>& b) {
    double sum = 0;
    for (const auto& [piece, n] : a)
        if (const auto other = b.find(piece); other != b.end()) sum += n * other->second;
    return sum;
}

}  // namespace

SimilarWords::SimilarWords(const std::vector<std::string>& words) {
    for (std::size_t place = 0; place < words.size(); ++place)
        if (const std::u32string letters = decode_letters(words[place]); !letters.empty())
            by_first_[letters[1]].push_back({place, count_pieces(letters)});
}

std::optional<std::size_t> SimilarWords::find(std::string_view word) const {
    const std::u32string letters = decode_letters(word);
    const auto entries = letters.empty() ? by_first_.end() : by_first_.find(letters[1]);
    if (entries == by_first_.end()) return std::nullopt;
    const Pieces pieces = count_pieces(letters);
    const double own = dot(pieces, pieces);
    std::optional<std::size_t> best;
    double most = kLeastSimilarity;
    for (const Entry& entry : entries->second) {
        const double cosine =
            dot(pieces, entry.pieces) / std::sqrt(own * dot(entry.pieces, entry.pieces));
        if (cosine < most || (best && cosine == most)) continue;
        most = cosine;
        best = entry.place;
    }
    return best;
}

}  // namespace headlight
