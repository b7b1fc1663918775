#include "figure/heatmap_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_layout.h"
#include "figure/labels.h"
#include "figure/legend.h"
#include "figure/number_format.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::vector<std::string> title_on_lines(const HeatmapInput& input, const MeasureText& measure) {
    if (input.title.empty()) return {};
    const TextMark title{{}, input.title, kHeatmapTitle, {}, Font::Bold};
    const float room = input.width - 2 * kFigurePad - input.corner;
    const bool is_wide = measure(title.text, title.size, title.font) > room;
    if (!is_wide || !input.symbol.empty() || input.times.most > 1) return {input.title};
    return wrapped_lines(title, room, measure);
}

}  // namespace

HeatmapHeader break_header(const HeatmapInput& input, bool is_formula_beside,
                           const MeasureText& measure) {
    constexpr float kLeast = 10;  // size of a formula that goes on below
    HeatmapHeader header{title_on_lines(input, measure), {}, 0};
    if (input.formula.empty()) return header;
    FormulaStyle style{kHeatmapFormula, {}};
    const float room = input.width - 2 * kFigurePad;
    style.size *= std::min(1.0f, room / formula_width(input.formula, style, measure));
    const bool has_one_line = is_formula_beside || input.times.most > 1 || style.size >= kLeast;
    if (!has_one_line) style.size = kLeast;
    header.formula_size = style.size;
    header.formula_lines = has_one_line ? std::vector{input.formula}
                                        : wrapped_formula(input.formula, room, style, measure);
    return header;
}

namespace {

constexpr float kSmallestGridCell = 6;
constexpr float kSmallestFrame = 4;  // around what is seen, in the overview

bool is_inside(const Box& box, const Box& frame) {
    return box.x >= frame.x && box.y >= frame.y && box.right() <= frame.right() &&
           box.bottom() <= frame.bottom();
}

constexpr float kCutSlack = 0.01f;  // of sums of lengths

/// Draws one heatmap, part by part; `add_all` is the order.
class HeatmapPainter {
  public:
    HeatmapPainter(const HeatmapInput& input, HeatmapLayout plan, const Theme& theme,
                   const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure), plan_(std::move(plan)) {
        figure_.width = input.width;
        figure_.height = input.height;
    }

    HeatmapFigure paint() {
        add_header();
        if (plan_.grid.rows > 0 && plan_.grid.columns > 0) add_all();
        figure_.left_out.insert(figure_.left_out.end(), plan_.left_out.begin(),
                                plan_.left_out.end());
        for (const CutTexts* cut :
             {&titles_, &formulas_, &captions_, &row_labels_, &column_labels_})
            cut->tell(figure_);
        if (input_.target && plan_.grid.rows > 0) {
            figure_.targets.push_back(*input_.target);
            figure_.targets.back().grid = plan_.grid;
        }
        return {std::move(figure_), plan_.grid,       plan_.room,
                plan_.overview,     plan_.legend_box, number_size_};
    }

  private:
    void add_all() {
        add_cells(plan_.grid);
        figure_.add(RectMark{plan_.grid.seen(), {0, 0, 0, 0}, theme_.border, 1, 0});
        add_caption();
        for (Index row : plan_.shown_rows) add_row_label(row);
        for (Index column : plan_.shown_columns) add_column_label(column);
        add_numbers();
        for (const CellIndex& cell : input_.pinned) add_pin(cell);
        add_moved_rows();
        add_outlines();
        add_legend_part();
        if (plan_.overview.rows > 0) add_overview();
    }

    const MatrixPtr& colored() const { return input_.colored ? input_.colored : input_.values; }

    void add_cells(const CellGrid& grid) {
        const float cell = std::min(grid.cell_width(), grid.cell_height());
        HeatmapMark mark{grid.cells, colored(), input_.scale, theme_.grid, 0};
        mark.clip = grid.frame;
        if (cell >= kSmallestGridCell) mark.grid_width = cell >= 14 ? 1.0f : 0.5f;
        mark.far_out = input_.far_out;
        figure_.add(std::move(mark));
    }

    void add_header() {
        const float room = input_.width - 2 * kFigurePad;
        TextMark title{
            {kFigurePad, plan_.title_baseline}, "", kHeatmapTitle, theme_.text, Font::Bold};
        for (const std::string& line : plan_.title_lines) {
            title.text = line;
            add_symbol_title(figure_, title, input_.symbol, room - input_.corner + kCutSlack,
                             measure_, &titles_);
            title.at.y += kTitleLine;
        }
        const FormulaStyle style{plan_.formula_size, theme_.muted};
        Point at{plan_.formula_left, plan_.formula_baseline};
        for (const std::string& line : plan_.formula_lines) {
            const float width = room - (at.x - kFigurePad) + kCutSlack;
            const std::string shown = plan_.formula_lines.size() > 1
                                          ? shortened_formula(line, width, style, measure_)
                                          : line;
            formulas_.count(shown != line);
            add_formula(figure_, at, shown, style, measure_);
            at.y += kFormulaLine;
        }
    }

