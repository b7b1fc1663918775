#include "core/mechanisms/class_readout.h"

#include <utility>

#include "core/mechanisms/add_tensor.h"
#include "core/operations/operations.h"

namespace headlight {

std::vector<std::string> class_names(int n_classes, std::vector<std::string> names) {
    if (std::ssize(names) == n_classes) return names;
    names.clear();
    for (int c = 0; c < n_classes; ++c) names.push_back(std::to_string(c));
    return names;
}

TensorId add_class_readout(Plan& plan, TensorId x, std::vector<std::string> names,
                           std::uint64_t seed, Switch bias) {
    const auto n_classes = static_cast<Index>(names.size());
    const Axis classes{AxisKind::Named, n_classes, plan.add_list("class", std::move(names))};
    const Location output{.component = ComponentKind::Output};
    const Axis rows = plan[x].rows;
    const TensorId W = add_weight(plan, {output.at("W_C"), "W_C", plan[x].columns, classes}, seed);
    const std::string product = plan[x].symbol + " W_C";
    TensorName name{output.at(Role::ClassLogits), "logits", rows, classes, Stage::Output};
    TensorId logits = 0;
    if (bias == Switch::On) {
        const TensorId b = add_constant(plan, {output.at("b_C", Role::Bias), "b_C", {}, classes},
                                        operations::zeros);
        logits = add_result(plan, std::move(name), product + " + b_C", operations::multiply_add,
                            {x, W, b});
    } else {
        logits = add_product(plan, std::move(name), product, x, W);
    }
    add_result(plan,
               {output.at(Role::ClassProbabilities), "p", rows, classes, Stage::Output,
                Quantity::Probability},
               "p(class) = softmax(logits)", operations::softmax_rows, {logits});
    return logits;
}

}  // namespace headlight
