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

RecurrentNet make_plan(const Words& source, const Words& target, const RecurrentSettings& settings,
                       std::uint64_t seed) {
    RecurrentNet net{.settings = settings, .seed = seed};
    net.plan.lists[0] = {"source word", std::make_shared<const Words>(source)};
    net.written = target;
    net.written.push_back(kEndWord);
    net.vocabulary = distinct(net.written);
    const bool is_free = settings.feeding == Feeding::Free;
    const Words rows = is_free ? step_numbers(net.written.size()) : net.written;
    net.source = {AxisKind::Item, static_cast<Index>(source.size())};
    net.steps = {AxisKind::Item, static_cast<Index>(rows.size()),
                 net.plan.add_list("target word", rows)};
    net.vocabulary_axis = {AxisKind::Named, static_cast<Index>(net.vocabulary.size()),
                           net.plan.add_list("word", net.vocabulary)};
    net.model = {AxisKind::Model, settings.d_model};
    net.state = {AxisKind::Hidden, settings.d_state};
    net.context = {AxisKind::Hidden, settings.d_state * (net.is_bidirectional() ? 2 : 1)};
    return net;
}

void check(const Words& source, const RecurrentSettings& settings) {
    if (source.empty()) throw Error("recurrent", "the source has no word; type a sentence");
    if (settings.d_model < 1 || settings.d_state < 1 || settings.d_hidden < 1 || settings.top_k < 1)
        throw Error("recurrent", "widths and top_k must be at least 1");
    if (!(settings.temperature > 0)) throw Error("recurrent", "the temperature must be above 0");
}

}  // namespace

TensorId RecurrentNet::add_embedding(TensorName name, const Words& words) {
    Words keys;
    for (const std::string& word : words) keys.push_back("word:" + word);
    return add_result(plan, std::move(name), "one vector a word", operations::named_rows, {},
                      {.seed = seed, .names = std::make_shared<const Words>(std::move(keys))});
}

Plan plan_recurrent(const Words& source, const Words& target, const RecurrentSettings& settings,
                    std::uint64_t seed) {
    check(source, settings);
    RecurrentNet net = make_plan(source, target, settings, seed);
    const EncodedSource encoded = add_encoder(net);
    const TensorId s = add_decoder(net, encoded);
    Plan& plan = net.plan;
    add_influence(plan, encoded.forward, encoded.embed, "influence.encoder");
    add_influence(plan, s, encoded.embed, "influence.decoder");
    return std::move(net.plan);
}

Interventions passed_to_steps(const Plan& net, Interventions interventions) {
    Interventions stacked = interventions;
    for (const auto& [path, intervention] : stacked) {
        const PlannedTensor* tensor = net.find(path);
        if (!intervention.is_on || !tensor || tensor->operation != &operations::stack_rows)
            continue;
        for (const CellValue& cell : intervention.cells) {
            if (cell.row >= tensor->rows.size || cell.column >= tensor->columns.size) continue;
            const PlannedTensor& step = net[tensor->inputs[static_cast<std::size_t>(cell.row)]];
            const auto [entry, is_new] = interventions.try_emplace(step.path);
            Intervention& own = entry->second;
            if (is_new || !own.is_on) own = {.cells = {}, .rows = intervention.rows};
            if (!own.find(0, cell.column)) own.set(0, cell.column, cell.value);
        }
    }
    return interventions;
}

}  // namespace headlight
