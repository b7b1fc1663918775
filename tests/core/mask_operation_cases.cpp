#include "core/operation_cases.h"
#include "core/operations/mask_operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

void add_use(std::vector<OperationCase>& cases, const std::string& name, const MaskRule& rule,
             Index n_query, Index n_key) {
    cases.push_back({"mask, " + name,
                     &operations::attention_mask,
                     {},
                     mask_settings(rule, n_query, n_key),
                     rule.n_sentences * n_query,
                     n_key});
}

}  // namespace

void add_mask_cases(std::vector<OperationCase>& cases) {
    const MaskSettings everything{
        .causal = Switch::On, .window = {{4}}, .dilation = 2, .documents = Switch::On};
    const std::vector<std::string> packed = words_of("a b | c d e f");
    const std::vector<std::string> stacked = words_of("a | b c d e f | g <pad>");
    add_use(cases, "open", {}, 3, 3);
    add_use(cases, "causal", {.causal = Switch::On}, 5, 5);
    add_use(cases, "causal 1 × 1", {.causal = Switch::On}, 1, 1);
    add_use(cases, "all rules", sentence_mask(everything, packed), 7, 7);
    add_use(cases, "all rules, stacked", sentence_mask(everything, stacked, 2), 5, 5);
    add_use(cases, "keys of another length", cross_mask(words_of("a b <pad>"), 2), 2, 3);
    add_use(cases, "cross, stacked", cross_mask(words_of("a b c d <pad> <pad>"), 4, 2), 4, 3);
}

}  // namespace headlight
