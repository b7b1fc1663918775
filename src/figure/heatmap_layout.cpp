// The places of a matrix's cells and labels.
#include "figure/heatmap_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/legend.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kLargestLabel = 12, kSmallestLabel = 9;
constexpr float kLargestCell = 96, kLargestPrintedCell = 160;
constexpr float kHighestCell = 4;  // widths of one that is as high as its name
constexpr float kDiagonal = 0.70710678f;
constexpr float kFlatLimit = 40;  // thinned labels no wider than this stay horizontal
constexpr float kOverview = 60;   // the longer side
constexpr float kFlattestForRightLegend = 90, kLowestForLegend = 56;
constexpr float kSlack = 1e-3f;

constexpr float kThinnest = 18;  // of a matrix with one row

float cell_extent(float square, Index count, float room) {
    const float least = std::min({room, 2.7f * kThinnest, count * kThinnest});
    return std::max(square * count, least);
}

/// Returns cells that fill the room, square or stretched up to that ratio of their sides; a matrix
/// with few rows or columns is made thick enough to see.
CellGrid fitted_cells(Index rows, Index columns, const Box& room, float stretch, float largest) {
    CellGrid grid{{room.x, room.y, 0, 0}, rows, columns};
    const float width = std::max(room.width, 1.0f), height = std::max(room.height, 1.0f);
    const float widest = std::min(width / columns, largest),
                tallest = std::min(height / rows, largest);
    grid.cells.width = cell_extent(std::min(widest, tallest * stretch), columns, width);
    grid.cells.height = cell_extent(std::min(tallest, widest * stretch), rows, height);
    return grid;
}

/// Plans the large picture, part by part.
class Planner {
    using Numbers = HeatmapInput::Numbers;

  public:
    Planner(const HeatmapInput& input, const MeasureText& measure)
        : input_(input), measure_(measure) {
        plan_.grid.rows = input.values ? input.values->rows() : 0;
        plan_.grid.columns = input.values ? input.values->cols() : 0;
    }

    HeatmapLayout plan() {
        header_bottom_ = place_header(input_, plan_, measure_);
        if (plan_.grid.rows == 0 || plan_.grid.columns == 0) return plan_;
        plan_.legend = input_.legend;
        plan_cells();
        if (plan_.legend == LegendPlace::Right &&
            plan_.grid.cells.height < kFlattestForRightLegend) {
            const bool is_low = plan_.grid.cells.height < kLowestForLegend;
            if (has_room_below() || is_low) {
                plan_.legend = has_room_below() ? LegendPlace::Bottom : LegendPlace::None;
                plan_cells();
            }
        }
        if (plan_.legend == LegendPlace::Right && lacks_width()) lay_legend_down();
        if (plan_.legend == LegendPlace::Bottom && is_slide())
            leave_legend_out([this] { return lacks_height(); });
        if (plan_.legend != LegendPlace::None && is_slide())
            leave_legend_out([this] { return lacks_numbers(); });
        plan_view();
        place_legend();
        choose_labels();
        if (input_.legend != plan_.legend && plan_.legend == LegendPlace::None)
            plan_.left_out.push_back({"legends", 1, 1});
        return plan_;
    }

  private:
    /// True if a legend below the cells takes nothing from them.
    bool has_room_below() const {
        return room_.height - plan_.column_band - plan_.grid.cells.height >= kLegendHeight + 10;
    }

    /// True if labels of columns, or numbers that are wanted, have no room, or if numbers can be
    /// read only because they are written short.
    bool lacks_width() const {
        const float cell = plan_.grid.cell_width() + kSlack;
        return (!input_.column_labels.empty() && column_distance() > cell) || lacks_numbers() ||
               (is_slide() && number_style(input_, plan_, measure_).is_short);
    }