    /// Adds the caption, its last line just over the cells, clear of a first row label that is
    /// higher than its row.
    void add_caption() {
        const CellGrid& grid = plan_.grid;
        const float over = plan_.label_size * kLineHeight - grid.cell_height();
        const auto lines = caption_lines(input_.caption);
        const Box frame = grid.seen();
        float y = frame.y - 6 - std::max(0.0f, over / 2);
        const float kept = reach_before_cells();
        const float room = plan_.row_label_width - kept;
        const float pad = std::min(kept, kFigurePad - 2);  // it may reach towards the edge
        for (auto text = lines.rbegin(); text != lines.rend(); ++text, y -= kCaptionLine) {
            TextMark line{{frame.x - kLabelGap - kept, y},
                          *text,
                          kCaptionSize,
                          theme_.muted,
                          Font::Regular,
                          Align::End};
            // On paper all type has the size that was asked for.
            if (input_.label_size)
                captions_.shorten(line, room + pad + kCutSlack, measure_);
            else
                fit(line, room + std::max(pad, kFigurePad / 2), measure_);
            if (!input_.label_size) captions_.count(line.text != *text);
            add_caption_line(std::move(line));
        }
    }

    /// Returns how far the name of the first column reaches beyond the caption's end: flat names
    /// are wider than the cells of a large matrix.
    float reach_before_cells() const {
        if (plan_.columns != HeatmapLayout::Columns::Flat || plan_.shown_columns.empty()) return 0;
        const Index first = plan_.shown_columns.front();
        if (first >= std::ssize(input_.column_labels)) return 0;
        const std::string& name = input_.column_labels[static_cast<std::size_t>(first)];
        const float width =
            std::min(plan_.column_limit, measure_(name, plan_.label_size, Font::Bold));
        const float left = plan_.grid.column_box(first).center().x - width / 2;
        return std::max(0.0f, plan_.grid.seen().x - left);
    }

    /// Adds a line such as "d_model →", with its subscript lowered.
    void add_caption_line(TextMark line) {
        const std::size_t low = line.text.find('_');
        if (low == std::string::npos) {
            if (!line.text.empty()) figure_.add(std::move(line));
            return;
        }
        const std::size_t end = std::min(line.text.find(' ', low), line.text.size());
        const std::string formula =
            fmt::format("{}_{{{}}}{}", line.text.substr(0, low),
                        line.text.substr(low + 1, end - low - 1), line.text.substr(end));
        const FormulaStyle style{line.size, line.color, line.font};
        const float width = formula_width(formula, style, measure_);
        add_formula(figure_, {line.at.x - width, line.at.y}, formula, style, measure_);
    }

    void style_label(TextMark& label, bool is_selected, bool is_hovered) const {
        label.size = plan_.label_size;
        label.color = is_hovered && !is_selected ? theme_.accent : theme_.text;
        label.font = is_selected ? Font::Bold : Font::Regular;
    }

    void add_row_label(Index row) {
        const Box box = plan_.grid.row_box(row);
        TextMark label{
            {plan_.grid.seen().x - kLabelGap, box.center().y + plan_.label_size * kMiddleShift},
            input_.row_labels[row]};
        label.align = Align::End;
        style_label(label, is_among(row, input_.selected.rows), is_among(row, input_.hovered.rows));
        row_labels_.shorten(label, plan_.row_label_width + kCutSlack, measure_);
        figure_.add(std::move(label));
    }

    void add_column_label(Index column) {
        const float middle = plan_.grid.column_box(column).center().x;
        TextMark label{{middle, plan_.grid.seen().y - 6}, input_.column_labels[column]};
        style_label(label, input_.selected.has_column(column), input_.hovered.has_column(column));
        float room = plan_.column_limit;
        if (plan_.columns == HeatmapLayout::Columns::Tilted) {
            label.angle_deg = -45;
            label.at.x += label.size * 0.3f;
            // Letters do not shrink exactly as their size does.
            room = std::min(room + kTiltedSlack * label.size,
                            (input_.width - 4 - label.at.x) * 1.414f - label.size * 0.3f);
        } else if (plan_.columns == HeatmapLayout::Columns::Upright) {
            label.angle_deg = -90;
            label.at.x += label.size * kMiddleShift;
        } else {
            label.align = Align::Middle;
            const float half = measure_(label.text, label.size, label.font) / 2;
            label.at.x = std::clamp(label.at.x, half, std::max(half, input_.width - half));
        }
        column_labels_.shorten(label, room + kCutSlack, measure_);
        figure_.add(std::move(label));
    }

