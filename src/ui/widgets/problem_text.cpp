#include "ui/widgets/problem_text.h"

#include <algorithm>

namespace headlight {

std::string text_for_user(const Error& error) {
    if (error.place().name.find_first_of("./ ") != std::string::npos) return error.what();
    std::string text = error.without_name();
    const std::size_t word =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    const bool is_word = word == text.size() || text[word] == ' ' || text[word] == ',';
    if (is_word && word > 0) text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

}  // namespace headlight
