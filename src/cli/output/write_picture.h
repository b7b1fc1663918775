// A figure that a command draws itself, as a file.
#pragma once

#include <filesystem>

#include "cli/output/streams.h"
#include "paint/figure_type.h"
#include "scene/figures/view_figure.h"

namespace headlight {

/// Lays the figure out in the look and writes it in the format of the file's extension. What had no
/// room is noted. Throws Error if the file is no picture's.
void write_picture(const std::filesystem::path& file, const FigureLook& look,
                   const MakeFigure& make, const Streams& streams);

/// A view of a study.
void write_picture(const std::filesystem::path& file, const ViewFigure& view);

}  // namespace headlight
