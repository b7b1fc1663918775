#include "core/mechanisms/recurrent.h"

#include <algorithm>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/recurrent_decoder.h"
#include "core/operations/mask_operations.h"
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

void fill_up(Words& words, std::size_t n) {
    words.resize(n, std::string(kPaddingWord));
}

/// Lists and axes of the words. Pairs are filled up to equal lengths.
void name_words(RecurrentNet& net, const std::vector<SourceTarget>& pairs) {
    std::size_t n = 0, m = 0;
    for (const SourceTarget& pair : pairs)
        n = std::max(n, pair.source.size()), m = std::max(m, pair.target.size() + 1);
    Words source;
    for (const SourceTarget& pair : pairs) {
        source.insert(source.end(), pair.source.begin(), pair.source.end());
        net.written.insert(net.written.end(), pair.target.begin(), pair.target.end());
        net.written.push_back(kEndWord);
        fill_up(source, source.size() + n - pair.source.size());
        fill_up(net.written, net.written.size() + m - pair.target.size() - 1);
    }
    const bool is_free = net.settings.feeding == Feeding::Free;
    const Words rows = is_free ? step_numbers(net.written.size()) : net.written;
    const auto groups = static_cast<Index>(pairs.size());
    net.plan.lists[0] = {"source word", std::make_shared<const Words>(std::move(source))};
    net.n_source = static_cast<Index>(n), net.n_steps = static_cast<Index>(m);
    net.source = {AxisKind::Item, groups * net.n_source, 0, groups};
    net.steps = {AxisKind::Item, groups * net.n_steps, net.plan.add_list("target word", rows),
                 groups};
    if (groups > 1)
        net.pairs = {AxisKind::Named, groups,
                     net.plan.add_list("pair", step_numbers(pairs.size()))};
}

RecurrentNet make_plan(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
                       std::uint64_t seed, const WordTables& tables) {
    RecurrentNet net{.settings = settings, .seed = seed, .tables = tables};
    name_words(net, pairs);
    if (tables.target) {
        net.vocabulary_axis = vocabulary_axis(net.plan, Network::Decoder, tables.target);
    } else {
        net.vocabulary = distinct(net.written);
        net.vocabulary_axis = {AxisKind::Named, static_cast<Index>(net.vocabulary.size()),
                               net.plan.add_list("word", net.vocabulary)};
    }
    net.model = {AxisKind::Model, settings.d_model};
    net.state = {AxisKind::Hidden, settings.d_state};
    net.context = {AxisKind::Hidden, settings.d_state * (net.is_bidirectional() ? 2 : 1)};
    return net;
}

void check(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
           const WordTables& tables) {
    if (pairs.empty()) throw Error("recurrent", "there is no pair of texts");
    for (const SourceTarget& pair : pairs)
        if (pair.source.empty())
            throw Error("recurrent", "the source has no word; type a sentence");
    if (pairs.size() > 1 && !(tables.source && tables.target))
        throw Error("recurrent", "several pairs need tables of their words");
    if (pairs.size() > 1 && settings.feeding == Feeding::Free)
        throw Error("recurrent", "of several pairs the words before are given");
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

Plan plan_recurrent_pairs(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
                          std::uint64_t seed, const WordTables& tables) {
    check(pairs, settings, tables);
    RecurrentNet net = make_plan(pairs, settings, seed, tables);
    const EncodedSource encoded = add_encoder(net);
    const TensorId s = add_decoder(net, encoded);
    Plan& plan = net.plan;
    add_influence(plan, encoded.forward, encoded.embed, "influence.encoder");
    add_influence(plan, s, encoded.embed, "influence.decoder");
    return std::move(net.plan);
}

Plan plan_recurrent(const Words& source, const Words& target, const RecurrentSettings& settings,
                    std::uint64_t seed, const WordTables& tables) {
    return plan_recurrent_pairs({{source, target}}, settings, seed, tables);
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
