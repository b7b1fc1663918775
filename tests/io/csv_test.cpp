#include "io/text/csv.h"

#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"

namespace headlight::csv_test {

TEST_CASE("csv: labels on both sides, exact digits, quotes, and no formulas") {
    const Trace trace = example_trace();
    CHECK(write_csv(trace, trace.at("scores")) ==
          "query \\ key,'=SUM(A1),\"a \"\"b\"\", c\",Привет\r\n"
          "'=SUM(A1),0.1,-1.25,3e+20\r\n"
          "\"a \"\"b\"\", c\",-inf,0,-0.0\r\n"
          "Привет,nan,0.33333334,inf\r\n");
    CHECK(write_csv(trace, trace.at("W")) == "d_model \\ d_k,0,1\r\n0,1,2\r\n1,3,4\r\n2,5,6\r\n");
}

TEST_CASE("csv: text that could be a formula gets an apostrophe in front") {
    for (const char* label : {"=a", "+a", "-a", "@a", "\ta", "\ra"}) {
        const Trace trace = example_trace({label, label, label});
        CHECK(contains(write_csv(trace, trace.at("scores")), "'" + std::string(label)));
    }
}

TEST_CASE("tsv: separated by tabs, with plain line ends, and no label breaks a line") {
    const Trace trace = example_trace({"=A1", "a\tb\nc", "d"});
    CHECK(write_tsv(trace, trace.at("scores")) ==
          "query \\ key\t'=A1\ta b c\td\n"
          "'=A1\t0.1\t-1.25\t3e+20\n"
          "a b c\t-inf\t0\t-0.0\n"
          "d\tnan\t0.33333334\tinf\n");
}

namespace {

Matrix parse(const std::string& bytes) {
    return read_csv(bytes, "input.csv").values;
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

Matrix two_by_two(Scalar a, Scalar b, Scalar c, Scalar d) {
    Matrix matrix(2, 2);
    matrix << a, b, c, d;
    return matrix;
}

}  // namespace

TEST_CASE("csv: a written file is read back bit for bit, whatever the labels") {
    for (const char* label : {"=a", "\ta", "a;b", "a\nb", "1", "\"", ""}) {
        INFO(label);
        const Trace trace = example_trace({label, label, label});
        for (const char* path : {"scores", "W"})
            CHECK(same_values(parse(write_csv(trace, trace.at(path))), *trace.at(path).value));
    }
}

TEST_CASE("csv: tabs, semicolons or commas; labels on either side or on none") {
    const Matrix wanted = two_by_two(1, 2.5f, -3, kMasked);
    for (const char* text :
         {"1,2.5\n-3,-inf\n", "1\t2.5\n-3\t-inf", "1;2,5\r\n-3;-inf\r\n",
          "\xEF\xBB\xBF"
          "1,2.5\n-3,-inf",
          "a,b\n1,2.5\n-3,-inf\n", ",a,b\nx,1,2.5\ny,-3,-inf\n", "x,1,2.5\ny,-3,-inf\n",
          "\"a, b\",\"c \"\"d\"\"\"\n\"1\", 2.5 \n\n-3,-inf\n", "1,2.5\r-3,-inf"}) {
        INFO(std::string(text));
        CHECK(same_values(parse(text), wanted));
    }
    CHECK(parse("1\n2\n").rows() == 2);
    CHECK(read_csv("1;2,5", "input.csv").has_decimal_commas);
    CHECK_FALSE(read_csv("1;2.5", "input.csv").has_decimal_commas);
}

TEST_CASE("csv: anything but a matrix of numbers is refused with line and column") {
    CHECK(refusal("") == "[input.csv] is empty");
    CHECK(refusal(" \n\n") == "[input.csv] holds no number");
    CHECK(refusal(",,,\n") == "[input.csv] holds labels and no number");
    CHECK(refusal("1,2\n3\n") == "[input.csv] line 2: has 1 cell, the rows above have 2");
    CHECK(refusal("1,2\n3,\n") == "[input.csv] line 2: column 2: is empty");
    CHECK(refusal("1,2\n3,0x10\n") ==
          "[input.csv] line 2: column 2: '0x10' is not a number that a cell can have");
    CHECK(contains(refusal("1,2\n3,1e400\n"), "'1e400' is not a number"));
    CHECK(refusal("a,\"b\n1,2") == "[input.csv] line 1: a quote is opened and not closed");
    CHECK(refusal("\"a\nb\",c\n1,2\n3,\"x") ==
          "[input.csv] line 4: a quote is opened and not closed");
    CHECK(contains(refusal("1,2\"3\n"), "line 1: a quote stands within '2\"3'"));
    CHECK(contains(refusal("1,\"2\"3\n"), "line 1: more follows a closed quote"));
    CHECK(refusal(std::string("1,\0\n", 4)) ==
          "[input.csv] line 1: holds a zero byte; this is no text");
    CHECK(refusal("1,\xFF\n") == "[input.csv] line 1: is not UTF-8");
    CHECK(contains(refusal("\xFF\xFE"
                           "1"),
                   "is in UTF-16; save it as UTF-8"));
    CHECK(contains(refusal("\x89PNG"), "is no text with numbers; this is a PNG picture"));
    CHECK(refusal(std::string(100'000, ',') + "\n") ==
          "[input.csv] line 1: has more than 100000 columns");
    CHECK(refusal(std::string((16 << 20) + 1, '1')) ==
          "[input.csv] line 1: a cell is longer than 16 MB");
}

TEST_CASE("csv: a truncated or corrupted file is read or refused, never a crash") {
    const std::string good = ",a,\"b \"\"c\"\nx,1,2.5\n\"y\",-3,-inf\n";
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string error = refusal(good.substr(0, size));
        REQUIRE((error.empty() || error.starts_with("[input")));
    }
    check_every_bit_flip(good, good.size(), parse);
}

}  // namespace headlight::csv_test
