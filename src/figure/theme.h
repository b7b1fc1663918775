// Every colour of the program, by name, in each theme.
//
// Goals: colours exist once, in assets/palette; the window, the figures and the files agree.
// Not goals: sizes, fonts, which widget uses which colour.
#pragma once

#include <span>
#include <vector>

#include "figure/figure.h"

namespace headlight {

enum class ThemeName { Light, Dark, Contrast };

struct Theme {
    Color window, canvas, panel, card,
        field;  // backgrounds: top bar, work area, sides, cards, inputs
    Color border;
    Color text, muted;                     // on any of the backgrounds
    Color accent, accent_soft, on_accent;  // the chosen thing; its background; text on accent
    Color selection;                       // the chosen word, node, edge
    Color warning, notice, notice_border;  // text of a warning; background and border of a hint
    Color grid;                            // between the cells of a matrix
    Color wire;                            // connections between cards
    Color outline;                         // around the chosen cell and row
    Color node_border;
    Color zero, negative, positive;  // anchors of the diverging scale
    Color masked, not_a_number;      // −∞ and NaN in a matrix
    bool has_strong_ends = false;    // scales of one sign end near the colour of text
    std::vector<Color> heads;        // 16
    std::vector<Color> groups;       // fills of graph nodes
};

const Theme& theme_named(ThemeName name);

/// All themes, in the order in which a button goes through them.
struct ThemeWord {
    const char* word;  // "contrast"
    ThemeName name;
};
std::span<const ThemeWord> theme_words();

/// Returns the colour of head h ≥ 0. After the 16 of the palette they repeat, each time lighter or
/// darker.
Color head_color(const Theme& theme, int h);

Color group_color(const Theme& theme, int group);
/// Returns the colour of a predicted class: stronger, so that certain and uncertain ones differ.
Color class_color(const Theme& theme, int label);

/// Returns the theme's text colour or one of its backgrounds, whichever reads best on `background`.
Color text_on(const Theme& theme, Color background);

}  // namespace headlight
