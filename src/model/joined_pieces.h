// The attention of a study between words, where its tokens are pieces of words.
#pragma once

#include "model/document.h"

namespace headlight {

enum class WithoutPieces { Refused, Allowed };

/// Returns a recording of the study's patterns between words: the sum over a key's pieces, the mean
/// over a query's [Clark et al. 2019, section 4.1], as core/pattern_rows.h has it. Sentences, and
/// texts of a recording, are its texts. The study is evaluated when the first pattern is read;
/// cells that it has set by hand count. Throws Error if the study is no text or has no patterns of
/// heads, or if no token continues another one and that is refused.
Document join_pieces(const Document& document, WithoutPieces without = WithoutPieces::Refused);

/// Takes the patterns of `study.joined`, which is open. Throws Error if the words, or the
/// attentions, are not those of the study.
void reopen_joined(RecordedStudy& study);

}  // namespace headlight
