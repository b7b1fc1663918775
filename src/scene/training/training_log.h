// The curves of a training as tables: CSV, as `headlight train --log` writes it.
#pragma once

#include <span>
#include <string>

#include "scene/training/training_snapshot.h"

namespace headlight {

/// step, loss, accuracy: of the batches since the row before.
std::string batches_log(std::span<const CurvePoint> curve);
/// The same columns: of examples that were never trained.
std::string tests_log(std::span<const HeldOutPoint> tests);

}  // namespace headlight
