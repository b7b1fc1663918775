// Random: a stream of random choices that is the same on every machine.
#pragma once

#include <cstdint>
#include <locale>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <string>

#include "core/matrix.h"

namespace headlight {

/// Every task draws its held-out examples from this seed.
inline constexpr std::uint64_t kHeldOutSeed = 0xbeef;

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// Returns 0 … count − 1, all alike. It has no bias: a number that would give one is drawn
    /// again.
    Index below(Index count) {
        const auto n = static_cast<std::uint64_t>(count);
        const std::uint64_t end = engine_.max() - engine_.max() % n;
        std::uint64_t drawn = engine_();
        while (drawn >= end) drawn = engine_();
        return static_cast<Index>(drawn % n);
    }
    double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // in [0, 1)
    bool chance(double probability) { return share() < probability; }

    /// Returns the position of the stream; at() makes a stream that goes on there, or nothing if
    /// the text names no position.
    std::string place() const {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << engine_;
        return text.str();
    }
    static std::optional<Random> at(const std::string& place) {
        std::istringstream text(place);
        text.imbue(std::locale::classic());
        Random random(0);
        text >> random.engine_;
        if (!text) return std::nullopt;
        return random;
    }

    template <typename Items>
    const auto& one_of(const Items& items) {
        return items[static_cast<std::size_t>(below(std::ssize(items)))];
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace headlight
