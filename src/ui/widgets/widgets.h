// The few widgets that panels are made of: a heading, a labelled setting, a button, a chip, a
// slider, a hint.
//
// Every widget registers where it is under "<kind> <name>", so a script can press what a hand can.
#pragma once

#include <functional>
#include <imgui.h>
#include <span>
#include <string>

#include "core/error.h"
#include "model/settings/settings.h"
#include "ui/compat.h"
#include "ui/panel.h"

namespace headlight::widgets {

/// Draws small grey capitals, with the panel's help as tooltip of a "?" at the right end.
void heading(PanelContext& context, const std::string& text, const char* help = nullptr);

/// The label of a setting, and its explanation when the pointer is there.
struct SettingName {
    SettingName(const char* label_text, const char* help_text = nullptr)
        : label(label_text), help(help_text) {}
    const char* label;
    const char* help;
};

/// Draws a label at the left and a number at the right: drag it, or double-click and type. Returns
/// true and sets `value` when it has changed.
bool int_setting(PanelContext& context, SettingName name, int& value, Range<int> range);
bool float_setting(PanelContext& context, SettingName name, float& value, Range<float> range);
/// Draws a positive number over several powers of ten: dragging multiplies it.
bool rate_setting(PanelContext& context, SettingName name, double& value, Range<double> range);

/// The one text field of several that is being typed into.
struct TextEntry {
    std::string field;  // its label; empty: none
    std::string text;
    bool has_focus = false;
};
/// Draws a width for all heads, which can be dragged; double-clicked, also a list: "8, 4, 4".
bool widths_setting(PanelContext& context, SettingName name, Widths& value, WidthRange range,
                    TextEntry& entry);

/// Draws something at the right of a choice in the open list, in a row of that place.
struct ChoiceMark {
    float width = 0;  // the width that it needs; 0: there is none
    std::function<void(std::size_t choice, Box row)> draw = {};
};

/// Draws one of a few choices, as wide as the next item is set to be; its label is drawn elsewhere.
bool choice_field(PanelContext& context, const char* name, int& value,
                  std::span<const char* const> choices, const ChoiceMark& mark = {});
/// Draws a label at the left and one of a few choices at the right.
bool choice_setting(PanelContext& context, SettingName name, int& value,
                    std::span<const char* const> choices, const ChoiceMark& mark = {});

/// Draws the heading of rows that a click folds away, with a note at the right. Returns true and
/// changes `is_open` when it was clicked.
bool fold(PanelContext& context, const char* label, const std::string& note, bool& is_open);

/// Draws a push button; `Enabled::No` greys it out.
enum class Enabled { No, Yes };
bool button(PanelContext& context, const char* label, const char* tooltip_text,
            Enabled enabled = Enabled::Yes);

/// Draws the button that most people come for, in the accent.
bool primary_button(PanelContext& context, const char* label, const char* tooltip_text,
                    Enabled enabled = Enabled::Yes);

/// Puts the next button beside the last item if there is room for this label.
void same_line_if_fits(const char* label);

/// Puts an item of that width beside the last one, with that gap before it, if there is room.
void same_line_if_fits(float width, float gap);

/// These are for a row of controls: a muted label, and the width of a field with its label.
void row_label(const char* text);
float labelled_width(const char* label, float field);
/// Draws a muted label and one of a few choices, so wide.
bool row_choice(PanelContext& context, const char* name, int& value,
                std::span<const char* const> choices, float width);

/// ImGui's text field of one line for any text: emoji are drawn, and stay what they are.
bool text_field(PanelContext& context, const char* id, const char* hint, std::string& text,
                ImGuiInputTextFlags flags = 0);

/// Returns the text as ImGui has to be given it, so that its letters are joined, ordered and
/// coloured as in the labels of pictures, line by line. The current font is that one.
std::string as_read(const std::string& text, Font font = Font::Regular);
/// Returns such a text wrapped in that width, with a line end wherever a line is full.
std::string wrapped_as_read(const std::string& text, float width);
/// Draws the text as it reads, under a text field where it runs from right to left. ImGui's own
/// fields draw letter by letter from left to right, unjoined.
void draw_as_read_below(PanelContext& context, const std::string& text);

/// Draws grey explaining text, wrapped.
void hint(PanelContext& context, const std::string& text);

/// Draws a warning in its colour, wrapped.
void warning(PanelContext& context, const std::string& text);

/// Draws the name at the left, the value at the right.
void fact(PanelContext& context, const char* name, const std::string& value);

/// Draws a formula in the notation of figure/words/formula.h, in muted italics, smaller where it
/// would not fit.
void formula(PanelContext& context, const std::string& text);

/// Registers the last ImGui item.
void name_item(PanelContext& context, const std::string& name);

/// True if Esc has ended the last item, a text field, in this frame: the typed text stays then,
/// which ImGui would take back.
inline bool is_left_by_escape() {
    return ImGui::IsItemDeactivated() && compat::is_key_pressed(Key::Escape);
}

/// Returns the steps that → and ← ask for of the control that is registered by that name, which
/// keeps these keys while it has the keyboard: 1, −1 or 0.
int arrow_steps(PanelContext& context, const std::string& name);

/// Shows a tooltip on the last item; the other one is at the pointer, whatever it is on.
void tooltip(const char* text);
void draw_tooltip(const std::string& text);

/// Returns the right edge of the current window's content, for ImGui::SameLine.
float right_edge();

/// Draws a figure at the cursor and moves the cursor below it. Returns its top left corner.
Point place_figure(PanelContext& context, const Figure& figure);

/// Holds the thing after a click, with Shift beside what is held.
void hold_clicked(PanelContext& context, const Pick& pick);

/// Makes the word under the pointer alive: hovered, and held by a click.
void point_at_word(PanelContext& context, std::optional<Index> word, int list = 0);

/// Returns the pointer in the coordinates of a figure drawn at `origin`; far away if the window is
/// covered.
Point pointer_in(Point origin);

}  // namespace headlight::widgets

namespace headlight {

enum class Chosen { No, Yes };

/// Draws a button called "button LABEL". True if it was pressed.
bool draw_chip(PanelContext& context, const char* label, const char* tooltip, Chosen chosen);

/// Returns "No cell is held" for "[edit] no cell is held": the name of a part of the program says
/// nothing to a user. The name of a file, "[a.json] line 3: …", stays.
std::string text_for_user(const Error& error);

}  // namespace headlight

namespace headlight::widgets {

struct SliderRange {
    double from = 0, to = 1;  // `from` at the left; may be the larger one
    double step = 0;          // the least change; 0: any
};

/// Draws in the next item's place, `width` wide; registers "slider <name>". True while it is
/// dragged to another `value`, or moved there by ← → while it has the keyboard; then `value` is
/// changed.
bool slider(PanelContext& context, const std::string& name, double& value, SliderRange range,
            float width);

/// Draws a small triangle that starts something; registers "play <name>". True when it was pressed.
bool play_mark(PanelContext& context, const std::string& name, float width);

}  // namespace headlight::widgets
