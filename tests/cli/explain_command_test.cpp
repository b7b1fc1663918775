#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npz.h"
#include "io/files/file.h"
#include "io/text/json_view.h"

namespace headlight::explain_command_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0.";

Ran explain(const std::string& study, const std::string& path, const std::string& row,
            const std::string& column) {
    return headlight_run({"explain", study, path, row, column});
}

std::size_t position(const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    INFO(part, " in: ", text);
    REQUIRE(at != std::string::npos);
    return at;
}

/// Checks one step of explain --json against the trace, cell by cell.
void check_step(const JsonView& step, const Trace& trace) {
    const auto value_at = [&](const JsonView& cell) {
        const auto row = cell.at("row").integer(0, 1000),
                   column = cell.at("column").integer(0, 1000);
        return (*trace.at(cell.at("path").text()).value)(row, column);
    };
    const auto number = [](const JsonView& view) { return view.number(Infinity::Allowed); };
    CHECK(number(step.at("value")) == doctest::Approx(value_at(step)));
    Scalar sum = 0;
    step.at("terms").for_each_element([&](const JsonView& term) {
        sum += number(term.at("value"));
        term.at("cells").for_each_element(
            [&](const JsonView& cell) { CHECK(number(cell.at("value")) == value_at(cell)); });
    });
    if (std::isfinite(sum) && step.at("terms").size() > 0)
        CHECK(number(step.at("sum")) == doctest::Approx(sum));
}

void check_json(const std::string& study, const std::string& path, const std::string& row) {
    const Ran ran = headlight_run({"explain", study, path, row, "0", "--json"});
    INFO(path, ran.err, ran.out);
    REQUIRE(ran.code == kExitDone);
    const JsonSource source{"out", parse_json(ran.out, "out")};
    const JsonView cell(source);
    CHECK(cell.at("path").text() == path);
    CHECK(cell.at("row").integer(0, 1000) == std::stoi(row));
    const Trace trace = trace_of(study);
    cell.at("steps").for_each_element([&](const JsonView& step) { check_step(step, trace); });
}

}  // namespace

TEST_CASE("explain: a pattern is explained from the dot product to the softmax") {
    const TemporaryFolder folder;
    const Ran ran = explain(small_sentence(folder), kHead + "pattern", "moon", "cat");
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "");
    const std::size_t scores = position(ran.out, kHead + "scores[4, 1]   S = Q K^T / √d_k\n");
    const std::size_t masked = position(ran.out, kHead + "masked_scores[4, 1]   S + mask\n");
    const std::size_t pattern = position(ran.out, kHead + "pattern[4, 1]   A = softmax(");
    CHECK(scores < masked);
    CHECK(masked < pattern);
    position(ran.out, "S(moon, cat) = ");
    position(ran.out, "Q(moon, 2)");
    position(ran.out, kHead + "k[1, 2]");
    position(ran.out, "÷ √3 = ");
    position(ran.out, "A(moon, cat) = ");
}

TEST_CASE("explain: all terms are listed, the largest contribution first") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Trace trace = trace_of(study);
    const Matrix& x = *trace.at("blocks.0.resid_pre").value;
    const Matrix& w = *trace.at(kHead + "W_Q").value;
    std::vector<std::pair<Scalar, Index>> sizes;
    for (Index k = 0; k < 6; ++k) sizes.push_back({-std::abs(x(2, k) * w(k, 1)), k});
    std::sort(sizes.begin(), sizes.end());
    const std::string text = explain(study, kHead + "q", "saw", "1").out;
    std::size_t at = 0;
    for (const auto& [size, k] : sizes) {
        const std::size_t next = position(text, kHead + "W_Q[" + std::to_string(k) + ", 1]");
        CHECK(next > at);
        at = next;
    }
}

TEST_CASE("explain: for a pinned cell it says that the terms have no effect") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), pinned = folder.file("pinned.headlight");
    const Matrix z = *trace_of(study).at(kHead + "z").value;
    const std::string values = folder.with("z.npz", write_npz({{kHead + "z", z * 2}}));
    REQUIRE(headlight_run({"import", study, values, "-o", pinned}).code == kExitDone);
    const std::string effect = ", without effect: the cell is pinned:\n";
    const std::string text = explain(pinned, kHead + "z", "0", "0").out;
    CHECK(contains(text, "pinned to"));
    CHECK(contains(text, effect));
    CHECK_FALSE(contains(explain(study, kHead + "z", "0", "0").out, effect));
}

TEST_CASE("explain: pins that their row has no room for are noted") {
    const TemporaryFolder folder;
    std::string study = read_file(small_sentence(folder));
    const std::size_t at = study.find("\"edits\": {}");
    REQUIRE(at != std::string::npos);
    study.replace(at, 11,
                  "\"edits\": {\"" + kHead +
                      "pattern\": {\"rows\": \"renormalise\", \"cells\": "
                      "[[0, 0, 0.7], [0, 1, 0.7]]}}");
    const Ran ran = explain(folder.with("pins.headlight", study), kHead + "pattern", "0", "0");
    CHECK(contains(ran.err, kHead + "pattern, row 0: the pinned cells leave the others no share"));
    CHECK(contains(ran.out, "0.5"));
}

