// A recording in the place of the sentence: where it comes from, and what is odd about it.
#pragma once

#include "ui/panel.h"

namespace headlight {

class RecordingView {
  public:
    void draw(PanelContext& context, const RecordedStudy& study);

  private:
    void warn_of_shown(PanelContext& context);

    MatrixPtr looked_at_;  // is looked through again only when it is another one
    std::string faults_;
};

}  // namespace headlight
