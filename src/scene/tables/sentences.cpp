#include "scene/tables/sentences.h"

#include <string>

namespace headlight {

bool has_several_sentences(const Document& document) {
    const SentenceStudy* study = document.sentence();
    const bool is_one_text = document.weights && document.weights->is_model;
    return study && !is_one_text && study->text.find('\n') != std::string::npos;
}

}  // namespace headlight
