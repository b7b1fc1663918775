// Commands of the training.
#pragma once

#include "ui/window/commands.h"

namespace headlight {

/// Found by its name from elsewhere, a command of the training shows it.
TrainingView& train_with(Desks& desks);
void turn_training(Desks& desks);

std::optional<Obstacle> no_trained_weights(const Desks& desks);
/// The weights in the study that they are for, in its own workspace.
void use_weights(Desks& desks);
void ask_where_to_save_weights(Desks& desks);

}  // namespace headlight
