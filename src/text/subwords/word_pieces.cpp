#include <algorithm>
#include <utility>

#include "text/subwords/piece_model.h"
#include "text/utf8.h"

namespace headlight {

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
