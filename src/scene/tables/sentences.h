// Whether a study's text has several sentences.
#pragma once

#include "model/document.h"

namespace headlight {

/// True of a text of several sentences, which are computed together. A model reads one text.
bool has_several_sentences(const Document& document);

}  // namespace headlight
