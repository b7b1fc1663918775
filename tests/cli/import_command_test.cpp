#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "cli/command_line.h"
#include "core/compute.h"
#include "headlight_run.h"
#include "io/arrays/npz.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/evaluate.h"
#include "source_folder.h"

namespace headlight::import_command_test {
namespace {

const std::string kImports = (golden_folder("imports") / "").string();

/// A study made by `headlight new` with these arguments.
std::string new_study_file(const TemporaryFolder& folder, std::vector<std::string> args) {
    const std::string study = folder.file("study.headlight");
    args.insert(args.begin(), "new");
    args.insert(args.end(), {"-o", study});
    const Ran ran = headlight_run(args);
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return study;
}

/// A study for multihead_attention.npz.
std::string attention_study(const TemporaryFolder& folder) {
    return new_study_file(
        folder, {"sentence", "a b c d e", "--d-model", "8", "--heads", "2", "--d-k", "4", "--d-v",
                 "4", "--bias", "on", "--positions", "none"});
}

/// Imports the weights and the input of one golden file, and compares the results.
Ran check_import(const TemporaryFolder& folder, const std::string& study, const std::string& name) {
    const std::string with_weights = folder.file("weights.headlight"),
                      complete = folder.file("complete.headlight"),
                      expected = kImports + name + ".expected.npz";
    const Ran ran = headlight_run({"import", study, kImports + name + ".npz", "-o", with_weights});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    const auto results = read_npz(read_file(expected), expected);
    const auto embed =
        std::ranges::find(results, "embed", [](const auto& one) { return one.first; });
    REQUIRE(embed != results.end());
    const std::string input = folder.with("input.npz", write_npz({*embed}));
    REQUIRE(headlight_run({"import", with_weights, input, "-o", complete}).code == kExitDone);
    const Trace trace = trace_of(complete);
    for (const auto& [path, values] : results) {
        INFO(path);
        const Matrix& ours = *trace.at(path).value;
        REQUIRE(ours.rows() == values.rows());
        CHECK((ours - values).cwiseAbs().maxCoeff() < 2e-6f);
    }
    return ran;
}

std::string refusal(const std::vector<std::string>& args) {
    const Ran ran = headlight_run(args);
    CHECK(ran.code == kExitError);
    CHECK(ran.out == "");
    return ran.err;
}

}  // namespace

TEST_CASE("import: nn.MultiheadAttention's weights give PyTorch's patterns and output") {
    const TemporaryFolder folder;
    const Ran ran = check_import(folder, attention_study(folder), "multihead_attention");
    CHECK(ran.err == "");
}

TEST_CASE("import: nn.TransformerEncoder's layers give PyTorch's results, layer by layer") {
    const TemporaryFolder folder;
    const std::string study =
        new_study_file(folder, {"sentence",    "a b c d e", "--d-model", "8", "--heads", "2",
                                "--d-k",       "4",         "--d-v",     "4", "--bias",  "on",
                                "--positions", "none",      "--layers",  "2", "--norm",  "post",
                                "--mlp",       "relu",      "--d-ff",    "6"});
    CHECK(check_import(folder, study, "encoder_layers").err == "");
}

TEST_CASE("import: weights of PyTorch Geometric's GATConv and GATv2Conv give its results") {
    const TemporaryFolder folder;
    const std::string edges = folder.with("a.edges", "0 1\n1 2\n2 0\n2 3\n");
    for (const auto& [mechanism, name] :
         {std::pair("gat", "gat_conv"), std::pair("gatv2", "gatv2_conv")}) {
        INFO(name);
        const std::string study =
            new_study_file(folder, {"graph", edges, "--mechanism", mechanism, "--heads", "2",
                                    "--d-in", "5", "--d-out", "3", "--activation", "none"});
        const Ran ran = check_import(folder, study, name);
        const bool has_bias = std::string(name) == "gat_conv";
        CHECK(contains(ran.err, "not imported: conv1.bias (6 × 1): the study has no such bias") ==
              has_bias);
    }
}

TEST_CASE("import: prints the arrays and their targets, and changes nothing") {
    const TemporaryFolder folder;
    const Ran ran = headlight_run(
        {"import", attention_study(folder), kImports + "multihead_attention.npz", "--list"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "");
    CHECK(ran.out == R"(in_proj_weight	float32	(24, 8)
	in_proj_weight[0:4].T=blocks.0.attn.heads.0.W_Q
	in_proj_weight[4:8].T=blocks.0.attn.heads.1.W_Q
	in_proj_weight[8:12].T=blocks.0.attn.heads.0.W_K
	in_proj_weight[12:16].T=blocks.0.attn.heads.1.W_K
	in_proj_weight[16:20].T=blocks.0.attn.heads.0.W_V
	in_proj_weight[20:24].T=blocks.0.attn.heads.1.W_V
in_proj_bias	float32	(24,)
	in_proj_bias[0:4].T=blocks.0.attn.heads.0.b_Q
	in_proj_bias[4:8].T=blocks.0.attn.heads.1.b_Q
	in_proj_bias[8:12].T=blocks.0.attn.heads.0.b_K
	in_proj_bias[12:16].T=blocks.0.attn.heads.1.b_K
	in_proj_bias[16:20].T=blocks.0.attn.heads.0.b_V
	in_proj_bias[20:24].T=blocks.0.attn.heads.1.b_V
out_proj.weight	float32	(8, 8)
	out_proj.weight.T=blocks.0.attn.W_O
out_proj.bias	float32	(8,)
	out_proj.bias.T=blocks.0.attn.b_O
)");
}

TEST_CASE("import: --map accepts what --list prints") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), file = kImports + "multihead_attention.npz";
    const std::string guessed = folder.file("guessed.headlight"),
                      said = folder.file("said.headlight");
    REQUIRE(headlight_run({"import", study, file, "-o", guessed}).code == kExitDone);
    std::vector<std::string> args{"import", study, file, "-o", said};
    std::istringstream list(headlight_run({"import", study, file, "--list"}).out);
    for (std::string line; std::getline(list, line);)
        if (line.starts_with("\t")) args.insert(args.end(), {"--map", line.substr(1)});
    REQUIRE(headlight_run(args).code == kExitDone);
    CHECK(document_of(said) == document_of(guessed));
}

