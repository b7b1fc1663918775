// How what is held stays with its words while a text is typed.
#pragma once

#include "scene/selection.h"

namespace headlight {

/// A held word, row or cell stays with its words: those before and after what was changed. If the
/// word that the study asks about was held, or nothing was and the text asks for the first time,
/// the cell of the asked word that reads most is held.
void follow_words(Selection& selection, const Trace& before, const Trace& after,
                  const Components& components);

/// In another of several sentences the asked word stays held. What would be padding there is let
/// go; the asked word is held instead, if there is one.
void turn_words(Selection& selection, const Trace& before, const Trace& after,
                const Components& components);

}  // namespace headlight
