// A sweep over the heads against one evaluation for each of them.
#include "model/sweep.h"

#include <doctest/doctest.h>

#include "model/ablation.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::sweep_test {
namespace {

Document language_network() {
    StackSettings s;
    s.n_layers = 2;
    s.d_model = 12;
    s.attention.n_heads = 3;
    s.mask.causal = Switch::On;
    s.block.norm = Norm::Pre;
    s.block.mlp = Mlp::Gelu;
    s.block.d_ff = 16;
    s.final_norm = Switch::On;
    s.unembedding = Unembedding::Learned;
    return {.study = SentenceStudy{.text = "the cat saw a dog", .layer = s}, .interventions = {}};
}

Trace evaluated(const Document& document) {
    return evaluate(document, nullptr, {});
}

const LogitQuestion kQuestion{.row = 4, .word = 1, .minus = 3};

std::string path_of(int layer, int head) {
    return "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head) + ".z";
}

}  // namespace

TEST_CASE("a sweep finds what one evaluation for each head finds") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    for (const auto& [kind, ablation] :
         {std::pair{SweepKind::Zero, Ablation::Zero}, std::pair{SweepKind::Mean, Ablation::Mean}}) {
        const SweepResult found = sweep_heads(document, base, {kind, kQuestion});
        REQUIRE(found.layers == std::vector{0, 1});
        REQUIRE(found.change.cols() == 3);
        CHECK(found.before == doctest::Approx(logit_asked(base, kQuestion)));
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 3; ++head) {
                Document changed = document;
                ablate(changed, path_of(layer, head), ablation);
                const double expected = logit_asked(evaluated(changed), kQuestion) - found.before;
                CHECK(static_cast<double>(found.change(layer, head)) ==
                      doctest::Approx(expected).epsilon(1e-4));
                CHECK(expected != 0);
            }
    }
}

TEST_CASE("a patched head gives what it gives for another text") {
    const Document document = language_network();
    Document other = document;
    set_text(other, "the dog saw a cat");
    const Trace base = evaluated(document), from = evaluated(other);
    const SweepResult found = sweep_heads(document, base, {SweepKind::Patch, kQuestion, &from});
    Document changed = document;
    changed.interventions[path_of(1, 2)] = intervene_on_all(*from.at(path_of(1, 2)).value);
    const double expected = logit_asked(evaluated(changed), kQuestion) - found.before;
    CHECK(static_cast<double>(found.change(1, 2)) == doctest::Approx(expected).epsilon(1e-4));
    set_text(other, "the dog");
    const Trace shorter = evaluated(other);
    CHECK_THROWS_WITH(sweep_heads(document, base, {SweepKind::Patch, kQuestion, &shorter}),
                      doctest::Contains("the other text must have as many tokens"));
}

TEST_CASE("what the document has set by hand stays during a sweep") {
    Document document = language_network();
    ablate(document, path_of(0, 0), Ablation::Zero);
    const Trace base = evaluated(document);
    const SweepResult found = sweep_heads(document, base, {SweepKind::Zero, kQuestion});
    CHECK(found.change(0, 0) == 0);
    Document both = document;
    ablate(both, path_of(1, 1), Ablation::Zero);
    CHECK(static_cast<double>(found.change(1, 1)) ==
          doctest::Approx(logit_asked(evaluated(both), kQuestion) - found.before).epsilon(1e-4));
}

TEST_CASE("a sweep says why it cannot be done, and can be cancelled") {
    Document document = language_network();
    document.interventions["logits"].set(4, 1, 3);
    const Trace pinned = evaluated(document);
    CHECK_THROWS_WITH(sweep_heads(document, pinned, {SweepKind::Zero, kQuestion}),
                      doctest::Contains("logits is set by hand behind the last layer"));
    document = language_network();
    document.sentence()->layer.unembedding = Unembedding::None;
    const Trace silent = evaluated(document);
    CHECK_FALSE(can_sweep(silent));
    CHECK_THROWS_WITH(sweep_heads(document, silent, {SweepKind::Zero, kQuestion}),
                      doctest::Contains("no heads whose output reaches logits"));
    document = language_network();
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(sweep_heads(document, evaluated(document), {SweepKind::Zero, kQuestion},
                                serial().followed_by(progress)),
                    Cancelled);
}

}  // namespace headlight::sweep_test
