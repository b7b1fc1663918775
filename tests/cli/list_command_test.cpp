#include <doctest/doctest.h>
#include <set>
#include <sstream>

#include "cli/command_line.h"
#include "figure/words/formula.h"
#include "headlight_run.h"

namespace headlight::list_command_test {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    return fields;
}

/// The column at which the text after the last tab begins on a terminal.
std::size_t start_of_last_field(const std::string& line) {
    std::size_t column = 0;
    for (const char c : line.substr(0, line.rfind('\t') + 1))
        column = c == '\t' ? (column / 8 + 1) * 8 : column + 1;
    return column;
}

void check_list(const std::string& study) {
    const Ran ran = headlight_run({"list", study});
    REQUIRE(ran.code == kExitDone);
    const Trace trace = trace_of(study);
    std::istringstream lines(ran.out);
    std::set<std::size_t> starts;
    for (const Tensor& tensor : trace.tensors()) {
        std::string line;
        REQUIRE(std::getline(lines, line));
        const auto fields = fields_of(line);
        REQUIRE(fields.size() == 4);
        CHECK(fields[0] == tensor.path());
        CHECK(std::stol(fields[1]) == tensor.rows().size);
        CHECK(std::stol(fields[2]) == tensor.columns().size);
        CHECK(fields[3] == plain_formula(tensor.equation()));
        starts.insert(start_of_last_field(line));
    }
    std::string rest;
    CHECK(!std::getline(lines, rest));
    CHECK(starts.size() == 1);
}

}  // namespace

TEST_CASE("list: one tensor per line, in the order of computation, aligned on a terminal") {
    const TemporaryFolder folder;
    check_list(small_sentence(folder));
    check_list(small_graph(folder));
}

TEST_CASE("list: a note says where the weights come from") {
    const TemporaryFolder folder;
    for (const std::string& study : {small_sentence(folder), small_graph(folder)}) {
        const Ran ran = headlight_run({"list", study});
        CHECK(ran.err.find("headlight: note: untrained: weights drawn from seed ") == 0);
        CHECK(ran.out.find("untrained") == std::string::npos);
    }
}

TEST_CASE("words: each sentence is a line with tabs; graphs have no words") {
    const TemporaryFolder folder;
    const auto words = [&](std::vector<std::string> args) {
        const std::string study = folder.file("s.headlight");
        args.insert(args.begin(), "new");
        args.insert(args.end(), {"-o", study});
        REQUIRE(headlight_run(args).code == kExitDone);
        const Ran ran = headlight_run({"words", study});
        return ran.code == kExitDone ? ran.out : ran.err;
    };
    CHECK(words({"sentence", "It's 3.14 here!", "Two"}) == "It's\t3.14\there\t!\nTwo\n");
    CHECK(words({"alignment", "a b", "L'accord"}) == "a\tb\nL'accord\n");
    CHECK(words({"translation", "a law.", "--target", "Aujourd’hui l' accord"}) ==
          "a\tlaw\t.\nAujourd’hui\tl'\taccord\n");
    CHECK(contains(words({"gat"}), "[words] the study is not about words"));
}

}  // namespace headlight::list_command_test
