#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npz.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::run_command_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern";

NamedMatrices read_archive(const std::string& file) {
    return archive_format_for(file).read(read_file(file), file);
}

void check_same(const Matrix& a, const Matrix& b) {
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.cols() == b.cols());
    for (Index i = 0; i < a.size(); ++i) CHECK(a.data()[i] == b.data()[i]);
}

/// Checks that the archive has every tensor of the study, bit for bit.
void check_all_values(const std::string& archive, const Trace& trace) {
    const NamedMatrices matrices = read_archive(archive);
    CHECK(matrices.size() == trace.tensors().size());
    for (const auto& [path, values] : matrices) {
        INFO(path);
        const Tensor& tensor = trace.at(path);
        const bool is_list = values.cols() == 1 && tensor.rows().size == 1;
        check_same(is_list ? Matrix(values.transpose()) : values, *tensor.value);
    }
}

}  // namespace

TEST_CASE("run: every tensor of a sentence and of a graph, in every format, bit for bit") {
    const TemporaryFolder folder;
    for (const std::string& study : {small_sentence(folder), small_graph(folder)})
        for (const char* extension : {".npz", ".safetensors", ".json"}) {
            const std::string output = folder.file(std::string("all values") + extension);
            const Ran ran = headlight_run({"run", study, "-o", output});
            INFO(output, ran.err);
            CHECK(ran.code == kExitDone);
            CHECK(ran.out == "");
            check_all_values(output, trace_of(study));
        }
}

TEST_CASE("run: --tensor takes several globs, also for on-demand tensors") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.npz");
    REQUIRE(headlight_run({"run", study, "--tensor", "blocks*.result", "--tensor",
                           "blocks*.1.patter?", "-o", output})
                .code == kExitDone);
    const NamedMatrices matrices = read_archive(output);
    REQUIRE(matrices.size() == 3);
    CHECK(matrices[0].first == "blocks.0.attn.heads.0.result");
    CHECK(matrices[1].first == kPattern);
    CHECK(matrices[2].first == "blocks.0.attn.heads.1.result");
    check_same(matrices[0].second, *trace_of(study).at(matrices[0].first).value);
}

TEST_CASE("run: the probe's matrices are written only where the probe is named") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.npz");
    const auto has_probe = [&](std::vector<std::string> more) {
        std::vector<std::string> args{"run", study, "-o", output};
        args.insert(args.end(), more.begin(), more.end());
        REQUIRE(headlight_run(args).code == kExitDone);
        for (const auto& [path, values] : read_archive(output))
            if (path.starts_with("probe")) return true;
        return false;
    };
    CHECK(!has_probe({"--tensor", "*.pattern"}));
    CHECK(has_probe({"--tensor", "probe.*.pattern"}));
    CHECK(has_probe({}));
}

TEST_CASE("run: a glob that matches nothing is an error that names near paths") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.npz");
    const auto error = [&](const std::string& glob) {
        const Ran ran =
            headlight_run({"run", study, "--tensor", "embed", "--tensor", glob, "-o", output});
        CHECK(ran.code == kExitError);
        return ran.err;
    };
    CHECK(contains(error("blocks.0.attn.heads.1.patern"), "did you mean '" + kPattern + "'?"));
    CHECK(contains(error("layers.9.something.W_Q"), "near: blocks.0.attn.heads.0.W_Q"));
    CHECK(contains(error("zzz"), "no tensor is called 'zzz'; `headlight list` shows the paths"));
    CHECK(!std::filesystem::exists(output));
}

TEST_CASE("run: an unknown extension is an error that lists the known ones") {
    const TemporaryFolder folder;
    const Ran ran = headlight_run({"run", small_sentence(folder), "-o", folder.file("a.txt")});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "the extension must be one of .npz, .safetensors, .json"));
}

TEST_CASE("run --set: setting what run wrote gives identical numbers") {
    const TemporaryFolder folder;
    for (const std::string& study : {small_sentence(folder), small_graph(folder)})
        for (const char* extension : {".npz", ".safetensors"}) {
            const std::string first = folder.file(std::string("first") + extension);
            const std::string second = folder.file(std::string("second") + extension);
            REQUIRE(headlight_run({"run", study, "-o", first}).code == kExitDone);
            const Ran ran = headlight_run({"run", study, "--set", first, "-o", second});
            INFO(ran.err);
            REQUIRE(ran.code == kExitDone);
            CHECK(read_file(first) == read_file(second));
        }
}

TEST_CASE("run --set: replacing a leaf has the same effect as the same edit") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("out.npz");
    const std::string path = "blocks.0.attn.heads.0.W_Q";
    const Matrix zeros = Matrix::Zero(6, 3);
    const std::string values = folder.with("zero query.npz", write_npz({{path, zeros}}));
    REQUIRE(headlight_run({"run", study, "--set", values, "-o", output}).code == kExitDone);

    Document document = document_of(study);
    set_tensor(document, trace_of(study).at(path), zeros);
    const std::string edited = folder.with("edited.headlight", write_study(document));
    check_all_values(output, trace_of(edited));
    // With queries of 0 all keys that are not masked are read equally.
    for (const auto& [name, matrix] : read_archive(output))
        if (name == "blocks.0.attn.heads.0.pattern") CHECK(matrix(4, 0) == doctest::Approx(0.2));
}

