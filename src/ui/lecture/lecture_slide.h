// A lecture presented: the chosen page on the whole window, its keys and its foot.
#pragma once

#include <cstdint>
#include <imgui.h>
#include <optional>

#include "ui/lecture/page_canvas.h"
#include "ui/presentation/slide.h"

namespace headlight {

inline constexpr float kLectureFoot = 30;  // height of the buttons under a page

class LectureSlide {
  public:
    /// Draws over the whole window. `input` is the panel in which the text of the page's study is
    /// typed.
    void draw(PanelContext& context, const OpenLecture& book, PageCanvas& page, Panel& input,
              const SlideRoom& room);
    /// Does what the keys of a keyboard or of a presenter's remote ask for, only while nothing else
    /// has them.
    void press_keys(PanelContext& context, const OpenLecture& book, PageCanvas& page);

    void ask_for_text() { text_.ask(); }

  private:
    void draw_foot(PanelContext& context, const OpenLecture& book, const PageCanvas& page,
                   Point size);
    std::optional<ImVec2> put_away_resting_pointer(std::uint64_t opening);

    SlideText text_;
    std::uint64_t opening_ = 0;      // of the page that is seen
    std::optional<Point> rests_at_;  // the place of the pointer, since then
};

}  // namespace headlight
