// Class read-out: which class the rows of a network's output are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// The names, if there are as many as classes; else "0", "1", ….
std::vector<std::string> class_names(int n_classes, std::vector<std::string> names = {});

/// W_C (width × classes), logits = x W_C, with a bias + b_C, and probs. Returns the logits, one row
/// a row of x.
TensorId add_class_readout(Plan& plan, TensorId x, std::vector<std::string> names,
                           std::uint64_t seed, Switch bias = Switch::Off);

}  // namespace headlight
