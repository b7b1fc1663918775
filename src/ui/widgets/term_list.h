// The terms of a cell's arithmetic as a list: sorted, alive under the pointer, each leading to its
// cells.
#pragma once

#include "paint/words/term_table.h"
#include "ui/panel.h"

namespace headlight {

class TermList {
  public:
    explicit TermList(TermForm form) : form_(form) {}

    /// In the current window. Compact: the first `most_rows` rows, then a line that leads to all of
    /// them; Wide: all that is left of the window, scrolling.
    void draw(PanelContext& context, const std::vector<ArithmeticStep>& steps, Index most_rows);

  private:
    struct Columns {
        float width = 0, row_height = 0, number_width = 0, text_size = 0;
        std::size_t n_numbers = 0;

        float numbers_left() const {
            return width - number_width * static_cast<float>(n_numbers) - 4;
        }
    };

    const ArithmeticStep* choose_step(PanelContext& context,
                                      const std::vector<ArithmeticStep>& steps);
    void draw_heading(PanelContext& context, const TermTable& table) const;
    void draw_order(PanelContext& context);
    Columns lay_out_columns(const TermTable& table, float width) const;
    void draw_headers(PanelContext& context, const TermTable& table, const Columns& columns) const;
    void draw_rows(PanelContext& context, const TermTable& table, const Columns& columns,
                   std::pair<Index, Index> shown) const;
    void draw_scrolling(PanelContext& context, const TermTable& table, const Columns& columns);
    void draw_row(PanelContext& context, const TermRow& row, const Columns& columns,
                  Index number) const;
    void draw_rest(PanelContext& context, const TermTable& table) const;

    TermForm form_;
    TermOrder order_ = TermOrder::Strongest;
    std::string chosen_;  // last part of the path of the step that is shown; empty: the last step
};

}  // namespace headlight
