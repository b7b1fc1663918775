// Moments in files of what was counted so far.
#pragma once

#include <cstdint>
#include <string>

#include "core/analyses/head_metrics.h"
#include "io/text/json_view.h"

namespace headlight {

inline constexpr std::int64_t kMostCounted = std::int64_t(1) << 50;

/// Their numbers are texts, since numbers in JSON are read as Scalars.
std::string moments_json(const Moments& moments);
/// Throws Error, naming the place, unless moments_json made it.
Moments moments_in(const JsonView& view);
std::uint64_t checksum_in(const JsonView& view);

}  // namespace headlight
