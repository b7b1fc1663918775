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

/// Small grey capitals, with the panel's help behind a "?" at the right end.
void heading(PanelContext& context, const std::string& text, const char* help = nullptr);

/// The label of a setting, and what is said of it when the pointer is there.
struct SettingName {
    SettingName(const char* label_text, const char* help_text = nullptr)
        : label(label_text), help(help_text) {}
    const char* label;
    const char* help;
};

/// A label at the left and a number at the right: drag it, or double-click and type. Returns true
/// and sets `value` when it has changed.
bool int_setting(PanelContext& context, SettingName name, int& value, Range<int> range);
bool float_setting(PanelContext& context, SettingName name, float& value, Range<float> range);
/// A positive number over several powers of ten: dragging multiplies it.
bool rate_setting(PanelContext& context, SettingName name, double& value, Range<double> range);

/// The one text field of several that is being typed into.
struct TextEntry {
    std::string field;  // its label; empty: none
    std::string text;
    bool has_focus = false;
};
/// A width for all heads, which can be dragged; double-clicked, also a list: "8, 4, 4".
bool widths_setting(PanelContext& context, SettingName name, Widths& value, Range<int> range,
                    TextEntry& entry);

/// Draws something at the right of a choice in the open list, in a row of that place.
struct ChoiceMark {
    float width = 0;  // that it needs; 0: there is none
    std::function<void(std::size_t choice, Box row)> draw = {};
};

/// One of a few choices, as wide as the next item is set to be; its label is drawn elsewhere.
bool choice_field(PanelContext& context, const char* name, int& value,
                  std::span<const char* const> choices, const ChoiceMark& mark = {});
/// What a choice shows while it is closed.
std::string choice_text(const char* choice);
/// A label at the left and one of a few choices at the right.
bool choice_setting(PanelContext& context, SettingName name, int& value,
                    std::span<const char* const> choices, const ChoiceMark& mark = {});

/// The heading of rows that a click folds away, with a note at the right. Returns true and changes
/// `is_open` when it was clicked.
bool fold(PanelContext& context, const char* label, const std::string& note, bool& is_open);

/// A push button; `is_enabled` false greys it out.
enum class Enabled { No, Yes };
bool button(PanelContext& context, const char* label, const char* tooltip_text,
            Enabled enabled = Enabled::Yes);

/// The one that most people come for, in the accent.
bool primary_button(PanelContext& context, const char* label, const char* tooltip_text,
                    Enabled enabled = Enabled::Yes);

/// The next button goes beside the last item if there is room for this label.
void same_line_if_fits(const char* label);

/// The same for an item of that width, with that gap before it. In a group, else at the left edge.
void same_line_if_fits(float width, float gap);

/// In a row of controls: a muted label, and what a labelled field of that width takes with it.
void row_label(const char* text);
float labelled_width(const char* label, float field);
/// A muted label and one of a few choices, so wide.
bool row_choice(PanelContext& context, const char* name, int& value,
                std::span<const char* const> choices, float width);

/// ImGui's text field of one line for any text: emoji are drawn, and stay what they are.
bool text_field(PanelContext& context, const char* id, const char* hint, std::string& text,
                ImGuiInputTextFlags flags = 0);

/// The text as ImGui has to be given it, so that its letters are joined, ordered and coloured as in
/// the labels of pictures, line by line. The current font is that one.
std::string as_read(const std::string& text, Font font = Font::Regular);
/// The same for text that is wrapped in that width, with a line end wherever a line is full.
std::string wrapped_as_read(const std::string& text, float width);
/// Under a text field whose text runs from right to left: as it reads. ImGui's own fields draw
/// letter by letter from left to right, unjoined.
void draw_as_read_below(PanelContext& context, const std::string& text);

/// Grey explaining text, wrapped.
void hint(PanelContext& context, const std::string& text);

/// A warning in its colour, wrapped.
void warning(PanelContext& context, const std::string& text);

/// Name at the left, value at the right.
void fact(PanelContext& context, const char* name, const std::string& value);

/// A formula in the notation of paint/words/formula.h, in muted italics, smaller where it would not
/// fit.
void formula(PanelContext& context, const std::string& text);

/// Registers the last ImGui item.
void name_item(PanelContext& context, const std::string& name);

/// Whether Esc has ended the last item, a text field, in this frame: what was typed stays then,
/// which ImGui would take back.
inline bool is_left_by_escape() {
    return ImGui::IsItemDeactivated() && compat::is_key_pressed(Key::Escape);
}

/// The steps that → and ← ask for of the control that is registered by that name, which keeps these
/// keys while it has the keyboard: 1, −1 or 0.
int arrow_steps(PanelContext& context, const std::string& name);

/// A tooltip on the last item; and one at the pointer, whatever it is on.
void tooltip(const char* text);
void draw_tooltip(const std::string& text);

/// The right edge of the current window's content, for ImGui::SameLine.
float right_edge();

/// Draws a figure at the cursor and moves the cursor below it. Returns its top left corner.
Point place_figure(PanelContext& context, const Figure& figure);

/// After a click: holds it, with Shift beside what is held.
void hold_clicked(PanelContext& context, const Pointed& pointed);

/// The word under the pointer looks: hovered, and held by a click.
void point_at_word(PanelContext& context, std::optional<Index> word, int list = 0);

/// The pointer in the coordinates of a figure drawn at `origin`; far away if the window is covered.
Point pointer_in(Point origin);

}  // namespace headlight::widgets

namespace headlight {

enum class Chosen { No, Yes };

/// A button called "button LABEL". True if it was pressed.
bool draw_chip(PanelContext& context, const char* label, const char* tooltip, Chosen chosen);

/// "[edit] no cell is held" → "No cell is held": what the program calls its parts says nothing to a
/// user. A file, "[a.json] line 3: …", stays.
std::string text_for_user(const Error& error);

}  // namespace headlight

namespace headlight::widgets {

struct SliderRange {
    double from = 0, to = 1;  // `from` at the left; may be the larger one
    double step = 0;          // the least change; 0: any
};

/// In the next item's place, `width` wide; registers "slider <name>". True while it is dragged to
/// another `value`, or moved there by ← → while it has the keyboard; then `value` is changed.
bool slider(PanelContext& context, const std::string& name, double& value, SliderRange range,
            float width);

/// A small triangle that starts something; registers "play <name>". True when it was pressed.
bool play_mark(PanelContext& context, const std::string& name, float width);

}  // namespace headlight::widgets
