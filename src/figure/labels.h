// Texts of a figure: fitted into their room, cut where there is none, and the labels of rows and
// columns.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "figure/cell_grid.h"
#include "figure/figure.h"

namespace headlight {

/// Shrinks a text to at least three quarters of its size; one that is wider even then is shortened.
void fit(TextMark& mark, float max_width, const MeasureText& measure);

/// Counts texts that were cut, to report them with the figure as things left out.
class CutTexts {
  public:
    /// `what`: "titles", of which some are not whole.
    explicit CutTexts(const char* what) : what_(what) {}

    /// Shortens the mark if it is wider than its room, and counts it.
    void shorten(TextMark& mark, float max_width, const MeasureText& measure);
    /// Counts a text that was made elsewhere.
    void count(bool is_cut) { ++of_, n_ += is_cut ? 1 : 0; }
    /// Adds the count to the figure, once all texts are drawn.
    void tell(Figure& figure) const { figure.leave_out({what_, n_, of_, true}); }

  private:
    const char* what_;
    Index n_ = 0, of_ = 0;
};

/// The height of a line of text, in multiples of its size.
inline constexpr float kLineHeight = 1.25f;

/// Half the height of lower-case letters and digits, by which text is moved down onto a middle
/// line.
inline constexpr float kMiddleShift = 0.36f;

/// Returns the text, or as many of its first characters as fit into max_width together with "…".
/// May be empty. Characters are not cut in half.
std::string shortened(const TextMark& mark, float max_width, const MeasureText& measure);

/// Shortens a mark in place; a mark without text draws nothing.
void shorten(TextMark& mark, float max_width, const MeasureText& measure);

/// Returns the width of the widest label. Measured bold, so that nothing moves when one is
/// selected; of very many labels, a sample is enough because the longer ones are shortened anyway.
float widest_label(const std::vector<std::string>& labels, float size, const MeasureText& measure);

/// Breaks words into as many lines as they need; a word that is wider than a line has one for
/// itself.
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

/// Returns the labels that are shown, ascending: the important ones, then every k-th of the others.
std::vector<Index> chosen_labels(const LabelRow& row);

/// Places on a line that are taken by texts.
class TakenSpans {
  public:
    /// Takes [from, to] and returns true if that is free.
    bool take(float from, float to);

  private:
    std::vector<std::pair<float, float>> spans_;  // sorted, disjoint
};

}  // namespace headlight
