// TextZoom: the size of text and of everything else, which the user can choose.
#pragma once

#include <algorithm>

namespace headlight {

class TextZoom {
  public:
    explicit TextZoom(float most = kMost) : most_(most) {}

    float value() const { return value_; }
    void set(float value) { value_ = std::clamp(value, kLeast, most_); }
    void enlarge() { set(value_ * kStep); }
    void shrink() { set(value_ / kStep); }

  private:
    static constexpr float kLeast = 0.75f, kMost = 3, kStep = 1.125f;

    float most_, value_ = 1;
};

}  // namespace headlight
