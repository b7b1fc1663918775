#include "text/counted.h"

namespace headlight {

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
    std::string text = std::to_string(n) + " ";
    text += n == 1 || many.empty() ? one : many;
    if (n != 1 && many.empty()) text += 's';
    return text;
}

}  // namespace headlight
