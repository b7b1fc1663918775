// Finds how many panels stand beside each other, and how large each of them is.
#include "figure/panels/panels_figure.h"

#include <algorithm>
#include <fmt/format.h>

#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/legend.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Bars = PanelsLayout::Bars;
using ColumnNames = HeatmapLayout::Columns;

// These lengths are in sizes of a label.
constexpr float kTitleLines = 1.7f, kFormulaLines = 2, kBetweenRows = 1.3f, kBetweenPanels = 1.6f;
constexpr float kFormulaStep = 1.5f;
constexpr float kPanelsFormula = 1.15f;
constexpr std::size_t kMostTitleLines = 2;

constexpr float kBarBelow = 12, kBetweenBars = 26;  // gaps from the panels, and from bar to bar

constexpr float kLeastPanel = 48;    // its narrowest width
constexpr float kSmallestPanel = 4;  // if the height is given, too
constexpr float kLargestPanelCell = 160;
constexpr float kThinPanel = 48;  // of a matrix with few rows or columns, at least
constexpr float kLowestBar = 56;
constexpr float kNamesShare = 0.3f;     // of a room, for names
constexpr float kTurned = 0.70710678f;  // of a length at 45°
constexpr float kEmptyPlace = 0.6f;     // as bad as that part of a row of panels more
constexpr float kMissingNames = 6;      // as bad as that many rows
constexpr float kTooTall = 1.6f;        // heights to a width
constexpr float kTall = 2000, kAnyMissing = 1000, kLowBar = 0.5f, kBarsBelow = 0.05f,
                kBarsApart = 0.1f;
constexpr float kRounding = 1e-3f;

/// Returns the length of a panel with square cells, but no panel is too thin to be seen.
float panel_extent(float cell, Index count, float room) {
    const auto n = static_cast<float>(count);
    return std::max(cell * n, std::min({room, kThinPanel, kThinPanel / 2 * n}));
}

float share_missing(const LabelRow& names, const std::vector<std::string>& labels) {
    if (names.count == 0 || are_counted(labels)) return 0;
    return 1 - static_cast<float>(chosen_labels(names).size()) / static_cast<float>(names.count);
}

}  // namespace

PanelSizer::PanelSizer(const PanelsInput& input, const MeasureText& measure)
    : input_(input),
      measure_(measure),
      rows_(input.panels.front().matrix.values->rows()),
      columns_(input.panels.front().matrix.values->cols()),
      line_(input.label_size * kLineHeight) {
    const HeatmapInput& first = input.panels.front().matrix;
    for (const PanelInput& panel : input.panels) {
        const HeatmapInput& matrix = panel.matrix;
        const bool is_same = matrix.caption == first.caption;
        shares_rows_ = shares_rows_ && is_same && matrix.row_labels == first.row_labels;
        shares_columns_ = shares_columns_ && is_same && matrix.column_labels == first.column_labels;
        measure_names(matrix);
    }
    float lowest = kLowestBar;
    for (const ColorBar& bar : input.bars) {
        bars_width_ = std::max(bars_width_, legend_width(bar.scale, measure, bar.clipped));
        lowest = std::max(lowest, legend_length(bar.name, measure));
    }
    const auto n = static_cast<float>(input.bars.size());
    lowest_bars_ = n * lowest + (n - 1) * kBetweenBars;
    break_formulas();
}

/// Puts each formula on a line of its own, or beside the one before where both have room.
void PanelSizer::break_formulas() {
    constexpr const char* kBetween = "      ";
    const FormulaStyle style{kPanelsFormula * input_.label_size, {}};
    const float room = input_.width - 2 * kFigurePad;
    for (const std::string& formula : input_.formulas) {
        if (!formula_lines_.empty()) {
            const std::string beside = formula_lines_.back() + kBetween + formula;
            if (formula_width(beside, style, measure_) <= room) {
                formula_lines_.back() = beside;
                continue;
            }
        }
        for (std::string& line : wrapped_formula(formula, room, style, measure_))
            formula_lines_.push_back(std::move(line));
    }
}

