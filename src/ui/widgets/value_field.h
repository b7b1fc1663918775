// The number in the held cell, as a field: drag it, step it, type it.
#pragma once

#include "core/intervention.h"
#include "ui/panel.h"

namespace headlight {

class ValueField {
  public:
    /// A label, a button for a step down, the number, a button for a step up.
    void draw(PanelContext& context, const Tensor& tensor, const PointedCell& cell);

  private:
    struct Typing {
        PointedCell cell;
        std::string text, applied = {};      // what is typed, and what of it the cell has
        Scalar step = 0;                     // of the arrows ↑ and ↓
        std::optional<Intervention> before;  // what Esc brings back
        bool began_in_cell = false;          // then Enter goes on to the cell below
        bool has_focus = false, must_end = false;
        Index down = 0, right = 0;  // where the keyboard goes next
    };

    void begin(const PanelContext& context, const PointedCell& cell, const std::string& text);
    void draw_number(PanelContext& context, const Tensor& tensor, const PointedCell& cell);
    void draw_typing(PanelContext& context, const Tensor& tensor);
    void finish(PanelContext& context, const Tensor& tensor);

    std::optional<Typing> typing_;
};

}  // namespace headlight