    /// True if numbers are wanted that cannot be read from far away.
    bool lacks_numbers() const {
        if (!is_slide() || input_.numbers == Numbers::Never) return false;
        const float size = number_style(input_, plan_, measure_).size;
        return size == 0 || size < input_.times.number;
    }

    /// True if names of rows have no room.
    bool lacks_height() const {
        return !are_counted(input_.row_labels) &&
               plan_.grid.cell_height() + kSlack < smallest() * kLineHeight;
    }

    /// Moves the legend below the cells if that gives everything its room, or labels of one size
    /// more room, and takes none from the rows.
    void lay_legend_down() {
        const HeatmapLayout before = plan_;
        const Box room = room_;
        plan_.legend = LegendPlace::Bottom;
        plan_cells();
        const bool squeezes_rows = plan_.grid.cell_height() < smallest() * kLineHeight &&
                                   plan_.grid.cell_height() < before.grid.cell_height();
        const bool helps =
            !lacks_width() ||
            (input_.label_size && plan_.grid.cell_width() > 1.1f * before.grid.cell_width());
        if (helps && !squeezes_rows) return;
        plan_ = before;
        room_ = room;
    }

    /// Leaves the legend out if that gives names of rows or numbers their room: on a slide they are
    /// worth more.
    void leave_legend_out(const std::function<bool()>& lacks) {
        if (!lacks()) return;
        const HeatmapLayout before = plan_;
        const Box room = room_;
        plan_.legend = LegendPlace::None;
        plan_cells();
        if (!lacks()) return;
        plan_ = before;
        room_ = room;
    }

    /// Returns the least distance between labels of columns.
    float column_distance() const {
        const float line = plan_.label_size * kLineHeight;
        using Columns = HeatmapLayout::Columns;
        if (plan_.columns == Columns::Upright) return line;
        if (plan_.columns == Columns::Tilted) return line / kDiagonal;
        return widest_label(input_.column_labels, plan_.label_size, measure_) + 4;
    }

    void plan_cells() {
        room_ = {kFigurePad, header_bottom_, input_.width - 2 * kFigurePad,
                 input_.height - header_bottom_ - kFigurePad};
        if (plan_.legend == LegendPlace::Right)
            room_.width -= kLegendGap + legend_width(input_.scale, measure_, input_.clipped);
        if (plan_.legend == LegendPlace::Bottom) room_.height -= kLegendHeight + 10;
        plan_row_labels();
        plan_.columns = HeatmapLayout::Columns::Flat;
        plan_.column_band =
            std::max(input_.column_labels.empty() ? 4.0f : 18.0f, caption_height(input_));
        plan_.column_limit = input_.width;
        plan_.grid = fitted_under_band(0);
        plan_.label_size = label_size_for(least_cell());
        if (columns_fit_flat()) return;
        plan_tilted_columns();
        const float upright = smallest() * kLineHeight, cell = plan_.grid.cell_width() + kSlack;
        const bool are_most = cell >= upright || input_.label_size;  // in one size the most fit so
        if (cell < upright / kDiagonal && are_most) plan_upright_columns();
    }

    void plan_row_labels() {
        const float limit = 0.3f * room_.width;
        float width = std::min(widest_label(input_.row_labels, largest(), measure_), limit);
        for (const auto& line : caption_lines(input_.caption))
            width = std::max(width, std::min(limit, measure_(line, kCaptionSize, Font::Regular)));
        plan_.row_label_width = width;
        if (width == 0) return;
        room_.x += width + kLabelGap;
        room_.width -= width + kLabelGap;
    }

