// The change from one page to the next: numbers that are set by hand and number settings run from
// their old to their new values, and so does the output of a head that is ablated or restored.
//
// Goals: every document on the way is a real study. Not goals: time, drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// A page's study and its trace, with all sentences.
struct PageState {
    const Document& document;
    const Trace& trace;
};

class PageTransition {
  public:
    /// Returns nothing if the two differ in more than numbers, or not at all. Cells that were not
    /// set by hand begin at the value that was computed, and a restored head ends at it.
    static std::optional<PageTransition> make(const PageState& before, const PageState& after);

    /// Returns the study on the way: with share 0 the one before, with 1 exactly the one after.
    Document at(double share) const;

  private:
    struct MovingSetting {
        std::string path;
        double from = 0, to = 0;
    };
    struct MovingCell {
        std::string path;
        CellValue from;
        Scalar to = 0;
    };

    struct MovingMatrix {
        std::string path;
        MatrixPtr from, to;
    };

    void add_settings(const Document& before, Document& with_numbers_of_before);
    void add_cells(const PageState& before);
    void add_ablations(const PageState& before, const PageState& after);

    Document after_;
    std::vector<MovingSetting> settings_;
    std::vector<MovingCell> cells_;
    std::vector<MovingMatrix> matrices_;
};

}  // namespace headlight
