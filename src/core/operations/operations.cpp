#include "core/operations/operations.h"

#include "core/operations/analysis_operations.h"
#include "core/operations/graph_operations.h"
#include "core/operations/mask_operations.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/recurrent_operations.h"
#include "core/operations/score_operations.h"

namespace headlight::operations {

std::span<const Operation* const> all() {
    static const std::vector<const Operation*> table = [] {
        std::vector<const Operation*> joined;
        for (const auto family :
             {leaf_operations(), dense_operations(), activation_operations(), edge_operations(),
              graph_operations(), mask_operations(), position_operations(), block_operations(),
              score_operations(), normalizer_operations(), recurrent_operations(),
              image_operations(), analysis_operations(), table_operations()})
            joined.insert(joined.end(), family.begin(), family.end());
        return joined;
    }();
    return table;
}

}  // namespace headlight::operations
