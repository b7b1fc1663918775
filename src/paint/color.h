// Arithmetic on colours: hex text, mixing in a perceptual space, contrast.
#pragma once

#include <string>

#include "paint/figure.h"

namespace headlight {

/// OKLab (Ottosson 2020): L is perceived lightness in [0,1]; equal distances look equally far.
struct OkLab {
    double L = 0, a = 0, b = 0;
};

OkLab oklab_from(Color color);
/// Colours outside sRGB are clamped channel by channel.
Color color_from(const OkLab& lab);

/// "#0072b2" or "#0072b280". Throws Error on anything else.
Color parse_color(const std::string& hex);

/// The way from one colour to another: t = 0 is `from`, t = 1 is `to`; straight in OKLab, so that
/// the steps look even.
class Mixture {
  public:
    Mixture(Color from, Color to)
        : from_(from), to_(to), start_(oklab_from(from)), end_(oklab_from(to)) {}
    Color at(double t) const;

  private:
    Color from_, to_;
    OkLab start_, end_;
};
Color mixed(Color from, Color to, double t);

/// The colour with its opacity multiplied by `opacity` in [0,1].
Color faded(Color color, double opacity);

/// WCAG 2 relative luminance and contrast ratio (1 … 21). Opacity is ignored.
double luminance(Color color);
double contrast(Color a, Color b);

}  // namespace headlight
