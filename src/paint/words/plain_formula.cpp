#include "paint/words/plain_formula.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace headlight {
namespace {

bool is_one_word(std::string_view text) {
    return std::ranges::all_of(
        text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

}  // namespace

std::string plain_formula(const std::string& formula) {
    std::string plain;
    std::size_t at = 0;
    while (at < formula.size()) {
        const std::size_t open = formula.find('{', at);
        const std::size_t close = formula.find('}', open);
        if (close == std::string::npos) break;
        const std::string script = formula.substr(open + 1, close - open - 1);
        plain += formula.substr(at, open - at);
        plain += is_one_word(script) ? script : "(" + script + ")";
        at = close + 1;
    }
    return plain + formula.substr(at);
}

}  // namespace headlight