float PanelSizer::widest_formula() const {
    const FormulaStyle style{kPanelsFormula * input_.label_size, {}};
    float width = 0;
    for (const std::string& line : formula_lines_)
        width = std::max(width, formula_width(line, style, measure_));
    return width;
}

void PanelSizer::measure_names(const HeatmapInput& matrix) {
    const float size = input_.label_size;
    row_names_ = std::max(row_names_, widest_label(matrix.row_labels, size, measure_));
    for (const std::string& line : caption_lines(matrix.caption))
        caption_width_ = std::max(caption_width_, measure_(line, kCaptionSize, Font::Regular));
    column_names_ = std::max(column_names_, widest_label(matrix.column_labels, size, measure_));
    caption_ = std::max(caption_, caption_height(matrix));
    are_counted_ = are_counted_ && are_counted(matrix.column_labels);
}

// ---- the number of panels beside each other ----

constexpr float kShareOfMixed = 0.65f;  // of the worth of cells, where a row has several groups

PanelSizes PanelSizer::best_of(int count) const {
    PanelSizes best;
    const int first = input_.across > 0 ? std::min(input_.across, count) : 1;
    const int last = input_.across > 0 ? first : count;
    for (int across = first; across <= last; ++across) {
        const bool parts_group = across > 1 && across % input_.group != 0;
        if (parts_group && input_.across == 0) continue;
        for (const Bars bars : {Bars::Right, Bars::Below}) {
            const PanelSizes sizes = sizes_for(count, across, bars);
            if (sizes.fits && (!best.fits || cost(sizes) < cost(best))) best = sizes;
        }
    }
    return best;
}

/// Returns the cost of an arrangement, in rows of panels; where the height is given, larger panels
/// cost less.
float PanelSizer::cost(const PanelSizes& sizes) const {
    if (input_.height > 0) {
        const bool parts_rows = input_.group > 1 && sizes.across != input_.group;
        return -std::min(sizes.cells.x, sizes.cells.y) * (1 - kNamesShare * sizes.missing) *
               (parts_rows ? kShareOfMixed : 1);
    }
    const int empty = sizes.down() * sizes.across - sizes.count;
    float of_names = sizes.missing > 0 ? kAnyMissing + kMissingNames * sizes.missing : 0;
    if (sizes.titles.n_cut > 0) of_names += kAnyMissing;
    const float of_height = sizes.height > kTooTall * input_.width ? kTall : 0;
    return of_height + of_names + static_cast<float>(sizes.down()) +
           kEmptyPlace * static_cast<float>(empty) + cost_of_bars(sizes);
}

/// Returns the cost of the bars. They are best beside the panels, unless a bar would be too low for
/// its name or its numbers, or would not stand at the panels that have its colours.
float PanelSizer::cost_of_bars(const PanelSizes& sizes) const {
    if (sizes.bars == Bars::Below) return kBarsBelow;
    if (static_cast<float>(sizes.down()) * sizes.cells.y < lowest_bars_) return kLowBar;
    return input_.bars.size() > 1 && sizes.across > 1 ? kBarsApart : 0;
}

bool PanelSizer::fit(int count, int across) const {
    return sizes_for(count, across, Bars::Right).fits || sizes_for(count, across, Bars::Below).fits;
}

std::string PanelSizer::why_not() const {
    const auto n = static_cast<int>(input_.panels.size());
    int most = std::min(input_.across, n) - 1;
    while (most > 0 && !fit(n, most)) --most;
    if (most > 0)
        return fmt::format("{} panels beside each other have no room at this width; {}{}",
                           std::min(input_.across, n), most, most == 1 ? " has" : " have");
    most = n - 1;
    while (most > 0 && !best_of(most).fits) --most;
    const std::string few = most > 0 ? fmt::format("; at most {} have", most) : "";
    return fmt::format("{} no room at this width{}: make the figure wider, or its type smaller",
                       counted(n, "panel has", "panels have"), few);
}

// ---- sizes ----

