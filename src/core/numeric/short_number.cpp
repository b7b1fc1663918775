#include "core/numeric/short_number.h"

#include <charconv>

#include "core/numeric/read_digits.h"

namespace headlight {

double decimal(float x) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, x).ptr;
    double value = static_cast<double>(x);
    read_digits(text, end, value);
    return value;
}

}  // namespace headlight
