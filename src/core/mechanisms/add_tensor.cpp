#include "core/mechanisms/add_tensor.h"

#include <fmt/format.h>
#include <utility>

#include "core/numeric/generator.h"
#include "core/numeric/short_number.h"
#include "core/operations/operations.h"

namespace headlight {

TensorId add_leaf(Plan& plan, TensorName name, std::string equation, const Operation& operation,
                  OperationSettings settings) {
    const PlannedTensor* there = plan.find(name.named.path);
    if (there && there->rows == name.rows && there->columns == name.columns)
        return plan.id_at(name.named.path);
    return add_result(plan, std::move(name), std::move(equation), operation, {},
                      std::move(settings));
}

namespace {

TensorId add_drawn(Plan& plan, TensorName name, std::uint64_t seed, Scalar limit) {
    std::string equation = shape_text(name.rows.size, name.columns.size), key = name.named.path;
    return add_leaf(plan, std::move(name), std::move(equation), operations::seeded_weight,
                    {.scale = limit, .seed = seed, .key = std::move(key)});
}

}  // namespace

TensorId add_weight(Plan& plan, TensorName name, std::uint64_t seed) {
    const Scalar limit = unit_sum_limit(name.rows.size);
    return add_drawn(plan, std::move(name), seed, limit);
}

TensorId add_table(Plan& plan, TensorName name, std::uint64_t seed) {
    return add_drawn(plan, std::move(name), seed, unit_sum_limit(1));
}

TensorId add_constant(Plan& plan, TensorName name, const Operation& operation) {
    std::string equation = shape_text(name.rows.size, name.columns.size);
    return add_leaf(plan, std::move(name), std::move(equation), operation);
}

TensorId add_parameter(Plan& plan, TensorName name, std::string equation, Matrix values) {
    return add_leaf(plan, std::move(name), std::move(equation), operations::starting_values,
                    {.values = std::make_shared<const Matrix>(std::move(values))});
}

TensorId add_listed(Plan& plan, TensorName name, std::string equation, Matrix values) {
    return add_leaf(plan, std::move(name), std::move(equation), operations::listed,
                    {.values = std::make_shared<const Matrix>(std::move(values))});
}

TensorId add_result(Plan& plan, TensorName name, std::string equation, const Operation& operation,
                    std::vector<TensorId> inputs, OperationSettings settings) {
    return plan.add({.path = std::move(name.named.path),
                     .identity = name.named.identity,
                     .symbol = std::move(name.symbol),
                     .equation = std::move(equation),
                     .rows = name.rows,
                     .columns = name.columns,
                     .quantity = name.quantity,
                     .stage = name.stage,
                     .keep = name.keep,
                     .operation = &operation,
                     .settings = std::move(settings),
                     .inputs = std::move(inputs)});
}

TensorId add_product(Plan& plan, TensorName name, std::string equation, TensorId a, TensorId b) {
    return add_result(plan, std::move(name), std::move(equation), operations::multiply, {a, b});
}

TensorId add_capped(Plan& plan, TensorName name, TensorId x, float cap) {
    const auto c = static_cast<Scalar>(cap);
    const std::string shown = short_number(c);
    std::string equation = fmt::format("{} tanh({} / {})", shown, plan[x].symbol, shown);
    return add_result(plan, std::move(name), std::move(equation), operations::soft_cap, {x},
                      {.scale = c});
}

}  // namespace headlight