float PanelSizer::beside(Bars bars) const {
    return bars == Bars::Right ? kLegendGap + bars_width_ : 0;
}
float PanelSizer::below(Bars bars) const {
    return bars == Bars::Below ? kBarBelow + kLegendHeight : 0;
}
float PanelSizer::least_bar(std::size_t bar) const {
    return std::max(kLowestBar, legend_length(input_.bars[bar].name, measure_));
}
float PanelSizer::formula_line() const {
    return kFormulaStep * input_.label_size;
}
float PanelSizer::formula_height() const {
    if (formula_lines_.empty()) return 0;
    return kFormulaLines * input_.label_size +
           static_cast<float>(formula_lines_.size() - 1) * formula_line();
}
float PanelSizer::title_height(const PanelSizes& sizes) const {
    return kTitleLines * input_.label_size + static_cast<float>(sizes.titles.n_lines - 1) * line_;
}
float PanelSizer::between_rows() const {
    return kBetweenRows * input_.label_size;
}
float PanelSizer::between_panels() const {
    return kBetweenPanels * input_.label_size;
}

PanelSizes PanelSizer::sizes_for(int count, int across, Bars bars) const {
    PanelSizes sizes;
    sizes.count = count;
    sizes.across = across;
    sizes.bars = bars;
    sizes.left = left_of(across);
    for (int round = 0; round < 4; ++round) {
        Point room = room_of_one(sizes);
        if (input_.height <= 0 && room.x < kLeastPanel) return sizes;
        room = {std::max(room.x, kSmallestPanel), std::max(room.y, kSmallestPanel)};
        fit_cells(sizes, room);
        sizes.titles = titles_in(sizes.cells.x + between_panels() / 2);
        turn_columns(sizes);
        // Names that were tilted with more room may be upright now: their room is kept.
        sizes.kept_free = std::max(sizes.kept_free, sizes.overhang);
    }
    sizes.height = height_with(sizes, sizes.cells.y);
    sizes.missing = missing_share(sizes);
    sizes.fits = input_.height > 0 || sizes.height <= input_.tallest;
    return sizes;
}

/// Returns the room for names at the left. Names of rows may be cut; names of axes are short, and
/// are not.
float PanelSizer::left_of(int across) const {
    if (row_names_ == 0 && caption_width_ == 0) return 0;
    const float each = shares_rows_ ? 1 : static_cast<float>(across);
    const float most = kNamesShare * (input_.width - 2 * kFigurePad) / each;
    return std::max(std::min(row_names_, most), caption_width_) + kLabelGap;
}

/// Returns the longest titles with which all have room: on one line if some form of them fits
/// there; else on two.
PanelTitles PanelSizer::titles_in(float width) const {
    std::size_t n_forms = 1;
    for (const PanelInput& panel : input_.panels) n_forms = std::max(n_forms, panel.titles.size());
    PanelTitles best;
    for (std::size_t n_lines = 1; n_lines <= kMostTitleLines; ++n_lines)
        for (std::size_t form = 0; form < n_forms; ++form) {
            PanelTitles titles{form, n_lines, width, 0};
            for (std::size_t k = 0; k < input_.panels.size(); ++k) {
                const std::vector<std::string> lines =
                    title_lines(input_.panels[k], k, titles, input_.label_size, measure_);
                const float letter = measure_(panel_letter(k) + " ", input_.label_size, Font::Bold);
                const bool is_cut =
                    lines.size() > n_lines ||
                    std::ranges::any_of(lines, [&](const std::string& line) {
                        return letter + measure_(line, input_.label_size, Font::Regular) > width;
                    });
                titles.n_cut += is_cut ? 1 : 0;
            }
            if (titles.n_cut == 0) return titles;
            best = titles;
        }
    return best;
}

float PanelSizer::width_without_cells(const PanelSizes& sizes) const {
    const auto across = static_cast<float>(sizes.across);
    const float over_bar = beside(sizes.bars) + kFigurePad - 4;  // tilted names reach there
    return 2 * kFigurePad + beside(sizes.bars) + (shares_rows_ ? 1 : across) * sizes.left +
           (across - 1) * between_panels() + std::max(0.0f, sizes.kept_free - over_bar);
}

float PanelSizer::height_with(const PanelSizes& sizes, float cells) const {
    const auto down = static_cast<float>(sizes.down());
    return 2 * kFigurePad + formula_height() + below(sizes.bars) +
           (shares_columns_ ? 1 : down) * sizes.band + (down - 1) * between_rows() +
           down * (title_height(sizes) + cells);
}

