#include <algorithm>
#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"
#include "io/pictures/png_image.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"

namespace headlight::new_command_test {
namespace {

Document written_by(const std::vector<std::string>& args) {
    const Ran ran = headlight_run(args);
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return read_study(ran.out, "standard output");
}

}  // namespace

TEST_CASE("new sentence: without options it has a Document's defaults") {
    Document expected;
    expected.study = SentenceStudy{.text = "The cat was tired.", .layer = {}};
    CHECK(written_by({"new", "sentence", "The cat was tired."}) == expected);
}

TEST_CASE("new: a note names settings that have no effect beside the others") {
    const auto note = [](std::vector<std::string> more) {
        std::vector<std::string> args{"new", "sentence", "a b"};
        args.insert(args.end(), more.begin(), more.end());
        return headlight_run(args).err;
    };
    CHECK(
        contains(note({"--decoding", "on"}),
                 "--decoding has no effect as the other settings are: Also decode a causal study"));
    CHECK(note({"--decoding", "on", "--causal", "on"}).empty());
    CHECK(contains(note({"--value", "shared", "--d-v", "4"}), "--d-v has no effect"));
    CHECK(contains(note({"--top-k", "2"}), "--top-k has no effect"));
    CHECK(note({"--addressing", "top_k", "--top-k", "2", "--d-v", "4"}).empty());
}

TEST_CASE("new: what the kind of study leaves without effect is noted, whatever it is") {
    const auto note = [](std::vector<std::string> args) {
        const Ran ran = headlight_run(std::move(args));
        INFO(ran.err);
        CHECK(ran.code == kExitDone);
        return ran.err;
    };
    const std::vector<std::string> cross{"new", "alignment", "a b", "c d", "--mechanism", "cross"};
    for (const std::vector<std::string>& option : {std::vector<std::string>{"--relative", "alibi"},
                                                   {"--causal", "on"},
                                                   {"--window", "2"},
                                                   {"--dilation", "2"},
                                                   {"--documents", "on"}}) {
        std::vector<std::string> args = cross;
        args.insert(args.end(), option.begin(), option.end());
        CHECK(contains(note(args), option[0] + " has no effect"));
        args[5] = "transformer";
        CHECK(contains(note(args), " has no effect") == (option[0] == "--causal"));
    }
    CHECK(contains(note({"new", "image", "--documents", "on"}), "--documents has no effect"));
    CHECK(note({"new", "image", "--causal", "on"}).empty());
    CHECK(contains(note({"new", "graph", "--sentence", "a b", "--directed"}),
                   "--directed has no effect"));
}

TEST_CASE("new three-questions: a sentence of another kind is written, and noted") {
    const TemporaryFolder folder;
    const std::string study = folder.file("q.headlight"), array = folder.file("q.npz");
    const auto err_of = [&](const std::string& text) {
        const Ran made = headlight_run({"new", "three-questions", text, "-o", study});
        const Ran ran =
            headlight_run({"run", study, "--tensor", "blocks.1.attn.heads.*.pattern", "-o", array});
        CHECK(made.code == kExitDone);
        CHECK(ran.code == kExitDone);
        CHECK(contains(ran.err, "not a sentence of the kind") ==
              contains(made.err, "not a sentence of the kind"));
        return made.err;
    };
    CHECK(err_of("The old horse couldn't cross the bridge because it was too narrow") == "");
    CHECK(contains(err_of("Nobody expects the weather"),
                   "note: not a sentence of the kind that it was trained on"));
}

TEST_CASE("new graph: --combine has an effect on every mechanism") {
    const TemporaryFolder folder;
    const std::string list = folder.with("edges.csv", "source,target\na,b\nb,c\n");
    const Ran ran =
        headlight_run({"new", "graph", list, "--mechanism", "transformer", "--combine", "mean"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "");
}

TEST_CASE("new graph: widths that the graph itself dictates are noted") {
    const TemporaryFolder folder;
    const std::string weighted = folder.with("w.csv", "source,target,weight\na,b,2\nb,c,3\n"),
                      features = folder.with("f.csv", "node,x,y\na,1,2\nb,3,4\nc,5,6\n");
    CHECK(contains(headlight_run({"new", "graph", weighted, "--d-edge", "3"}).err,
                   "--d-edge has no effect beyond on and off: the edges' weights take its place"));
    CHECK(contains(
        headlight_run({"new", "graph", weighted, "--features", features, "--d-in", "5"}).err,
        "--d-in has no effect: the graph brings its features"));
}

TEST_CASE("new graph: rows of features that no node has are named") {
    const TemporaryFolder folder;
    const std::string list = folder.with("edges.csv", "source,target\na,b\n"),
                      features = folder.with("f.csv", "node,x,y\na,1,2\nB,3,4\nzed,5,6\n");
    const std::string err = headlight_run({"new", "graph", list, "--features", features, "-o",
                                           folder.file("g.headlight")})
                                .err;
    CHECK(contains(err, "2 rows of nodes that the graph does not have left out: 'B', 'zed'"));
}

TEST_CASE("new sentence: several texts are several sentences") {
    CHECK(written_by({"new", "sentence", "The cat slept.", "It woke."}).sentence()->text ==
          "The cat slept.\nIt woke.");
}

TEST_CASE("new sentence: options of every kind reach the study") {
    SentenceStudy study{.text = "L'accord sur l'Espace économique européen", .layer = {}};
    study.layer.n_layers = 3;
    study.layer.d_model = 10;
    study.layer.positions = Positions::None;
    study.layer.attention.n_heads = 2;
    study.layer.attention.d_k.values = {5};
    study.layer.attention.d_v.values = {7, 3};
    study.layer.attention.output = Switch::Off;
    study.layer.attention.score = Score::Additive;
    study.layer.attention.temperature = 0.5f;
    study.layer.mask.causal = Switch::On;
    study.layer.block.residual = Switch::Off;
    study.decoding = Switch::On;
    Document expected;
    expected.study = study;
    expected.seed = 18446744073709551615u;
    CHECK(written_by({"new",
                      "sentence",
                      study.text,
                      "--layers",
                      "3",
                      "--n-heads",
                      "2",
                      "--d-model",
                      "10",
                      "--d-k",
                      "5",
                      "--d-v",
                      "7,3",
                      "--causal",
                      "on",
                      "--score",
                      "additive",
                      "--positions",
                      "none",
                      "--residual",
                      "off",
                      "--attention-output",
                      "off",
                      "--temperature",
                      "0.5",
                      "--decoding",
                      "on",
                      "--seed",
                      "18446744073709551615"}) == expected);
}

TEST_CASE("new sentence: a text is never taken for a command or an option") {
    const auto text_of = [](const std::vector<std::string>& args) {
        return written_by(args).sentence()->text;
    };
    for (const std::string text : {"graph", "new", "list", "[a, b] 'q' \"x\"", "a=b", "-5 °C"})
        CHECK(text_of({"new", "sentence", text}) == text);
    CHECK(text_of({"new", "sentence", "--seed", "2", "--", "--heads"}) == "--heads");
}

TEST_CASE("new: a text in brackets stays one text, unchanged") {
    const std::string text = "[CLS] hi, you [SEP]";
    for (const std::string& each : {text, std::string("[a, b]"), std::string("[[a], [b]]"),
                                    std::string("[]"), std::string("[,]")})
        CHECK(written_by({"new", "sentence", "x", each}).sentence()->text == "x\n" + each);
    const Document alignment = written_by({"new", "alignment", text, "[a, b]"});
    CHECK(alignment.alignment()->source == text);
    CHECK(alignment.alignment()->target == "[a, b]");
    CHECK(written_by({"new", "graph", "--sentence", text}).graph()->graph.nodes.front().name ==
          written_by({"new", "graph", "--sentence", text + " "}).graph()->graph.nodes.front().name);
    const Ran ran = headlight_run({"new", "sentence", "a", "--heads", "[2, 3]"});
    CHECK(ran.code == kExitUsage);
    CHECK(ran.err.find("'[2, 3]' is not a number") != std::string::npos);
    CHECK(ran.err.find('\0') == std::string::npos);
}

TEST_CASE("new sentence: -o writes the same bytes as standard output") {
    const TemporaryFolder folder;
    const std::string file = folder.file("tired cat.headlight");
    const Ran ran = headlight_run({"new", "sentence", "The cat was tired", "-o", file});
    CHECK(ran.code == kExitDone);
    CHECK(ran.out == "");
    CHECK(read_file(file) == headlight_run({"new", "sentence", "The cat was tired"}).out);
}

TEST_CASE("new sentence: a text that makes no valid study is refused, and nothing is written") {
    const TemporaryFolder folder;
    std::string many_words;
    for (int i = 0; i < 5000; ++i) many_words += "w ";
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"", "there is no word to attend to"},
        {" \t ", "there is no word to attend to"},
        {"a \xff b", "UTF-8"},
        {many_words, "words"}};
    for (const auto& [text, part] : refused) {
        const Ran ran = headlight_run({"new", "sentence", text, "-o", folder.file("a.headlight")});
        INFO(ran.err);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, part));
    }
    CHECK(folder.is_empty());
}

