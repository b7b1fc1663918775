#include "io/csv.h"

#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"

using namespace headlight;

TEST_CASE("csv: labels on both sides, exact digits, quoting, and no formulas") {
    const Trace trace = example_trace();
    CHECK(write_csv(trace, trace.at("scores")) ==
          "query \\ key,'=SUM(A1),\"a \"\"b\"\", c\",Привет\r\n"
          "'=SUM(A1),0.1,-1.25,3e+20\r\n"
          "\"a \"\"b\"\", c\",-inf,0,-0.0\r\n"
          "Привет,nan,0.33333334,inf\r\n");
    CHECK(write_csv(trace, trace.at("W")) == "d_model \\ d_k,0,1\r\n0,1,2\r\n1,3,4\r\n2,5,6\r\n");
}

TEST_CASE("csv: whatever could begin a formula gets an apostrophe in front") {
    for (const char* label : {"=a", "+a", "-a", "@a", "\ta", "\ra"}) {
        Trace trace = example_trace();
        trace.lists[0].names = std::make_shared<const std::vector<std::string>>(3, label);
        CHECK(contains(write_csv(trace, trace.at("scores")), "'" + std::string(label)));
    }
}

TEST_CASE("tsv: tabs between, plain line ends, and no label breaks a line") {
    Trace trace = example_trace();
    trace.lists[0].names = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"=A1", "a\tb\nc", "d"});
    CHECK(write_tsv(trace, trace.at("scores")) ==
          "query \\ key\t'=A1\ta b c\td\n"
          "'=A1\t0.1\t-1.25\t3e+20\n"
          "a b c\t-inf\t0\t-0.0\n"
          "d\tnan\t0.33333334\tinf\n");
}
