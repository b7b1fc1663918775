// The log of a training, a table of numbers, is drawn as curves and as a figure of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "figure/figure_look.h"
#include "figure/plots/curves_figure.h"
#include "io/text/csv.h"

namespace headlight {

/// The first column of the log is what the others are drawn over: the steps.
struct CurveLog {
    std::string name;  // of its file, or of what it tells
    CsvMatrix csv;
};

/// Throws Error, naming `name` and the line, if there are no names of columns, only one column,
/// steps that are no ascending numbers, or a number below 0.
CurveLog read_curve_log(std::string_view bytes, const std::string& name);

/// Draws the columns as curves, in one picture; with several logs a curve has the name of its log
/// as well. No columns: all. Throws Error, naming `where`, if no log has one of them.
CurvesInput log_curves(std::span<const CurveLog> logs, std::span<const std::string> columns,
                       const Theme& theme, const ErrorPlace& where);

/// Draws the curves in the room of the look; their own width and height do not count.
Figure plot_figure(CurvesInput curves, const Theme& theme, const FigureLook& look,
                   const MeasureText& measure);

}  // namespace headlight
