// Random: a stream of random choices that is the same on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "core/matrix.h"

namespace headlight {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// 0 … count − 1, all alike. Without a bias: what would give one is drawn again.
    Index below(Index count) {
        const auto n = static_cast<std::uint64_t>(count);
        const std::uint64_t end = engine_.max() - engine_.max() % n;
        std::uint64_t drawn = engine_();
        while (drawn >= end) drawn = engine_();
        return static_cast<Index>(drawn % n);
    }
    double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // in [0, 1)
    bool chance(double probability) { return share() < probability; }

    template <typename Items>
    const auto& one_of(const Items& items) {
        return items[static_cast<std::size_t>(below(std::ssize(items)))];
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace headlight
