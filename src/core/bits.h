// Arithmetic on 64 bits that several rooms need: mixing and summing, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

/// The finaliser of SplitMix64; of x, x + kSplitMixStep, … its sequence. [Steele, Lea & Flood 2014]
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += kSplitMixStep;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// FNV-1a, a checksum. It does not protect against deliberate collisions.
class Fnv1a {
  public:
    constexpr void add(std::uint64_t number) { sum_ = (sum_ ^ number) * 0x100000001b3; }
    constexpr void add_bytes(std::string_view bytes) {
        for (const char c : bytes) add(static_cast<unsigned char>(c));
    }
    constexpr std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 0xcbf29ce484222325;
};

constexpr std::uint64_t fnv1a(std::string_view bytes) {
    Fnv1a sum;
    sum.add_bytes(bytes);
    return sum.value();
}

}  // namespace headlight
