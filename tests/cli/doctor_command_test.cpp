#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"

namespace headlight::doctor_command_test {

TEST_CASE("doctor: names versions, OpenGL, fonts and display, and ends well whatever is missing") {
    const Ran ran = headlight_run({"doctor"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "");
    for (const char* part :
         {"Headlight          " HEADLIGHT_VERSION "\n", "\nCompiler  ", "\nEigen  ",
          "\nDear ImGui  ", "\nOpenGL  ", "\nFont", "\nDisplay  "}) {
        INFO(part, " in: ", ran.out);
        CHECK(contains(ran.out, part));
    }
}

}  // namespace headlight::doctor_command_test
