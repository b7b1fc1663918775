// The few widgets that panels are made of: a heading, a labelled setting, a button, a hint.
//
// Every widget registers where it is under "<kind> <name>", so a script can press what a hand can.
#pragma once

#include <span>
#include <string>

#include "ui/panel.h"

namespace headlight::widgets {

/// Small grey capitals, with the panel's help behind a "?" at the right end.
void heading(PanelContext& context, const std::string& text, const char* help = nullptr);

/// A label at the left and a number at the right: drag it, or double-click and type. Returns true
/// and sets `value` when it has changed.
struct IntRange {
    int low = 1, high = 16;
};
bool int_setting(PanelContext& context, const char* name, int& value, IntRange range);
struct FloatRange {
    float low = 0, high = 1, speed = 0.005f;
};
bool float_setting(PanelContext& context, const char* name, float& value, FloatRange range);

/// A label at the left and one of a few choices at the right.
bool choice_setting(PanelContext& context, const char* name, int& value,
                    std::span<const char* const> choices);

/// A push button; `is_enabled` false greys it out.
enum class Enabled { No, Yes };
bool button(PanelContext& context, const char* label, const char* hint,
            Enabled enabled = Enabled::Yes);

/// The next button goes beside the last item if there is room for this label.
void same_line_if_fits(const char* label);

/// Grey explaining text, wrapped.
void hint(PanelContext& context, const std::string& text);

/// Name at the left, value at the right.
void fact(PanelContext& context, const char* name, const std::string& value);

/// A formula in the notation of paint/formula.h, in muted italics, smaller where it would not fit.
void formula(PanelContext& context, const std::string& text);

/// Registers the last ImGui item.
void name_item(PanelContext& context, const std::string& name);

void tooltip(const char* text);

/// Of the current window's content, for ImGui::SameLine.
float right_edge();

/// Draws a figure at the cursor and moves the cursor below it. Returns its top left corner.
Point place_figure(PanelContext& context, const Figure& figure);

/// The word under the pointer looks: hovered, and held by a click.
void point_at_word(PanelContext& context, std::optional<Index> word);

/// The pointer in the coordinates of a figure drawn at `origin`; far away if the window is covered.
Point pointer_in(Point origin);

}  // namespace headlight::widgets
