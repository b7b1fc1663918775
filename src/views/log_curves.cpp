#include "views/log_curves.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "core/error.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_layout.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// "sentences_exact" → "sentences exact"
std::string in_words(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

void check_columns(std::span<const CurveLog> logs, std::span<const std::string> columns,
                   const ErrorPlace& where) {
    std::set<std::string> known;
    for (const CurveLog& log : logs)
        known.insert(log.csv.columns.begin() + 1, log.csv.columns.end());
    for (const std::string& wanted : columns)
        if (!known.contains(wanted))
            throw Error(where, "no column is called '{}'; there are {}", wanted, joined(known));
}

std::string curve_name(std::span<const CurveLog> logs, const CurveLog& log, std::size_t column,
                       std::size_t n_columns) {
    const std::string name = in_words(log.csv.columns[column]);
    if (logs.size() == 1) return name;
    const std::string file = std::filesystem::path(log.name).stem().string();
    return n_columns == 1 ? file : fmt::format("{}, {}", file, name);
}

}  // namespace

CurveLog read_curve_log(std::string_view bytes, const std::string& name) {
    CurveLog log{name, read_csv(bytes, name)};
    const CsvMatrix& csv = log.csv;
    if (csv.columns.empty()) throw Error(name, "has no first line that names its columns");
    if (csv.values.cols() < 2) throw Error(name, "needs a second column: curves over the first");
    for (Index i = 0; i < csv.values.rows(); ++i) {
        const std::size_t line = csv.lines[static_cast<std::size_t>(i)];
        const ErrorPlace here{name, static_cast<std::int64_t>(line)};
        if (!std::isfinite(csv.values(i, 0))) throw Error(here, "{} is no number", csv.columns[0]);
        if (i > 0 && csv.values(i, 0) < csv.values(i - 1, 0))
            throw Error(here, "{} is less than in the line before", csv.columns[0]);
        if ((csv.values.row(i).array() < 0).any())
            throw Error(here, "has a number below 0, where curves begin");
    }
    return log;
}

CurvesInput log_curves(std::span<const CurveLog> logs, std::span<const std::string> columns,
                       const Theme& theme, const ErrorPlace& where) {
    check_columns(logs, columns, where);
    CurvesInput input;
    input.x_high = 0;
    input.x_name = in_words(logs.front().csv.columns[0]);
    if (columns.size() == 1) input.left_name = in_words(columns.front());
    for (const CurveLog& log : logs)
        for (std::size_t j = 1; j < log.csv.columns.size(); ++j) {
            const bool is_wanted = columns.empty() || is_among(log.csv.columns[j], columns);
            if (!is_wanted) continue;
            const std::size_t k = input.lines.size();
            CurveLine line{curve_name(logs, log, j, columns.size()),
                           {},
                           head_color(theme, static_cast<int>(k)),
                           CurveLine::Scale::Left};
            const Matrix& values = log.csv.values;
            for (Index i = 0; i < values.rows(); ++i) {
                const auto y = static_cast<double>(values(i, static_cast<Index>(j)));
                line.points.push_back({static_cast<double>(values(i, 0)), y});
                if (std::isfinite(y)) input.high = std::max(input.high, y);
            }
            input.x_high = std::max(input.x_high, line.points.back().x);
            input.lines.push_back(std::move(line));
        }
    return input;
}

namespace {

constexpr Point kPlotRoom{960, 300};
constexpr float kLeastHeight = 180;

}  // namespace

Figure plot_figure(CurvesInput curves, const Theme& theme, const FigureLook& look,
                   const MeasureText& measure) {
    const Point room = picture_room(look, kPlotRoom, [](float width) {
                           return std::max(kPlotRoom.y * width / kPlotRoom.x, kLeastHeight);
                       }).size;
    curves.width = room.x - 2 * kFigurePad;
    curves.height = room.y - 2 * kFigurePad;
    Figure figure{room.x, room.y, {}};
    add_part(figure, curves_figure(curves, theme, measure).figure, {kFigurePad, kFigurePad});
    return figure;
}

}  // namespace headlight
