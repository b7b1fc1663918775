// No control sequence of a file reaches the terminal, and no output replaces an input.
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"

namespace headlight::hostile_input_test {
namespace {

namespace fs = std::filesystem;

/// Names of nodes as JSON: control sequences for colours and titles, C1, DEL, NUL, bidi.
constexpr const char* kNames[] = {"\\u001b[31mred", "\\u001b]0;title\\u0007", "\\u009b2J",
                                  "del\\u007f", "\\u202eright"};

std::string hostile_graph() {
    std::string nodes, links;
    for (const char* name : kNames) {
        const std::string quoted = "\"" + std::string(name) + "\"";
        nodes += (nodes.empty() ? "{\"id\": " : ", {\"id\": ") + quoted + "}";
        links += (links.empty() ? "{" : ", {") + std::string("\"source\": ") + quoted +
                 ", \"target\": \"" + kNames[0] + "\"}";
    }
    return "{\"nodes\": [" + nodes + "], \"links\": [" + links + "]}";
}

bool is_harmless(const std::string& text) {
    for (const char* bad : {"\x1b", "\x07", "\x7f", "\u009b", "\u202e", "\r"})
        if (contains(text, bad)) return false;
    return text.find('\0') == std::string::npos;
}

std::string recording() {
    Matrix values = Matrix::Zero(2, 2);
    values << 1, 0, 0.5f, 0.5f;
    std::string bytes = write_npy(values);
    return bytes.replace(bytes.find("(2, 2), }"), 12, "(1, 2, 2), }");
}

}  // namespace

TEST_CASE("terminal: no control sequence from a file reaches it, in output, notes or errors") {
    const TemporaryFolder folder;
    const std::string graph = folder.with("hostile.json", hostile_graph()),
                      study = folder.file("a.headlight"), pattern = "gat.0.heads.0.pattern",
                      npz = folder.with("w.safetensors",
                                        write_safetensors({{"\x1b[31mW", Matrix::Ones(2, 2)}}));
    const std::vector<std::vector<std::string>> commands = {
        {"new", "graph", graph},
        {"new", "graph", graph, "-o", study},
        {"list", study},
        {"explain", study, pattern, "0"},
        {"explain", study, pattern, "0", "--json"},
        {"explain", study, pattern, "\x1b[31m"},
        {"compare", study, study, "--tensor", pattern},
        {"import", study, npz, "--list"},
        {"import", study, npz, "--map", "\x1b[1m=x"},
        {"list", folder.file("\x1b[31m")},
        {"\x1b[31m"},
    };
    for (const auto& command : commands) {
        const Ran ran = headlight_run(command);
        const std::string called = command[0] + " " + command.back();
        INFO(called);
        CHECK(is_harmless(ran.out));
        CHECK(is_harmless(ran.err));
        CHECK(ran.out + ran.err != "");
    }
    CHECK(contains(headlight_run({"explain", study, pattern, "0"}).out, "[31mred"));
}

TEST_CASE("terminal: JSON on standard output keeps its escapes") {
    const TemporaryFolder folder;
    const std::string graph = folder.with("hostile.json", hostile_graph());
    const Ran ran = headlight_run({"new", "graph", graph});
    REQUIRE(ran.code == kExitDone);
    const std::string study = folder.with("a.headlight", ran.out);
    CHECK(document_of(study).graph()->graph.nodes[1].name == "\x1b]0;title\x07");
    CHECK(document_of(study).graph()->graph.nodes[4].name == "\u202eright");
}

TEST_CASE("-o: an input is never overwritten, not even through links") {
    const TemporaryFolder folder;
    const std::string npz = folder.with("d.npy", recording()), study = folder.file("d.headlight"),
                      edges = folder.with("e.edges", "a b\nb c\n"), link = folder.file("link.npy");
    fs::create_symlink(npz, link);
    const auto refuses = [&](const std::vector<std::string>& command, const std::string& file) {
        const std::string before = read_file(file);
        const Ran ran = headlight_run(command);
        INFO(ran.err);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, "is what is read here"));
        CHECK(read_file(file) == before);
    };
    refuses({"new", "recorded", npz, "-o", link}, npz);
    refuses({"new", "graph", edges, "-o", edges}, edges);
    REQUIRE(headlight_run({"new", "recorded", npz, "-o", study}).code == kExitDone);
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    refuses({"export", study, "--tensor", pattern, "-o", npz}, npz);
    refuses({"export", study, "--tensor", pattern, "-o", link}, npz);
    fs::create_hard_link(npz, folder.file("hard.npy"));
    refuses({"export", study, "--tensor", pattern, "-o", folder.file("hard.npy")}, npz);
    CHECK(headlight_run({"export", study, "--tensor", pattern, "-o", folder.file("o.npy")}).code ==
          kExitDone);
}

TEST_CASE("notes: after twenty of a kind only a count follows") {
    const TemporaryFolder folder;
    NamedMatrices matrices;
    for (int k = 0; k < 50; ++k)
        matrices.emplace_back("junk" + std::to_string(k), Matrix::Ones(2, 2));
    const Ran ran = headlight_run(
        {"import", small_sentence(folder), folder.with("w.npz", write_npz(matrices)), "--list"});
    std::size_t n_notes = 0;
    for (std::size_t at = 0; (at = ran.err.find("note: not imported", at)) != std::string::npos;
         ++at)
        ++n_notes;
    CHECK(n_notes == 20);
    CHECK(contains(ran.err, "… and 30 more like it"));
}

TEST_CASE("--help and --version: a failure to print is an error") {
    for (const char* what : {"--help", "--version"}) {
        std::ofstream full("/dev/full");
        std::ostringstream err;
        CHECK(run_command_line({what}, full, err) == kExitError);
        CHECK(contains(err.str(), "cannot be written"));
    }
}

TEST_CASE("new: leftovers of a killed save are removed; the study before stays") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    folder.with(".headlight-12-34", "half");
    const std::string before = read_file(study);
    REQUIRE(headlight_run({"new", "sentence", "a b", "-o", study}).code == kExitDone);
    CHECK_FALSE(fs::exists(folder.file(".headlight-12-34")));
    CHECK(read_file(study + "~") == before);
}

TEST_CASE("new recorded: a study and a recording with names that are not UTF-8 open again") {
    const TemporaryFolder folder;
    const std::string npy = folder.with("d\xFF.npy", recording()),
                      study = folder.file("s\xFE.headlight");
    REQUIRE(headlight_run({"new", "recorded", npy, "-o", study}).code == kExitDone);
    const Ran ran = headlight_run({"explain", study, "blocks.0.attn.heads.0.pattern", "0", "0"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "");
}

}  // namespace headlight::hostile_input_test
