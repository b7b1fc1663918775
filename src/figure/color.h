// Arithmetic on colours: hex text, mixing in a perceptual space, contrast; and the colour maps that
// a user can choose by name, besides the colours of heads and themes.
//
// Goals: equal steps of a map look even, for people with any kind of colour vision: lightness runs
// one way along a sequential map, and the ends of a diverging one differ in blue against yellow.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figure/figure.h"

namespace headlight {

/// Returns the light of a colour's number, both 0 … 1 [IEC 61966-2-1, sRGB].
double linear_light(double s);

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

struct ColorMap {
    std::string name;
    std::vector<Color> anchors;  // from the smallest value to the largest
    /// The spacing of colours. Lightness: in even steps of lightness. Anchors: these are evenly
    /// spaced, as published.
    enum class Steps { Lightness, Anchors } steps = Steps::Lightness;
};

/// Return the maps for values that are never negative, and for signed ones, whose anchors have a
/// middle. Published are Viridis and Magma (van der Walt & Smith 2015), Cividis (Nuñez, Anderton &
/// Renslow 2018), and Blues, Greys and RdBu (Brewer 2002): the colours differ by at most two of 255
/// from the published ones.
std::span<const ColorMap> sequential_maps();
std::span<const ColorMap> diverging_maps();

/// Returns the map of that name; null if there is none.
const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name);

/// Return 256 colours along the anchors, by the steps of the map. In a diverging map with steps of
/// lightness, each half is spaced by itself, and its middle stays in the middle.
std::vector<Color> sequential_colors(const ColorMap& map);
std::vector<Color> diverging_colors(const ColorMap& map);

/// The message of a map's colours: the order of the values, or size and sign. is_safe() simulates
/// if readers with any kind of colour vision see it.
enum class MapKind { Sequential, Diverging };
bool is_safe(const ColorMap& map, MapKind kind);

}  // namespace headlight
