// Levels: the kernels that this processor can run.
#pragma once

#include <string_view>
#include <vector>

#include "core/kernels/kernels.h"

namespace headlight {

/// The kernels for one set of vector instructions: "baseline" (any processor), "avx2" or "avx512".
struct KernelLevel {
    const char* name;
    const Kernels* kernels;
};

/// Returns the levels that the processor and the operating system support, the fastest last.
std::vector<KernelLevel> kernel_levels();

/// Throws Error if kernel_levels() has no level of that name.
KernelLevel level_named(std::string_view name);

/// Returns the fastest level, or the one named by the environment variable HEADLIGHT_KERNELS.
const KernelLevel& chosen_level();

inline const Kernels& kernels() {
    return *chosen_level().kernels;
}

}  // namespace headlight
