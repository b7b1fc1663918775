// headlight serve: one process for many commands, as headlight's package for Python uses it.
#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

std::vector<std::string> arguments_in(const std::string& line) {
    const JsonSource source{"request", parse_json(line, "request")};
    std::vector<std::string> arguments;
    JsonView(source).for_each_element(
        [&](const JsonView& argument) { arguments.push_back(argument.text()); });
    return arguments;
}

}  // namespace

void serve_commands(std::istream& requests, std::ostream& answers) {
    keep_between_commands();
    for (std::string line; std::getline(requests, line);) {
        std::ostringstream out, err;
        int code = kExitUsage;
        try {
            code = run_command_line(arguments_in(line), out, err);
        } catch (const Error& error) {
            err << "headlight: " << error.what() << '\n';
        }
        answers << R"({"code": )" << code << R"(, "out": )" << json_string(out.str())
                << R"(, "err": )" << json_string(err.str()) << "}" << std::endl;
    }
}

}  // namespace headlight
