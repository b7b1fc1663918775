#include "core/operation.h"

namespace headlight {
namespace {

template <typename T>
bool equal_content(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return a == b || (a && b && *a == *b);
}

}  // namespace

bool OperationSettings::operator==(const OperationSettings& other) const {
    return scale == other.scale && begin == other.begin && seed == other.seed && key == other.key &&
           equal_content(names, other.names) && equal_content(edges, other.edges);
}

}  // namespace headlight