TEST_CASE(
    "new graph: nodes keep the file's order, are laid out, and the study has the file's name") {
    const TemporaryFolder folder;
    const Document document = document_of(small_graph(folder));
    const Graph& graph = document.graph()->graph;
    CHECK(graph.title == "four friends");
    CHECK(!graph.directed);
    REQUIRE(graph.nodes.size() == 4);
    CHECK(graph.nodes[0].name == "Ada");
    CHECK(graph.nodes[3].name == "Dan");
    CHECK(graph.edges == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
    CHECK(graph.nodes[0].x < graph.nodes[3].x);
    CHECK(document.graph()->layer.n_heads == Widths{{2}});
    CHECK(document.graph()->layer.d_in == 3);
    CHECK(document.graph()->layer.d_out == Widths{{2}});
    CHECK(document.graph()->self_loops == Switch::On);
}

TEST_CASE("new graph: every option reaches the study") {
    const TemporaryFolder folder;
    const std::string edges = folder.with("a.edges", "1 2\n2 1\n");
    const Document document =
        written_by({"new",          "graph", edges,       "--directed", "--heads",      "3",
                    "--d-in",       "4",     "--d-out",   "5",          "--slope",      "0.1",
                    "--activation", "none",  "--combine", "mean",       "--self-loops", "off",
                    "--seed",       "7"});
    const GraphStudy& study = *document.graph();
    GraphSettings expected;
    expected.n_heads = {{3}}, expected.d_in = 4, expected.d_out = {{5}}, expected.slope = 0.1f;
    expected.combine = Combine::Mean, expected.activation = Activation::None;
    CHECK(study.layer == expected);
    CHECK(study.self_loops == Switch::Off);
    CHECK(study.graph.directed);
    CHECK(study.graph.edges.size() == 2);
    CHECK(document.seed == 7);
}

TEST_CASE("new graph: duplicate edges are left out, with a note") {
    const TemporaryFolder folder;
    const Ran ran = headlight_run({"new", "graph", folder.with("a.edges", "1 2\n2 1\n3 3\n")});
    CHECK(ran.code == kExitDone);
    CHECK(contains(ran.err, "headlight: note: "));
    CHECK(contains(ran.err, "1 duplicate edge"));
    CHECK(read_study(ran.out, "out").graph()->graph.edges.size() == 2);
}

TEST_CASE("new graph: a broken edge list is refused with its line") {
    const TemporaryFolder folder;
    const std::string edges = folder.with("a b.edges", "1 2\n1 2 x\n");
    const Ran ran = headlight_run({"new", "graph", edges});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, edges + ":2: the weight 'x' is not a finite number"));
    CHECK(headlight_run({"new", "graph", folder.with("b.edges", "# none\n")}).code == kExitError);
    CHECK(headlight_run({"new", "graph", folder.file("c.edges")}).code == kExitError);
}