    /// Returns the cells; `overhang` is how far tilted labels may reach beyond the last column,
    /// beside the legend.
    CellGrid fitted_under_band(float overhang) const {
        const float beside = input_.width - kFigurePad - room_.x - room_.width;
        Box room = room_;
        room.y += plan_.column_band;
        room.height -= plan_.column_band;
        room.width -= std::max(0.0f, overhang - beside);
        const float largest = input_.label_size ? kLargestPrintedCell : kLargestCell;
        CellGrid grid =
            fitted_cells(plan_.grid.rows, plan_.grid.columns, room, input_.stretch, largest);
        // If only rows have names, cells need not be square.
        const bool only_rows_have_names =
            !are_counted(input_.row_labels) && are_counted(input_.column_labels);
        if (input_.label_size && only_rows_have_names) {
            const float line = *input_.label_size * kLineHeight + kSlack;
            const float wanted = std::min(line, kHighestCell * grid.cell_width());
            grid.cells.height =
                std::max(grid.cells.height, std::min(wanted * grid.rows, room.height));
        }
        return grid;
    }

    /// Plans the room for zooming. When zoomed in, the cells of the view replace the whole grid;
    /// their labels keep their room.
    void plan_view() {
        const CellGrid& whole = plan_.grid;
        const float beside = input_.width - kFigurePad - room_.x - room_.width;
        const bool was_tilted = plan_.columns == HeatmapLayout::Columns::Tilted;
        const bool was_upright = plan_.columns == HeatmapLayout::Columns::Upright;
        const float overhang = was_tilted ? plan_.column_limit * kDiagonal + 6 : 0;
        plan_.room = {
            whole,
            {room_.width - std::max(0.0f, overhang - beside), room_.height - plan_.column_band}};
        if (input_.view.is_whole()) return;
        plan_.grid = zoomed(plan_.room, input_.view);
        plan_.label_size = label_size_for(least_cell());
        if (was_upright) plan_.label_size = upright_size(plan_.grid);
        if (!was_tilted) return;
        plan_.columns = HeatmapLayout::Columns::Flat;
        if (widest_label(input_.column_labels, plan_.label_size, measure_) <=
            plan_.grid.cell_width() - 4)
            return;
        plan_.columns = HeatmapLayout::Columns::Tilted;
        plan_.label_size = tilted_size(plan_.grid);
        plan_.column_limit = (plan_.column_band - plan_.label_size - 2) / kDiagonal;
    }

    float least_cell() const { return std::min(plan_.grid.cell_width(), plan_.grid.cell_height()); }

    float smallest() const { return input_.label_size.value_or(kSmallestLabel); }
    float largest() const { return input_.label_size.value_or(kLargestLabel); }
    float label_size_for(float cell) const {
        return std::clamp(cell * 0.8f, smallest(), largest());
    }

    /// True if column labels fit flat; also if they are short, only some of them fit, and not all
    /// would fit when turned.
    bool columns_fit_flat() const {
        const float size = plan_.label_size, cell = plan_.grid.cell_width();
        const float width = widest_label(input_.column_labels, size, measure_);
        const float turned = are_counted(input_.column_labels) ? kDiagonal : 1;
        return width <= cell - 4 || (cell * turned < size * kLineHeight && width <= kFlatLimit);
    }

    /// Returns the largest size with which no label meets the next one, in the columns and in the
    /// rows.
    float fitting_size(float column, float row) const {
        return std::clamp(std::min(column, row) / kLineHeight, smallest(), largest());
    }
    float tilted_size(const CellGrid& grid) const {
        return fitting_size(grid.cell_width() * kDiagonal, grid.cell_height());
    }
    float upright_size(const CellGrid& grid) const {
        return fitting_size(grid.cell_width(), grid.cell_height());
    }

    /// Returns the room for turned column names. From far away, a few rows leave the rest of the
    /// height to them.
    float room_for_turned() const {
        const float usual = 0.3f * room_.height;
        if (!is_slide()) return usual;
        const float rows = 1.5f * kThinnest * static_cast<float>(plan_.grid.rows);
        return std::max(usual, room_.height - rows - kLargestLabel);
    }
    bool is_slide() const { return input_.stretch > 1; }

