#include "core/operation.h"

namespace headlight {
namespace {

template <typename T>
bool equal_content(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return a == b || (a && b && *a == *b);
}

bool equal_content(const MatrixPtr& a, const MatrixPtr& b) {
    return a == b || (a && b && a->rows() == b->rows() && a->cols() == b->cols() && *a == *b);
}

}  // namespace

bool StoredMatrix::operator==(const StoredMatrix& other) const {
    return otherwise == other.otherwise && origin == other.origin &&
           equal_content(values, other.values);
}

bool OperationSettings::operator==(const OperationSettings& other) const {
    return equals_but_lists(other) && equal_content(names, other.names) &&
           equal_content(indices, other.indices) && equal_content(values, other.values);
}

bool OperationSettings::equals_but_lists(const OperationSettings& other) const {
    return scale == other.scale && begin == other.begin && count == other.count &&
           step == other.step && group_rows == other.group_rows && epsilon == other.epsilon &&
           seed == other.seed && key == other.key && equal_content(angles, other.angles) &&
           equal_content(edges, other.edges) && source == other.source &&
           equal_content(stored, other.stored);
}

}  // namespace headlight
