// Driver: a hand on the program's window; finds places by their names, and does with events
// everything that a pointer and a keyboard can.
//
// Goals: everything goes through the event queue, as from a real window; no script and no test
// knows a pixel.
// Not goals: speed. Each action ends when the window is at rest.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/program.h"
#include "views/selection.h"

namespace headlight {

enum class Modifier { None, Ctrl, Shift, Alt, CtrlShift };
enum class Button { Left, Right, Middle };

/// The pace is as fast as possible, or one that people can follow: the pointer is visible and
/// glides.
enum class Pace { Fast, Real };

class Driver {
  public:
    explicit Driver(WindowSize size = {1280, 800, 1}, Pace pace = Pace::Fast,
                    const WindowMaker& make_window = make_headless_window);

    // The world.
    const Document& document() { return session().document(); }
    const Trace& trace();  // throws Error if there is none
    Scalar value(const CellPlace& cell);
    std::string texts();  // everything that can be read in the window, one space between words
    Session& session() { return program_.workbench().session(); }
    Selection& selection() { return program_.workbench().selection(); }
    Scene scene() { return program_.workbench().scene(); }
    const Regions& regions() { return program_.workbench().regions(); }
    const std::string& message() { return program_.workbench().message(); }
    Program& program() { return program_; }
    Pixels screenshot() { return program_.loop().screenshot(); }
    std::string undo_label() { return program_.workbench().undo_label(); }

    /// Returns the place of a named thing, in points of the window. Scrolls the side columns if
    /// need be; throws Error if there is no such thing.
    Point locate(const std::string& name);
    Point locate(const CellPlace& cell);
    bool has(const std::string& name) { return regions().find(name).has_value(); }

    // The pointer.
    void move_to(Point at);
    void click(const std::string& name);
    void click(const CellPlace& cell) { click(locate(cell)); }
    void click(Point at) { click(at, Button::Left); }
    void click(Point at, Button button, Modifier modifier = Modifier::None);
    void double_click(Point at);
    void hover(const std::string& name);
    void hover(const CellPlace& cell) { move_to(locate(cell)); }
    /// Drags in a few moves; `half_way` is called before the button is released.
    void drag(Point from, Point to, Modifier modifier = Modifier::None,
              const std::function<void()>& half_way = {}, Button button = Button::Left);
    void drag(const std::string& name, float dx, float dy);
    void drag(const CellPlace& cell, float dx, float dy);
    void wheel(Point at, float steps);

    // The keyboard.
    void type(std::string_view utf8);
    bool types_into_field() const;  // a field has the keyboard
    void press(Key key, Modifier modifier = Modifier::None);
    void paste(const std::string& text);
    /// Chooses an entry of a combo box.
    void choose(const std::string& field, const std::string& choice);
    /// Types into a number's field: double-click, type, Enter.
    void set_number(const std::string& field, const std::string& number);
    void replace_sentence(std::string_view utf8);
    /// Types into an open dialog, whose text field has the keyboard.
    void answer_dialog(const std::string& path);

    // The window.
    void resize(float width, float height);
    void drop(const std::string& path);
    void push(InputEvent event) { program_.loop().push(std::move(event)); }
    void settle() { program_.settle(); }
    /// Lets time pass; two presses that have more than half a second between them are two clicks.
    void rest(double secs);

  private:
    struct Press {
        Button button = Button::Left;
        Modifier modifier = Modifier::None;
        bool is_down = true;
    };
    void push_button(const Press& press);
    void push_move(Point at, Modifier modifier = Modifier::None);
    void send_move(Point at, Modifier modifier);
    void bring_into_view(const std::string& name);

    Program program_;
    Pace pace_;
    float height_;
    Point pointer_{};
};

/// Makes an event of that kind, with the keys that are held.
InputEvent make_event(InputEvent::Kind kind, Modifier modifier = Modifier::None);

}  // namespace headlight
