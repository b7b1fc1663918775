// A view on a slide or on a page of a lecture: its picture alive, or a matrix covered until it is
// revealed, with the guesses at it.
#pragma once

#include <string>
#include <vector>

#include "figure/heatmap_figure.h"
#include "present/page/page_figure.h"
#include "ui/pictures/cell_pointer.h"
#include "views/prediction.h"

namespace headlight {

/// Returns the question while the matrix is covered.
const char* guess_question(const Tensor& tensor);
/// Returns "3 guesses"; once it is revealed "2 of 3 guesses right"; "" if there are none.
std::string guess_verdict(const Prediction& prediction, const Tensor& tensor);
/// Returns the verdict; the question while there is none.
std::vector<std::string> guess_texts(const Prediction& prediction, const Tensor& tensor);

/// A large matrix in a room of the window.
struct PresentedMatrix {
    HeatmapInput input;  // its size is that of the room
    Point at;            // of the room
    Prediction& prediction;
    bool is_sealed = false;     // a task covers it: it is not revealed, and takes no guesses
    bool is_in_middle = false;  // of the height, not only of the width
    bool names_cells = false;   // beside the pointer
    float appeared = 1;         // the share of its rows that is seen
};
/// Draws it with `cells` as its pointer. Returns what had no room, as missing_words() says it.
std::string draw_presented_matrix(PanelContext& context, const Tensor& tensor, CellPointer& cells,
                                  PresentedMatrix matrix);

/// Draws any other view, alive unless it is covered, in that room of the window. Returns what had
/// no room.
std::string draw_presented_view(PanelContext& context, ViewId view, const PageRoom& room, Point at);

/// Writes why there is no picture.
void draw_problem(PanelContext& context, const std::string& problem, Box box);

}  // namespace headlight
