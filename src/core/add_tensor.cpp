#include "core/add_tensor.h"

#include "core/generator.h"
#include "core/operations.h"

namespace headlight {

TensorId add_weight(Trace& trace, TensorName name, std::uint64_t seed) {
    return trace.add({.path = name.path,
                      .symbol = std::move(name.symbol),
                      .equation = shape_text(name.rows.size, name.columns.size),
                      .rows = name.rows,
                      .columns = name.columns,
                      .stage = name.stage,
                      .operation = &operations::seeded_weight,
                      .settings = {.scale = glorot_limit(name.rows.size, name.columns.size),
                                   .seed = seed,
                                   .key = name.path}});
}

TensorId add_product(Trace& trace, TensorName name, std::string equation, TensorId a, TensorId b) {
    return trace.add({.path = std::move(name.path),
                      .symbol = std::move(name.symbol),
                      .equation = std::move(equation),
                      .rows = name.rows,
                      .columns = name.columns,
                      .stage = name.stage,
                      .operation = &operations::multiply,
                      .inputs = {a, b}});
}

}  // namespace headlight
