// A chip: one of a few choices that exclude each other, the chosen one marked.
#pragma once

#include "ui/panel.h"

namespace headlight {

enum class Chosen { No, Yes };

/// A button called "button LABEL". True if it was pressed.
bool draw_chip(PanelContext& context, const char* label, const char* tooltip, Chosen chosen);

}  // namespace headlight
