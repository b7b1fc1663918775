#include "core/mechanisms/recurrent.h"

#include <algorithm>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/recurrent_decoder.h"
#include "core/operations/operations.h"
#include "core/operations/recurrent_operations.h"

namespace headlight {
namespace {

/// In the order of their first appearance.
Words distinct(const Words& words) {
    Words found;
    for (const std::string& word : words)
        if (std::find(found.begin(), found.end(), word) == found.end()) found.push_back(word);
    return found;
}

Words step_numbers(std::size_t n) {
    Words numbers;
    for (std::size_t i = 1; i <= n; ++i) numbers.push_back(std::to_string(i));
    return numbers;
}

RecurrentPlan make_plan(const Words& source, const Words& target, const RecurrentSettings& settings,
                        std::uint64_t seed) {
    RecurrentPlan plan{.settings = settings, .seed = seed};
    plan.trace.lists[0] = {"source word", std::make_shared<const Words>(source)};
    plan.written = target;
    plan.written.push_back(kEndWord);
    plan.vocabulary = distinct(plan.written);
    const bool is_free = settings.feeding == Feeding::Free;
    const Words rows = is_free ? step_numbers(plan.written.size()) : plan.written;
    plan.source = {AxisKind::Item, static_cast<Index>(source.size())};
    plan.steps = {AxisKind::Item, static_cast<Index>(rows.size()),
                  plan.trace.add_list("target word", rows)};
    plan.vocabulary_axis = {AxisKind::Named, static_cast<Index>(plan.vocabulary.size()),
                            plan.trace.add_list("word", plan.vocabulary)};
    plan.model = {AxisKind::Model, settings.d_model};
    plan.state = {AxisKind::Hidden, settings.d_state};
    plan.context = {AxisKind::Hidden, settings.d_state * (plan.is_bidirectional() ? 2 : 1)};
    return plan;
}

void check(const Words& source, const RecurrentSettings& settings) {
    if (source.empty()) throw Error("recurrent", "the source has no word; type a sentence");
    if (settings.d_model < 1 || settings.d_state < 1 || settings.d_hidden < 1 || settings.top_k < 1)
        throw Error("recurrent", "widths and top_k must be at least 1");
    if (!(settings.temperature > 0)) throw Error("recurrent", "the temperature must be above 0");
}

}  // namespace

TensorId RecurrentPlan::add_embedding(TensorName name, const Words& words) {
    Words keys;
    for (const std::string& word : words) keys.push_back("word:" + word);
    return add_result(trace, std::move(name), "one vector a word", operations::named_rows, {},
                      {.seed = seed, .names = std::make_shared<const Words>(std::move(keys))});
}

Trace plan_recurrent(const Words& source, const Words& target, const RecurrentSettings& settings,
                     std::uint64_t seed) {
    check(source, settings);
    RecurrentPlan plan = make_plan(source, target, settings, seed);
    const EncodedSource encoded = add_encoder(plan);
    const TensorId s = add_decoder(plan, encoded);
    Trace& trace = plan.trace;
    add_influence(trace, trace.id_of("encoder.forward.h"), encoded.embed, "influence.encoder");
    add_influence(trace, s, encoded.embed, "influence.decoder");
    return std::move(plan.trace);
}

Holds with_steps_held(const Trace& plan, Holds holds) {
    Holds stacked = holds;
    for (const auto& [path, hold] : stacked) {
        const Tensor* tensor = plan.find(path);
        if (!hold.is_on || !tensor || tensor->operation != &operations::stack_rows) continue;
        for (const HeldCell& cell : hold.cells) {
            if (cell.row >= tensor->rows.size || cell.column >= tensor->columns.size) continue;
            const Tensor& step = plan[tensor->inputs[static_cast<std::size_t>(cell.row)]];
            const auto [entry, is_new] = holds.try_emplace(step.path);
            Hold& own = entry->second;
            if (is_new || !own.is_on) own = {.cells = {}, .rows = hold.rows};
            if (!own.find(0, cell.column)) own.set(0, cell.column, cell.value);
        }
    }
    return holds;
}

}  // namespace headlight