Point PanelSizer::room_of_one(const PanelSizes& sizes) const {
    const float width =
        (input_.width - width_without_cells(sizes)) / static_cast<float>(sizes.across);
    if (input_.height <= 0) return {width, input_.tallest};
    return {width, (input_.height - height_with(sizes, 0)) / static_cast<float>(sizes.down())};
}

void PanelSizer::fit_cells(PanelSizes& sizes, Point room) const {
    const auto n_columns = static_cast<float>(columns_), n_rows = static_cast<float>(rows_);
    const float cell = std::min({room.x / n_columns, room.y / n_rows, kLargestPanelCell,
                                 input_.largest / n_columns, input_.largest / n_rows});
    sizes.cells = {panel_extent(cell, columns_, room.x), panel_extent(cell, rows_, room.y)};
}

float PanelSizer::cell_width(const PanelSizes& sizes) const {
    return sizes.cells.x / static_cast<float>(columns_);
}
float PanelSizer::cell_height(const PanelSizes& sizes) const {
    return sizes.cells.y / static_cast<float>(rows_);
}

/// Makes the names of columns flat, tilted or upright, as in a picture of one matrix.
void PanelSizer::turn_columns(PanelSizes& sizes) const {
    const float cell = cell_width(sizes) + kRounding, counted = are_counted_ ? kTurned : 1;
    // Flat names must be no wider than the free space beside the first cell.
    const bool is_thinned = cell * counted < line_ && column_names_ <= cell + 2 * kLabelGap - 4;
    sizes.overhang = 0;
    sizes.column_limit = std::min(column_names_, kNamesShare * input_.width);
    if (column_names_ + 4 <= cell || is_thinned) {
        sizes.columns = ColumnNames::Flat;
        sizes.column_limit = column_names_;
        sizes.band = column_names_ > 0 ? line_ + 4 : 0;
    } else if (cell * kTurned >= line_) {
        sizes.columns = ColumnNames::Tilted;
        sizes.band = sizes.column_limit * kTurned + input_.label_size + 2;
        sizes.overhang = std::max(0.0f, longest_overhang(sizes));
    } else {
        sizes.columns = ColumnNames::Upright;
        sizes.band = sizes.column_limit + 8;
    }
    sizes.band = std::max(sizes.band, caption_ - title_height(sizes));
}

/// Returns how far tilted names reach beyond the last column.
float PanelSizer::longest_overhang(const PanelSizes& sizes) const {
    const std::vector<std::string>& names = input_.panels.front().matrix.column_labels;
    float overhang = 0;
    for (std::size_t k = names.size() > 64 ? names.size() - 64 : 0; k < names.size(); ++k) {
        const float width = measure_(names[k], input_.label_size, Font::Bold);
        const float start = (static_cast<float>(k) + 0.5f) * cell_width(sizes);
        const float end = start + std::min(sizes.column_limit, width) * kTurned + 6;
        overhang = std::max(overhang, end - sizes.cells.x);
    }
    return overhang;
}

// ---- names ----

float PanelSizer::column_distance(const PanelSizes& sizes) const {
    if (sizes.columns == ColumnNames::Upright) return line_;
    if (sizes.columns == ColumnNames::Tilted) return line_ / kTurned;
    return column_names_ + 4;
}

LabelRow PanelSizer::names_of_rows(const PanelSizes& sizes, const HeatmapInput& matrix) const {
    const auto n = std::min<Index>(rows_, std::ssize(matrix.row_labels));
    return {n, cell_height(sizes), line_ - kRounding, matrix.selected.rows};
}

LabelRow PanelSizer::names_of_columns(const PanelSizes& sizes, const HeatmapInput& matrix) const {
    const auto n = std::min<Index>(columns_, std::ssize(matrix.column_labels));
    LabelRow names{n, cell_width(sizes), column_distance(sizes) - kRounding, {}};
    if (matrix.selected.column) names.important.push_back(*matrix.selected.column);
    return names;
}

float PanelSizer::missing_share(const PanelSizes& sizes) const {
    const HeatmapInput& first = input_.panels.front().matrix;
    return std::max(share_missing(names_of_rows(sizes, first), first.row_labels),
                    share_missing(names_of_columns(sizes, first), first.column_labels));
}

