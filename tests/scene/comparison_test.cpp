#include "scene/comparison.h"

#include <doctest/doctest.h>

#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "scene/workspace.h"

namespace headlight::comparison_test {
namespace {

const std::string kPattern = "blocks.1.attn.heads.1.pattern";
constexpr const char* kWide = "The cat didn't cross the street because it was too wide";

void settle(Workspace& space) {
    for (int k = 0; k < 5; ++k) {
        prepare(space);
        space.session.wait();
        space.comparison.wait();
    }
}

}  // namespace

TEST_CASE("comparison: a trained study on this text has its own weights, and none of A's edits") {
    Document document = trained_study(task_named("who-is-it"));
    document.sentence()->text = kWide;
    document.interventions["W_pos"].set(0, 0, Scalar(3));
    Workspace space(document, {});
    settle(space);
    space.selection.choose_tensor(*space.page, space.components, kPattern);
    compare_with(space, "never-looks on this text");
    settle(space);
    Document twin = trained_study(task_named("never-looks"));
    twin.sentence()->text = kWide;
    REQUIRE(space.comparison.find(kPattern));
    CHECK(*space.comparison.find(kPattern)->value ==
          *evaluate(twin, nullptr, {}).at(kPattern).value);
    compare_with(space, "causal on this text");
    settle(space);
    CHECK(are_same(space.comparison.document()->weights, document.weights));
}

}  // namespace headlight::comparison_test
