// Which kernels run here.
#pragma once

#include <string_view>
#include <vector>

#include "core/kernels/kernels.h"

namespace headlight {

/// Kernels for the vector instructions "baseline" (every x86-64, and all else), "avx2", "avx512".
struct KernelLevel {
    const char* name;
    const Kernels* kernels;
};

/// The levels that this processor and its operating system know, the fastest last.
std::vector<KernelLevel> kernel_levels();

/// Throws Error if it is not one of these.
KernelLevel level_named(std::string_view name);

/// The fastest level, or the one named by the environment variable HEADLIGHT_KERNELS.
const KernelLevel& chosen_level();

inline const Kernels& kernels() {
    return *chosen_level().kernels;
}

}  // namespace headlight
