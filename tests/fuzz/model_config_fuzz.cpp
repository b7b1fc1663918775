// Fuzz target: config.json of a pretrained model, and the network that it asks for.
#include "fuzz/fuzz_target.h"
#include "io/models/families.h"
#include "model/evaluate.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(fuzz::bytes_of(data, size));
    fuzz::expect_only_errors([&] {
        const ModelConfig config(bytes, "input");
        StackSettings settings = family_for(config).settings(config);
        fuzz::expect(settings.n_layers >= 1 && settings.d_model >= 1);
        // What a plan costs is the number of heads, which it refuses if it is too large.
        constexpr int kMostHeads = 64;
        if (settings.n_layers * settings.attention.n_heads > kMostHeads) return;
        static_cast<void>(
            plan({.study = SentenceStudy{.text = "a b", .layer = settings}, .interventions = {}}));
    });
    return 0;
}
