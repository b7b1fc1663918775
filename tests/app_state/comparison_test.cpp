#include "views/comparison.h"

#include <doctest/doctest.h>

#include "app_state/workspace.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/compared_sides.h"

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

AxisIndices indices_of(Index word) {
    AxisIndices indices;
    indices.query = word;
    return indices;
}

}  // namespace

TEST_CASE("comparison: a trained study on this text has its own weights, and none of A's edits") {
    Document document = trained_study(task_named("who-is-it"));
    document.sentence()->text = kWide;
    document.interventions["W_pos"].set(0, 0, Scalar(3));
    Workspace space(document, {});
    settle(space);
    space.selection.choose_tensor(*space.trace, space.components, kPattern);
    compare_with(space, "never-looks on this text");
    settle(space);
    Document twin = trained_study(task_named("never-looks"));
    twin.sentence()->text = kWide;
    REQUIRE(space.comparison.now().find(kPattern));
    CHECK(*space.comparison.now().find(kPattern)->value ==
          *evaluate(twin, nullptr, {}).at(kPattern).value);
    compare_with(space, "causal on this text");
    settle(space);
    CHECK(are_same(space.comparison.now().document->weights, document.weights));
}

TEST_CASE("comparison: two texts have the words that differ as their names") {
    const auto names_of = [](const std::string& text) {
        Document document = built_in_sentence();
        document.sentence()->text = "it was too tired";
        Workspace space(document, {});
        settle(space);
        compare_with(space, "as it is now");
        space.session.apply({.label = "Type", .change = [&](Document& d) { set_text(d, text); }});
        settle(space);
        return space.comparison.now().name_a + "|" + space.comparison.now().name_b;
    };
    CHECK(names_of("it was too tired") == "now|as it was held");
    CHECK(names_of("it was too wide") == "wide|tired");
    CHECK(names_of("that was never so very tired") == "now|as it was held");  // too many words
    CHECK(names_of("it was tired") == "now|as it was held");                  // a word less
    CHECK(names_of("it was much too tired and cold") == "now|as it was held");
}

TEST_CASE("comparison: a held word is found in B by its name where B is another text") {
    Document document = built_in_sentence();
    document.sentence()->text = "the cat saw the dog";
    Workspace space(document, {});
    settle(space);
    document.sentence()->text = "once the cat saw the bird again";
    space.comparison.start(OtherStudy{.name = "B", .document = document});
    settle(space);
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    REQUIRE(space.comparison.now().trace);
    REQUIRE_FALSE(space.comparison.now().chosen.difference);
    const auto in_b = [&](Index word) { return indices_in_b(scene, indices_of(word)).query; };
    CHECK(in_b(0) == 1);
    CHECK(in_b(1) == 2);
    CHECK(in_b(3) == 4);  // the second "the"
    CHECK_FALSE(in_b(4).has_value());
    AxisIndices held = indices_of(1);
    held.key = 3;
    held.also = {4, 2};
    const AxisIndices several = indices_in_b(scene, held);
    CHECK(several.query == 2);
    CHECK(several.key == 4);
    CHECK(several.also == std::vector<Index>{3});
}

TEST_CASE("comparison: where A and B are subtracted, the same place is held in both") {
    Document document = built_in_sentence();
    document.sentence()->text = "the cat saw the dog";
    Workspace space(document, {});
    settle(space);
    document.sentence()->text = "the dog saw the cat";
    space.comparison.start(OtherStudy{.name = "B", .document = document});
    settle(space);
    REQUIRE(space.comparison.now().chosen.difference);
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    CHECK(indices_in_b(scene, indices_of(1)).query == 1);
}

}  // namespace headlight::comparison_test
