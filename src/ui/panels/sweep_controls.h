// The row of controls that a sweep is started with.
#pragma once

#include <string>

#include "model/sweep/sweep.h"
#include "ui/panel.h"

namespace headlight {

class SweepControls {
  public:
    /// Behind the last item. While a sweep runs, how far it is, and a button that ends it.
    void draw(PanelContext& context);

  private:
    void draw_progress(PanelContext& context) const;
    void draw_replacement(PanelContext& context);
    void draw_path(PanelContext& context);
    void draw_start(PanelContext& context);
    void draw_differing(PanelContext& context) const;
    SweepSettings settings(const PanelContext& context) const;

    SweepSettings settings_;
    int path_ = 0, draws_ = 0;
};

}  // namespace headlight