namespace {

// These lengths are in sizes of a label.
constexpr float kTitleBase = 1.05f, kFormulaBase = 1.1f;

constexpr float kTallestBar = 200, kWidestBar = 220;

void leave_out_names(HeatmapLayout& panel, const char* what, const std::vector<std::string>& labels,
                     Index of, const std::vector<Index>& shown) {
    const auto n = static_cast<Index>(shown.size());
    if (n < of && !are_counted(labels)) panel.left_out.push_back({what, of - n, of});
}

/// Places everything of one arrangement.
class PanelPlacer {
  public:
    PanelPlacer(const PanelsInput& input, const PanelSizer& sizer, const PanelSizes& sizes)
        : input_(input), sizer_(sizer), sizes_(sizes) {}

    PanelsLayout place() {
        layout_.across = sizes_.across;
        layout_.bars_at = sizes_.bars;
        layout_.formula_baseline = kFigurePad + kFormulaBase * input_.label_size;
        float top = kFigurePad + sizer_.formula_height();
        for (int row = 0; row < sizes_.down(); ++row) {
            place_row(row, top);
            top = layout_.panels.back().grid.cells.bottom() + sizer_.between_rows();
        }
        place_bars();
        const float free = right_ + sizer_.beside(sizes_.bars) + kFigurePad;
        const float width = std::max(free, right_ + sizes_.overhang + 4);
        const float of_formula = sizer_.widest_formula() + 2 * kFigurePad;
        layout_.size = {std::min(std::max(width, of_formula), input_.width), sizes_.height};
        layout_.form = sizes_.titles;
        layout_.formula_lines = sizer_.formula_lines();
        layout_.formula_line = sizer_.formula_line();
        return std::move(layout_);
    }

  private:
    void place_row(int row, float top) {
        const bool has_band = row == 0 || !sizer_.shares_columns();
        const float own_left = sizer_.shares_rows() ? 0 : sizes_.left;
        const float step = sizes_.cells.x + sizer_.between_panels() + own_left;
        for (int column = 0; column < sizes_.across; ++column) {
            const int k = row * sizes_.across + column;
            if (k >= sizes_.count) return;
            const float x = kFigurePad + sizes_.left + static_cast<float>(column) * step;
            const float y = top + sizer_.title_height(sizes_) + (has_band ? sizes_.band : 0);
            layout_.titles.push_back({x, top + kTitleBase * input_.label_size});
            layout_.panels.push_back(panel_at(k, {x, y}));
            right_ = std::max(right_, x + sizes_.cells.x);
        }
    }

    HeatmapLayout panel_at(int k, Point at) const {
        const HeatmapInput& matrix = input_.panels[static_cast<std::size_t>(k)].matrix;
        HeatmapLayout panel;
        panel.grid = {{at.x, at.y, sizes_.cells.x, sizes_.cells.y},
                      matrix.values->rows(),
                      matrix.values->cols()};
        panel.label_size = input_.label_size;
        panel.row_label_width = std::max(0.0f, sizes_.left - kLabelGap);
        panel.column_band = sizes_.band;
        panel.columns = sizes_.columns;
        panel.column_limit = sizes_.column_limit;
        if (k % sizes_.across == 0 || !sizer_.shares_rows()) {
            const LabelRow names = sizer_.names_of_rows(sizes_, matrix);
            panel.shown_rows = chosen_labels(names);
            leave_out_names(panel, "row labels", matrix.row_labels, names.count, panel.shown_rows);
        }
        if (k < sizes_.across || !sizer_.shares_columns()) {
            const LabelRow names = sizer_.names_of_columns(sizes_, matrix);
            panel.shown_columns = chosen_labels(names);
            leave_out_names(panel, "column labels", matrix.column_labels, names.count,
                            panel.shown_columns);
        }
        return panel;
    }

