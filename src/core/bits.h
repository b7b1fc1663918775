// Hashes and checksums of 64 bits, the same on every machine.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace headlight {

inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

/// SplitMix64: mix_bits(x), mix_bits(x + kSplitMixStep), … is its sequence of random numbers.
///                                                                    [Steele, Lea & Flood 2014]
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += kSplitMixStep;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// The checksum FNV-1a. It does not protect against deliberate collisions.
class Fnv1a {
  public:
    constexpr void add(std::uint64_t number) { sum_ = (sum_ ^ number) * 0x100000001b3; }
    constexpr void add_bytes(std::string_view bytes) {
        for (const char c : bytes) add(static_cast<unsigned char>(c));
    }
    /// Adds eight bytes at a time, which is faster, and gives another sum.
    void add_words(std::string_view bytes) {
        for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data(), sizeof(word));
            add(word);
            sum_ ^= sum_ >> 29;  // else the last bits of two words could cancel each other
        }
        add_bytes(bytes);
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
