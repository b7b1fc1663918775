#include "core/kernels/levels.h"

#include <cstdlib>
#include <string>

#include "core/error.h"

namespace headlight {

namespace baseline {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}

std::vector<KernelLevel> kernel_levels() {
    std::vector<KernelLevel> levels = {{"baseline", &baseline::kernels}};
#if defined(__x86_64__) && !defined(HEADLIGHT_DOUBLE)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        levels.push_back({"avx2", &avx2::kernels});
    if (levels.size() == 2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        levels.push_back({"avx512", &avx512::kernels});
#endif
    return levels;
}

KernelLevel level_named(std::string_view name) {
    std::string names;
    for (const KernelLevel& level : kernel_levels()) {
        if (level.name == name) return level;
        names += std::string(names.empty() ? "" : ", ") + level.name;
    }
    throw Error("kernels",
                "'{}' is not a level of vector instructions that this machine has; "
                "HEADLIGHT_KERNELS may be {}",
                name, names);
}

const KernelLevel& chosen_level() {
    static const KernelLevel level = [] {
        const char* wanted = std::getenv("HEADLIGHT_KERNELS");
        return wanted ? level_named(wanted) : kernel_levels().back();
    }();
    return level;
}

}  // namespace headlight
