// The one error type of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

/// Thrown by value. The text reads "[where] what is wrong, with names and shapes; what to do".
/// Caught in three places: the command line, the frame, the tests.
class Error : public std::runtime_error {
  public:
    Error(const std::string& where, const std::string& what)
        : std::runtime_error("[" + where + "] " + what) {}
};

}  // namespace headlight
