// headlight answers: the codes of a class are counted.
#include <doctest/doctest.h>
#include <string>

#include "headlight_run.h"
#include "source_folder.h"

using namespace headlight;

TEST_CASE("answers: a saved chat is counted for each page, and what was not understood is said") {
    const std::string scripts = (source_folder() / "tests" / "ui").string();
    const Ran ran =
        headlight_run({"answers", scripts + "/tasks.lecture", scripts + "/class_chat.txt"});
    CHECK(ran.code == 0);
    INFO(ran.out);
    INFO(ran.err);
    CHECK(contains(ran.out, "Begin: 31 answers\n  What is a row?\n"));
    CHECK(contains(ran.out, "    what is read  ██████████████ 11  35 %\n"));
    CHECK(contains(ran.out, "  ✓ what reads    █████████████████████████ 20  65 %\n"));
    CHECK(contains(ran.out, "Predict: 47 answers\n"));
    CHECK(contains(ran.err,
                   "1 code is of another lecture or question; "
                   "1 code has a typing error: HL-22AT-25"));
}

TEST_CASE("answers: without any answer there is an error") {
    const TemporaryFolder folder;
    const std::string text = folder.with("chat.txt", "Good morning\n");
    const std::string lecture = (source_folder() / "tests" / "ui" / "tasks.lecture").string();
    const Ran ran = headlight_run({"answers", lecture, text});
    CHECK(ran.code != 0);
    CHECK(contains(ran.err, "has no answers"));
}
