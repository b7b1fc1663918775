#include "scene/pointed.h"

namespace headlight {

Pointed point_at_item(Index item, int list) {
    Pointed pointed;
    pointed.focus.query = item;
    pointed.focus.query_list = list;
    return pointed;
}

Pointed point_at(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    return {cell_focus(trace, tensor, row, column), PointedCell{tensor.path(), row, column}};
}

}  // namespace headlight
