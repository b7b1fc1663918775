#include "core/numeric/short_number.h"

#include <string>

#include "core/numeric/read_digits.h"

namespace headlight {

double decimal(float x) {
    const std::string text = fewest_digits(x);
    double value = static_cast<double>(x);
    read_digits(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace headlight
