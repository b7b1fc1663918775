#include "lecture/tasks/task_figure.h"

#include <algorithm>
#include <utility>

#include "lecture/page/page_text_figure.h"
#include "paint/figure_extent.h"
#include "paint/figure_parts.h"
#include "paint/labels.h"

namespace headlight {
namespace {

// In points of a page that is kPageHeight high.
constexpr float kTaskQuestion = 16, kTaskChoice = 15, kTaskLine = 14;
constexpr float kBelowQuestion = 6, kNumberBox = 20, kNumberSize = 13, kNumberGap = 7;
constexpr float kBetweenChoices = 22, kBetweenRows = 6;
constexpr int kMostNumbered = 9;

/// A small box with the number of a choice: a key on a slide, a place for a cross on paper.
void add_number(Figure& figure, int choice, Point at, const TaskLook& look) {
    const bool is_chosen = choice == look.chosen;
    const float side = kNumberBox * look.unit;
    const Theme& theme = look.theme;
    figure.add(RectMark{{at.x, at.y, side, side},
                        is_chosen ? theme.accent : theme.card,
                        is_chosen ? theme.accent : theme.muted,
                        look.unit,
                        4 * look.unit});
    if (choice >= kMostNumbered) return;
    const float size = kNumberSize * look.unit;
    figure.add(TextMark{{at.x + side / 2, at.y + side / 2 + size * kMiddleShift},
                        std::to_string(choice + 1),
                        size,
                        is_chosen ? theme.on_accent : theme.muted,
                        Font::Bold,
                        Align::Middle});
}

}  // namespace

TaskPicture task_picture(const TaskText& text, const TaskLook& look) {
    const float unit = look.unit, indent = (kNumberBox + kNumberGap) * unit;
    TaskPicture picture;
    picture.figure =
        text_figure(text.question, {look.width, kTaskQuestion * unit, look.theme, look.measure});
    if (text.choices.empty()) return picture;
    Point at{0, picture.figure.height + kBelowQuestion * unit};
    float row_height = 0;
    for (const PageText& choice : text.choices) {
        const Figure words = text_figure(
            choice, {look.width - indent, kTaskChoice * unit, look.theme, look.measure});
        const float width = indent + far_corner(words, look.measure).x;
        const float height = std::max(words.height, kNumberBox * unit);
        if (at.x > 0 && at.x + width > look.width)
            at = {0, at.y + std::exchange(row_height, 0.0f) + kBetweenRows * unit};
        add_number(picture.figure, static_cast<int>(picture.choices.size()), at, look);
        add_part(picture.figure, words, {at.x + indent, at.y});
        picture.choices.push_back({at.x, at.y, width, height});
        row_height = std::max(row_height, height);
        at.x += width + kBetweenChoices * unit;
    }
    picture.figure.height = at.y + row_height;
    return picture;
}

Figure task_line(const PageText& text, const TaskLook& look) {
    return text_figure(text, {look.width, kTaskLine * look.unit, look.theme, look.measure});
}

}  // namespace headlight
