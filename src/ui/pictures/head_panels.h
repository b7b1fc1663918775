// Heads that are panels of one figure, among the pictures of all heads.
#pragma once

#include "scene/figures/listed_heads.h"
#include "ui/panel.h"

namespace headlight {

/// Its letter among the panels, at the corner of a head that is one of them; nothing else.
void draw_panel_letter(const PanelContext& context, const ListedHead& head, Box at);

/// One more panel, or one less.
void toggle_panel(PanelContext& context, const ListedHead& head);

}  // namespace headlight
