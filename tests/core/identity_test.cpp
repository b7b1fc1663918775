#include "core/identity.h"

#include <doctest/doctest.h>

#include "core/components.h"
#include "core/mechanisms/decoding.h"
#include "core/studies.h"

namespace headlight::identity_test {
namespace {

constexpr Location kAttention{.component = ComponentKind::Attention, .layer = 3};

/// True if the path is one of those that the identity makes: of the component or beside it.
bool is_made_from(const std::string& path, const Identity& identity) {
    for (const int count : {1, 2}) {
        const std::string_view name = last_segments(path, count);
        if (identity.at(name).path == path || identity.beside(name).path == path) return true;
    }
    return false;
}

/// The paths that differ from those of their tensors' identities.
std::string odd_paths(const Plan& plan) {
    std::string odd;
    for (const PlannedTensor& tensor : plan.tensors()) {
        const bool is_free = tensor.identity.component == ComponentKind::Analyses;
        // All steps of a recurrent decoder read one mask, which has its usual name.
        if (is_free || tensor.path == "cross_mask") continue;
        if (!is_made_from(tensor.path, tensor.identity)) odd += tensor.path + " ";
    }
    return odd;
}

Plan decoded() {
    StackSettings settings = stack_of({.n_layers = 2, .n_heads = 2}, Switch::On);
    settings.block.norm = Norm::Pre;
    settings.final_norm = Switch::On;
    Plan plan = plan_sentences({words_of("a b c")}, settings, 1);
    plan_decoding(plan, settings, 1);
    return plan;
}

}  // namespace

TEST_CASE("Location: a path states a tensor's location") {
    CHECK(kAttention.of_head(2).at(Role::Pattern).path == "blocks.3.attn.heads.2.pattern");
    CHECK(kAttention.of_kv_group(1).at("W_K").path == "blocks.3.attn.kv.1.W_K");
    CHECK(kAttention.beside(Role::ResidMid).path == "blocks.3.resid_mid");
    CHECK(kAttention.path() == "blocks.3.attn");
    CHECK(Location().at(Role::Embedding).path == "embed");
    const Location step{.network = Network::Forward, .component = ComponentKind::Step, .step = 4};
    CHECK(step.at("r").path == "encoder.forward.steps.4.r");
    const Location graph{.component = ComponentKind::GraphAttention, .layer = 0};
    CHECK(graph.of_head(1).at(Role::HeadOutput).path == "gat.0.heads.1.out");
    const Identity pattern = kAttention.of_head(2).at(Role::Pattern).identity;
    CHECK(pattern == Identity{kAttention.of_head(2), Role::Pattern});
}

TEST_CASE("last_segments: the end of a path, or all of it if it is shorter") {
    CHECK(last_segments("blocks.0.attn.out") == "out");
    CHECK(last_segments("blocks.0.attn.out", 2) == "attn.out");
    CHECK(last_segments("embed", 2) == "embed");
    CHECK(last_segments("").empty());
}

TEST_CASE("identity: in every network the path follows from it") {
    CHECK(odd_paths(decoded()) == "");
    CHECK(odd_paths(plan_encoder_decoder({words_of("a b"), words_of("c d")},
                                         stack_of({.n_layers = 2}), 1)) == "");
    CHECK(odd_paths(plan_recurrent(words_of("a b"), words_of("c d"), {}, 1)) == "");
    CHECK(odd_paths(graph(small_edges(), {})) == "");
    CHECK_FALSE(is_made_from("blocks.3.attn.out", {kAttention.of_layer(2)}));
    CHECK_FALSE(is_made_from("probe.blocks.3.attn.out", {kAttention}));
}

TEST_CASE("components: every tensor is in the component at its location, except the probe's") {
    const Plan plan = decoded();
    const Components components = make_components(plan);
    std::size_t n = 0;
    for (const Component& component : components)
        for (const TensorId id : component.tensors) {
            CHECK(component.has(plan[id].identity));
            CHECK(component_with(plan, components, plan[id].path) == &component);
            ++n;
        }
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.identity.is_probe()) {
            CHECK(component_with(plan, components, tensor.path) == nullptr);
            ++n;
        }
    CHECK(n == plan.tensors().size());
    REQUIRE(find_component(components, "decoding.steps.1.blocks.0.attn"));
    CHECK(find_component(components, "decoding.steps.1.blocks.0.attn")
              ->has(plan.at("decoding.steps.1.mask").identity));
    CHECK(components.back().is_analyses());
}

}  // namespace headlight::identity_test
