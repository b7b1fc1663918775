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
                           std::uint64_t seed) {
    const auto n_classes = static_cast<Index>(names.size());
    const Axis classes{AxisKind::Named, n_classes, plan.add_list("class", std::move(names))};
    const Location output{.component = ComponentKind::Output};
    const Axis rows = plan[x].rows;
    const TensorId W = add_weight(plan, {output.at("W_C"), "W_C", plan[x].columns, classes}, seed);
    const TensorId logits =
        add_product(plan, {output.at(Role::ClassLogits), "logits", rows, classes, Stage::Output},
                    plan[x].symbol + " W_C", x, W);
    add_result(plan,
               {output.at(Role::ClassProbabilities), "p", rows, classes, Stage::Output,
                Quantity::Probability},
               "p(class) = softmax(logits)", operations::softmax_rows, {logits});
    return logits;
}

}  // namespace headlight
