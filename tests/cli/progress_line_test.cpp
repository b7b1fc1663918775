#include <doctest/doctest.h>
#include <sstream>

#include "cli/output.h"

namespace headlight::progress_line_test {
namespace {

using std::chrono::milliseconds;

std::string told_within(milliseconds work, milliseconds patience) {
    std::ostringstream terminal;
    {
        ProgressLine line(&terminal, patience);
        line.progress().begin(4);
        line.progress().enter("influence.flow");
        line.progress().advance(1);
        std::this_thread::sleep_for(work);
    }
    return terminal.str();
}

}  // namespace

TEST_CASE("progress: long work shows a line on a terminal, which is cleared at the end") {
    const std::string told = told_within(milliseconds(300), milliseconds(1));
    CHECK(told.find("\r\033[Kheadlight: 25 %, influence.flow") != std::string::npos);
    CHECK(told.ends_with("\r\033[K"));
}

TEST_CASE("progress: short work, or output that is no terminal, shows nothing") {
    CHECK(told_within(milliseconds(0), std::chrono::hours(1)) == "");
    ProgressLine line(nullptr);
    CHECK(line.progress().share() == 0);
}

}  // namespace headlight::progress_line_test
