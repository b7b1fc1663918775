// Decimal: settings are floats that people write in decimals.
#pragma once

namespace headlight {

/// The double nearest to the shortest decimal that gives this float: 1e-5, not 9.99999975e-06.
double decimal(float x);

}  // namespace headlight
