// Arguments → a command, or the window.
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include "cli/command_line.h"

namespace {

/// Large matrices come and go with every edit. Memory that was freed is used again and not given
/// back: the first touch of a page costs several times as much as writing it again.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    keep_freed_memory();
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    std::ostream* terminal = isatty(STDERR_FILENO) ? &std::cerr : nullptr;
    std::istream* answers = isatty(STDIN_FILENO) ? &std::cin : nullptr;
    return headlight::run_command_line(args, std::cout, std::cerr, terminal, answers);
}
