#include "graph/node_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "graph/layout.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxColumns = 10'000;
constexpr std::array<std::string_view, 5> kGroupColumns = {"group", "community", "class", "club",
                                                           "modularity_class"};
constexpr std::array<std::string_view, 21> kDrawingColumns = {
    "x",     "y",    "z", "vx", "vy", "vz", "fx", "fy",    "fz",   "px",    "py",
    "index", "size", "r", "g",  "b",  "a",  "id", "label", "name", "radius"};

template <typename Words>
bool is_one_of(std::string_view word, const Words& words) {
    return std::ranges::find(words, word) != words.end();
}

/// The numbers of a column, or nothing if one is none.
std::optional<std::vector<float>> parse_numbers(
    const std::vector<std::pair<int, std::string>>& cells) {
    std::vector<float> numbers;
    for (const auto& [node, text] : cells) {
        const auto number = finite_number(text);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<int> group_number(std::string_view text) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end || number < 0) return std::nullopt;
    return number;
}

/// How far numbers reach, kept to what a double can subtract.
struct Reach {
    double low, high;

    explicit Reach(const std::vector<float>& numbers)
        : low(*std::ranges::min_element(numbers)), high(*std::ranges::max_element(numbers)) {}
    double middle() const { return low + (high - low) / 2; }
    double length() const { return high - low; }
    bool is_within_unit() const { return low >= 0 && high <= 1; }
};

}  // namespace

void NodeColumns::set(int node, std::string_view column, std::string text) {
    const auto [entry, is_new] = index_of_.emplace(column, columns_.size());
    if (is_new && columns_.size() == kMaxColumns)
        throw GraphRefusal(
            "the nodes have more than 10,000 different attributes; at most that many are read");
    if (is_new) columns_.push_back({std::string(column), {}});
    auto& cells = columns_[entry->second].cells;
    if (!cells.empty() && cells.back().first == node)
        throw GraphRefusal("a node has " + shown(column) + " twice; keep one");
    cells.emplace_back(node, std::move(text));
}

const NodeColumns::Column* NodeColumns::find_complete(std::string_view name,
                                                      std::size_t n_nodes) const {
    const auto found = index_of_.find(std::string(name));
    if (found == index_of_.end()) return nullptr;
    const Column& column = columns_[found->second];
    return column.cells.size() == n_nodes ? &column : nullptr;
}

void NodeColumns::apply(ReadGraph& read) const {
    set_names(read.graph);
    set_places(read.graph);
    set_groups(read);
    set_features(read);
}

void NodeColumns::set_names(Graph& graph) const {
    for (const char* name : {"label", "name"}) {
        const Column* column = find_complete(name, graph.nodes.size());
        if (!column) continue;
        std::unordered_set<std::string_view> names;
        for (const auto& [node, text] : column->cells)
            if (!text.empty() && text.size() <= kMaxNameBytes) names.insert(text);
        if (names.size() != graph.nodes.size()) continue;
        for (const auto& [node, text] : column->cells)
            graph.nodes[static_cast<std::size_t>(node)].name = text;
        return;
    }
}

void NodeColumns::set_places(Graph& graph) const {
    const Column* column_x = find_complete("x", graph.nodes.size());
    const Column* column_y = find_complete("y", graph.nodes.size());
    if (!column_x || !column_y) return;
    const auto x = parse_numbers(column_x->cells), y = parse_numbers(column_y->cells);
    if (!x || !y) return;
    const Reach across(*x), down(*y);
    if (across.length() == 0 && down.length() == 0) return;
    constexpr double kUsed = 0.92;
    const double scale = kUsed / std::max({across.length() / kLayoutAspect, down.length(), 1e-30});
    const bool is_placed = across.is_within_unit() && down.is_within_unit();
    for (std::size_t k = 0; k < x->size(); ++k) {
        Node& node = graph.nodes[static_cast<std::size_t>(column_x->cells[k].first)];
        const double from_middle = ((*x)[k] - across.middle()) * scale / kLayoutAspect;
        node.x = is_placed ? (*x)[k] : static_cast<float>(0.5 + from_middle);
    }
    for (std::size_t k = 0; k < y->size(); ++k) {
        Node& node = graph.nodes[static_cast<std::size_t>(column_y->cells[k].first)];
        const double from_middle = ((*y)[k] - down.middle()) * scale;
        node.y = is_placed ? (*y)[k] : static_cast<float>(0.5 + from_middle);
    }
}

/// Whole numbers are the groups themselves; other labels are counted from 1.
void NodeColumns::set_groups(ReadGraph& read) const {
    for (const std::string_view name : kGroupColumns) {
        const Column* column = find_complete(name, read.graph.nodes.size());
        if (!column) continue;
        const bool are_numbers = std::ranges::all_of(
            column->cells, [](const auto& cell) { return group_number(cell.second).has_value(); });
        GroupLabels labels;
        for (const auto& [node, text] : column->cells)
            read.graph.nodes[static_cast<std::size_t>(node)].group =
                are_numbers ? *group_number(text) : labels.find_or_add_group(text);
        if (!are_numbers) labels.note(read.notes);
        return;
    }
}

void NodeColumns::set_features(ReadGraph& read) const {
    std::vector<std::vector<float>> columns;
    std::string names;
    for (const Column& column : columns_) {
        const bool is_other = !is_one_of(column.name, kDrawingColumns) &&
                              !is_one_of(column.name, kGroupColumns) &&
                              column.cells.size() == read.graph.nodes.size();
        auto numbers = is_other ? parse_numbers(column.cells) : std::nullopt;
        if (!numbers) continue;
        columns.push_back(std::move(*numbers));
        names += (names.empty() ? "" : ", ") + shown(column.name);
    }
    if (columns.empty() || read.graph.n_features() > 0) return;
    for (std::size_t k = 0; k < read.graph.nodes.size(); ++k) {
        std::vector<float> values;
        for (const std::vector<float>& column : columns) values.push_back(column[k]);
        read.graph.nodes[k].features = Features(std::move(values));
    }
    read.notes.others.push_back("features of nodes: " + names);
}

}  // namespace headlight
