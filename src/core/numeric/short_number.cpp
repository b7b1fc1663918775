#include "core/numeric/short_number.h"

#include <charconv>

namespace headlight {

double decimal(float x) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, x).ptr;
    double value = static_cast<double>(x);
    std::from_chars(text, end, value);
    return value;
}

}  // namespace headlight
