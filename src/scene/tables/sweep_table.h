// What a sweep has found, as a table: a row a layer, a column a head, a part or a token.
#pragma once

#include "io/text/table.h"
#include "scene/readout/done_sweep.h"

namespace headlight {

/// A head that a layer has not has no number.
Table sweep_table(const DoneSweep& sweep);

}  // namespace headlight
