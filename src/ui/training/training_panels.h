// The panels of the workspace that trains.
#pragma once

#include <memory>

#include "ui/panel.h"

namespace headlight {

// Left: what is trained, and how.
std::unique_ptr<Panel> make_task_panel();
std::unique_ptr<Panel> make_network_panel();
std::unique_ptr<Panel> make_recipe_panel();
std::unique_ptr<Panel> make_held_out_panel();
std::unique_ptr<Panel> make_ablate_panel();

// Middle: the curves, the checkpoints, and the heads of the shown one.
std::unique_ptr<Panel> make_training_panel();
/// Play, steps and the slider over the checkpoints, for a step on a slide; `box` has that height.
inline constexpr float kTrainingTransport = 34;
void draw_training_transport(PanelContext& context, Box box);

// Right: what has come of it.
std::unique_ptr<Panel> make_now_panel();
std::unique_ptr<Panel> make_heads_over_time_panel();
std::unique_ptr<Panel> make_trained_weights_panel();

}  // namespace headlight
