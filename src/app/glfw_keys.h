// GLFW's keys as Headlight's.
#pragma once

#include "ui/input/input_event.h"

namespace headlight {

/// By the letter that the user's keyboard layout puts on the key, so that Ctrl-Z is where it is
/// printed; by the place of the key when the layout has no Latin letters. None for other keys.
Key key_from_glfw(int key, int scancode, int modifiers);

}  // namespace headlight