    /// Adds numbers inside the cells, in one size, if that can be read.
    void add_numbers() {
        const NumberStyle type = number_style(input_, plan_, measure_);
        if (type.size == 0) return;
        number_size_ = type.size;
        const IndexRange rows = plan_.grid.seen_rows(), columns = plan_.grid.seen_columns();
        for (Index i = rows.first; i < rows.end; ++i)
            for (Index j = columns.first; j < columns.end; ++j) add_number({i, j}, type);
    }

    void add_number(CellIndex cell, const NumberStyle& type) {
        const float size = type.size;
        const Scalar value = (*input_.values)(cell.row, cell.column);
        const Box box = plan_.grid.cell_box(cell.row, cell.column);
        const Color background = value_color(input_.scale, (*colored())(cell.row, cell.column));
        // Values that read "0.00", where small numbers are asked for, would hide the others.
        const double nothing = type.is_exact ? 0.5 * std::pow(10.0, -type.decimals) : 0.005;
        const bool is_next_to_nothing = input_.numbers == HeatmapInput::Numbers::Small &&
                                        std::abs(value) < static_cast<Scalar>(nothing);
        TextMark mark{{box.center().x, box.center().y + size * kMiddleShift},
                      cell_text(value, type),
                      size,
                      faded(text_on(theme_, background), is_next_to_nothing ? 0.4f : 0.85f),
                      Font::Regular,
                      Align::Middle};
        const float width = measure_(mark.text, size, mark.font);
        if (width > box.width - 2) return;
        const Box text{mark.at.x - width / 2, box.center().y - size / 2, width, size};
        if (is_inside(text, plan_.grid.seen())) figure_.add(std::move(mark));
    }

    /// Adds a pin: a head and a needle in the upper right corner, above the number if there is one.
    void add_pin(CellIndex cell) {
        if (cell.row >= plan_.grid.rows || cell.column >= plan_.grid.columns) return;
        const Box box = plan_.grid.cell_box(cell.row, cell.column);
        const float side = std::min({box.width, box.height, 28.0f});
        float radius = std::clamp(0.13f * side, 0.8f, 3.2f);
        const float above = (box.height - number_size_) / 2;
        if (number_size_ > 0) radius = std::clamp(above / 2.4f, 0.8f, radius);
        const float inset = number_size_ > 0 ? 1.3f * radius : 2 * radius;
        const Point head{box.right() - inset, box.y + inset};
        if (!plan_.grid.seen().contains(head)) return;
        const float room = number_size_ > 0 ? std::max(0.0f, above - inset) : side;
        const float needle = std::min(2.2f * radius, room);
        const Point tip{head.x - needle, head.y + needle};
        figure_.add(LineMark{tip, head, theme_.outline, std::max(0.5f, radius * 0.4f)});
        figure_.add(CircleMark{head, radius, theme_.selection, theme_.card, radius * 0.35f});
    }

    void add_outline(Box whole, Color color, float width) {
        const Box box = common_part(whole, plan_.grid.seen());
        if (!box.is_empty()) figure_.add(RectMark{box, {0, 0, 0, 0}, color, width, 0});
    }

    void add_moved_rows() {
        constexpr float kWash = 0.22f, kWidth = 2.5f;
        if (input_.moved_strength <= 0) return;
        for (const Index row : input_.moved_rows) {
            if (row >= plan_.grid.rows) continue;
            const Box box = common_part(plan_.grid.row_box(row), plan_.grid.seen());
            if (box.is_empty()) continue;
            figure_.add(RectMark{box, faded(theme_.selection, kWash * input_.moved_strength),
                                 faded(theme_.selection, input_.moved_strength), kWidth, 2});
        }
    }

    void add_outlines() {
        const CellGrid& grid = plan_.grid;
        const float thin = std::min(1.0f, grid.cell_height());
        for (Index row : input_.selected.rows) {
            if (row >= grid.rows) continue;
            add_marked(grid.row_box(row), thin);
            if (input_.selected.column && *input_.selected.column < grid.columns)
                add_marked(grid.cell_box(row, *input_.selected.column), 2);
        }
        if (input_.selected.rows.empty() && input_.selected.column) {
            add_column_outline(*input_.selected.column, theme_.outline);
            for (const Index column : input_.selected.also_columns)
                add_column_outline(column, theme_.outline);
        }
        if (!input_.hovered.column) return;
        for (Index row : input_.hovered.rows)
            if (row < grid.rows && *input_.hovered.column < grid.columns)
                add_outline(grid.cell_box(row, *input_.hovered.column), theme_.accent, 1.5f);
    }

