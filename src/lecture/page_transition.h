// From one page to the next: numbers that are set by hand and number settings run from what they
// were to what they become.
//
// Goals: every document on the way is a real study. Not goals: time, drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

class PageTransition {
  public:
    /// Nothing if the two differ in more than numbers, or not at all. `trace` is that of `before`:
    /// cells that were not set by hand begin at what was computed.
    static std::optional<PageTransition> make(const Document& before, const Trace& trace,
                                              const Document& after);

    /// share 0 is the study before, 1 exactly that after.
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

    Document after_;
    std::vector<MovingSetting> settings_;
    std::vector<MovingCell> cells_;
};

}  // namespace headlight
