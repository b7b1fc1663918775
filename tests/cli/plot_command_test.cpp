#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::plot_command_test {
namespace {

struct Plot {
    TemporaryFolder folder;

    std::string file(const std::string& name, const std::string& text) {
        write_file(folder.file(name), text);
        return folder.file(name);
    }
    /// The error; "" if the picture was written.
    std::string error(const std::string& text) {
        const Ran ran =
            headlight_run({"plot", file("bad.csv", text), "-o", folder.file("bad.svg")});
        return ran.code == kExitDone ? "" : ran.err;
    }
};

std::size_t count_texts(const std::string& svg, const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++n;
    return n;
}

}  // namespace

TEST_CASE("plot: each column is a curve over the first one") {
    Plot plot;
    const std::string gat = plot.file("gat.csv", "step,loss,accuracy_held\n10,2.5,0.2\n20,1,0.4\n"),
                      other = plot.file("gatv2.csv", "step,loss,accuracy_held\n10,2,0.5\n30,1,1\n"),
                      output = plot.folder.file("both.svg");
    REQUIRE(headlight_run({"plot", gat, "-o", output}).code == kExitDone);
    std::string svg = read_file(output);
    CHECK(contains(svg, ">loss<"));
    CHECK(contains(svg, ">accuracy held<"));
    CHECK(contains(svg, ">step<"));
    REQUIRE(headlight_run({"plot", gat, other, "--column", "loss", "-o", output}).code ==
            kExitDone);
    svg = read_file(output);
    CHECK(contains(svg, ">gat<"));
    CHECK(contains(svg, ">gatv2<"));
    CHECK(count_texts(svg, "accuracy") == 0);
    CHECK(contains(svg, ">30<"));
}

TEST_CASE("plot: what cannot be drawn is refused, with the place") {
    Plot plot;
    CHECK(plot.error("step,loss\n1,2\n2,nan\n") == "");
    CHECK(contains(plot.error("step,loss\n1,2\n2,-1\n"), "line 3: has a number below 0"));
    CHECK(contains(plot.error("step,loss\n2,2\n1,1\n"), "line 3: step is less than"));
    CHECK(contains(plot.error("step,loss\nnan,2\n"), "line 2: step is no number"));
    CHECK(contains(plot.error("1,2\n2,3\n"), "no first line that names its columns"));
    CHECK(contains(plot.error("step\n2\n3\n"), "needs a second column"));
    CHECK(contains(plot.error("step,loss\n2,x\n"), "line 2"));
    const std::string file = plot.file("a.csv", "step,loss\n1,2\n");
    const Ran unknown =
        headlight_run({"plot", file, "--column", "accuracy", "-o", plot.folder.file("a.svg")});
    CHECK(contains(unknown.err, "there are loss"));
    const Ran numbers = headlight_run({"plot", file, "-o", plot.folder.file("a.npy")});
    CHECK(contains(numbers.err, "is no picture"));
    CHECK(headlight_run({"plot", file, "-o", file}).code != kExitDone);
    CHECK(read_file(file) == "step,loss\n1,2\n");
}

}  // namespace headlight::plot_command_test
