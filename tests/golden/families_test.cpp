// Tiny networks of pretrained families, by Hugging Face's own classes: make_families.py.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <exception>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "core/gradient.h"
#include "core/mechanisms/transformer.h"
#include "golden/golden_file.h"
#include "io/studies/study.h"
#include "model/evaluate.h"
#include "model/vocabulary.h"
#include "model/weights.h"
#include "source_folder.h"

namespace headlight::families_test {
namespace {

const std::filesystem::path kFolder = golden_folder("families");

/// Of patterns absolute, of everything else relative to the largest number.
constexpr double kOfPatterns = 2e-6, kOfRows = 1e-5, kOfGradients = 2e-5;

SharedNames shared(const std::string& words) {
    std::istringstream in(words);
    return std::make_shared<const Words>(std::istream_iterator<std::string>(in),
                                         std::istream_iterator<std::string>());
}

/// The file's numbers as weights; the rows of tables are those of the vocabulary.
SharedWeights weights_in(const GoldenFile& golden) {
    const auto words = golden.notes.find("vocabulary");
    const SharedNames vocabulary = words == golden.notes.end() ? nullptr : shared(words->second);
    WeightMatrices matrices;
    for (const auto& [path, values] : golden.held) {
        WeightMatrix matrix{.values = std::make_shared<const Matrix>(values)};
        if (vocabulary && path.ends_with("W_E")) matrix.row_names = vocabulary;
        if (path == "W_U" || path == "b_U") matrix.column_names = vocabulary;
        matrices[path] = std::move(matrix);
    }
    return make_weights(std::move(matrices), golden.name);
}

std::shared_ptr<const Plan> plan_network(const GoldenFile& golden, const SharedWeights& weights) {
    Document document = read_study(golden.study, golden.name);
    document.weights = weights;
    if (document.image()) return plan(document);
    const Words words = *shared(golden.notes.at("words"));
    auto made = std::make_shared<Plan>(
        document.sentence()
            ? plan_sentences({words}, document.sentence()->layer, 1, word_table(weights))
            : plan_encoder_decoder({*shared(golden.notes.at("source")), words},
                                   document.alignment()->layer, 1, word_tables(weights)));
    take_weights(*made, *weights);
    return made;
}

Trace compute_network(const GoldenFile& golden, std::string& faults) {
    const SharedWeights weights = weights_in(golden);
    const std::shared_ptr<const Plan> plan = plan_network(golden, weights);
    for (const std::string& path : dormant_weights(*plan, *weights))
        faults += "\n" + path + " has no place";
    for (const PlannedTensor& tensor : plan->tensors()) {
        const bool is_drawn = can_be_stored(tensor) && !tensor.settings.stored;
        if (is_drawn && !tensor.identity.is_probe() &&
            tensor.identity.component != ComponentKind::Analyses)
            faults += "\n" + tensor.path + " is not in the file";
    }
    return compute(plan, {}, {}, nullptr);
}

void find_wrong_results(const GoldenFile& golden, const Trace& trace, std::string& faults) {
    for (const auto& [path, expected] : golden.tensors) {
        const Tensor* tensor = trace.find(path);
        if (!tensor || !tensor->value) {
            faults += "\n" + path + " does not exist";
            continue;
        }
        const bool is_pattern = path.ends_with(".pattern");
        const std::string difference =
            find_difference(path, *tensor->value, expected, is_pattern ? kOfPatterns : kOfRows, 1);
        if (!difference.empty()) faults += "\n" + difference;
    }
}

void find_wrong_gradients(const GoldenFile& golden, const Trace& trace, std::string& faults) {
    const Gradients all = gradients(trace, trace.id_at(golden.target), golden.seed);
    for (const auto& [path, expected] : golden.gradients) {
        const auto& gradient = all[trace.id_at(path)];
        const Tensor& leaf = trace.at(path);
        const Matrix found =
            gradient ? *gradient : Matrix(Matrix::Zero(leaf.rows().size, leaf.columns().size));
        const std::string difference =
            find_difference("gradient/" + path, found, expected, kOfGradients, 1);
        if (!difference.empty()) faults += "\n" + difference;
    }
}

std::string find_faults(const GoldenFile& golden) {
    std::string faults;
    try {
        const Trace trace = compute_network(golden, faults);
        find_wrong_results(golden, trace, faults);
        find_wrong_gradients(golden, trace, faults);
    } catch (const std::exception& error) {
        faults += std::string("\n") + error.what();
    }
    return faults;
}

}  // namespace

TEST_CASE("families: patterns, hidden states, logits and gradients are those of Hugging Face") {
    int n_files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const GoldenFile golden = read_golden_file(entry.path());
        CHECK(std::ranges::any_of(
            golden.tensors, [](const auto& tensor) { return tensor.first.ends_with(".pattern"); }));
        CHECK_MESSAGE(find_faults(golden) == "", golden.name);
        ++n_files;
    }
    CHECK(n_files >= 20);
}

TEST_CASE("families: another setting, weight or word gives something else") {
    const GoldenFile right = read_golden_file(kFolder / "llama_3.safetensors");
    REQUIRE(find_faults(right) == "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"rotary_low\": 1", "\"rotary_low\": 2"},
             {"\"rotary_length\": 64", "\"rotary_length\": 32"},
             {"\"rotary_base\": 100", "\"rotary_base\": 101"},
             {"\"norm_epsilon\": 1e-06", "\"norm_epsilon\": 1e-03"},
             {"\"mlp\": \"silu\"", "\"mlp\": \"gelu\""}}) {
        GoldenFile golden = right;
        const std::size_t at = golden.study.find(from);
        REQUIRE_MESSAGE(at != std::string::npos, from);
        golden.study.replace(at, from.size(), to);
        CHECK_MESSAGE(find_faults(golden) != "", to);
    }
    GoldenFile golden = right;
    golden.held.at("blocks.1.mlp.W_gate")(0, 0) += Scalar(0.01);
    CHECK(find_faults(golden) != "");
    golden = right;
    golden.held.erase("blocks.1.mlp.W_gate");
    CHECK(find_faults(golden).find("blocks.1.mlp.W_gate is not in the file") != std::string::npos);
}

}  // namespace headlight::families_test
