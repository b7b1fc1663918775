// What the ready-made studies say of themselves is true of their numbers.
#include "model/claims.h"

#include <algorithm>

#include "core/analyses/head_metrics.h"

namespace headlight::claims_test {

TEST_CASE("claims: what every ready-made study says of itself is true of its numbers") {
    Claims claims = score_claims();
    claims.merge(layer_claims());
    claims.merge(other_claims());
    CHECK(claims.size() == presets().size());
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        const auto claim = claims.find(preset.name);
        REQUIRE(claim != claims.end());
        CHECK(std::string(preset.what) == claim->second.what);
        claim->second.check();
    }
}

TEST_CASE("claims: a sentence with equal words stands where they are spoken of") {
    const std::vector<Index> words = word_numbers(plan(ready("no-positions")).items());
    CHECK(*std::ranges::max_element(words) + 1 < std::ssize(words));
}

}  // namespace headlight::claims_test
