#include "core/studies.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "core/numeric/generator.h"

namespace headlight {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
    const SeededNumbers numbers(seed, "test");
    Matrix values(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) values(i, j) = numbers.normal(i, j, 1);
    return values;
}

std::vector<std::string> words_of(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

StackSettings stack_of(const Sizes& sizes, Switch causal) {
    StackSettings settings{.n_layers = sizes.n_layers, .d_model = sizes.d_model};
    settings.attention.n_heads = sizes.n_heads;
    settings.attention.d_k.values = {sizes.d_k};
    settings.attention.d_v.values = {sizes.d_v};
    settings.mask.causal = causal;
    return settings;
}

Trace sentence(std::string_view text, const StackSettings& settings,
               const Interventions& interventions) {
    return compute(plan_sentences({words_of(text)}, settings, 1), interventions, kWatchAll,
                   nullptr);
}

Trace graph(const Edges& edges, const GraphSettings& settings, const Interventions& interventions) {
    GraphNodes nodes;
    for (Index i = 0; i < edges.n_nodes; ++i) {
        nodes.names.push_back("n" + std::to_string(i));
        nodes.keys.push_back("node:n" + std::to_string(i));
    }
    return compute(plan_graph_attention(nodes, edges, settings, 1), interventions, kWatchAll,
                   nullptr);
}

Trace translation(std::string_view source, std::string_view target,
                  const RecurrentSettings& settings, const Interventions& interventions) {
    const auto plan = std::make_shared<const Plan>(
        plan_recurrent(words_of(source), words_of(target), settings, 1));
    return compute(plan, passed_to_steps(*plan, interventions), kWatchAll, nullptr);
}

PlannedTensor planned(const std::string& path, const Operation& operation,
                      std::vector<TensorId> inputs) {
    return {.path = path,
            .symbol = path,
            .equation = "",
            .operation = &operation,
            .settings = {.key = path},
            .inputs = std::move(inputs)};
}

std::shared_ptr<const Plan> without_values(const Trace& trace) {
    return trace.shared_plan();
}

Edges small_edges() {
    return make_edges(6, {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {2, 2}, {3, 4}, {4, 3}, {1, 2}});
}

const Matrix& value(const Trace& trace, std::string_view path) {
    return *trace.at(path).value;
}

Scalar distance(const Matrix& a, const Matrix& b) {
    const Scalar infinite = std::numeric_limits<Scalar>::infinity();
    if (a.rows() != b.rows() || a.cols() != b.cols()) return infinite;
    Scalar largest = 0;
    for (Index i = 0; i < a.size(); ++i) {
        const Scalar x = a.data()[i], y = b.data()[i];
        if (x == y) continue;
        const Scalar difference = std::abs(x - y);
        if (std::isnan(difference)) return infinite;
        largest = std::max(largest, difference);
    }
    return largest;
}

bool is_same(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(),
                                         static_cast<std::size_t>(a.size()) * sizeof(Scalar)) == 0);
}

}  // namespace headlight