    void plan_upright_columns() {
        plan_.columns = HeatmapLayout::Columns::Upright;
        const float longest = widest_label(input_.column_labels, largest(), measure_);
        plan_.column_limit = std::min(longest, room_for_turned());
        plan_.column_band = std::max(plan_.column_limit + 8, caption_height(input_));
        plan_.grid = fitted_under_band(0);
        plan_.label_size = upright_size(plan_.grid);
    }

    /// Plans tilted columns, whose cells and labels only get smaller.
    void plan_tilted_columns() {
        plan_.columns = HeatmapLayout::Columns::Tilted;
        plan_.label_size = tilted_size(plan_.grid);
        const float longest = widest_label(input_.column_labels, plan_.label_size, measure_);
        plan_.column_limit = std::min(longest, room_for_turned() / kDiagonal);
        plan_.column_band =
            std::max(plan_.column_limit * kDiagonal + plan_.label_size + 2, caption_height(input_));
        float overhang = 0;
        for (int round = 0; round < 4; ++round) {
            plan_.grid = fitted_under_band(overhang);
            overhang = std::max(overhang, label_overhang(plan_.grid));
        }
        plan_.grid = fitted_under_band(overhang);
        plan_.label_size = std::min(plan_.label_size, tilted_size(plan_.grid));
    }

    float label_overhang(const CellGrid& grid) const {
        const Index count = std::min<Index>(grid.columns, input_.column_labels.size());
        float overhang = 0;
        // Only the last labels can reach out.
        for (Index j = std::max<Index>(0, count - 64); j < count; ++j) {
            const float width = measure_(input_.column_labels[j], plan_.label_size, Font::Bold);
            const float length = std::min(plan_.column_limit, width);
            const float start = (j + 0.5f) * grid.cell_width();
            overhang = std::max(overhang, start + length * kDiagonal + 6 - grid.cells.width);
        }
        return overhang;
    }

    void place_legend() {
        const Box cells = plan_.grid.seen();
        if (plan_.legend == LegendPlace::Right)
            plan_.legend_box = {cells.right() + kLegendGap, cells.y,
                                legend_width(input_.scale, measure_, input_.clipped),
                                std::min(cells.height, 200.0f)};
        if (plan_.legend == LegendPlace::Bottom)
            plan_.legend_box = {cells.x, cells.bottom() + 12,
                                std::min(220.0f, input_.width - kFigurePad - cells.x),
                                kLegendHeight};
        if (!input_.view.is_whole()) place_overview(cells);
    }

    /// Places the overview under an upright legend, at the right of a lying one.
    void place_overview(const Box& cells) {
        const bool is_right = plan_.legend == LegendPlace::Right;
        if (plan_.legend == LegendPlace::None) return;
        const float side = is_right ? std::min(kOverview, 0.3f * cells.height) : kLegendHeight;
        CellGrid& overview = plan_.overview;
        overview = {mini_box(plan_.grid.rows, plan_.grid.columns, side), plan_.grid.rows,
                    plan_.grid.columns};
        Box& box = overview.cells;
        Box& legend = plan_.legend_box;
        box.x = is_right ? legend.x : cells.right() - box.width;
        box.y = is_right ? cells.bottom() - box.height : legend.y;
        if (is_right)
            legend.height = std::min(legend.height, cells.height - box.height - kLegendGap);
        else
            legend.width = std::max(40.0f, std::min(legend.width, box.x - kLegendGap - legend.x));
    }