TEST_CASE(
    "import: an array that does not fit is named with its shape and the targets that would fit") {
    const TemporaryFolder folder;
    const std::string other =
        new_study_file(folder, {"sentence", "a b c", "--d-model", "6", "--d-k", "8", "--d-v", "8"});
    const std::string file = kImports + "multihead_attention.npz";
    const std::string error = refusal({"import", other, file});
    CHECK(contains(error,
                   "not imported: in_proj_weight (24 × 8): the study has 4 of "
                   "blocks.0.attn.heads.*.W_Q, each 6 × 8; its heads and widths must be those of "
                   "the file; no leaf of the study has this shape"));
    CHECK(contains(error,
                   "not imported: in_proj_bias (24 × 1): the study has no "
                   "blocks.0.attn.heads.0.b_Q; switch its biases on"));
    CHECK(contains(error, "out_proj.weight (8 × 8): blocks.0.attn.W_O is 32 × 6"));
    CHECK(contains(error, "no array is known to fit the study; map arrays"));
    const std::string npz = folder.with("a.npz", write_npz({{"mine", Matrix::Ones(8, 6)}}));
    CHECK(contains(
        refusal({"import", other, npz}),
        "not imported: mine (8 × 6): no known name; of this shape, transposed: "
        "blocks.0.attn.heads.0.W_Q, blocks.0.attn.heads.0.W_K, blocks.0.attn.heads.0.W_V, …"));
}

TEST_CASE("import: invalid mappings are refused with the reason") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), file = kImports + "multihead_attention.npz";
    const auto with = [&](const std::string& mapping) {
        return refusal({"import", study, file, "--map", mapping});
    };
    CHECK(contains(with("in_proj_weight"), "'in_proj_weight' is not of the form NAME=PATH"));
    CHECK(contains(with("x=embed"), "'x=embed' names no array of the file"));
    CHECK(contains(with("in_proj_weight[8]=embed"), "needs a colon in its part: [8:16]"));
    CHECK(contains(with("in_proj_weight[x:y]=embed"), "that is not of the form [8:16]"));
    CHECK(contains(with("in_proj_weight[0:25]=embed"), "the part can be 0:24"));
    CHECK(contains(with("in_proj_weight[:, 3:3]=embed"), "the part can be 0:8"));
    CHECK(contains(with("in_proj_weight[0:4]=embed"),
                   "in_proj_weight[0:4]=embed: 4 × 8 is given, 5 × 8 would fit"));
    CHECK(contains(with("in_proj_weight=nothing"), "no tensor is called 'nothing'"));
}

