#include "text/subwords/decoder.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "text/subwords/byte_letters.h"
#include "text/utf8.h"

namespace headlight {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    if (from.empty()) return;
    std::string replaced;
    std::size_t at = 0;
    for (std::size_t found = text.find(from); found != std::string::npos;
         found = text.find(from, at)) {
        replaced.append(text, at, found - at).append(to);
        at = found + from.size();
    }
    text = replaced.append(text, at);
}

/// Replaces spaces as Hugging Face's tokenizers do, in this order.
void clean_up_spaces(std::string& text) {
    constexpr std::pair<std::string_view, std::string_view> kChanges[] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},     {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},   {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
    };
    for (const auto& [from, to] : kChanges) replace_all(text, from, to);
}

std::vector<std::string> without_fallback(const std::vector<std::string>& pieces) {
    std::vector<std::string> kept;
    std::string bytes;
    const auto finish = [&] {
        if (!bytes.empty() && !find_invalid_utf8(bytes))
            kept.push_back(bytes);
        else
            kept.insert(kept.end(), bytes.size(), encode_code_point(kReplacementCharacter));
        bytes.clear();
    };
    for (const std::string& piece : pieces) {
        if (const auto byte = find_fallback_byte(piece)) {
            bytes += static_cast<char>(*byte);
            continue;
        }
        finish();
        kept.push_back(piece);
    }
    finish();
    return kept;
}

struct Decode {
    std::vector<std::string> pieces;

    std::vector<std::string> operator()(const ByteLevelDecoding&) {
        std::string bytes;
        for (const std::string& piece : pieces) bytes += find_bytes(piece).value_or(piece);
        return {repair_utf8(bytes)};
    }
    std::vector<std::string> operator()(const WordPieceDecoding& step) {
        for (std::string& piece : pieces) {
            if (&piece != &pieces.front()) {
                if (piece.starts_with(step.prefix))
                    piece.erase(0, step.prefix.size());
                else
                    piece.insert(0, " ");
            }
            if (step.cleans_up_spaces) clean_up_spaces(piece);
        }
        return std::move(pieces);
    }
    std::vector<std::string> operator()(const MetaspaceDecoding& step) {
        const std::string mark = encode_code_point(step.mark);
        for (std::string& piece : pieces) {
            const bool drops = step.drops_first && &piece == &pieces.front();
            replace_all(piece, mark, drops ? "" : " ");
        }
        return std::move(pieces);
    }
    std::vector<std::string> operator()(const ReplaceDecoding& step) {
        for (std::string& piece : pieces) {
            std::string text;
            for (const TextPart& part : step.pattern.parts_in(piece))
                text +=
                    part.is_match ? step.content : piece.substr(part.begin, part.end - part.begin);
            piece = std::move(text);
        }
        return std::move(pieces);
    }
    std::vector<std::string> operator()(const JoinDecoding&) {
        std::string all;
        for (const std::string& piece : pieces) all += piece;
        return {all};
    }
    std::vector<std::string> operator()(const StripDecoding& step) {
        for (std::string& piece : pieces) {
            const std::u32string characters = code_points_in(piece);
            std::size_t begin = 0, end = characters.size();
            while (begin < std::min(step.n_begin, end) && characters[begin] == step.character)
                ++begin;
            const std::size_t least = std::max(begin, end - std::min(end, step.n_end));
            while (end > least && characters[end - 1] == step.character) --end;
            piece.clear();
            for (std::size_t k = begin; k < end; ++k) piece += encode_code_point(characters[k]);
        }
        return std::move(pieces);
    }
    std::vector<std::string> operator()(const ByteFallbackDecoding&) {
        return without_fallback(pieces);
    }
    std::vector<std::string> operator()(const SuffixDecoding& step) {
        for (std::string& piece : pieces)
            replace_all(piece, step.suffix, &piece == &pieces.back() ? "" : " ");
        return std::move(pieces);
    }
};

}  // namespace

std::optional<unsigned char> find_fallback_byte(std::string_view piece) {
    constexpr std::size_t kSize = 6;
    if (piece.size() != kSize || !piece.starts_with("<0x") || !piece.ends_with('>'))
        return std::nullopt;
    unsigned byte = 0;
    const char* const end = piece.data() + kSize - 1;
    const auto [rest, error] = std::from_chars(piece.data() + 3, end, byte, 16);
    if (error != std::errc() || rest != end) return std::nullopt;
    return static_cast<unsigned char>(byte);
}

std::vector<std::string> decode_pieces(std::vector<std::string> pieces,
                                       const PieceDecoder& decoder) {
    return std::visit(Decode{std::move(pieces)}, decoder);
}

}  // namespace headlight
