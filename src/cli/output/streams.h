// What a command reads from and writes to.
#pragma once

#include <istream>
#include <ostream>

namespace headlight {

/// The outputs of a command: results, notes, and progress while the user waits at a terminal.
struct Streams {
    std::ostream& out;
    std::ostream& err;
    std::ostream* terminal = nullptr;  // null: there is none
    std::istream* answers = nullptr;   // what is typed there; null: nobody can be asked
};

}  // namespace headlight
