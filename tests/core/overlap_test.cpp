#include "core/evaluation/overlap.h"

#include <doctest/doctest.h>

#include "core/evaluation/matches.h"
#include "core/mechanisms/word_table.h"
#include "core/studies.h"

namespace headlight::overlap_test {
namespace {

const Sizes kSmall{.n_layers = 2, .n_heads = 2, .d_model = 8, .d_k = 4, .d_v = 4};
const std::string kText = "it was too tired to cross the old street";
const Watched kNothing{};

StackSettings causal_stack() {
    StackSettings settings = stack_of(kSmall, Switch::On);
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 12};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

/// Each kind of causal network whose first rows can be taken over.
std::vector<StackSettings> causal_stacks() {
    std::vector<StackSettings> all(5, causal_stack());
    all[1].positions = Positions::Learned;
    all[2].attention.relative = RelativePositions::Rotary;
    all[2].norm_type = NormType::Rms;
    all[2].attention.qk_norm = Switch::On;
    all[2].attention.n_kv_heads = 1;
    all[3].mask.window = {{3}};
    all[3].unembedding = Unembedding::Tied;
    all[4].positions = Positions::None;
    all[4].attention.normalizer = Normalizer::TopK;  // takes nothing over, and is right
    all[4].block.parallel = Switch::On;
    return all;
}

/// Words that a model knows, each with a row.
WordTable table() {
    const auto words = std::make_shared<const Words>(words_of(kText + " tired wide x"));
    return {words, [words](const std::string& word) {
                const auto at = std::ranges::find(*words, word);
                return at == words->end() ? kNoRow : static_cast<Index>(at - words->begin());
            }};
}

std::shared_ptr<const Plan> plan_of(const std::string& text, const StackSettings& settings,
                                    const WordTable& words = {}) {
    return std::make_shared<const Plan>(plan_sentences({words_of(text)}, settings, 1, words));
}

/// A word at the end typed and taken away, one exchanged, put in, and left out.
const std::vector<std::string> kTyped{kText + " x",
                                      kText,
                                      "it was too tired to cross the wide street",
                                      "it was too tired to x cross the wide street",
                                      "it was too tired to cross the wide street",
                                      "it was tired to cross the wide street",
                                      "x was tired to cross the wide street",
                                      "x"};

void check_same(const Trace& trace, const Trace& anew) {
    REQUIRE(trace.tensors().size() == anew.tensors().size());
    for (TensorId id = 0; id < anew.tensors().size(); ++id) {
        REQUIRE((trace[id].value != nullptr) == (anew[id].value != nullptr));
        if (!anew[id].value) continue;
        CHECK_MESSAGE(is_same(*trace[id].value, *anew[id].value), anew[id].path());
        CHECK_MESSAGE(is_same(*trace[id].computed, *anew[id].computed), anew[id].path());
    }
}

/// The number of first rows of a tensor that are taken over.
Index first_rows(const Trace& now, const Trace& earlier, const std::string& path) {
    const Matches matches(now, &earlier);
    return matches.first_rows().empty() ? 0 : matches.first_rows()[now.id_at(path)];
}

Index first_rows_after(const std::string& text, const std::string& path,
                       const StackSettings& settings, const Interventions& interventions = {}) {
    const Trace earlier = compute(plan_of(kText, settings), interventions, kNothing, nullptr);
    const Trace now = compute(plan_of(text, settings), interventions, kNothing, nullptr);
    return first_rows(now, earlier, path);
}

}  // namespace

TEST_CASE("overlap: while a text is typed, everything has the bits of computing it from nothing") {
    for (const StackSettings& settings : causal_stacks())
        for (const WordTable& words : {WordTable{}, table()})
            for (const Watched& watched : {kNothing, kWatchAll}) {
                Evaluator evaluator;
                auto trace =
                    evaluator.evaluate(plan_of(kText, settings, words), {}, watched, nullptr);
                for (const std::string& text : kTyped) {
                    const auto plan = plan_of(text, settings, words);
                    trace = evaluator.evaluate(plan, {}, watched, trace.get());
                    check_same(*trace, compute(plan, {}, watched, nullptr));
                }
            }
}

TEST_CASE("overlap: a causal network computes the rows from the changed word on") {
    const StackSettings settings = causal_stack();
    for (const char* path : {"blocks.0.attn.heads.0.k", "blocks.1.attn.heads.1.pattern",
                             "blocks.1.resid_post", "ln_final.out"}) {
        CHECK(first_rows_after(kText + " x", path, settings) == 9);
        CHECK(first_rows_after("it was too tired to cross the wide street", path, settings) == 7);
        CHECK(first_rows_after("it was tired to cross", path, settings) == 2);
        CHECK(first_rows_after("x was too tired to cross the old street", path, settings) == 0);
    }
}

TEST_CASE("overlap: a network that reads later words keeps what is before its attention") {
    StackSettings settings = causal_stack();
    settings.mask.causal = Switch::Off;
    CHECK(first_rows_after(kText + " x", "blocks.0.attn.heads.0.k", settings) == 9);
    CHECK(first_rows_after(kText + " x", "blocks.0.attn.heads.0.z", settings) == 0);
    CHECK(first_rows_after(kText + " x", "blocks.1.resid_post", settings) == 0);
}

TEST_CASE("overlap: cells set by hand end it at the first row that has others") {
    const StackSettings settings = causal_stack();
    const std::string path = "blocks.0.attn.out";
    const Trace earlier = compute(plan_of(kText, settings),
                                  {{path, {.cells = {{1, 0, 2}, {5, 0, 2}}}}}, kNothing, nullptr);
    const auto plan = plan_of(kText + " x", settings);
    const auto rows_with = [&](const Interventions& interventions) {
        const Trace now = compute(plan, interventions, kNothing, &earlier);
        check_same(now, compute(plan, interventions, kNothing, nullptr));
        return first_rows(now, earlier, "blocks.1.resid_post");
    };
    CHECK(rows_with({{path, {.cells = {{1, 0, 2}, {5, 0, 2}}}}}) == 9);
    CHECK(rows_with({{path, {.cells = {{1, 0, 2}, {5, 0, 3}}}}}) == 5);
    CHECK(rows_with({{path, {.cells = {{5, 0, 2}}}}}) == 1);
    CHECK(rows_with({}) == 1);
    CHECK(rows_with({{path, {.cells = {}, .ablation = Ablation::Mean}}}) == 0);
}

TEST_CASE("overlap: an ablated head stays ablated, and a pinned pattern ends the overlap") {
    const StackSettings settings = causal_stack();
    const Interventions zero{
        {"blocks.0.attn.heads.1.z", {.cells = {}, .ablation = Ablation::Zero}}};
    CHECK(first_rows_after(kText + " x", "blocks.1.resid_post", settings, zero) == 9);
    const Interventions pinned{{"blocks.0.attn.heads.1.pattern", {.cells = {{1, 4, 1}}}}};
    CHECK(first_rows_after(kText + " x", "blocks.1.resid_post", settings, pinned) == 0);
}

TEST_CASE("overlap: where a later word overflows, 0 · ∞ is computed as from nothing") {
    const StackSettings settings = causal_stack();
    for (const char* path : {"blocks.0.attn.heads.0.k", "blocks.0.attn.heads.0.v"}) {
        const auto plan = plan_of(kText + " x", settings);
        const Trace earlier = compute(plan_of(kText, settings), {}, kNothing, nullptr);
        const Scalar infinite = std::numeric_limits<Scalar>::infinity();
        const Interventions interventions{{path, {.cells = {{9, 0, infinite}}}}};
        const Trace now = compute(plan, interventions, kNothing, &earlier);
        const Trace anew = compute(plan, interventions, kNothing, nullptr);
        CHECK(first_rows(now, earlier, "blocks.0.attn.heads.0.z") == 9);
        const bool is_nan = value(anew, "blocks.0.attn.heads.0.z").row(0).hasNaN();
        CHECK(value(now, "blocks.0.attn.heads.0.z").row(0).hasNaN() == is_nan);
        CHECK(is_nan);
    }
}

}  // namespace headlight::overlap_test
