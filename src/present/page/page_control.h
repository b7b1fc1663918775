// Reads a `control`: the sliders of a page, its choices, heads and its text to type.
#pragma once

#include "present/page/page_view.h"

namespace headlight {

/// Reads "layer.attention.temperature = 0.2:4", "embed[cat, 0] = -1:1", "layer.positions", "heads",
/// "blocks.1.attn.heads" or "text". Throws Error if there is no such thing to change, or it does
/// not move so far.
PageControl read_control(const std::string& text, const Document& document, const Trace& trace);

/// Describes a cell in words: "embedding of tired, number 0", "source embedding of cat, number 1"
/// where two texts have one each, "W_K, row 1, column 0", "mask of it, cat".
std::string cell_in_words(const Trace& trace, const CellPlace& cell);

/// Returns the attentions whose heads a control of kind Heads switches.
std::vector<const Component*> controlled_heads(const Components& components,
                                               const PageControl& control);

/// True if both move the same setting, or the same cell by another name.
bool move_the_same(const PageControl& a, const PageControl& b, const Trace& trace);

}  // namespace headlight
