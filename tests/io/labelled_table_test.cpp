#include "io/text/labelled_table.h"

#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"

namespace headlight::labelled_table_test {

TEST_CASE("labelled tables: LaTeX has escaped labels, and numbers as on the screen") {
    const Trace trace = example_trace();
    CHECK(write_latex_table(trace, trace.at("W")) ==
          "% W: W\n\\begin{tabular}{lrr}\n\\hline\nd\\_model / d\\_k & 0 & 1 \\\\\n\\hline\n"
          "0 & $1.00$ & $2.00$ \\\\\n1 & $3.00$ & $4.00$ \\\\\n2 & $5.00$ & $6.00$ \\\\\n\\hline\n"
          "\\end{tabular}\n");
    const std::string scores = write_latex_table(trace, trace.at("scores"));
    CHECK(contains(scores, "=SUM(A1) & $0.100$ & $-1.25$ & $3 \\cdot 10^{20}$ \\\\"));
    CHECK(contains(scores, "& $-\\infty$ &"));
}

TEST_CASE("labelled tables: special characters of LaTeX and Markdown are escaped") {
    const Trace trace = example_trace({"50% & #1_a", "a|b*c", "{x}\\~^\n"});
    const std::string latex = write_latex_table(trace, trace.at("scores"));
    CHECK(contains(latex, "50\\% \\& \\#1\\_a"));
    CHECK(contains(latex, "\\{x\\}\\textbackslash{}\\textasciitilde{}\\textasciicircum{} "));
    CHECK(contains(write_markdown_table(trace, trace.at("scores")), "a\\|b\\*c"));
}

TEST_CASE("labelled tables: Markdown has a column for the labels and one for each column") {
    const Trace trace = example_trace();
    CHECK(write_markdown_table(trace, trace.at("W")) ==
          "| d\\_model / d\\_k | 0 | 1 |\n|---|---:|---:|\n| 0 | 1.00 | 2.00 |\n"
          "| 1 | 3.00 | 4.00 |\n| 2 | 5.00 | 6.00 |\n");
}

}  // namespace headlight::labelled_table_test
