// What an export evaluates of the studies that it draws.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/export_command.h"
#include "cli/output.h"
#include "core/error.h"
#include "headlight_run.h"

namespace headlight::export_views_test {

/// Whether the trace has the values of the tensor at the end of the path.
bool has_values(const Trace& trace, const std::string& path) {
    return trace.at("blocks.0.attn." + path).value != nullptr;
}

TEST_CASE("export: of two studies that are compared, only what is drawn is evaluated") {
    const TemporaryFolder folder;
    const std::string pattern = "blocks.0.attn.heads.1.pattern";
    ExportStudy options;
    options.output = "a.svg";
    options.choice.matrices = {pattern};
    options.state.with = folder.file("other.headlight");
    REQUIRE(headlight_run({"new", "sentence", "the dog saw the moon", "--heads", "2", "--d-model",
                           "6", "-o", options.state.with})
                .err == "");
    const Document study = document_of(small_sentence(folder));
    for (const char* view : {"compared", "words", "flow"}) {
        INFO(view);
        options.what = view;
        std::ostringstream out, err;
        const Streams streams{out, err};
        Workspace space(study, {});
        look_at(space, options, streams);
        REQUIRE(space.trace);
        choose(space, space.trace->at(pattern), options, streams);
        const Trace* other = space.comparison.now().trace.get();
        REQUIRE(other);
        for (const Trace* trace : {space.trace.get(), other}) {
            CHECK(has_values(*trace, "heads.1.pattern"));
            CHECK_FALSE(has_values(*trace, "heads.0.QK"));  // on demand
            CHECK_FALSE(has_values(*trace, "heads.1.QK"));
        }
    }
}

/// What is held after `--what graph --tensor TENSOR` with these rows and columns, and the notes.
struct HeldInGraph {
    HeldInGraph(const std::string& study, std::vector<std::string> rows,
                std::vector<std::string> columns = {}, const std::string& of = "pattern",
                const char* what = "graph")
        : space(document_of(study), {}) {
        ExportStudy options;
        options.output = "a.svg";
        options.what = what;
        options.choice.matrices = {"gat.0.heads.0." + of};
        options.state.rows = std::move(rows);
        options.state.columns = std::move(columns);
        std::ostringstream out, err;
        try {
            look_at(space, options, {out, err});
            choose(space, space.trace->at(options.choice.matrices[0]), options, {out, err});
        } catch (const Error& error) {
            problem = error.what();
        }
        notes = err.str();
    }
    const AxisIndices& indices() const { return space.selection.held().indices; }
    bool holds_node(Index node) const {
        return indices() == pick_item(node).indices && !space.selection.held().cell;
    }
    /// "2 reads 1", or "" where no edge is held.
    std::string edge() const {
        if (!indices().edge) return {};
        return std::to_string(*indices().query) + " reads " + std::to_string(*indices().key);
    }

    Workspace space;
    std::string notes, problem;
};

TEST_CASE("export: a row of the picture of a graph is a node, and an edge is named as one") {
    const TemporaryFolder folder;
    const std::string study = small_graph(folder);
    CHECK(HeldInGraph(study, {"2"}).holds_node(2));
    CHECK(HeldInGraph(study, {"Cleo"}).holds_node(2));
    CHECK(HeldInGraph(study, {"2"}, {}, "W").holds_node(2));
    CHECK(HeldInGraph(study, {"2"}).notes == "");
    for (const char* edge : {"Cleo<-Ben", "Ben->Cleo", "Cleo ← Ben"})
        CHECK(HeldInGraph(study, {edge}).edge() == "2 reads 1");
    CHECK(HeldInGraph(study, {"2"}, {"Ben"}).edge() == "2 reads 1");
    CHECK(HeldInGraph(study, {"Ada"}, {"3"}).problem ==
          "[--column] Ada does not read Dan: there is no such edge");
    CHECK(HeldInGraph(study, {"Ada<-Ben"}, {"3"}).problem ==
          "[--column] an edge has no columns: 'Ada<-Ben'");
    CHECK(contains(HeldInGraph(study, {"4"}).problem, "it can be 0 to 3, or a node"));
    CHECK(HeldInGraph(study, {"Ada", "Dan"}).indices().also == std::vector<Index>{3});
}

TEST_CASE("export: what the number or the name of a row could also mean is said") {
    const TemporaryFolder folder;
    const std::string study = folder.file("numbered.headlight");
    const std::string edges = folder.with("numbered.edges", "5 1\n1 a<-b\na b\n");
    REQUIRE(headlight_run({"new", "graph", edges, "-o", study}).err == "");
    const HeldInGraph index(study, {"1"}), name(study, {"5"}), both(study, {"a<-b"});
    CHECK(index.holds_node(1));
    CHECK(index.notes == "");
    CHECK(name.holds_node(0));
    CHECK(both.holds_node(2));
    CHECK(
        contains(both.notes, "'a<-b' is ambiguous: the node is taken; an edge is called so, too"));
    const HeldInGraph in_matrix(study, {"1"}, {}, "pattern", "row");
    CHECK(in_matrix.edge() == "0 reads 1");
    CHECK(contains(in_matrix.notes,
                   "row 1 is taken as the index of the edge '5<-1'; it is not the "
                   "node of that number"));
}

TEST_CASE("export: a logit of a word that the vocabulary lacks is refused") {
    const TemporaryFolder folder;
    const std::string study = folder.file("story.headlight");
    REQUIRE(headlight_run({"new", "language-model", "-o", study}).err == "");
    for (const char* view : {"logits", "lens", "attribution"}) {
        CAPTURE(view);
        const auto run = headlight_run(
            {"export", study, "--what", view, "--word", "zebra", "-o", folder.file("a.svg")});
        CHECK(run.code == 1);
        CHECK(contains(run.err, "the vocabulary has no word “zebra”"));
        CHECK_FALSE(std::filesystem::exists(folder.file("a.svg")));
    }
}

}  // namespace headlight::export_views_test
