// headlight grade: everyone who handed a file in has a row.
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "headlight_run.h"

using namespace headlight;

TEST_CASE("grade: a file that cannot be read has a row that says so, and is counted") {
    const TemporaryFolder folder;
    folder.with("t.lecture",
                "# Test\n\n## First\n\n```headlight\ntask: Which?\nchoice: a\nright: b\n```\n");
    const std::string begin = "{\"headlight-answers\": 1, \"lecture\": \"Test\", ";
    std::filesystem::create_directory(folder.file("answers"));
    folder.with("answers/ada.answers",
                begin + "\"student\": \"Ada\", \"answers\": {\"First\": {\"answer\": \"b\"}}}");
    folder.with("answers/ben.answers", begin + "\"answers\": {\"First\": {\"shown\": true}}}");
    folder.with("answers/eve.answers", begin + "\"answers\": {\"First\": {\"answer\": 1e999}}}");
    folder.with("answers/flo.answers",
                "{\"headlight-answers\": 1, \"lecture\": \"Other\", \"answers\": {}}");
    const Ran ran = headlight_run({"grade", folder.file("answers"), folder.file("t.lecture")});
    CHECK(ran.code == 0);
    INFO(ran.out);
    INFO(ran.err);
    CHECK(contains(ran.out, "\nada,b,1,1,1\n"));
    CHECK(contains(ran.out, "\nben,cannot be judged,0,0,1\n"));
    CHECK(contains(ran.out, "\neve,not readable,,,1\n"));
    CHECK(contains(ran.out, "\nflo,of another lecture,,,1\n"));
    CHECK(contains(ran.out, "First: 1 of 4 right\n"));
    CHECK(contains(ran.err, "ada.answers] line 1, student: the key 'student' is not known"));
    CHECK(contains(ran.err, "ben.answers: First: the answer cannot be judged: "));
    CHECK(contains(ran.err, "eve.answers] line 1"));
}
