// The list of panels, by the part of the window that they stand in.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "ui/panel.h"

namespace headlight {

using Panels = std::vector<std::unique_ptr<Panel>>;

std::unique_ptr<Panel> make_sentence_panel();
std::unique_ptr<Panel> make_alignment_input_panel();
std::unique_ptr<Panel> make_graph_input_panel();
std::unique_ptr<Panel> make_image_input_panel();
std::unique_ptr<Panel> make_image_panel();
std::unique_ptr<Panel> make_words_panel();
std::unique_ptr<Panel> make_answer_panel();
std::unique_ptr<Panel> make_layer_panel();
std::unique_ptr<Panel> make_steps_panel();
std::unique_ptr<Panel> make_flow_panel();
std::unique_ptr<Panel> make_graph_panel();
std::unique_ptr<Panel> make_heads_panel();
std::unique_ptr<Panel> make_all_heads_panel();
std::unique_ptr<Panel> make_readout_panel();
std::unique_ptr<Panel> make_panels_panel();
std::unique_ptr<Panel> make_plane_panel();
std::unique_ptr<Panel> make_arcs_panel();
std::unique_ptr<Panel> make_word_lines_panel();
std::unique_ptr<Panel> make_cell_panel();
std::unique_ptr<Panel> make_row_panel();
std::unique_ptr<Panel> make_edit_panel();
std::unique_ptr<Panel> make_head_panel();
std::unique_ptr<Panel> make_edits_panel();
std::unique_ptr<Panel> make_matrix_panel();
std::unique_ptr<Panel> make_explanation_panel();

/// All panels of the window; the first two are those of each workspace.
struct WindowPanels {
    std::array<Panels, 5> left;
    std::array<std::unique_ptr<Panel>, 5> middle;
    Panels right, training;  // while all heads of a training are shown
    std::unique_ptr<Panel> heads, arcs, explanation;
    std::map<ViewId, std::unique_ptr<Panel>> views;  // those of the middle
};
WindowPanels make_window_panels();

}  // namespace headlight
