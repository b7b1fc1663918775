// What prevents commands in lectures, and commands of studies there.
#pragma once

#include <optional>

#include "ui/window/commands.h"

namespace headlight {

std::optional<Obstacle> no_lecture(const Desks& desks);
/// The key is a letter, which says nothing elsewhere.
std::optional<Obstacle> no_lecture_for_key(const Desks& desks);
std::optional<Obstacle> no_open_page(const Desks& desks);

// On slides of a study and on pages of a lecture.
std::optional<Obstacle> nothing_to_predict(const Desks& desks);
std::optional<Obstacle> nothing_to_reveal(const Desks& desks);
std::optional<Obstacle> no_text_to_change(const Desks& desks);
/// On slides and pages the explanation is that of the held cell; panels have one of the pointer.
std::optional<Obstacle> nothing_to_explain(const Desks& desks);

}  // namespace headlight