TEST_CASE("run --set: a computed tensor is pinned; its inputs stay the same") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("out.npz");
    const Matrix identity = Matrix::Identity(5, 5);
    const std::string values = folder.with("a.npz", write_npz({{kPattern, identity}}));
    REQUIRE(headlight_run({"run", study, "--set", values, "-o", output}).code == kExitDone);
    const Trace before = trace_of(study);
    for (const auto& [path, matrix] : read_archive(output)) {
        if (path == kPattern) check_same(matrix, identity);
        if (path == "blocks.0.attn.heads.1.scores") check_same(matrix, *before.at(path).value);
        if (path == "blocks.0.attn.heads.1.z")
            check_same(matrix, *before.at("blocks.0.attn.heads.1.v").value);
    }
}

TEST_CASE("run --set: a list of n numbers fits n × 1 and 1 × n") {
    const TemporaryFolder folder;
    const std::string study = folder.file("one word.headlight");
    const std::string output = folder.file("out.npz");
    REQUIRE(headlight_run({"new", "sentence", "cat", "--d-model", "3", "-o", study}).code ==
            kExitDone);
    Matrix list(3, 1);
    list << 1, 2, 3;
    const std::string values = folder.with("a.npz", write_npz({{"embed", list}}));
    REQUIRE(
        headlight_run({"run", study, "--set", values, "--tensor", "embed", "-o", output}).code ==
        kExitDone);
    check_same(read_archive(output)[0].second, list.transpose());

    const std::string graph = small_graph(folder);
    const std::string column =
        folder.with("b.npz", write_npz({{"gat.0.heads.0.a_src", Matrix::Constant(2, 1, 5)}}));
    CHECK(headlight_run({"run", graph, "--set", column, "-o", output}).code == kExitDone);
}

TEST_CASE("run --set: one error names everything that does not fit, and nothing is written") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("out.npz");
    Matrix broken = Matrix::Zero(5, 6);
    broken(2, 3) = std::numeric_limits<Scalar>::quiet_NaN();
    const std::string values = folder.with("a.npz", write_npz({{"W_Q", Matrix::Zero(2, 2)},
                                                               {kPattern, Matrix::Zero(4, 5)},
                                                               {"mask", Matrix::Zero(5, 5)},
                                                               {"embed", broken}}));
    const Ran ran = headlight_run({"run", study, "--set", values, "-o", output});
    INFO(ran.err);
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "[" + values + "] does not fit the study:\n"));
    CHECK(contains(ran.err, "no tensor is called 'W_Q'; did you mean"));
    CHECK(contains(ran.err, kPattern + " is 5 × 5, the values given are 4 × 5"));
    CHECK(contains(ran.err, "embed[2, 3] is NaN"));
    CHECK(!contains(ran.err, "mask"));
    CHECK(!std::filesystem::exists(output));
}

TEST_CASE("run: expensive tensors are computed if named, otherwise left out with a note") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 100; ++i) text += " w" + std::to_string(i);
    const std::string study = folder.file("long.headlight"), output = folder.file("out.npz");
    REQUIRE(headlight_run({"new", "sentence", text, "--heads", "1", "--d-model", "2", "-o", study})
                .code == kExitDone);
    const Ran ran = headlight_run({"run", study, "-o", output});
    CHECK(ran.code == kExitDone);
    CHECK(contains(
        ran.err, "note: across.flow takes long to compute and is left out; --tensor across.flow"));
    std::size_t n_tensors = 0;
    for (const auto& [path, matrix] : read_npz(read_file(output), output)) {
        CHECK(path != "across.flow");
        ++n_tensors;
    }
    CHECK(n_tensors + 1 == plan(document_of(study))->tensors().size());
    CHECK(headlight_run({"run", small_sentence(folder), "-o", output}).err.empty());
}

TEST_CASE("run --set: a file that is missing or broken is named") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("out.npz");
    for (const std::string& values :
         {folder.file("none.npz"), folder.with("broken.npz", "PK..."), folder.with("a.txt", "")}) {
        const Ran ran = headlight_run({"run", study, "--set", values, "-o", output});
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, values));
    }
    CHECK(!std::filesystem::exists(output));
}

TEST_CASE("run: values set by hand that fit no tensor are noted") {
    const TemporaryFolder folder;
    Document document = document_of(small_sentence(folder));
    set_cell(document, "blocks.0.attn.heads.7.W_Q", 0, 0, 1);
    const std::string study = folder.with("edited.headlight", write_study(document));
    const Ran ran = headlight_run({"run", study, "-o", folder.file("a.npz")});
    CHECK(ran.code == kExitDone);
    CHECK(contains(ran.err, "note: what was set by hand in blocks.0.attn.heads.7.W_Q waits"));
}

}  // namespace headlight::run_command_test