    void choose_labels() {
        const float line = plan_.label_size * kLineHeight;
        const CellGrid& grid = plan_.grid;
        const Box frame = grid.seen();
        const auto row_count = std::min<Index>(grid.rows, input_.row_labels.size());
        LabelRow rows{row_count, grid.cell_height(), line - kSlack, input_.selected.rows};
        rows.important.insert(rows.important.end(), input_.hovered.rows.begin(),
                              input_.hovered.rows.end());
        rows.seen = middles_in(grid.cells.y, rows, frame.y, frame.bottom());
        plan_.shown_rows = chosen_labels(rows);

        const auto column_count = std::min<Index>(grid.columns, input_.column_labels.size());
        LabelRow columns{column_count, grid.cell_width(), column_distance() - kSlack, {}};
        for (const CellPick* pick : {&input_.selected, &input_.hovered}) {
            if (pick->column) columns.important.push_back(*pick->column);
            columns.important.insert(columns.important.end(), pick->also_columns.begin(),
                                     pick->also_columns.end());
        }
        if (plan_.columns == HeatmapLayout::Columns::Flat) {
            plan_.column_limit = widest_label(input_.column_labels, plan_.label_size, measure_);
        }
        columns.seen = middles_in(grid.cells.x, columns, frame.x, frame.right());
        plan_.shown_columns = chosen_labels(columns);
        count_left_out("row labels", input_.row_labels, rows, plan_.shown_rows);
        count_left_out("column labels", input_.column_labels, columns, plan_.shown_columns);
    }

    void count_left_out(const char* what, const std::vector<std::string>& labels,
                        const LabelRow& row, const std::vector<Index>& shown) {
        const Index of = std::min(row.count, row.seen.end) - std::max<Index>(0, row.seen.first);
        const auto n = static_cast<Index>(shown.size());
        if (n < of && !are_counted(labels)) plan_.left_out.push_back({what, of - n, of});
    }

    /// Returns the labels whose middle is seen together with half of the label, or of its cell.
    static IndexRange middles_in(float start, const LabelRow& labels, float low, float high) {
        const float edge = std::min(labels.min_distance, labels.pitch) / 2;
        const auto place = [&](float at) { return (at - start) / labels.pitch - 0.5f; };
        return {static_cast<Index>(std::ceil(place(low + edge) - kSlack)),
                static_cast<Index>(std::floor(place(high - edge) + kSlack)) + 1};
    }

    const HeatmapInput& input_;
    const MeasureText& measure_;
    HeatmapLayout plan_;
    Box room_;  // for row labels, column labels and cells
    float header_bottom_ = 0;
};

}  // namespace

float place_header(const HeatmapInput& input, HeatmapLayout& layout, const MeasureText& measure) {
    float y = kFigurePad;
    const std::optional<float> beside = formula_beside(input, measure);
    layout.formula_left = beside.value_or(kFigurePad);
    HeatmapHeader header = break_header(input, beside.has_value(), measure);
    layout.title_lines = std::move(header.title_lines);
    layout.formula_lines = std::move(header.formula_lines);
    layout.formula_size = header.formula_size;
    const auto more = [](const std::vector<std::string>& lines) {
        return static_cast<float>(std::max<std::size_t>(lines.size(), 1) - 1);
    };
    if (!input.title.empty()) layout.title_baseline = y += 11;
    y += more(layout.title_lines) * kTitleLine;
    if (!input.formula.empty()) layout.formula_baseline = y += beside ? 0 : 18;
    y += more(layout.formula_lines) * kFormulaLine;
    return y > kFigurePad ? y + 10 : y;
}

HeatmapLayout lay_out(const HeatmapInput& input, const MeasureText& measure) {
    return Planner(input, measure).plan();
}

