// Labels that never overlap: shortening one text, choosing which of many to show.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "paint/cell_grid.h"

namespace headlight {

/// The height of a line of text, in multiples of its size.
inline constexpr float kLineHeight = 1.25f;

/// Half the height of lower-case letters and digits: what moves text down onto a middle line.
inline constexpr float kMiddleShift = 0.36f;

/// The text, or as many of its first characters as fit into max_width together with "…". May be
/// empty. Characters are not cut in half.
std::string shortened(const TextMark& mark, float max_width, const MeasureText& measure);

/// The same for a mark, in place; a mark without text draws nothing.
void shorten(TextMark& mark, float max_width, const MeasureText& measure);

/// Words on as many lines as they need; a word that is wider than a line has one for itself.
std::vector<std::string> wrapped_lines(const TextMark& text, float width,
                                       const MeasureText& measure);

/// `count` labels `pitch` apart along a line; two that are shown stay min_distance apart.
struct LabelRow {
    Index count = 0;
    float pitch = 0;
    float min_distance = 0;
    std::vector<Index> important;  // shown first, the earlier ones if not all fit
    IndexRange seen = {0, std::numeric_limits<Index>::max()};  // no others are shown
};

/// Which labels are shown, ascending: the important ones, then every k-th of the others.
std::vector<Index> chosen_labels(const LabelRow& row);

/// Places on a line that are taken by texts.
class TakenSpans {
  public:
    /// True, and takes [from, to], if that is free.
    bool take(float from, float to);

  private:
    std::vector<std::pair<float, float>> spans_;  // sorted, disjoint
};

}  // namespace headlight
