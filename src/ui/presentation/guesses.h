// Guesses at a covered matrix, as a slide and a page of a lecture take and judge them.
#pragma once

#include "ui/panel.h"
#include "views/prediction.h"

namespace headlight {

/// The cells of a picture, which stands at that place of the window.
struct PlacedGrid {
    const CellGrid& grid;
    Point at;
};

/// Returns the question while the matrix is covered.
const char* guess_question(const Tensor& tensor);
/// Returns "3 guesses"; once it is revealed "2 of 3 guesses right"; "" if there are none.
std::string guess_verdict(const Prediction& prediction, const Tensor& tensor);

/// Draws the guesses on the matrix: right and wrong ones once it is revealed.
void draw_guesses(PanelContext& context, const Prediction& prediction, const Tensor& tensor,
                  const PlacedGrid& place);
/// Takes a click on a cell of the covered matrix as a guess.
void take_guess(PanelContext& context, Prediction& prediction, const Tensor& tensor,
                const PlacedGrid& place);

}  // namespace headlight
