// Every mechanism, tensor by tensor, against independent implementations in double precision.
#include <algorithm>
#include <doctest/doctest.h>
#include <exception>
#include <fstream>

#include "core/analyses/head_metrics.h"
#include "core/gradient.h"
#include "golden/golden_file.h"
#include "io/studies/study.h"
#include "model/evaluate.h"
#include "source_folder.h"

namespace headlight::golden_test {
namespace {

/// Relative to the largest number of a tensor.
constexpr double kTolerance = sizeof(Scalar) == sizeof(double) ? 1e-9 : 1e-5;
/// The gradient of b_K is 0 up to rounding, since its summands cancel. Its tolerance is absolute.
constexpr double kLeastGradient = 0.1;

using Findings = std::vector<std::string>;

Trace compute_golden(const GoldenFile& golden) {
    Document document = read_study(golden.study, golden.name);
    document.interventions = golden.interventions();
    Watched watched;
    for (const auto& [path, values] : golden.tensors) watched.globs.push_back(path);
    return evaluate(document, nullptr, watched);
}

/// Finds tensors that are neither in the file nor in its list of omissions.
void find_unknown(const GoldenFile& golden, const Trace& trace, Findings& findings) {
    for (const Tensor& tensor : trace.tensors()) {
        const bool is_omitted = std::ranges::any_of(
            golden.omitted, [&](const std::string& glob) { return matches(glob, tensor.path()); });
        // Chance levels come from other random weights, see model/chance_levels_test.cpp; scores of
        // composition have goldens of their own, see models/sweeps_test.cpp.
        const bool is_elsewhere =
            tensor.path() == kChancePath || tensor.path().starts_with("composition.");
        if (!is_omitted && !is_elsewhere && !golden.held.contains(tensor.path()) &&
            !golden.tensors.contains(tensor.path()))
            findings.push_back(tensor.path() + " is not in the file");
    }
}

void find_wrong_tensors(const GoldenFile& golden, const Trace& trace, Findings& findings) {
    for (const std::string& path : dormant_interventions(trace, golden.interventions()))
        findings.push_back(path + " is held and does not exist");
    for (const auto& [path, expected] : golden.tensors) {
        const Tensor* tensor = trace.find(path);
        findings.push_back(tensor ? find_difference(path, *tensor->value, expected, kTolerance)
                                  : path + " does not exist");
    }
}

void find_wrong_gradients(const GoldenFile& golden, const Trace& trace, Findings& findings) {
    const Gradients all = gradients(trace, trace.id_at(golden.target), golden.seed);
    for (const auto& [path, expected] : golden.gradients) {
        const Tensor* leaf = trace.find(path);
        if (!leaf) continue;
        const auto& gradient = all[trace.id_at(path)];
        const Matrix found =
            gradient ? *gradient : Matrix(Matrix::Zero(leaf->rows().size, leaf->columns().size));
        findings.push_back(
            find_difference("gradient/" + path, found, expected, kTolerance, kLeastGradient));
    }
}

/// The faults of a case, one per line; empty if there are none.
Findings find_wrong(const GoldenFile& golden) {
    Findings findings;
    try {
        const Trace trace = compute_golden(golden);
        find_unknown(golden, trace, findings);
        find_wrong_tensors(golden, trace, findings);
        find_wrong_gradients(golden, trace, findings);
    } catch (const std::exception& error) {
        findings.push_back(error.what());
    }
    std::erase(findings, "");
    return findings;
}

/// The case that is changed to test this test.
GoldenFile example() {
    return read_golden_file(golden_folder("data") / "score_scaled_dot_softmax.safetensors");
}

}  // namespace

TEST_CASE("golden: every tensor and gradient agrees with an independent implementation") {
    const std::vector<GoldenFile> files = read_golden_files();
    CHECK(files.size() > 250);
    for (const GoldenFile& golden : files) {
        std::string text;
        for (const std::string& finding : find_wrong(golden)) text += "\n" + finding;
        CHECK_MESSAGE(text == "", golden.name);
    }
}

/// Two builds of the program are compared by their files (tests/page/numbers_test.py).
TEST_CASE("golden: the numbers of this build are written to golden.numbers" * doctest::skip()) {
    std::ofstream out("golden.numbers", std::ios::binary);
    for (const GoldenFile& golden : read_golden_files()) {
        const Trace trace = compute_golden(golden);
        for (const Tensor& tensor : trace.tensors()) {
            if (!tensor.value) continue;
            out << golden.name << ' ' << tensor.path() << ' ' << tensor.value->size() << '\n';
            out.write(reinterpret_cast<const char*>(tensor.value->data()),
                      static_cast<std::streamsize>(sizeof(Scalar)) * tensor.value->size());
        }
    }
    CHECK(out.good());
}

TEST_CASE("golden: a wrong value is found, with path, cell and both values") {
    const Matrix expected = Matrix{{1, 2}, {3, kMasked}};
    const auto difference = [&](const Matrix& found) {
        return find_difference("A", found, expected, kTolerance);
    };
    Matrix found = expected;
    CHECK(difference(found) == "");
    found(1, 0) = Scalar(3.25);
    CHECK(difference(found) == "A[1, 0] is 3.25, it should be 3");
    found(1, 0) = static_cast<Scalar>(3 + 4 * kTolerance);
    CHECK(difference(found) != "");
    found(1, 0) = static_cast<Scalar>(3 + 2 * kTolerance);
    CHECK(difference(found) == "");
    found(1, 1) = 0;
    CHECK(difference(found) == "A[1, 1] is 0, it should be -inf");
    found(1, 1) = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK(difference(found) == "A[1, 1] is nan, it should be -inf");
    CHECK(difference(Matrix(1, 2)) == "A is 1 × 2, it should be 2 × 2");
}

TEST_CASE("golden: a wrong or missing tensor, gradient or setting is found") {
    GoldenFile golden = example();
    REQUIRE(find_wrong(golden).empty());

    golden.tensors.at("blocks.0.attn.out")(2, 1) += Scalar(0.001);
    CHECK(find_wrong(golden).size() == 1);

    golden = example();
    golden.gradients.at("embed")(0, 0) += Scalar(0.001);
    CHECK(find_wrong(golden).size() == 1);

    golden = example();
    const std::string temperature = "\"temperature\": 1";
    golden.study.replace(golden.study.find(temperature), temperature.size(), "\"temperature\": 2");
    CHECK(find_wrong(golden).size() > 4);

    golden = example();
    golden.tensors.erase("blocks.0.attn.out");
    CHECK(find_wrong(golden) == Findings{"blocks.0.attn.out is not in the file"});
    golden.tensors["blocks.0.attn.in"] = Matrix(1, 1);
    CHECK(find_wrong(golden).size() == 2);

    golden = example();
    golden.held["blocks.0.attn.W_X"] = Matrix(1, 1);
    CHECK(find_wrong(golden) == Findings{"blocks.0.attn.W_X is held and does not exist"});
}

}  // namespace headlight::golden_test
