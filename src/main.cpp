// Arguments → a command, or the window.
#include <iostream>

#include "cli/command_line.h"

int main(int argc, char** argv) {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    return headlight::run_command_line(args, std::cout, std::cerr);
}
