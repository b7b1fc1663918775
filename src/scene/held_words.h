// How what is held stays with its words while a text is typed.
#pragma once

#include "scene/selection.h"

namespace headlight {

/// A held word, row or cell stays with its words: those before and after what was changed. If the
/// word that the study asks about was held, or nothing was and the text asks for the first time,
/// the cell of the asked word that reads most is held.
void follow_words(Selection& selection, const Trace& before, const Trace& after,
                  const Components& components);

}  // namespace headlight