namespace {

constexpr float kSmallestNumberCell = 36;  // width; numbers in smaller cells are only noise
constexpr float kSmallestSmallCell = 16;   // if they are asked for
constexpr float kSmallestWholeCell = 13;   // whole numbers are short
constexpr Index kMostNumbers = 4096;

/// Counts the labels that are shortened.
Index count_cut(const HeatmapInput& input, const HeatmapLayout& plan, const MeasureText& measure) {
    Index n = 0;
    const auto count = [&](const std::vector<Index>& shown, const std::vector<std::string>& labels,
                           float room) {
        for (const Index k : shown)
            if (measure(labels[static_cast<std::size_t>(k)], plan.label_size, Font::Regular) > room)
                ++n;
    };
    count(plan.shown_rows, input.row_labels, plan.row_label_width);
    if (plan.columns != HeatmapLayout::Columns::Flat)
        count(plan.shown_columns, input.column_labels,
              plan.column_limit + kTiltedSlack * plan.label_size);
    return n;
}

/// Counts the lines over the row labels that are shortened.
Index count_cut_captions(const HeatmapInput& input, const HeatmapLayout& plan,
                         const MeasureText& measure) {
    return std::ranges::count_if(caption_lines(input.caption), [&](const std::string& line) {
        TextMark mark{{}, line, kCaptionSize};
        fit(mark, plan.row_label_width + kFigurePad / 2, measure);
        return mark.text != line;
    });
}

/// Returns how readable the picture is at that enlargement. Missing labels count most, then numbers
/// too small to be read, labels that are cut, the legend, and the size of numbers and labels.
float reading_score(const HeatmapInput& input, float times, const MeasureText& measure) {
    const HeatmapLayout plan = lay_out(input, measure);
    Index n_missing = 0, n_legends = 0;
    for (const LeftOut& missing : plan.left_out)
        (missing.what == std::string_view("legends") ? n_legends : n_missing) += missing.count;
    const float number = number_style(input, plan, measure).size;
    const float lacking = std::max(0.0f, input.times.number - number);
    constexpr float kMissing = 1000, kLacking = 20, kCut = 10, kLegend = 6, kCutCaption = 3;
    return (number + 0.35f * plan.label_size - kLacking * lacking) * times -
           kMissing * static_cast<float>(n_missing) - kLegend * static_cast<float>(n_legends) -
           kCut * static_cast<float>(count_cut(input, plan, measure)) -
           kCutCaption * static_cast<float>(count_cut_captions(input, plan, measure));
}

/// Returns the text with all digits as wide as the widest one of the type.
std::string in_widest_digits(std::string text, const MeasureText& measure, float size) {
    char widest = '0';
    float width = 0;
    for (char digit = '0'; digit <= '9'; ++digit) {
        const float its_width = measure(std::string(1, digit), size, Font::Regular);
        if (its_width > width) widest = digit, width = its_width;
    }
    for (char& c : text)
        if (c >= '0' && c <= '9') c = widest;
    return text;
}

/// Returns the width of the widest visible number, in type of size 1. Numbers below 10 have one
/// width.
float number_width(const HeatmapInput& input, const CellGrid& grid, const NumberStyle& type,
                   const MeasureText& measure) {
    constexpr Scalar kLong = Scalar(9.5);  // it rounds to 10 without decimals
    const bool has_signs = input.scale.low < 0;
    std::string widest = cell_text(has_signs ? Scalar(-0.7) : Scalar(0.7), type);
    widest = in_widest_digits(std::move(widest), measure, type.size);
    float width = measure(widest, type.size, Font::Regular);
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    std::size_t longest = 0;
    for (Index i = rows.first; i < rows.end; ++i)
        for (Index j = columns.first; j < columns.end; ++j) {
            const Scalar value = (*input.values)(i, j);
            if (std::abs(value) < kLong) continue;
            const std::string text = cell_text(value, type);
            if (text.size() <= longest) continue;
            longest = text.size();
            width = std::max(width, measure(text, type.size, Font::Regular));
        }
    return width / type.size;
}

/// Returns the style of numbers in a picture for reading from far away: with the input's decimals,
/// or with three where they have room, else two, or a shorter form where two could not be read.
NumberStyle far_number_style(const HeatmapInput& input, const CellGrid& grid,
                             const MeasureText& measure) {
    constexpr float kLargest = 14, kOfHeight = 0.72f, kMostOfHeight = 0.88f;
    const float smallest = input.numbers == HeatmapInput::Numbers::Small ? 5.5f : 8.0f;
    const bool is_far = input.times.most > 1;  // and larger than usual
    const float height = grid.cell_height(), room = grid.cell_width() - 4;
    float size = std::min(kLargest, (is_far ? kOfHeight : 0.56f) * height);
    size = std::max(size, std::min(input.times.number, kMostOfHeight * height));
    if (size < smallest) return {};
    const auto fitted = [&](NumberStyle type) {
        type.size = size;
        type.size = std::min(size, room / number_width(input, grid, type, measure));
        return type;
    };
    if (input.decimals) {
        const NumberStyle type = fitted({.size = 0, .decimals = *input.decimals, .is_exact = true});
        return type.size < smallest ? NumberStyle{} : type;
    }
    if (const NumberStyle type = fitted({0, 3}); type.size >= size) return type;
    NumberStyle best = fitted({0, 2});
    if (best.size < std::min(size, input.times.number))
        best = fitted({.size = 0, .decimals = 2, .is_short = true});
    return best.size < smallest ? NumberStyle{} : best;
}

}  // namespace

