// Arguments → a command, or the window.
#include <cstdio>
#include <iostream>
#include <new>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include "cli/command_line.h"
#include "figure/theme.h"

namespace {

/// Keeps memory that was freed for use again: large matrices come and go with every edit, and the
/// first touch of a page costs several times as much as writing it again.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

int main(int argc, char** argv) try {
    keep_freed_memory();
    // The reader of JSON ends the program where it has no room, which is scarcer later.
    headlight::theme_named(headlight::ThemeName::Light);
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    std::ostream* terminal = isatty(STDERR_FILENO) ? &std::cerr : nullptr;
    std::istream* answers = isatty(STDIN_FILENO) ? &std::cin : nullptr;
    return headlight::run_command_line(args, std::cout, std::cerr, terminal, answers);
} catch (const std::bad_alloc&) {
    // Not even the options of the commands had room.
    std::fputs("headlight: [memory] there is not enough; take a smaller study\n", stderr);
    return 1;
}