TEST_CASE("import: what is no number is named by file, array and its own indices") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), W_Q = "blocks.0.attn.heads.0.W_Q",
                      scores = "blocks.0.attn.heads.0.masked_scores";
    const auto with = [&](const std::string& file, const std::string& mapping) {
        return headlight_run(
            {"import", study, file, "--map", mapping, "-o", folder.file("out.headlight")});
    };
    const Scalar inf = std::numeric_limits<Scalar>::infinity();
    Matrix wide = Matrix::Ones(8, 12);
    wide(2, 7) = inf;
    const std::string file = folder.with("a.npz", write_npz({{"mine", wide}}));
    const std::string refused = with(file, "mine[:, 4:8]=" + W_Q).err;
    CHECK(contains(refused, "a.npz"));
    CHECK(contains(refused, "'mine'[2, 7] is +inf; " + W_Q + " needs numbers"));
    CHECK(with(file, "mine[:, 0:4]=" + W_Q).code == kExitDone);
    Matrix square = Matrix::Zero(5, 5);
    square(1, 2) = -inf;
    const std::string masked = folder.with("m.npz", write_npz({{"m", square}}));
    CHECK(with(masked, "m=" + scores).code == kExitDone);
    Matrix weight = Matrix::Zero(8, 4);
    weight(3, 1) = -inf;
    const std::string minus = folder.with("w.npz", write_npz({{"w", weight}}));
    CHECK(contains(with(minus, "w=" + W_Q).err, "'w'[3, 1] is −inf; "));
    std::string csv;
    for (int i = 0; i < 8; ++i) csv += i == 6 ? "1,2,nan,4\n" : "1,2,3,4\n";
    CHECK(contains(with(folder.with("w.csv", csv), "w=" + W_Q).err, "line 7: 'w'[6, 2] is NaN"));
}

TEST_CASE("import: a float64 that float32 cannot hold is told as what it is") {
    const TemporaryFolder folder;
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (8, 4), }";
    header.resize(117, ' ');
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + char(118) + '\0' + header + '\n';
    for (int k = 0; k < 32; ++k) {
        const double number = k == 9 ? 1e300 : 1;
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    const Ran ran =
        headlight_run({"import", attention_study(folder), folder.with("w.npy", bytes), "--map",
                       "w=blocks.0.attn.heads.0.W_Q", "-o", folder.file("out.headlight")});
    CHECK(contains(ran.err, "'w'[2, 1] is 1e+300, too large for float32"));
}

TEST_CASE("import: an export cannot overwrite the study's weights file") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), with_weights = folder.file("w.headlight"),
                      weights = folder.file("w.weights.safetensors");
    REQUIRE(
        headlight_run({"import", study, kImports + "multihead_attention.npz", "-o", with_weights})
            .code == kExitDone);
    const std::string before = read_file(weights);
    for (const char* command : {"run", "export"}) {
        const Ran ran = headlight_run({command, with_weights, "-o", weights});
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, "is what is read here, and would be lost"));
        CHECK(read_file(weights) == before);
    }
}

TEST_CASE("import: a --map replaces one guess, the others stay") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), file = kImports + "multihead_attention.npz",
                      guessed = folder.file("guessed.headlight"),
                      said = folder.file("said.headlight");
    REQUIRE(headlight_run({"import", study, file, "-o", guessed}).code == kExitDone);
    const Ran ran = headlight_run(
        {"import", study, file, "--map", "out_proj.weight=blocks.0.attn.W_O", "-o", said});
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out, "set: 14 matrices from 4 arrays of the file\n"));
    const Trace a = trace_of(guessed), b = trace_of(said);
    for (const Tensor& tensor : a.tensors())
        if (tensor.is_leaf() && tensor.value && tensor.path() != "blocks.0.attn.W_O")
            CHECK(*tensor.value == *b.at(tensor.path()).value);
    const Matrix &turned = *a.at("blocks.0.attn.W_O").value,
                 &kept = *b.at("blocks.0.attn.W_O").value;
    CHECK(kept == turned.transpose());
    CHECK(kept != turned);
}