    /// Returns the cells of the first panels beside each other, or below each other, that have the
    /// bar's colours.
    Box cells_of_bar(std::size_t bar, std::size_t n) const {
        std::size_t k = 0;
        while (k < n && input_.panels[k].bar != bar) ++k;
        if (k == n) return {};
        const Box first = layout_.panels[k].grid.cells;
        while (k + 1 < n && input_.panels[k + 1].bar == bar) ++k;
        const Box last = layout_.panels[k].grid.cells;
        return {first.x, first.y, last.right() - first.x, last.bottom() - first.y};
    }

    /// Places each bar beside the panels that have its colours, or below them; returns none if
    /// these panels are not together, or a bar would be too short there.
    std::vector<Box> bars_at_panels() const {
        const bool is_right = sizes_.bars == PanelsLayout::Bars::Right;
        if (input_.bars.size() < 2 || (is_right && sizes_.across > 1)) return {};
        const auto n = static_cast<std::size_t>(is_right ? sizes_.count : sizes_.across);
        for (std::size_t k = n; k < input_.panels.size(); ++k)
            if (!is_right && input_.panels[k].bar != input_.panels[k - n].bar) return {};
        const float bottom = layout_.panels.back().grid.cells.bottom();
        std::vector<Box> bars;
        float taken = 0;
        for (std::size_t k = 0; k < input_.bars.size(); ++k) {
            const Box of = cells_of_bar(k, n);
            const float least = sizer_.least_bar(k);
            // Panels are nearer to each other than bars.
            const bool is_last = k + 1 == input_.bars.size();
            const float spare =
                is_last ? 0 : std::max(0.0f, kBetweenBars - sizer_.between_panels());
            const float length = std::max(least, is_right ? std::min(of.height, kTallestBar)
                                                          : std::min(of.width - spare, kWidestBar));
            const float start = is_right ? of.y : of.x;
            const float end = is_right ? bottom : right_;
            const bool is_placed = of.width > 0 && start >= taken && start + length <= end + 0.5f;
            if (!is_placed) return {};
            taken = start + length + kBetweenBars;
            bars.push_back(is_right ? Box{right_ + kLegendGap, start, sizer_.bars_width(), length}
                                    : Box{start, bottom + kBarBelow, length, kLegendHeight});
        }
        return bars;
    }

    /// Places the bars at the panels that have their colours; else beside all of them from the
    /// first one down, or below the last one.
    void place_bars() {
        layout_.bars = bars_at_panels();
        if (!layout_.bars.empty()) return;
        const Box first = layout_.panels.front().grid.cells,
                  last = layout_.panels.back().grid.cells;
        const auto n = static_cast<float>(input_.bars.size());
        const bool is_right = sizes_.bars == PanelsLayout::Bars::Right;
        const float room = is_right ? last.bottom() - first.y : right_ - first.x;
        const float each = (room - (n - 1) * kBetweenBars) / n;
        for (std::size_t k = 0; k < input_.bars.size(); ++k) {
            const float shift = static_cast<float>(k) * (each + kBetweenBars);
            layout_.bars.push_back(is_right ? Box{right_ + kLegendGap, first.y + shift,
                                                  sizer_.bars_width(), std::min(each, kTallestBar)}
                                            : Box{first.x + shift, last.bottom() + kBarBelow,
                                                  std::min(each, kWidestBar), kLegendHeight});
        }
    }

    const PanelsInput& input_;
    const PanelSizer& sizer_;
    const PanelSizes& sizes_;
    PanelsLayout layout_;
    float right_ = 0;  // of all cells
};

}  // namespace

