// Sweeps, path patching and composition against PyTorch: hooks on transformers, see
// golden/make_sweeps.py.
#include <doctest/doctest.h>
#include <map>
#include <stdexcept>
#include <string>

#include "../../golden/golden_file.h"
#include "golden_model.h"
#include "io/models/open_model.h"
#include "model/evaluate.h"
#include "model/sweep/sweep.h"

namespace headlight::sweeps_test {
namespace {

/// One change of a logit is the difference of two, each of which float32 knows to about 3e-6.
constexpr double kApart = 2e-5;

const LogitQuestion kQuestion{.row = 0, .word = 5, .minus = 9};

/// A model, its sweeps in PyTorch, and the other text that they patch from.
class Swept {
  public:
    explicit Swept(const std::string& name)
        : golden_(name),
          model_(open_model(golden_.folder())),
          bytes_(read_file(golden_folder("sweeps") / (name + ".safetensors"))),
          expected_(bytes_in_memory(bytes_, name)),
          about_(read_safetensors_metadata(expected_)),
          document_(model_study(model_, about_.at("text"))),
          base_(evaluate(document_, nullptr, {})),
          other_(evaluate(model_study(model_, about_.at("other")), nullptr, {})) {}

    /// "" if the table is as PyTorch has it.
    std::string compare(const std::string& table, const SweepSettings& settings) const {
        Sweep sweep{settings, kQuestion};
        sweep.question.row = std::stoi(about_.at("row"));
        if (settings.kind == SweepKind::Patch) sweep.from = {&other_};
        return find_difference(table, run_sweep(document_, base_, sweep).change, wanted(table),
                               kApart, 1);
    }

    std::string compare_composition(const std::string& table, const std::string& path) const {
        const Trace trace = evaluate(document_, nullptr, {.everything = false, .globs = {path}});
        return find_difference(table, *trace.at(path).value, wanted(table), 1e-6, 1);
    }

  private:
    Matrix wanted(const std::string& table) const {
        for (const StoredArray& array : find_safetensors_arrays(expected_))
            if (array.name == table) return read_matrix(array);
        throw std::runtime_error("no table " + table);
    }

    GoldenModel golden_;
    OpenedModel model_;
    std::string bytes_;
    ByteSource expected_;
    std::map<std::string, std::string> about_;
    Document document_;
    Trace base_, other_;
};

SweepSettings along(HeadInput through) {
    return {.kind = SweepKind::Patch, .path = SweepPath{1, 2, through}};
}

/// Models that write on, asked about the last word; and one that fills in a word, asked there.
const char* const kCausalModels[] = {"gpt2", "llama", "neox"};
const char* const kSweptModels[] = {"gpt2", "llama", "neox", "bert"};

}  // namespace

TEST_CASE("a sweep finds what hooks on PyTorch find") {
    for (const char* name : kSweptModels) {
        CAPTURE(name);
        const Swept swept(name);
        CHECK(swept.compare("zero", {.kind = SweepKind::Zero}) == "");
        CHECK(swept.compare("mean", {.kind = SweepKind::Mean}) == "");
        CHECK(swept.compare("patch", {.kind = SweepKind::Patch}) == "");
        CHECK(swept.compare("layers", {.kind = SweepKind::Mean, .over = SweepSites::Layers}) == "");
        CHECK(swept.compare("zero_probability", {.kind = SweepKind::Zero,
                                                 .quantity = SweepQuantity::Probability}) == "");
        CHECK(swept.compare("zero_divergence", {.kind = SweepKind::Zero,
                                                .quantity = SweepQuantity::Divergence}) == "");
        CHECK(swept.compare("zero", {.kind = SweepKind::Mean}) != "");
        CHECK(swept.compare("zero_divergence", {.kind = SweepKind::Mean,
                                                .quantity = SweepQuantity::Divergence}) != "");
    }
}

TEST_CASE("a sweep of the loss finds what hooks on PyTorch find") {
    const SweepSettings settings{.kind = SweepKind::Zero, .quantity = SweepQuantity::Loss};
    for (const char* name : kCausalModels) {
        CAPTURE(name);
        CHECK(Swept(name).compare("zero_loss", settings) == "");
    }
}

TEST_CASE("patched tokens of the residual stream change what hooks on PyTorch find") {
    for (const char* name : kSweptModels) {
        CAPTURE(name);
        const Swept swept(name);
        CHECK(swept.compare("patch_tokens",
                            {.kind = SweepKind::Patch, .over = SweepSites::Tokens}) == "");
        CHECK(swept.compare("patch_tokens",
                            {.kind = SweepKind::Mean, .over = SweepSites::Tokens}) != "");
    }
}

TEST_CASE("path patching finds what hooks on PyTorch find") {
    for (const char* name : kSweptModels) {
        CAPTURE(name);
        const Swept swept(name);
        CHECK(swept.compare("to_q", along(HeadInput::Query)) == "");
        CHECK(swept.compare("to_k", along(HeadInput::Key)) == "");
        CHECK(swept.compare("to_v", along(HeadInput::Value)) == "");
        CHECK(swept.compare("to_all", along(HeadInput::All)) == "");
        CHECK(swept.compare("to_logits", {.kind = SweepKind::Patch, .path = SweepPath{}}) == "");
        CHECK(swept.compare("to_q", along(HeadInput::Value)) != "");
    }
}

TEST_CASE("composition scores of models are those of PyTorch") {
    for (const char* name : kCausalModels) {
        CAPTURE(name);
        const Swept swept(name);
        CHECK(swept.compare_composition("composition_q", "composition.Q") == "");
        CHECK(swept.compare_composition("composition_k", "composition.K") == "");
        CHECK(swept.compare_composition("composition_v", "composition.V") == "");
        CHECK(swept.compare_composition("composition_q", "composition.K") != "");
    }
}

}  // namespace headlight::sweeps_test