TEST_CASE("import: the summary says what is set, what is left, and what is unused") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), result = folder.file("r.headlight"),
                      file =
                          folder.with("a.npz", write_npz({{"out_proj.weight", Matrix::Ones(8, 8)},
                                                          {"mine", Matrix::Ones(3, 5)}}));
    const std::vector<std::string> args{"import", study, file};
    const std::string summary =
        "set: 1 matrix from 1 array of the file\nleft random, from seed 1: embed, "
        "blocks.*.attn.heads.*.W_Q (2), blocks.*.attn.heads.*.W_K (2), blocks.*.attn.heads.*.W_V "
        "(2)\nleft at their initial 0 or 1: blocks.*.attn.heads.*.b_Q (2), "
        "blocks.*.attn.heads.*.b_K (2), blocks.*.attn.heads.*.b_V (2), blocks.0.attn.b_O\nnot "
        "used, or not as a whole: mine\n";
    CHECK(headlight_run({"import", study, file, "-o", result}).out == summary);
    const Ran to_output = headlight_run({"import", study, file});
    CHECK(contains(to_output.err, "headlight: note: set: 1 matrix from 1 array of the file\n"));
    CHECK(headlight_run({"import", study, file, "--inside", "-o", result}).code == kExitDone);
    CHECK(to_output.out == read_file(result));
}

TEST_CASE("import: refuses unmapped arrays of the file and unset weights of the study") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), whole = kImports + "multihead_attention.npz",
                      result = folder.file("r.headlight");
    CHECK(headlight_run({"import", study, whole, "--strict", "-o", result}).code == kExitDone);
    const std::string file = folder.with(
        "a.npz",
        write_npz({{"out_proj.weight", Matrix::Ones(8, 8)}, {"mine", Matrix::Ones(3, 5)}}));
    const std::string error = refusal({"import", study, file, "--strict"});
    CHECK(contains(error, "--strict: not everything is mapped"));
    CHECK(contains(error, "\n  of the file: mine (3 × 5): no known name"));
    CHECK(contains(error, "\n  of the study: blocks.*.attn.heads.*.W_Q (2)"));
    const std::string partly = refusal({"import", study, whole, "--strict", "--map",
                                        "in_proj_weight[0:4].T=blocks.0.attn.heads.1.W_Q"});
    CHECK(contains(partly, "in_proj_weight (24 × 8): only 160 of its 192 numbers are used"));
    CHECK(contains(partly, "of the study: blocks.0.attn.heads.0.W_Q"));
    const std::string more = folder.with("more.npz", write_npz({{"mine", Matrix::Ones(3, 5)}}));
    const Ran nowhere = headlight_run({"import", result, more, "--map", "mine=", "--strict"});
    CHECK(contains(nowhere.err, "no array is known to fit the study"));
    CHECK_FALSE(contains(nowhere.err, "not everything is mapped"));
    CHECK(contains(refusal({"import", study, whole, "--map", "out_proj.weight=blocks.0.attn.W_O",
                            "--map", "out_proj.weight.T=blocks.0.attn.W_O"}),
                   "go to one matrix"));
}

TEST_CASE("import: refuses a file that lacks the study's biases and norms") {
    const TemporaryFolder folder;
    const std::string study =
        new_study_file(folder, {"sentence", "a b c", "--d-model", "8", "--heads", "1", "--bias",
                                "on", "--norm", "pre", "--final-norm", "on"});
    const std::string head = "blocks.0.attn.heads.0.";
    NamedMatrices weights{{"blocks.0.attn.W_O", Matrix::Ones(8, 8)}};
    for (const char* name : {"W_Q", "W_K", "W_V"})
        weights.push_back({head + name, Matrix::Ones(8, 8)});
    const std::string file = folder.with("a.npz", write_npz(weights));
    CHECK(contains(refusal({"import", study, file, "--strict"}),
                   "\n  of the study: blocks.0.ln1.w, blocks.0.ln1.b, " + head + "b_Q, " + head +
                       "b_K, " + head + "b_V, blocks.0.attn.b_O, ln_final.w, ln_final.b\n"));
}

