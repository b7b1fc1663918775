// Which queries, keys and values a head reads.
#pragma once

#include <optional>

#include "core/plan.h"

namespace headlight {

/// The head's tensor with that role: its own, else that of the group whose keys and values it
/// reads. Nothing if it has none.
std::optional<TensorId> find_head_input(const Plan& plan, const Location& attention, int head,
                                        Role role);

}  // namespace headlight