    /// Outlines what is held, so that it is seen on dark cells as on light ones.
    void add_marked(const Box& box, float width) {
        constexpr float kLeastCell = 8, kHalo = 1;  // of smaller cells the halo would hide too much
        const CellGrid& grid = plan_.grid;
        if (std::min(grid.cell_width(), grid.cell_height()) >= kLeastCell)
            add_outline(box, theme_.card, width + 2 * kHalo);
        add_outline(box, theme_.outline, width);
    }

    void add_column_outline(Index column, Color color) {
        if (column >= plan_.grid.columns) return;
        add_outline(plan_.grid.column_box(column), color, std::min(1.0f, plan_.grid.cell_width()));
    }

    /// Adds a picture of the whole matrix, with a frame around the part that the large picture
    /// shows.
    void add_overview() {
        const CellGrid& grid = plan_.grid;
        const Box &all = plan_.overview.cells, seen = grid.seen();
        add_cells(plan_.overview);
        figure_.add(RectMark{all, {0, 0, 0, 0}, theme_.border, 1, 0});
        const float x = all.width / grid.cells.width, y = all.height / grid.cells.height;
        Box frame{all.x + (seen.x - grid.cells.x) * x, all.y + (seen.y - grid.cells.y) * y,
                  std::max(kSmallestFrame, seen.width * x),
                  std::max(kSmallestFrame, seen.height * y)};
        frame.x = std::min(frame.x, all.right() - frame.width);
        frame.y = std::min(frame.y, all.bottom() - frame.height);
        figure_.add(RectMark{frame, faded(theme_.accent, 0.12), theme_.accent, 1.5f, 0});
    }

    void add_legend_part() {
        if (plan_.legend == LegendPlace::None) return;
        LegendInput legend{plan_.legend_box, input_.scale, input_.legend_name};
        legend.clipped = input_.clipped;
        if (plan_.legend == LegendPlace::Bottom) legend.direction = LegendInput::Direction::Lying;
        add_legend(figure_, legend, theme_, measure_);
    }

    const HeatmapInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    HeatmapLayout plan_;
    Figure figure_;
    float number_size_ = 0;  // 0: there are none
    CutTexts titles_{"titles"}, formulas_{"formulas"}, captions_{"names of axes"},
        row_labels_{"row labels"}, column_labels_{"column labels"};
};

void enlarge_box(Box& box, float times) {
    box = {box.x * times, box.y * times, box.width * times, box.height * times};
}
void enlarge_grid(CellGrid& grid, float times) {
    enlarge_box(grid.cells, times);
    enlarge_box(grid.frame, times);
}

}  // namespace

void enlarge(HeatmapFigure& picture, float times) {
    enlarge(picture.figure, times);
    enlarge_grid(picture.grid, times);
    enlarge_grid(picture.room.whole, times);
    picture.room.largest = {picture.room.largest.x * times, picture.room.largest.y * times};
    enlarge_grid(picture.overview, times);
    enlarge_box(picture.legend, times);
    picture.number_size *= times;
}

HeatmapFigure heatmap_in_layout(const HeatmapInput& input, const HeatmapLayout& layout,
                                const Theme& theme, const MeasureText& measure) {
    return HeatmapPainter(input, layout, theme, measure).paint();
}

HeatmapFigure heatmap_figure(const HeatmapInput& input, const Theme& theme,
                             const MeasureText& measure) {
    if (input.times.most <= 1 && input.times.least >= 1)
        return heatmap_in_layout(input, lay_out(input, measure), theme, measure);
    const float times = best_times(input, measure);
    const HeatmapInput smaller = before_enlarging(input, times);
    const MeasureText larger = measure_enlarged(measure, times);
    HeatmapFigure picture = heatmap_in_layout(smaller, lay_out(smaller, larger), theme, larger);
    enlarge(picture, times);
    return picture;
}

