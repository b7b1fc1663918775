// The task of a page as a figure: the question, and the numbered choices below it.
//
// Goals: the slide, the page in the window and the handout have one layout. Not goals: who answers.
#pragma once

#include <vector>

#include "lecture/tasks/task_text.h"
#include "paint/theme.h"

namespace headlight {

struct TaskLook {
    float width = 400;  // of the question and the choices
    float unit = 1;     // points to a point of a page that is kPageHeight high
    const Theme& theme;
    const MeasureText& measure;
    int chosen = -1;  // the choice that was given
};

struct TaskPicture {
    Figure figure;             // its height is that of what stands in it
    std::vector<Box> choices;  // where each one is, in the figure
};

/// Choices stand beside each other as far as they fit; a long one is broken into lines. The first
/// nine have the number of their key.
TaskPicture task_picture(const TaskText& text, const TaskLook& look);

/// Lines below it: a verdict, hints.
Figure task_line(const PageText& text, const TaskLook& look);

}  // namespace headlight
