// The terms of a cell's arithmetic as a picture: a head over the columns, and a row for each term.
//
// Goals: the inspector, the large explanation and a figure of it draw the same rows. Not goals:
// scrolling, and the reaction to the pointer (the panel's).
#pragma once

#include "figure/figure.h"
#include "figure/theme.h"
#include "figure/words/arithmetic.h"

namespace headlight {

struct TermColumns {
    float width = 0, row_height = 0, number_width = 0, text_size = 0, head_size = 0;
    std::size_t n_numbers = 0;

    float numbers_left() const { return width - number_width * static_cast<float>(n_numbers) - 4; }
};
/// Returns the columns. Compact: rows of the inspector. Wide: rows are as high as the room allows,
/// within limits.
TermColumns term_columns(const TermTable& table, TermForm form, Point room);

/// Draws the names of the columns; if Wide, the sum of the terms is named before them.
Figure term_head_figure(const TermTable& table, TermForm form, const TermColumns& columns,
                        const Theme& theme, const MeasureText& measure);

struct TermRowFigure {
    Figure figure;
    std::size_t target = 0;  // the cell of the row under the pointer, else the first
};
/// Draws a row. `pointer_x` belongs to a pointer over the row, from its left end; negative: there
/// is none.
TermRowFigure term_row_figure(const TermRow& row, const TermColumns& columns, float pointer_x,
                              const Theme& theme, const MeasureText& measure);

/// Draws the whole table in that room: its title, the remark on the sum, and as many rows as fit. A
/// last line counts the terms that are left out.
Figure terms_figure(const TermTable& table, Point room, const Theme& theme,
                    const MeasureText& measure);
/// Returns the height in which all rows read well.
float terms_height(const TermTable& table);

}  // namespace headlight