TEST_CASE("new graph: other formats, edge weights, and features from a file are read") {
    const TemporaryFolder folder;
    const std::string graphml =
        folder.with("a.txt",
                    "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                    "<edge source=\"a\" target=\"b\"/></graph></graphml>");
    CHECK(written_by({"new", "graph", graphml}).graph()->graph.directed);
    const Document weighted =
        written_by({"new", "graph", folder.with("w.csv", "source,target,weight\na,b,0.5\n"),
                    "--features", folder.with("f.csv", "name,height,age\na,1,2\n")});
    CHECK(weighted.graph()->layer.d_edge == 1);
    CHECK(weighted.graph()->graph.nodes[0].features == Features({1, 2}));
    const std::string sentence = folder.with("s.json", R"({"kind": "sentence", "text": "a"})");
    CHECK(contains(headlight_run({"new", "graph", sentence}).err, "holds no graph"));
}

TEST_CASE("new image: the pixels of a picture, in patches if it is large") {
    const TemporaryFolder folder;
    const Pixels pixels{128, 96, std::vector<std::uint8_t>(4 * 128 * 96, 255)};
    const std::string file = folder.with("white", write_pixels(pixels));
    const ImageStudy image = *written_by({"new", "image", file, "--heads", "2"}).image();
    CHECK(image.columns == 64);
    CHECK(image.rows == 48);
    CHECK(image.layer.patch == 4);
    CHECK(image.layer.stack.attention.n_heads == 2);
    CHECK(written_by({"new", "image", file, "--patch", "8"}).image()->layer.patch == 8);
    CHECK(contains(headlight_run({"new", "image", file}).err, "shrunk from 128 × 96 to 64 × 48"));
    CHECK(
        contains(headlight_run({"new", "image", folder.with("e", "a b\n")}).err, "is no picture"));
}

