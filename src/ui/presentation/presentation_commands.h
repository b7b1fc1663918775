// What commands do on slides of a study and on pages of a lecture. Found by its name where nothing
// is presented yet, a command begins to present.
#pragma once

namespace headlight {

struct Desks;

/// What is looked at becomes the slide: a step of the study, a view of its own, a page.
void begin_presentation(Desks& desks);
void turn_presentation(Desks& desks);
void turn_prediction(Desks& desks);
/// Lifts the cover of the matrix, or puts it back.
void turn_cover(Desks& desks);
void ask_for_text(Desks& desks);

}  // namespace headlight
