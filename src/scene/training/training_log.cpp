#include "scene/training/training_log.h"

#include <cstdio>

namespace headlight {
namespace {

template <typename Points>
std::string log_of(const Points& points) {
    std::string text = "step,loss,accuracy\n";
    for (const auto& point : points) {
        char line[96];
        std::snprintf(line, sizeof line, "%ld,%.6g,%.6g\n", point.step, point.loss, point.accuracy);
        text += line;
    }
    return text;
}

}  // namespace

std::string batches_log(std::span<const CurvePoint> curve) {
    return log_of(curve);
}

std::string tests_log(std::span<const HeldOutPoint> tests) {
    return log_of(tests);
}

}  // namespace headlight