TEST_CASE("new graph: a sentence becomes the complete graph of its words") {
    const Document document = written_by(
        {"new", "graph", "--sentence", "the cat saw the dog", "--mechanism", "transformer"});
    const Graph& graph = document.graph()->graph;
    CHECK(graph.nodes.size() == 5);
    CHECK(graph.edges.size() == 10);
    CHECK(graph.nodes[3].word == "the");
    const Ran both = headlight_run({"new", "graph", "a.edges", "--sentence", "a b"});
    CHECK(both.code == kExitError);
    CHECK(contains(both.err, "needs a file or --sentence"));
    CHECK(headlight_run({"new", "graph"}).code == kExitError);
}

TEST_CASE("new alignment: options with the same name reach the right part") {
    const Document document =
        written_by({"new", "alignment", "The cat slept", "Le chat dormait", "--mechanism",
                    "recurrent", "--cell", "lstm", "--d-model", "6", "--addressing", "sparsemax"});
    const AlignmentStudy& study = *document.alignment();
    CHECK(study.source == "The cat slept");
    CHECK(study.target == "Le chat dormait");
    CHECK(study.mechanism == AlignmentMechanism::Recurrent);
    CHECK(study.recurrent.cell_type == RecurrentCellType::Lstm);
    CHECK(study.recurrent.d_model == 6);
    CHECK(study.recurrent.normalizer == Normalizer::Sparsemax);
    CHECK(study.layer.d_model == 6);
}

TEST_CASE("new image: the built-in picture, with every option") {
    const Document document =
        written_by({"new", "image", "--mechanism", "convolution", "--alpha", "9", "--patch", "5"});
    const ImageStudy& study = *document.image();
    CHECK(study.pixels == built_in_image().image()->pixels);
    CHECK(study.layer.mechanism == ImageMechanism::Convolution);
    CHECK(study.layer.alpha == 9);
    CHECK(study.layer.patch == 5);
}

TEST_CASE("new translation: the target is written, or given; another network can write it") {
    const auto target = [](std::vector<std::string> args) {
        args.insert(args.begin(), {"new", "translation"});
        return written_by(args).alignment()->target;
    };
    CHECK(target({"The new law was signed."}) == "la nouvelle loi a été signée.");
    CHECK(target({"The new law was signed.", "--target", "La loi."}) == "La loi.");
    CHECK(target({"The new law was signed.", "--mechanism", "transformer"}) ==
          "la nouvelle loi a été signée.");
    CHECK(written_by({"new", "translation", "a", "--mechanism", "transformer"})
              .alignment()
              ->mechanism == AlignmentMechanism::Transformer);
    CHECK(contains(headlight_run({"new", "translation", "The zebra was signed."}).err,
                   "“zebra” is not in the vocabulary"));
}

TEST_CASE("new: a target or a mechanism for a study that takes none is an error") {
    const auto error = [](std::vector<std::string> args) {
        args.insert(args.begin(), "new");
        const Ran ran = headlight_run(std::move(args));
        CHECK(ran.code == kExitError);
        return ran.err;
    };
    CHECK(contains(error({"attention", "--target", "x"}), "has no target"));
    CHECK(contains(error({"lstm", "a b"}), "was not trained to translate"));
    CHECK(contains(error({"bahdanau", "--mechanism", "transformer"}), "--mechanism says"));
    CHECK(contains(error({"translation", "--mechanism", "cross"}), "--mechanism says"));
    CHECK(contains(error({"translation", " "}), "the source has no word"));
    CHECK(contains(error({"gat", "a b"}), "is not about a sentence"));
    std::string long_text;
    for (int k = 0; k < 129; ++k) long_text += "law ";
    CHECK(contains(error({"translation", long_text}), "129 words; at most 128"));
}

TEST_CASE("new --list: one line for each ready-made study, and each can be made") {
    const Ran list = headlight_run({"new", "--list"});
    CHECK(list.code == kExitDone);
    CHECK(std::ranges::count(list.out, '\n') == static_cast<long>(ready_studies().size()));
    for (const ReadyStudy& preset : ready_studies()) {
        INFO(preset.name);
        CHECK(contains(list.out, std::string(preset.what)));
        CHECK(written_by({"new", std::string(preset.name)}) == preset.make());
    }
}

}  // namespace headlight::new_command_test
