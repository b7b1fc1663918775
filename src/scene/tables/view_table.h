// The numbers of a view as a table, for files and for the clipboard.
//
// Goals: the window's export, its clipboard and `headlight export` write the same table. Not goals:
// the numbers of matrices, which are files as they are.
#pragma once

#include <string>

#include "io/text/table.h"
#include "scene/figures/view_figure.h"

namespace headlight {

/// True of views that have a table of their own.
bool has_table(FigureOf view);

/// The view whose numbers stand for those of a view: its own, or those of a part of it; Matrix
/// where the numbers are the chosen matrix's.
FigureOf numbers_view(const Scene& scene, FigureOf view);

struct ViewTable {
    Table table;
    std::string note;  // what is left out; "": nothing
};
/// Of a comparison with A and B beside each other, or with their difference where heads are
/// compared. Throws Error if the scene has nothing for the view, or the view has no table.
ViewTable view_table(const Scene& scene, FigureOf view);

}  // namespace headlight