std::string cell_text(Scalar value, const NumberStyle& type) {
    if (type.is_exact) return format_fixed(value, type.decimals);
    return type.is_short ? format_short_cell(value) : format_cell(value, type.decimals);
}

NumberStyle number_style(const HeatmapInput& input, const HeatmapLayout& plan,
                         const MeasureText& measure) {
    const CellGrid& grid = plan.grid;
    const bool are_whole = input.numbers == HeatmapInput::Numbers::Whole;
    const bool are_small = input.numbers == HeatmapInput::Numbers::Small;
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    if (input.numbers == HeatmapInput::Numbers::Never) return {};
    if (rows.size() * columns.size() > kMostNumbers) return {};
    const bool is_slide = input.stretch > 1;  // read from far away
    if (is_slide && !are_whole) return far_number_style(input, grid, measure);
    const float least_cell = are_whole   ? kSmallestWholeCell
                             : are_small ? kSmallestSmallCell
                                         : kSmallestNumberCell;
    if (grid.cell_width() < least_cell) return {};
    const float of_height = are_whole ? 0.62f : 0.42f;
    float size = std::min(is_slide ? 14.0f : 11.0f, of_height * grid.cell_height());
    const bool is_exact = input.decimals && !are_whole;
    const Scalar usual = input.scale.low < 0 ? Scalar(-1) : Scalar(1);
    const std::string widest =
        in_widest_digits(are_whole ? format_cell(input.scale.high, 0)
                                   : format_fixed(usual, input.decimals.value_or(2)),
                         measure, size);
    const float width = measure(widest, size, Font::Regular);
    const float room = grid.cell_width() - (are_whole ? 2 : 4);
    if (are_small && !is_exact && width > room) {
        const float of_short = measure(in_widest_digits(".00", measure, size), size, Font::Regular);
        if (input.scale.low >= 0 && input.scale.high <= 1)
            return {
                .size = size * std::min(1.0f, room / of_short), .decimals = 2, .is_short = true};
    }
    if (width > room) size *= room / width;
    if (size < (are_small ? 5.5f : 8.0f)) return {};
    if (is_exact) return {.size = size, .decimals = *input.decimals, .is_exact = true};
    return {size, are_whole ? 0 : room > width + 8 ? 3 : 2};
}

HeatmapInput before_enlarging(HeatmapInput input, float times) {
    input.width /= times;
    input.height /= times;
    input.times.number /= times;
    return input;
}

float best_times(const HeatmapInput& input, const MeasureText& measure) {
    constexpr float kStep = 0.86f;
    float best = input.times.least, best_score = 0;
    bool is_first = true;
    for (float times = input.times.most; times >= input.times.least; times *= kStep) {
        const float score =
            reading_score(before_enlarging(input, times), times, measure_enlarged(measure, times));
        if (is_first || score > best_score) best = times, best_score = score;
        is_first = false;
    }
    return best;
}

}  // namespace headlight
