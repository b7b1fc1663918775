// A piece of a vocabulary as a person reads it.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// How a vocabulary spells its pieces: as text, with the letters of bytes (Ġ), or with marks (▁,
/// <0x0A>).
enum class PieceSpelling { Text, ByteLetters, Marks };

/// Blanks at its ends as ␣, a line end as ⏎, bytes that are no whole character or that control
/// something as ⟨E2 96⟩. UTF-8.
std::string shown_piece(std::string_view piece, PieceSpelling spelling);

}  // namespace headlight
