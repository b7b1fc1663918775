// A lecture presented: the chosen page on the whole window, its keys and its foot.
#pragma once

#include <cstdint>
#include <imgui.h>
#include <optional>

#include "ui/lecture/page_canvas.h"

namespace headlight {

class LectureSlide {
  public:
    /// Over the whole window, which is that large in the slide's points.
    void draw(PanelContext& context, const LectureBook& book, PageCanvas& page, Point size);
    /// What the keys of a keyboard or of a presenter's remote ask for; only while nothing else has
    /// them.
    void press_keys(PanelContext& context, const LectureBook& book, PageCanvas& page);

  private:
    std::optional<ImVec2> put_away_resting_pointer(std::uint64_t opening);

    std::uint64_t opening_ = 0;      // of the page that is seen
    std::optional<Point> rests_at_;  // the pointer, since then
};

}  // namespace headlight