TEST_CASE("explain: indices and names refer to the same cell") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    CHECK(explain(study, kHead + "pattern", "4", "1").out ==
          explain(study, kHead + "pattern", "moon", "cat").out);
    const std::string graph = small_graph(folder);
    CHECK(explain(graph, "gat.0.heads.0.h", "Cleo", "1").out ==
          explain(graph, "gat.0.heads.0.h", "2", "1").out);
}

TEST_CASE("explain: of a repeated word the first one is taken, with a note") {
    const TemporaryFolder folder;
    const Ran ran = explain(small_sentence(folder), kHead + "pattern", "moon", "the");
    CHECK(ran.code == kExitDone);
    CHECK(contains(ran.out, kHead + "pattern[4, 0]"));
    CHECK(ran.err == "headlight: note: 'the' is ambiguous: column 0 is taken; it is also at 3\n");
}

TEST_CASE("explain: of several sentences each row has the words of its own sentence") {
    const TemporaryFolder folder;
    const std::string study = folder.file("ms.headlight");
    REQUIRE(headlight_run({"new", "sentence", "the cat saw", "a b a b", "x", "-o", study}).code ==
            kExitDone);
    const std::string pattern = kHead + "pattern";
    const std::string text = explain(study, pattern, "5", "2").out;  // the second sentence's b, a
    position(text, "A(b, a) = ");
    CHECK_FALSE(contains(text, "saw"));
    CHECK(explain(study, pattern, "5", "a").code == kExitDone);
    CHECK(explain(study, pattern, "5", "saw").code == kExitError);
    const Ran json = headlight_run({"explain", study, pattern, "5", "2", "--json"});
    CHECK(contains(json.out, R"("row_label": "b", "column_label": "a")"));
}

TEST_CASE("explain: an edge is named by its two nodes, and its only column may be omitted") {
    const TemporaryFolder folder;
    const std::string graph = small_graph(folder);
    const Ran ran = headlight_run({"explain", graph, "gat.0.heads.0.pattern", "Ben<-Cleo"});
    INFO(ran.err);
    CHECK(ran.code == kExitDone);
    // Ada reads Ada and Ben; Ben reads Ada, Ben and Cleo.
    CHECK(contains(ran.out, "gat.0.heads.0.pattern[4, 0]"));
    CHECK(contains(ran.out, "α(Ben ← Cleo)"));
    for (const char* name : {"Ben ← Cleo", "Cleo->Ben", "4"})
        CHECK(headlight_run({"explain", graph, "gat.0.heads.0.pattern", name, "0"}).out == ran.out);
    const Ran wide = headlight_run({"explain", graph, "embed", "Ben"});
    CHECK(wide.code == kExitError);
    CHECK(contains(wide.err, "embed has 3 columns; say which after the row"));
}

TEST_CASE("explain: a number is an index; a note mentions a node of that name") {
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    REQUIRE(
        headlight_run({"new", "graph", folder.with("a.edges", "2 1\n1 7\n"), "-o", study}).code ==
        kExitDone);
    const Ran ran = explain(study, "embed", "2", "0");
    CHECK(contains(ran.out, "embed[2, 0]"));
    CHECK(contains(ran.err, "row 2 is taken as an index; the node called '2' is at 0"));
    CHECK(explain(study, "embed", "1", "0").err == "");
    CHECK(contains(explain(study, "embed", "7", "0").out, "embed[2, 0]"));
}

TEST_CASE("explain: an unknown cell or tensor is refused with the existing ones") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const auto error = [&](const std::string& path, const std::string& row) {
        const Ran ran = explain(study, path, row, "0");
        CHECK(ran.code == kExitError);
        CHECK(ran.out == "");
        return ran.err;
    };
    CHECK(contains(error(kHead + "pattern", "dog"),
                   "has no row 'dog'; it can be 0 to 4, or a token"));
    CHECK(contains(error(kHead + "pattern", "mooon"), "did you mean 'moon'?"));
    CHECK(contains(error(kHead + "pattern", "5"), "it can be 0 to 4"));
    CHECK(contains(error(kHead + "W_Q", "cat"), "has no row 'cat'; it can be 0 to 5"));
    CHECK(contains(error(kHead + "patern", "0"), "did you mean '" + kHead + "pattern'?"));
}

TEST_CASE("explain --json: paths, indices, labels and every number, as the trace has them") {
    const TemporaryFolder folder;
    for (const std::string& study : {small_sentence(folder), small_graph(folder)}) {
        const Trace trace = trace_of(study);
        for (const Tensor& tensor : trace.tensors())
            check_json(study, tensor.path(), tensor.rows().size > 1 ? "1" : "0");
    }
}

}  // namespace headlight::explain_command_test
