// Arithmetic on colours: hex text, mixing in a perceptual space, contrast.
#pragma once

#include <string>
#include <vector>

#include "paint/figure.h"

namespace headlight {

/// OKLab (Ottosson 2020): L is perceived lightness in [0,1]; equal distances look equally far.
struct OkLab {
    double L = 0, a = 0, b = 0;
};

OkLab oklab_from(Color color);
/// Colours outside sRGB are clamped channel by channel.
Color color_from(const OkLab& lab);

/// Parses "#0072b2" or "#0072b280". Throws Error on anything else.
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

/// Returns the colour with its opacity multiplied by `opacity` in [0,1].
Color faded(Color color, double opacity);

/// WCAG 2 relative luminance and contrast ratio (1 … 21). Opacity is ignored.
double luminance(Color color);
double contrast(Color a, Color b);

/// Colour vision without the cones for long, middle or short waves.
enum class ColorVision { NoRed, NoGreen, NoBlue };

/// The colour as such a person sees it: linear RGB times a matrix, clamped.
///     [Machado, Oliveira & Fernandes 2009, table 1, severity 1.0]
Color seen_with(Color color, ColorVision vision);

/// True if, with each kind of colour vision, lightness runs one way from the first of 256 colours
/// to the last: everybody sees the order of the values.
bool is_safe_sequence(const std::vector<Color>& colors);
/// True if, with each kind of colour vision, lightness runs one way from the middle to both ends,
/// and colours as far from the middle on both sides differ: everybody sees size and sign.
bool is_safe_divergence(const std::vector<Color>& colors);

}  // namespace headlight
