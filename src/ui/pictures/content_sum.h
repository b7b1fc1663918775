// A checksum that tells whether two frames draw the same. It covers everything that decides what a
// draw command looks like. 64 bits, made for speed, not against deliberate collisions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace headlight {

class ContentSum {
  public:
    void add(std::uint64_t number) {
        sum_ = (std::rotl(sum_, 23) ^ number) * 0x9e3779b97f4a7c15;
        sum_ ^= sum_ >> 29;
    }
    void add(float number) { add(std::uint64_t(std::bit_cast<std::uint32_t>(number))); }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(const void* address) { add(std::uint64_t(reinterpret_cast<std::uintptr_t>(address))); }

    /// Adds objects without padding.
    template <typename Thing>
    void add(std::span<const Thing> things) {
        const auto bytes = std::as_bytes(things);
        std::uint64_t word = 0;
        std::size_t i = 0;
        for (; i + 8 <= bytes.size(); i += 8) {
            std::memcpy(&word, bytes.data() + i, 8);
            add(word);
        }
        word = bytes.size();
        std::memcpy(&word, bytes.data() + i, bytes.size() - i);
        add(word);
    }

    std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 0x2545f4914f6cdd1d;
};

}  // namespace headlight
