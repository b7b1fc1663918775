#include "cli/plot_command.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/text/csv.h"
#include "paint/figure_type.h"
#include "scene/figures/plot_figure.h"

namespace headlight {
namespace {

struct CurveTable {
    std::string file;
    CsvMatrix csv;
};

CurveTable read_table(const std::string& file) {
    CurveTable table{file, read_csv(read_file(file), file)};
    const CsvMatrix& csv = table.csv;
    if (csv.columns.empty()) throw Error(file, "has no first line that names its columns");
    if (csv.values.cols() < 2) throw Error(file, "needs a second column: curves over the first");
    for (Index i = 0; i < csv.values.rows(); ++i) {
        const std::string line = "line " + std::to_string(csv.lines[static_cast<std::size_t>(i)]);
        if (!std::isfinite(csv.values(i, 0)))
            throw Error(file, line + ": " + csv.columns[0] + " is no number");
        if (i > 0 && csv.values(i, 0) < csv.values(i - 1, 0))
            throw Error(file, line + ": " + csv.columns[0] + " is less than in the line before");
        if ((csv.values.row(i).array() < 0).any())
            throw Error(file, line + ": has a number below 0, where curves begin");
    }
    return table;
}

/// "sentences_exact" → "sentences exact"
std::string in_words(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

bool is_wanted(const PlotCurves& options, const std::string& column) {
    return options.columns.empty() ||
           std::ranges::find(options.columns, column) != options.columns.end();
}

void check_columns(const PlotCurves& options, const std::vector<CurveTable>& tables) {
    std::set<std::string> known;
    for (const CurveTable& table : tables)
        known.insert(table.csv.columns.begin() + 1, table.csv.columns.end());
    std::string listed;
    for (const std::string& name : known) listed += (listed.empty() ? "" : ", ") + name;
    for (const std::string& wanted : options.columns)
        if (!known.contains(wanted))
            throw Error("--column", "no column is called '" + wanted + "'; there are " + listed);
}

/// Of several files a curve has the name of its file, too.
std::string curve_name(const std::vector<CurveTable>& tables, const CurveTable& table,
                       std::size_t column, std::size_t n_columns) {
    const std::string name = in_words(table.csv.columns[column]);
    if (tables.size() == 1) return name;
    const std::string file = std::filesystem::path(table.file).stem().string();
    return n_columns == 1 ? file : file + ", " + name;
}

CurvesInput make_curves(const PlotCurves& options, const std::vector<CurveTable>& tables,
                        const Theme& theme) {
    CurvesInput input;
    input.x_high = 0;
    input.x_name = in_words(tables.front().csv.columns[0]);
    if (options.columns.size() == 1) input.left_name = in_words(options.columns.front());
    for (const CurveTable& table : tables)
        for (std::size_t j = 1; j < table.csv.columns.size(); ++j) {
            if (!is_wanted(options, table.csv.columns[j])) continue;
            const std::size_t k = input.lines.size();
            CurveLine line{curve_name(tables, table, j, options.columns.size()),
                           {},
                           head_color(theme, static_cast<int>(k)),
                           CurveLine::Scale::Left};
            const Matrix& values = table.csv.values;
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

}  // namespace

void plot_curves(const PlotCurves& options, const Streams& streams) {
    const Exporter& exporter = exporter_for(options.output);
    if (exporter.kind != ExportKind::Picture)
        throw Error(options.output, "is no picture; take .png, .svg, .pdf or .gif");
    check_is_no_input(options.output, std::vector<std::filesystem::path>(options.files.begin(),
                                                                         options.files.end()));
    std::vector<CurveTable> tables;
    for (const std::string& file : options.files) tables.push_back(read_table(file));
    check_columns(options, tables);
    const Theme& theme = theme_named(options.look.theme);
    const CurvesInput curves = make_curves(options, tables, theme);
    const LaidOutFigure laid_out = lay_out_figure(options.look, [&](const FigureLook& look) {
        return plot_figure(curves, theme, look, pango_measure());
    });
    const FigureSheet sheet = sheet_for(laid_out.figure, laid_out.look, theme.card);
    write_file(options.output, export_bytes(exporter, {Trace(), {}, laid_out.figure, sheet}));
    if (!laid_out.note.empty()) write_note(streams, laid_out.note);
}

}  // namespace headlight
