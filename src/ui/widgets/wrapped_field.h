// A text field for one sentence, wrapped between words.
//
// ImGui lays out the letters of a field from left to right in the order in which they are typed.
// Where some go from right to left, the lines as they read stand in the field while it is not
// edited, and below it while it is.
#pragma once

#include <optional>
#include <string>

#include "ui/panel.h"

namespace headlight {

/// What becomes of line ends and tabs that are typed or pasted. Where they are kept the field shows
/// them as ⏎ and ⇥.
enum class LineEnds { AreBlanks, AreKept };

class WrappedField {
  public:
    explicit WrappedField(LineEnds line_ends = LineEnds::AreBlanks) : line_ends_(line_ends) {}

    /// Draws the field with the document's text; returns what the user made of it. The field is
    /// registered as "text " + name.
    std::optional<std::string> draw(PanelContext& context, const std::string& name,
                                    const std::string& text);
    /// The keyboard goes into it when it is drawn next.
    void take_focus() { takes_focus_ = true; }
    /// Whether the keyboard is in it, as of the last draw.
    bool has_focus() const { return has_focus_; }

  private:
    void show(PanelContext& context, const std::string& text);
    std::string text_in_buffer(const PanelContext& context) const;
    float draw_as_read(PanelContext& context, Box box, unsigned int color) const;
    void draw_as_read_below(PanelContext& context, float width) const;

    LineEnds line_ends_;
    bool takes_focus_ = false;
    std::string shown_;   // the document's text that the field was filled with
    std::string buffer_;  // what the field shows
    int filled_ = 0;      // times from outside: what was typed before does not reach a new text
    bool has_focus_ = false;
};

}  // namespace headlight
