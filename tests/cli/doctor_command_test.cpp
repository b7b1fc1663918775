#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "few_fonts.h"
#include "headlight_run.h"

namespace headlight::doctor_command_test {

TEST_CASE("doctor: names versions, OpenGL, fonts and display, and succeeds whatever is missing") {
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

TEST_CASE("doctor: names the font of each script, or a package that has one") {
    const FewFonts dejavu_alone;
    const Ran ran = headlight_run({"doctor"});
    CHECK(ran.code == kExitDone);
    for (const char* part : {"\nLetters, Latin     DejaVu Sans, /", "\n  Greek            DejaVu",
                             "\n  Cyrillic         DejaVu", "\n  Hebrew           DejaVu",
                             "\n  Chinese          missing: sudo apt install fonts-wqy-microhei\n",
                             "\n  Hangul           missing: sudo apt install fonts-wqy-microhei\n",
                             "\n  Devanagari       missing: sudo apt install fonts-lohit-deva\n"}) {
        INFO(part, " in: ", ran.out);
        CHECK(contains(ran.out, part));
    }
}

}  // namespace headlight::doctor_command_test