std::string panel_letter(std::size_t panel) {
    std::string letters;
    for (std::size_t rest = panel + 1; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
    return fmt::format("({})", letters);
}

std::vector<std::string> title_lines(const PanelInput& panel, std::size_t number,
                                     const PanelTitles& titles, float label_size,
                                     const MeasureText& measure) {
    if (panel.titles.empty()) return {};
    const std::string& title = panel.titles[std::min(titles.form, panel.titles.size() - 1)];
    if (titles.n_lines == 1) return {title};
    const float letter = measure(panel_letter(number) + " ", label_size, Font::Bold);
    return wrapped_lines({{}, title, label_size}, titles.width - letter, measure);
}

PanelsLayout lay_out_panels(const PanelsInput& input, const MeasureText& measure) {
    const PanelSizer sizer(input, measure);
    const PanelSizes best = sizer.best_of(static_cast<int>(input.panels.size()));
    if (best.fits) return PanelPlacer(input, sizer, best).place();
    PanelsLayout none;
    none.problem = sizer.why_not();
    return none;
}

namespace {

class PanelsPainter {
  public:
    PanelsPainter(const PanelsInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure), plan_(lay_out_panels(input, measure)) {}

    PanelsFigure paint() {
        made_.problem = plan_.problem;
        if (!made_.problem.empty()) return std::move(made_);
        made_.figure.width = plan_.size.x;
        made_.figure.height = plan_.size.y;
        add_formula_lines();
        for (std::size_t k = 0; k < input_.panels.size(); ++k) add_panel(k);
        for (std::size_t k = 0; k < input_.bars.size(); ++k) add_bar_at(k);
        made_.bars = plan_.bars;
        titles_.tell(made_.figure);
        return std::move(made_);
    }

  private:
    void add_formula_lines() {
        const FormulaStyle style{kPanelsFormula * input_.label_size, theme_.muted};
        const float room = plan_.size.x - 2 * kFigurePad;
        CutTexts cut("formulas");
        Point at{kFigurePad, plan_.formula_baseline};
        for (const std::string& line : plan_.formula_lines) {
            const std::string shown = shortened_formula(line, room + 0.5f, style, measure_);
            cut.count(shown != line);
            add_formula(made_.figure, at, shown, style, measure_);
            at.y += plan_.formula_line;
        }
        cut.tell(made_.figure);
    }

    void add_panel(std::size_t k) {
        const HeatmapLayout& layout = plan_.panels[k];
        HeatmapInput matrix = input_.panels[k].matrix;
        matrix.title.clear();
        matrix.formula.clear();
        if (layout.shown_rows.empty() && !matrix.row_labels.empty()) matrix.caption.clear();
        if (k >= static_cast<std::size_t>(plan_.across) && layout.shown_columns.empty())
            matrix.caption.clear();
        matrix.label_size = input_.label_size;
        matrix.width = plan_.size.x;
        matrix.height = plan_.size.y;
        const HeatmapFigure drawn = heatmap_in_layout(matrix, layout, theme_, measure_);
        add_part(made_.figure, drawn.figure, {0, 0});
        made_.grids.push_back(drawn.grid);
        add_title(k);
    }

    /// Adds a title such as "(a) Layer 0 · head 1".
    void add_title(std::size_t k) {
        const std::string letter = panel_letter(k);
        const float size = input_.label_size;
        const Point at = plan_.titles[k];
        made_.figure.add(TextMark{at, letter, size, theme_.text, Font::Bold});
        const float left = measure_(letter + " ", size, Font::Bold);
        std::vector<std::string> lines =
            title_lines(input_.panels[k], k, plan_.form, size, measure_);
        while (lines.size() > plan_.form.n_lines) {
            lines[lines.size() - 2] += " " + lines.back();
            lines.pop_back();
        }
        TextMark title{{at.x + left, at.y}, "", size, theme_.text};
        for (std::size_t n = 0; n < lines.size(); ++n, title.at.y += size * kLineHeight) {
            title.text = lines[n];
            add_symbol_title(made_.figure, title,
                             n == 0 ? input_.panels[k].matrix.symbol : std::string(),
                             plan_.form.width - left + 0.5f, measure_, &titles_);
        }
    }

    void add_bar_at(std::size_t k) {
        LegendInput legend{plan_.bars[k], input_.bars[k].scale, input_.bars[k].name};
        legend.clipped = input_.bars[k].clipped;
        legend.stripes = input_.bars[k].stripes;
        if (plan_.bars_at == PanelsLayout::Bars::Below)
            legend.direction = LegendInput::Direction::Lying;
        add_legend(made_.figure, legend, theme_, measure_);
    }

    const PanelsInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    PanelsLayout plan_;
    CutTexts titles_{"titles"};
    PanelsFigure made_;
};

}  // namespace

PanelsFigure panels_figure(const PanelsInput& input, const Theme& theme,
                           const MeasureText& measure) {
    return PanelsPainter(input, theme, measure).paint();
}

}  // namespace headlight
