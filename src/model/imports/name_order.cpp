#include "model/imports/name_order.h"

#include <algorithm>

namespace headlight {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

NumberedName numbered(std::string_view name) {
    constexpr long kMost = 100'000'000;
    NumberedName key;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_digit(name[i])) {
            key.text += name[i];
            continue;
        }
        if (i == 0 || !is_digit(name[i - 1])) key.text += '#', key.numbers.push_back(0);
        long& number = key.numbers.back();
        number = std::min(kMost, number * 10 + (name[i] - '0'));
    }
    return key;
}

}  // namespace headlight
