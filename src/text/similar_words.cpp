#include "text/similar_words.h"

#include <algorithm>
#include <cmath>
#include <utf8proc.h>

#include "text/utf8.h"

namespace headlight {
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
