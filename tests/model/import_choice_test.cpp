#include "model/imports/import_choice.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::import_choice_test {

TEST_CASE("weights left: biases of a recurrent cell are weights, its first state is not") {
    Document document;
    AlignmentStudy study;
    study.source = "a b", study.target = "c d";
    study.mechanism = AlignmentMechanism::Recurrent;
    study.recurrent.cell_type = RecurrentCellType::Lstm;
    document.study = study;
    const Trace trace(plan(document));
    REQUIRE(trace.find("encoder.forward.h_init"));
    const WeightsLeft left = weights_left(document, trace, {});
    const auto count = [&](const char* path) { return std::ranges::count(left.weights, path); };
    CHECK(count("encoder.forward.b_ii") == 1);
    CHECK(count("encoder.forward.W_ii") == 1);
    CHECK(count("encoder.forward.h_init") == 0);
    CHECK(count("encoder.forward.c_init") == 0);
    for (const std::string& path : left.constant) CHECK_FALSE(path.ends_with("h_init"));
}

TEST_CASE("weights left: nothing is left if everything is mapped") {
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        const Document document = preset.make();
        const Trace trace(plan(document));
        std::vector<TensorMapping> all;
        for (const Tensor& tensor : trace.tensors())
            all.push_back({"", std::nullopt, Turn::Kept, tensor.path()});
        const WeightsLeft left = weights_left(document, trace, all);
        CHECK(left.weights.empty());
        CHECK(left.drawn.empty());
        CHECK(left.constant.empty());
    }
}

}  // namespace headlight::import_choice_test
