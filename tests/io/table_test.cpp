// Tables of texts and numbers in every format of numbers.
#include "io/text/table.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/arrays/npy.h"
#include "io/exporters.h"
#include "io/text/csv.h"

namespace headlight::table_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A word, a number that is a label, two columns of numbers, one with a hole, and texts between.
Table example() {
    Table table{"words", "what they are", {}, 2};
    table.add_texts("word") = {"the, cat", "=1+1"};
    table.add_numbers("place") = {1, 2};
    table.add_numbers("logit") = {0.5, -2};
    table.add_texts("next") = {"a\tb", "c"};
    table.add_numbers("p") = {0.25, kNone};
    return table;
}

std::string bytes(const char* file, const Table& table) {
    return export_bytes(exporter_for(file), table);
}

}  // namespace

TEST_CASE("a table is written in every format of numbers, and in none of pictures") {
    const Table table = example();
    CHECK(bytes("a.csv", table) ==
          "word,place,logit,next,p\n\"the, cat\",1,0.5,\"a\tb\",0.25\n'=1+1,2,-2,c,\n");
    CHECK(bytes("a.tsv", table) ==
          "word\tplace\tlogit\tnext\tp\nthe, cat\t1\t0.5\ta b\t0.25\n'=1+1\t2\t-2\tc\t\n");
    CHECK(bytes("a.json", table) ==
          "[\n  {\"word\": \"the, cat\", \"place\": 1, \"logit\": 0.5, \"next\": \"a\\u0009b\", "
          "\"p\": 0.25},\n  {\"word\": \"=1+1\", \"place\": 2, \"logit\": -2, \"next\": \"c\", "
          "\"p\": null}\n]\n");
    CHECK(bytes("a.md", table)
              .starts_with("| word | place | logit | next | p |\n"
                           "|---|---:|---:|---|---:|\n| the, cat | 1 | 0.500 |"));
    const std::string latex = bytes("a.tex", table);
    CHECK(latex.starts_with("% what they are\n\\begin{tabular}{lrrlr}\n\\hline\n"));
    CHECK(latex.find("the, cat & 1 & $0.500$ & a b & $0.250$ \\\\\n") != std::string::npos);
    for (const char* picture : {"a.png", "a.svg", "a.pdf", "a.gif"})
        CHECK_THROWS_WITH(bytes(picture, table), doctest::Contains("a table is no picture"));
}

TEST_CASE("formats of numbers hold the numbers of a table without its labels") {
    const Table table = example();
    const Matrix numbers = numbers_of(table);
    REQUIRE(numbers.rows() == 2);
    REQUIRE(numbers.cols() == 2);
    CHECK(numbers(0, 0) == Scalar(0.5));
    CHECK(numbers(1, 0) == Scalar(-2));
    CHECK(numbers(0, 1) == Scalar(0.25));
    CHECK(std::isnan(numbers(1, 1)));
    CHECK(number_columns(table) == std::vector<std::string>{"logit", "p"});
    CHECK(bytes("a.npy", table) == write_npy(numbers));
    for (const char* file : {"a.npz", "a.safetensors"}) {
        const NamedMatrices read = archive_format_for(file).read(bytes(file, table), file);
        REQUIRE(read.size() == 1);
        CHECK(read.front().first == "words");
        CHECK(read.front().second(1, 0) == Scalar(-2));
    }
}

TEST_CASE("a shell gets the texts of a table as they are") {
    const Table table = example();
    CHECK(write_csv(table, ReadBy::Shell).ends_with("=1+1,2,-2,c,\n"));
    CHECK(write_tsv(table, ReadBy::Shell).ends_with("=1+1\t2\t-2\tc\t\n"));
    Table quoted{"a", "", {}, 1};
    quoted.add_texts("a") = {"say \"a, b\"", "a\rb"};
    CHECK(write_csv(quoted, ReadBy::Shell) == "a\n\"say \"\"a, b\"\"\"\n\"a\rb\"\n");
}

TEST_CASE("no cell of a table controls who reads it, be it a spreadsheet or a terminal") {
    Table table{"a", "", {}, 1};
    table.add_texts("\x1b[2J") = {"\x1b]0:title\x07", std::string("a\0b", 3), "\x7f\u009bc",
                                  "\xff"};
    const std::string cells = "\\x1b]0:title\\x07\na b\n\\x7f\\x9bc\n\uFFFD\n";
    for (const ReadBy reader : {ReadBy::Spreadsheet, ReadBy::Shell}) {
        CHECK(write_csv(table, reader) == "\\x1b[2J\n" + cells);
        CHECK(write_tsv(table, reader) == "\\x1b[2J\n" + cells);
    }
}

TEST_CASE("in JSON columns of one name are keys that come once") {
    Table table{"a", "", {}, 0};
    for (const char* name : {"it", "it#2", "it"}) table.add_numbers(name) = {1};
    CHECK(write_table_json(table) == "[\n  {\"it\": 1, \"it#2\": 1, \"it#3\": 1}\n]\n");
}

TEST_CASE("rows of a table are kept in the order given") {
    Table table = example();
    keep_rows(table, {1});
    CHECK(table.n_rows() == 1);
    CHECK(text_in(table, 0, 0) == "=1+1");
    CHECK(number_in(table, 0, 2) == Scalar(-2));
    CHECK_FALSE(number_in(table, 0, 4).has_value());
    CHECK(text_in(table, 0, 2).empty());
}

}  // namespace headlight::table_test