TEST_CASE("import: for JSON values by path it says what sets them") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), json = folder.file("values.json");
    REQUIRE(headlight_run({"run", study, "--tensor", "*.W_Q", "-o", json}).code == kExitDone);
    CHECK(contains(refusal({"import", study, json}),
                   "holds values by path, as JSON; set them with headlight run STUDY --set FILE"));
    CHECK(contains(refusal({"import", study, study}), "holds no matrices"));
}

TEST_CASE("import: CSV and TSV with or without labels; a computed matrix is pinned") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), csv = folder.file("W.csv"),
                      path = "blocks.0.attn.heads.0.W_Q", result = folder.file("r.headlight");
    REQUIRE(headlight_run({"export", study, "--tensor", path, "-o", csv}).code == kExitDone);
    REQUIRE(headlight_run({"import", study, csv, "--map", "W=" + path, "-o", result}).code ==
            kExitDone);
    CHECK(*trace_of(result).at(path).value == *trace_of(study).at(path).value);
    const std::string tsv = folder.with("b.txt", "1\t2,5\t3\t4\n5\t6\t7\t-8\n");
    const Ran ran = headlight_run(
        {"import", study, tsv, "--map", "b[1:2]=blocks.0.attn.heads.0.b_Q", "-o", result});
    CHECK(contains(ran.err, "commas within numbers are taken for decimal points"));
    CHECK(trace_of(result).at("blocks.0.attn.heads.0.b_Q").value->coeff(0, 3) == -8);
}

TEST_CASE("import: the weights are in a file beside the study, which stays small") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), file = kImports + "multihead_attention.npz";
    const std::string result = folder.file("trained.headlight"),
                      weights = folder.file("trained.weights.safetensors");
    REQUIRE(headlight_run({"import", study, file, "-o", result}).code == kExitDone);
    CHECK(contains(read_file(result), "\"file\": \"trained.weights.safetensors\""));
    CHECK(contains(read_file(result), "\"edits\": {}"));
    const Ran ran = headlight_run({"explain", result, "blocks.0.attn.heads.0.W_Q", "0", "0"});
    CHECK(contains(ran.out, "imported from multihead_attention.npz"));
    std::filesystem::remove(weights);
    CHECK(contains(refusal({"list", result}),
                   "trained.weights.safetensors] cannot be opened: No such file or directory; the "
                   "study needs this file beside it"));

    const std::string whole = folder.file("whole.headlight");
    REQUIRE(headlight_run({"import", study, file, "--inside", "-o", whole}).code == kExitDone);
    CHECK(!std::filesystem::exists(folder.file("whole.weights.safetensors")));
    CHECK(read_file(whole) == headlight_run({"import", study, file}).out);
}

TEST_CASE("import: rows of embeddings follow their words; a word without one is noted") {
    const TemporaryFolder folder;
    const std::string study = attention_study(folder), rows = folder.file("embed.npy"),
                      result = folder.file("r.headlight"), other = folder.file("o.headlight");
    REQUIRE(headlight_run({"export", study, "--tensor", "embed", "-o", rows}).code == kExitDone);
    REQUIRE(headlight_run({"import", study, rows, "-o", result}).code == kExitDone);
    std::string text = read_file(result);
    text.replace(text.find("a b c d e"), 9, "e x c d a");
    folder.with("o.headlight", text);
    const Ran ran = headlight_run({"run", other, "--tensor", "embed", "-o", folder.file("o.npz")});
    CHECK(contains(ran.err,
                   "note: “x” has no row among the weights imported from embed.npy: drawn "
                   "from seed 1"));
    CHECK(trace_of(other).at("embed").value->row(0) == trace_of(study).at("embed").value->row(4));
}

}  // namespace headlight::import_command_test
