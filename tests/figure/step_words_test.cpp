// The statements of slides are true of the numbers, in every ready-made study.
#include "figure/words/step_words.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>

#include "core/operations/operations.h"
#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::step_words_test {
namespace {

namespace op = operations;

struct Step {
    const Trace& trace;
    const Tensor& tensor;
    std::string sentence;

    const Matrix& value() const { return *tensor.value; }
    const Tensor& input(std::size_t i = 0) const { return trace[tensor.inputs().at(i)]; }
};

Scalar far(const Matrix& a, const Matrix& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

bool shares_out_one(const Step& step) {
    const Matrix& A = step.value();
    if (const Edges* edges = step.tensor.row_edges()) {
        std::vector<double> sums(static_cast<std::size_t>(edges->n_nodes), 0);
        for (std::size_t e = 0; e < edges->row.size(); ++e)
            sums[static_cast<std::size_t>(edges->row[e])] +=
                static_cast<double>(A(static_cast<Index>(e), 0));
        return std::ranges::all_of(sums,
                                   [](double sum) { return sum == 0 || std::abs(sum - 1) < 1e-4; });
    }
    for (Index i = 0; i < A.rows(); ++i) {
        const double sum = static_cast<double>(A.row(i).sum());
        if (sum != 0 && std::abs(sum - 1) > 1e-4) return false;
    }
    return A.minCoeff() >= 0;
}

/// True if the pattern of these masked scores is 0 where they are −∞.
bool closes_what_is_masked(const Step& step) {
    const std::string path = step.tensor.path();
    const bool is_step = path.ends_with("masked_e");
    const std::string pattern = path.substr(0, path.rfind('.')) + (is_step ? ".alpha" : ".pattern");
    const Matrix& A = *step.trace.at(pattern).value;
    const Matrix& S = step.value();
    for (Index i = 0; i < S.rows(); ++i)
        for (Index j = 0; j < S.cols(); ++j)
            if (S(i, j) == -std::numeric_limits<Scalar>::infinity() && A(i, j) != 0) return false;
    return true;
}

bool falls_with_distance(const Step& step) {
    const Matrix& B = step.value();
    for (Index i = 0; i < B.rows(); ++i)
        for (Index j = 0; j + 1 < B.cols(); ++j)
            if ((B(i, j + 1) > B(i, j)) != (j < i)) return false;
    return B.maxCoeff() <= 0;
}

bool is_highest_at_offset(const Step& step) {
    const Matrix &S = step.value(), &center = *step.input().value;
    if (center.cols() != 1) return true;
    const auto offset = static_cast<Index>(center(0, 0));
    for (Index i = 0; i < S.rows(); ++i) {
        Index largest = 0;
        S.row(i).maxCoeff(&largest);
        if (largest != std::clamp<Index>(i + offset, 0, S.cols() - 1)) return false;
    }
    return true;
}

bool is_normed(const Step& step) {
    const Matrix& Y = step.value();  // gains begin as 1 and shifts as 0
    for (Index i = 0; i < Y.rows(); ++i) {
        const double mean = static_cast<double>(Y.row(i).mean());
        const double variance =
            static_cast<double>((Y.row(i).array() - Y.row(i).mean()).square().mean());
        if (std::abs(mean) > 1e-4 || std::abs(variance - 1) > 1e-2) return false;
    }
    return true;
}

struct Rule {
    const char* says;
    std::function<bool(const Step&)> interventions;
};

bool is_first_input(const Step& step) {
    return far(step.value(), *step.input().value) == 0;
}

bool is_product_with_the_weight_named(const Step& step) {
    const bool is_product =
        step.tensor.operation() == &op::multiply || step.tensor.operation() == &op::multiply_add;
    const bool has_bias = step.sentence.find(", plus ") != std::string::npos;
    return is_product && has_bias == (step.tensor.operation() == &op::multiply_add) &&
           step.sentence.find(step.input(1).symbol()) != std::string::npos;
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = {
        {"its row times W", is_product_with_the_weight_named},
        {"its row, unchanged", is_first_input},
        {"distributes 1", shares_out_one},
        {"rows sum to 1", shares_out_one},
        {"and so a weight of 0", closes_what_is_masked},
        {"The farther the key", falls_with_distance},
        {"own offset from the query", is_highest_at_offset},
        {"mean 0 and variance 1", is_normed},
        {"The heads side by side", is_first_input},
        {"The output is added to the input",
         [](const Step& s) { return far(s.value(), *s.input(0).value + *s.input(1).value) == 0; }},
        {"The output of the attention is added to its input",
         [](const Step& s) { return far(s.value(), *s.input(0).value + *s.input(1).value) == 0; }},
        {"The sum of embeddings and positions",
         [](const Step& s) { return far(s.value(), *s.input(0).value + *s.input(1).value) == 0; }},
        {"Between 0 and 1",
         [](const Step& s) { return s.value().minCoeff() >= 0 && s.value().maxCoeff() <= 1; }},
        {"the same at every step",
         [](const Step& s) { return far(s.value(), *s.trace.at("encoder.last").value) == 0; }},
        {"Negative numbers become 0", [](const Step& s) { return s.value().minCoeff() >= 0; }},
        {"from 0 to 1",
         [](const Step& s) { return s.value().minCoeff() >= 0 && s.value().maxCoeff() <= 1; }},
    };
    return all;
}

/// Every ready-made study, and studies with what none of them has.
std::vector<Document> studies() {
    std::vector<Document> all;
    for (const Preset& preset : presets()) all.push_back(preset.make());
    Document document = built_in_sentence();
    StackSettings& layer = document.sentence()->layer;
    layer.attention.output = Switch::Off;
    layer.block = {.residual = Switch::Off, .norm = Norm::Post, .mlp = Mlp::Relu, .d_ff = 8};
    all.push_back(document);
    layer.block = {.residual = Switch::On, .norm = Norm::None, .mlp = Mlp::GeluTanh, .d_ff = 8};
    layer.attention.query = layer.attention.value = Projection::Shared;
    layer.attention.n_heads = 1;
    layer.attention.d_v.values = layer.attention.d_k.values = {layer.d_model};
    all.push_back(document);
    return all;
}

}  // namespace

TEST_CASE("step words: a tensor whose path only ends like another's has its own words") {
    const auto name_of = [](const Document& document, const char* path) {
        const Trace trace(plan(document));
        return step_words(trace, trace.at(path)).name;
    };
    CHECK(name_of(find_preset("bahdanau")->make(), "encoder.forward.z") == "All steps");
    CHECK(name_of(find_preset("lstm")->make(), "decoder.cell_init") == "First memory");
    Document cross = built_in_alignment();
    cross.alignment()->layer.block.norm = Norm::Pre;
    CHECK(name_of(cross, "blocks.0.ln_cross.out") == "Layer norm");
}

TEST_CASE("step words: the words of an RMS norm say that it scales a row, or the sum") {
    for (const Norm norm : {Norm::Pre, Norm::Post}) {
        Document document = find_preset("encoder")->make();
        document.sentence()->layer.block.norm = norm;
        document.sentence()->layer.norm_type = NormType::Rms;
        const Trace trace = evaluate(document, nullptr, {});
        CHECK_FALSE(trace.find("blocks.0.ln1.b"));
        const Tensor& normed =
            trace.at(norm == Norm::Pre ? "blocks.0.ln1.out" : "blocks.0.resid_mid");
        const StepWords words = step_words(trace, normed);
        CHECK(words.name == (norm == Norm::Pre ? "RMS norm" : "Norm of the sum"));
        CHECK(words.sentence == (norm == Norm::Pre
                                     ? "Each row over its root mean square, then scaled."
                                     : "Each row of the sum over its root mean square, then "
                                       "scaled."));
        for (Index i = 0; i < normed.rows().size; ++i)
            CHECK(std::abs(normed.value->row(i).squaredNorm() /
                               static_cast<Scalar>(normed.columns().size) -
                           1) < Scalar(1e-3));
    }
}

TEST_CASE("step_words: every statement on a slide is true of the step's numbers") {
    std::vector<int> met(rules().size(), 0);
    for (const Document& document : studies()) {
        const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
        for (const Tensor& tensor : trace.tensors()) {
            if (tensor.value->size() == 0) continue;
            const Step step{trace, tensor, step_words(trace, tensor).sentence};
            INFO(tensor.path() << ": " << step.sentence);
            for (std::size_t r = 0; r < rules().size(); ++r) {
                if (step.sentence.find(rules()[r].says) == std::string::npos) continue;
                ++met[r];
                CHECK(rules()[r].interventions(step));
            }
        }
    }
    for (std::size_t r = 0; r < rules().size(); ++r) {
        INFO(std::string(rules()[r].says));
        CHECK(met[r] > 0);
    }
}

TEST_CASE("step_words: a gate agrees with its equation, in every recurrent network") {
    const auto name_of = [](const char* preset, const char* path) {
        const Trace trace(plan(find_preset(preset)->make()));
        return step_words(trace, trace.at(path)).name;
    };
    CHECK(name_of("bahdanau", "decoder.steps.0.r") == "Reset gate");
    CHECK(name_of("bahdanau", "decoder.steps.0.z") == "Update gate");
    CHECK(name_of("bahdanau", "encoder.forward.steps.0.z") == "Update gate");
    CHECK(name_of("lstm", "decoder.steps.0.f") == "Forget gate");
    CHECK(name_of("lstm", "encoder.forward.steps.0.o") == "Output gate");
    CHECK(name_of("attention", "blocks.0.attn.heads.0.z") == "Output of the head");
    // An update gate of 1 keeps the old state.
    Document document = find_preset("bahdanau")->make();
    const Index width = plan(document)->at("decoder.steps.1.z").columns.size;
    document.interventions["decoder.steps.1.z"] = intervene_on_all(Matrix::Ones(1, width));
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    CHECK(far(*trace.at("decoder.steps.1.s").value, *trace.at("decoder.steps.0.s").value) < 1e-6f);
}

TEST_CASE("step_words: what is measured on a network is said in a sentence of its own") {
    const Trace trace(plan(find_preset("encoder")->make()));
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.identity().component != ComponentKind::Analyses) continue;
        const std::string sentence = step_words(trace, tensor).sentence;
        INFO(tensor.path() << ": " << sentence);
        CHECK(sentence.find(": of every head") == std::string::npos);
        CHECK(sentence.find("do not pass") == std::string::npos);
    }
    const StepWords entropy = step_words(trace, trace.at("metrics.entropy"));
    CHECK(entropy.name == "entropy");
    CHECK(entropy.sentence == "What the heads do, measured: one number for every head.");
    CHECK(step_words(trace, trace.at("metrics.chance")).sentence ==
          "What heads with random weights reach: mean plus five deviations, or the largest.");
}

TEST_CASE("step_words: the equation of the scores has the rotated queries and keys") {
    const Trace trace(plan(find_preset("rope")->make()));
    CHECK(trace.at("blocks.0.attn.heads.0.scores").equation() == "S = Q_{rot} K_{rot}^T / √d_k");
}

TEST_CASE("step_words: untrained weights are never called learned, likely or meant") {
    for (const Document& document : studies()) {
        const Trace trace(plan(document));
        for (const Tensor& tensor : trace.tensors()) {
            const std::string sentence = step_words(trace, tensor).sentence;
            INFO(tensor.path() << ": " << sentence);
            for (const char* word : {"learned", "likely", "understand", "means"})
                CHECK(sentence.find(word) == std::string::npos);
        }
    }
}

}  // namespace headlight::step_words_test
