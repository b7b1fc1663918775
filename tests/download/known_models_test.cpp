// The table of models that can be downloaded.
#include "download/known_models.h"

#include <doctest/doctest.h>
#include <set>

#include "core/error.h"

namespace headlight::known_models_test {

TEST_CASE("every known model has a name of its own, a commit, a size, and a checksum or none") {
    std::set<std::string> names;
    for (const KnownModel& model : known_models()) {
        CAPTURE(model.name);
        CHECK(names.insert(model.name).second);
        CHECK(model.name.find('/') == std::string::npos);
        CHECK(model.repository.find('/') != std::string::npos);
        CHECK(is_git_blob(model.revision));  // 40 digits, as Git calls commits
        CHECK(model.weights_bytes > 50'000'000);
        CHECK((model.sha256.empty() || is_sha256(model.sha256)));
        CHECK(known_model(model.name).repository == model.repository);
    }
    CHECK(names.contains("gpt2"));
}

TEST_CASE("a repository can be named, and nothing that would leave its folder") {
    const KnownModel model = known_model("openai-community/gpt2-medium");
    CHECK(model.name == "gpt2-medium");
    CHECK(model.revision == "main");
    CHECK(model.sha256.empty());
    CHECK_THROWS_WITH(static_cast<void>(known_model("gpt-2")),
                      doctest::Contains("did you mean 'gpt2'?"));
    for (const char* name :
         {"", "/", "a/", "/a", "../a", "a/..", "a/b/c", "a b/c", "a/b?c", "a/%2e"})
        CHECK_THROWS_AS(static_cast<void>(known_model(name)), Error);
}

}  // namespace headlight::known_models_test
