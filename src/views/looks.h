// The way in which each view is looked at: the choices that belong to no trace.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyses/head_metrics.h"
#include "core/matrix.h"
#include "core/pattern_rows.h"
#include "core/scalar.h"
#include "figure/picture_view.h"
#include "figure/words/arithmetic.h"

namespace headlight {

inline constexpr float kLeastStrongestPercent = 0.1f;

struct WordView {
    enum class Layout { Columns, Line } layout = Layout::Columns;  // of two texts: two lines
    float strongest_percent = 100;
    enum class LeaveOut { Nothing, FirstToken, SpecialTokens } leave_out = LeaveOut::Nothing;
    LeftOutWeight left_out_weight = LeftOutWeight::Missing;
};

struct GraphLook {
    enum class EdgesShown {
        All,
        Strongest,  // `n_strongest` of those that each node reads
        Weight,     // at least `least_weight`
        Chosen,     // edges at the held nodes
    } edges = EdgesShown::All;
    int n_strongest = 3;
    float least_weight = 0.1f;

    enum class NodeColors {
        Classes,  // the prediction, or the given groups where nothing is predicted
        Groups,
        Feature,  // column `column` of the features
        Output,   // column `column` of the part's output
    } nodes = NodeColors::Classes;
    int column = 0;

    GraphZoom zoom;

    /// A click on the empty canvas lets go of what is held, or makes a node.
    enum class Tool { Select, Draw } tool = Tool::Select;

    bool operator==(const GraphLook&) const = default;
};

inline constexpr int kMostBars = 60;

struct MatrixLook {
    int n_bars = 8;                                          // of the view of one row
    enum class Sort { None, Similarity } sort = Sort::None;  // of rows and columns
    std::string against;  // path of the matrix whose rows stand in the same plane; empty: none
    std::string part_of;  // path of the matrix of which only these are shown …
    std::vector<Index> rows = {}, columns = {};  // … in this order; empty: all
};

inline constexpr int kMostAcross = 24;

struct PanelsLook {
    /// Paths of matrices. Empty: the chosen matrix of each chosen head, or of all heads if one is
    /// chosen.
    std::vector<std::string> matrices = {};
    int across = 0;  // panels beside each other; 0: as many as have room
    /// Titles by path; a matrix without one is called by its layer and head.
    std::map<std::string, std::string> titles = {};

    bool operator==(const PanelsLook&) const = default;
};

struct ReadoutLook {
    std::string word;   // of the vocabulary; empty: the likeliest one
    std::string minus;  // whose logit is subtracted; empty: none

    bool operator==(const ReadoutLook&) const = default;
};

struct ExplanationLook {
    std::string terms_of;  // name of the step whose terms are listed; empty: the last one
    TermOrder order = TermOrder::Strongest;
    bool must_exist = false;  // the step was named by an option, not remembered from another cell
};

/// The order of all heads: layer by layer, or by a number of each head, the highest first.
struct HeadsOrder {
    enum class By { Layer, Metric, Measure, HeldWord, Difference } by = By::Layer;
    HeadMetric metric = HeadMetric::Entropy;  // of By::Metric
    std::string measure = {};  // of By::Measure: an expression (expression/head_measure.h)

    bool operator==(const HeadsOrder&) const = default;
};

struct HeadsLook {
    HeadsOrder order;
    MetricRows rows = MetricRows::All;  // those that metrics include
};

struct HeadsList {
    struct Head {
        std::string attention;  // path of the part
        int head = 0;
        std::optional<Scalar> number = {};  // it is sorted by this, if by no metric
    };
    std::optional<std::vector<Head>> heads = {};  // absent: all, in the order of computation
    std::string by = {};                          // the name of that number; "": there is none
    bool without_first = false;                   // metrics leave out the first token
};

/// The way in which each view is looked at, whatever its content.
struct Looks {
    WordView words;                // lines between words
    GraphLook graph;               // the drawing of a graph
    MatrixLook matrix;             // parts of the chosen matrix
    PanelsLook panels;             // matrices beside each other
    HeadsLook heads;               // all heads
    ReadoutLook readout;           // the logit that is asked for
    ExplanationLook explanation;   // the arithmetic of a cell
    RowsAs rows_as = RowsAs::Sum;  // several held words
};

}  // namespace headlight
