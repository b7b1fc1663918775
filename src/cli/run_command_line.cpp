// What stands between a command and the terminal.
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output/printable_stream.h"

namespace headlight {

int run_command_line(std::vector<std::string> args, std::ostream& out, std::ostream& err,
                     std::ostream* terminal, std::istream* answers) {
    PrintableStream shown_out(out), shown_err(err);
    const int code = run_command(std::move(args), {shown_out, shown_err, terminal, answers});
    // What was printed may be all that was asked for: also --help.
    if (shown_out.flush() || code != kExitDone) return code;
    shown_err << "headlight: [output] cannot be written\n";
    return kExitError;
}

}  // namespace headlight