namespace {

bool are_of_one_shape(const std::vector<HeatmapInput>& inputs) {
    return std::ranges::all_of(inputs, [&](const HeatmapInput& input) {
        const MatrixPtr &values = input.values, &first = inputs.front().values;
        return values && first && values->rows() == first->rows() &&
               values->cols() == first->cols() && input.width == inputs.front().width &&
               input.height == inputs.front().height;
    });
}

/// Returns the input that needs most room: its title, formula and labels are the widest of all.
HeatmapInput widest_input(const std::vector<HeatmapInput>& inputs, const MeasureText& measure) {
    HeatmapInput widest = inputs.front();
    const auto widen = [&](std::string& text, const std::string& other) {
        const auto width = [&](const std::string& of) {
            return measure(of, kHeatmapTitle, Font::Bold);
        };
        if (width(other) > width(text)) text = other;
    };
    const auto widen_all = [&](std::vector<std::string>& labels,
                               const std::vector<std::string>& others) {
        labels.resize(std::max(labels.size(), others.size()));
        for (std::size_t k = 0; k < others.size(); ++k) widen(labels[k], others[k]);
    };
    for (const HeatmapInput& input : inputs) {
        widen(widest.title, input.title);
        widen(widest.formula, input.formula);
        widen_all(widest.row_labels, input.row_labels);
        widen_all(widest.column_labels, input.column_labels);
        widest.corner = std::max(widest.corner, input.corner);
    }
    return widest;
}

struct FarLayout {
    float times = 1;
    MeasureText measure;  // for a picture that is enlarged afterwards
    HeatmapLayout layout;
};

FarLayout lay_out_far(const HeatmapInput& input, const MeasureText& measure) {
    FarLayout far{best_times(input, measure), measure, {}};
    far.measure = measure_enlarged(measure, far.times);
    far.layout = lay_out(before_enlarging(input, far.times), far.measure);
    return far;
}

}  // namespace

std::vector<HeatmapFigure> heatmaps_in_line(std::vector<HeatmapInput> inputs, const Theme& theme,
                                            const MeasureText& measure) {
    std::vector<HeatmapFigure> pictures;
    if (inputs.size() < 2 || !are_of_one_shape(inputs)) {
        for (const HeatmapInput& input : inputs)
            pictures.push_back(heatmap_figure(input, theme, measure));
        return pictures;
    }
    HeatmapInput widest = widest_input(inputs, measure);
    FarLayout far = lay_out_far(widest, measure);
    const auto has_readable_numbers = [&](const HeatmapInput& input) {
        const HeatmapInput smaller = before_enlarging(input, far.times);
        const float size = number_style(smaller, far.layout, far.measure).size;
        return size > 0 && size >= smaller.times.number;
    };
    const bool is_far = widest.stretch > 1;
    if (is_far && !std::ranges::all_of(inputs, has_readable_numbers)) {
        for (HeatmapInput& input : inputs) input.numbers = HeatmapInput::Numbers::Never;
        widest.numbers = HeatmapInput::Numbers::Never;
        far = lay_out_far(widest, measure);
    }
    for (const HeatmapInput& input : inputs) {
        const HeatmapInput smaller = before_enlarging(input, far.times);
        place_header(smaller, far.layout, far.measure);
        pictures.push_back(heatmap_in_layout(smaller, far.layout, theme, far.measure));
        enlarge(pictures.back(), far.times);
    }
    return pictures;
}

std::vector<std::string> caption_lines(const std::string& caption) {
    if (caption.empty()) return {};
    const auto arrow = caption.find("↓");
    const auto cut = caption.find(' ', arrow == std::string::npos ? 0 : arrow);
    if (cut == std::string::npos) return {caption};
    return {caption.substr(0, cut), caption.substr(cut + 1)};
}

bool are_counted(const std::vector<std::string>& labels) {
    for (std::size_t k = 0; k < labels.size(); ++k)
        if (labels[k] != std::to_string(k)) return false;
    return true;
}

float caption_height(const HeatmapInput& input) {
    const auto lines = static_cast<float>(caption_lines(input.caption).size());
    return lines > 0 ? lines * kCaptionLine + 8 : 0;
}

std::optional<float> formula_beside(const HeatmapInput& input, const MeasureText& measure) {
    constexpr float kBetween = 18;
    if (input.times.most <= 1 || input.title.empty() || input.formula.empty()) return std::nullopt;
    const float left = kFigurePad + measure(input.title, kHeatmapTitle, Font::Bold) + kBetween;
    const float width = formula_width(input.formula, {kHeatmapFormula, {}}, measure);
    const float room = input.width - kFigurePad - input.corner;
    return left + width <= room ? std::optional(left) : std::nullopt;
}

Box mini_box(Index rows, Index columns, float max_side) {
    if (rows <= 0 || columns <= 0) return {};
    const float aspect = std::clamp(static_cast<float>(columns) / rows, 0.4f, 2.5f);
    return aspect > 1 ? Box{0, 0, max_side, max_side / aspect}
                      : Box{0, 0, max_side * aspect, max_side};
}

}  // namespace headlight
