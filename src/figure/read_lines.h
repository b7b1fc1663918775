// The weights of some heads as lines between words: the choice of drawn lines, their style and
// order; and a large pattern of edges as a small matrix.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "figure/figure.h"

namespace headlight {

/// Node i looks at its neighbour j with weight alpha.
struct WeightedEdge {
    int i = 0, j = 0;
    Scalar alpha = 0;
};

/// The pattern of one head: readers × read.
struct LinesOfHead {
    MatrixPtr pattern;  // null: being computed
    Color color;
    std::string name;            // "head 2"
    bool is_below_zero = false;  // that part of a difference, after the part above 0
    Color dot = color;           // of the head, in a legend and over its numbers
};

/// Words that are pointed at or held.
struct PickedWords {
    std::vector<Index> readers;  // the words that these read stand out
    std::vector<Index> read;     // the words that read these stand out

    bool is_empty() const { return readers.empty() && read.empty(); }
    bool operator==(const PickedWords&) const = default;
};

struct LineChoice {
    float strongest_percent = 100;  // percentage of all lines, by number
    Index most = 2500;              // the most lines drawn at words that are not picked
    Index most_picked = 2500;       // the most lines from and to picked words
    PickedWords picked;

    bool operator==(const LineChoice&) const = default;
};

enum class LineRole { Background, Incoming, Outgoing };  // drawn in this order

struct ReadLine {
    Index reader = 0, read = 0;
    float weight = 0;
    std::size_t head = 0;  // the number of the head among the given ones
    LineRole role = LineRole::Background;
};

struct ReadLines {
    std::vector<ReadLine> lines;  // in the order in which they are drawn: the strongest last
    Index n_all = 0;              // weights above 0, of all heads
    bool has_picks = false;
    float low = 0, high = 1;  // the weights of the faintest and of the strongest line there can be
};

/// Returns the strongest lines of all heads together, earlier ones first among equals, and no more
/// than the choice allows. Masked, NaN and zero weights are no lines.
ReadLines choose_lines(std::span<const LinesOfHead> heads, const LineChoice& choice);

struct LineStyle {
    Color color;
    float width = 1;  // points
};

/// Returns the style of a line. Width and opacity follow the weight from `low` to `high`, whatever
/// else is drawn. Lines of picked words are wider than others, and lines from them wider than lines
/// to them.
LineStyle line_style(const ReadLine& line, Color head, const ReadLines& among);

/// Returns the n × n pattern that the edges hold, each cell of the result the largest α it covers
/// (0 where there is no edge). The result has min(n, max_side) rows and columns: n × n is never
/// made. Throws Error if an edge names a node outside 0 … n−1.
Matrix pooled_pattern(std::span<const WeightedEdge> edges, Index n, Index max_side = 128);

}  // namespace headlight
