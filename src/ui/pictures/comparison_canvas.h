// A comparison in the window: its pictures, alive under the pointer, and its numbers elsewhere.
#pragma once

#include "ui/pictures/cell_pointer.h"
#include "ui/pictures/graph_canvas.h"
#include "views/compared_sides.h"
#include "views/graph_view.h"

namespace headlight {

class ComparisonCanvas {
  public:
    /// Draws the pictures into `box`, counted from `origin`. Pointing at any of them points at A's
    /// cell; only A can be changed.
    void draw(PanelContext& context, Box box, Point origin, const ProjectorStyle& look = {});

  private:
    /// The pictures of large graphs, which stay as they are under the pointer, and are made and
    /// drawn once.
    struct Kept {
        std::shared_ptr<const Trace> trace;
        MatrixPtr a, b;
        Comparison::Show show = Comparison::Show::All;
        GraphLook look;
        GraphChoice choice;
        const Theme* theme = nullptr;
        Point size;
        std::string names;

        bool operator==(const Kept& other) const;
    };
    void point(PanelContext& context, const ComparedPicture& picture, Point origin);
    void keep(PanelContext& context, Point size);

    CellPointer cells_of_a_;
    GraphCanvas graph_of_a_;
    Kept kept_of_;
    ComparisonPictures kept_;
    std::shared_ptr<const Figure> kept_marks_;
    Figure kept_texts_;
};

/// Draws "A 0.42   B 0.31   A − B 0.11" of a cell of A; nothing where B has no such cell.
void draw_compared_cell(PanelContext& context, const CellPlace& cell);

/// Returns B's values in the places of A's tensor, where the two can be subtracted; else null.
MatrixPtr subtracted_in_b(const PanelContext& context, const std::string& path);

}  // namespace headlight
