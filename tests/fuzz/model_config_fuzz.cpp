// Fuzz target: config.json of a pretrained model, and the network that it asks for.
#include <utility>

#include "fuzz/fuzz_target.h"
#include "io/models/families.h"
#include "model/evaluate.h"

using namespace headlight;

namespace {

// What a plan costs is the number of heads, which it refuses if it is too large.
constexpr int kMostHeads = 64;

bool is_small(const StackSettings& settings) {
    fuzz::expect(settings.n_layers >= 1 && settings.d_model >= 1);
    return settings.n_layers * settings.attention.n_heads <= kMostHeads;
}

void plan_network(Study study) {
    if (auto* sentence = std::get_if<SentenceStudy>(&study)) {
        sentence->text = "a b";
        if (!is_small(sentence->layer)) return;
    } else if (auto* alignment = std::get_if<AlignmentStudy>(&study)) {
        alignment->source = alignment->target = "a b";
        if (!is_small(alignment->layer)) return;
    } else {
        return;  // a graph's features are as many as its model reads
    }
    Document document;
    document.study = std::move(study);
    static_cast<void>(plan(document));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(fuzz::bytes_of(data, size));
    fuzz::expect_only_errors([&] {
        const ModelConfig config(bytes, "input");
        plan_network(family_for(config).study(config));
    });
    return 0;
}
