#include "text/subwords/shown_piece.h"

#include "text/shown_tokens.h"
#include "text/subwords/byte_letters.h"
#include "text/subwords/decoder.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kPieceMark = "▁";

/// True of what has no letter and no mark of its own.
bool is_control(std::string_view character) {
    if (character.size() != 1) return false;
    const auto byte = static_cast<unsigned char>(character.front());
    return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F;
}

/// Text, with ⟨E2 96⟩ for bytes that are no UTF-8 or that control something.
std::string with_bytes_named(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text, named;
    const auto finish = [&] {
        if (!named.empty()) text += "⟨" + named + "⟩";
        named.clear();
    };
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint point = decode_code_point(bytes, at);
        const std::string_view part = bytes.substr(at, point.size_bytes);
        at += point.size_bytes;
        if (point.is_valid && !is_control(part)) {
            finish();
            text += part;
            continue;
        }
        for (const char byte : part) {
            const auto value = static_cast<unsigned char>(byte);
            named += named.empty() ? "" : " ";
            named += kDigits[value >> 4];
            named += kDigits[value & 15];
        }
    }
    finish();
    return text;
}

std::string without_marks(std::string_view piece) {
    if (const auto byte = find_fallback_byte(piece))
        return std::string(1, static_cast<char>(*byte));
    std::string text;
    while (!piece.empty()) {
        const bool is_mark = piece.starts_with(kPieceMark);
        const std::size_t size = is_mark ? kPieceMark.size() : 1;
        text += is_mark ? " " : piece.substr(0, size);
        piece.remove_prefix(size);
    }
    return text;
}

}  // namespace

std::string shown_piece(std::string_view piece, PieceSpelling spelling) {
    std::string bytes(piece);
    if (spelling == PieceSpelling::ByteLetters) bytes = find_bytes(piece).value_or(bytes);
    if (spelling == PieceSpelling::Marks) bytes = without_marks(piece);
    return shown_name(with_bytes_named(bytes));
}

}  // namespace headlight
