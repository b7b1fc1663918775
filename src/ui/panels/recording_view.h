// The view of a recording, shown in place of the sentence: its origin and its oddities.
#pragma once

#include "ui/panel.h"

namespace headlight {

class RecordingView {
  public:
    void draw(PanelContext& context, const RecordedStudy& study);

  private:
    void draw_file(PanelContext& context, const RecordedStudy& study);
    void draw_choice(PanelContext& context, const RecordedStudy& study);
    void show(PanelContext& context, int text);
    void warn_of_shown(PanelContext& context);

    MatrixPtr looked_at_;  // is looked through again only when it is another one
    std::string faults_;
};

}  // namespace headlight
