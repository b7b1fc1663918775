// The command line: what `main` calls, and the tests.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace headlight {

/// Exit codes of the program.
inline constexpr int kExitDone = 0, kExitError = 1, kExitUsage = 2;

/// `args` are what comes after the program's name. Results go to `out`; errors, and notes about
/// what was done, to `err`; nothing in either is obeyed by a terminal. Returns the exit code, which
/// is kExitError if `out` takes less than there was to print; throws nothing. Work that takes a
/// while says on `terminal`, if there is one, how far it is. Questions are put there, too, if there
/// are `answers`.
int run_command_line(std::vector<std::string> args, std::ostream& out, std::ostream& err,
                     std::ostream* terminal = nullptr, std::istream* answers = nullptr);

/// Answers a command a line, ["logits", "gpt2.headlight", "--json"], until the requests end:
/// {"code": 0, "out": "…", "err": "…"} is what the program would have printed. Studies stay open
/// between them, and what was computed is used again where nothing before it differs.
void serve_commands(std::istream& requests, std::ostream& answers);

/// Runs the command without making the output safe for terminals.
struct Streams;
int run_command(std::vector<std::string> args, const Streams& streams);

}  // namespace headlight
