// Gradients through whole stacks against central differences, in double.
#include <doctest/doctest.h>

#include "core/differences.h"
#include "core/stack_cases.h"

namespace headlight::stack_derivatives_test {

TEST_CASE("stacks: the gradient of every leaf agrees with central differences") {
    for (const auto& [name, settings] : stack_cases()) {
        if (name == "1 default") continue;  // a larger version of "plain"
        INFO(name);
        const Trace trace = sentences("a b c d", settings);
        check_leaves(trace, {}, last_path(trace, settings));
    }
}

TEST_CASE("stacks: gradients agree through several sentences and an unembedding") {
    StackSettings settings = plain_stack();
    settings.unembedding = Unembedding::Tied;
    settings.mask.causal = Switch::On;
    check_leaves(sentences("it was\nso it was", settings), {}, "probs");
}

}  // namespace headlight::stack_derivatives_test
