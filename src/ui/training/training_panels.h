// The panels of the workspace that trains.
#pragma once

#include <memory>

#include "ui/panel.h"

namespace headlight {

// The left side: the task, the network and the recipe.
std::unique_ptr<Panel> make_task_panel();
std::unique_ptr<Panel> make_network_panel();
std::unique_ptr<Panel> make_recipe_panel();
std::unique_ptr<Panel> make_held_out_panel();
std::unique_ptr<Panel> make_ablate_panel();

// The middle: the curves, the checkpoints, and the heads of the shown one.
std::unique_ptr<Panel> make_training_panel();
/// Draws play, steps and the slider over the checkpoints, for a step on a slide; `box` has that
/// height.
inline constexpr float kTrainingTransport = 34;
void draw_training_transport(PanelContext& context, Box box);

// The right side: the results of the training.
std::unique_ptr<Panel> make_now_panel();
std::unique_ptr<Panel> make_heads_over_time_panel();
std::unique_ptr<Panel> make_trained_weights_panel();

}  // namespace headlight
