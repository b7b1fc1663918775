#include "graph/graph_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/numeric/read_digits.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMostAttributes = 100;  // those named in a note

/// Returns how many bytes at the start of the UTF-8 text are a control character, or one that ends
/// lines or turns the reading direction.
std::size_t hidden_bytes(std::string_view text) {
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
    };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
    if (byte(0) == 0xC2 && byte(1) < 0xA0) return 2;
    if (byte(0) != 0xE2) return 0;
    const int last = byte(2);
    const bool is_mark = last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE);
    const bool is_isolate = last >= 0xA6 && last <= 0xA9;
    return (byte(1) == 0x80 && is_mark) || (byte(1) == 0x81 && is_isolate) ? 3 : 0;
}

}  // namespace

std::string shown(std::string_view text) {
    constexpr std::size_t kMostBytes = 60;
    std::size_t size = std::min(text.size(), kMostBytes);
    while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
    std::string result = "'";
    for (std::size_t at = 0; at < size; ++at) {
        const std::size_t n_hidden = hidden_bytes(text.substr(at, size - at));
        result += n_hidden > 0 ? '?' : text[at];
        if (n_hidden > 1) at += n_hidden - 1;
    }
    return result + (size < text.size() ? "…'" : "'");
}

std::string notes_text(const GraphNotes& notes) {
    std::vector<std::string> parts;
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    if (notes.n_duplicates > 0)
        parts.push_back(counted(count(notes.n_duplicates), "duplicate edge") + " left out");
    if (notes.n_self_edges > 0) parts.push_back(counted(count(notes.n_self_edges), "self-edge"));
    parts.insert(parts.end(), notes.others.begin(), notes.others.end());
    return joined(parts);
}

int GroupLabels::find_or_add_group(std::string_view label) {
    if (label.empty()) return 0;
    const auto next = static_cast<int>(group_of_.size()) + 1;
    return group_of_.emplace(label, next).first->second;
}

void GroupLabels::note(GraphNotes& notes) const {
    constexpr std::size_t kMostNamed = 12;
    if (group_of_.empty() || group_of_.size() > kMostNamed) return;
    std::vector<std::string> names(group_of_.size());
    for (const auto& [label, group] : group_of_)
        names[static_cast<std::size_t>(group) - 1] = fmt::format("{} {}", group, shown(label));
    notes.others.push_back("groups " + joined(names));
}

void GraphBuilder::set_directed(Directed directed) {
    read_.graph.directed = directed == Directed::Yes;
}

std::optional<int> GraphBuilder::find_node(std::string_view name) const {
    const auto found = index_of_.find(std::string(name));
    if (found == index_of_.end()) return std::nullopt;
    return found->second;
}

int GraphBuilder::node_named(std::string_view name) {
    const auto found = find_node(name);
    return found ? *found : add_node(name);
}

int GraphBuilder::add_node(std::string_view name) {
    if (name.empty()) throw GraphRefusal("a node has no name; give it one");
    if (name.size() > kMaxNameBytes)
        throw GraphRefusal(fmt::format("the name of a node has {} bytes; at most {} are read",
                                       name.size(), kMaxNameBytes));
    if (n_nodes() == kMaxNodes)
        throw GraphRefusal("there are more than 200,000 nodes; use a part of the graph");
    if (!index_of_.emplace(name, n_nodes()).second)
        throw GraphRefusal(fmt::format("two nodes are called {}; names must differ", shown(name)));
    read_.graph.nodes.push_back({.name = std::string(name)});
    return n_nodes() - 1;
}

void GraphBuilder::add_edge(int source, int target, float weight) {
    auto [low, high] = std::pair(source, target);
    if (!read_.graph.directed && low > high) std::swap(low, high);
    const auto key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
    if (!known_edges_.insert(key).second) {
        ++read_.notes.n_duplicates;
        return;
    }
    if (read_.graph.edges.size() == kMaxEdges)
        throw GraphRefusal("there are more than 2,000,000 edges; use a part of the graph");
    read_.graph.edges.push_back({source, target, weight});
    if (source == target) ++read_.notes.n_self_edges;
}

ReadGraph GraphBuilder::take() {
    if (read_.graph.nodes.empty())
        throw GraphRefusal("there are no nodes; a graph needs at least one");
    return std::move(read_);
}

void FileEdges::begin(int source, int target, Directed directed) {
    constexpr std::size_t kMostLines = std::size_t{4} * kMaxEdges;  // most of them duplicates
    if (edges_.size() == kMostLines)
        throw GraphRefusal("there are more than 8,000,000 edges with duplicates; use a part");
    edges_.push_back({source, target, 1, directed});
    has_weight_ = false;
}

void FileEdges::set(std::string_view attribute, std::string_view text) {
    const std::string name = ascii_lower(attribute);
    if (text.empty() || name == "id") return;
    const auto number = finite_number(text);
    if (name == "weight" && !number)
        throw GraphRefusal(fmt::format("the weight {} {}", shown(text), why_no_number(text)));
    if (name == "weight" || (name == "value" && number && !has_weight_)) {
        edges_.back().weight = *number;
        has_weight_ = true;
    } else if (!is_among(attribute, without_effect_) && without_effect_.size() < kMostAttributes) {
        without_effect_.emplace_back(attribute);
    }
}

void FileEdges::set_weights(const std::vector<float>& weights) {
    for (std::size_t k = 0; k < edges_.size(); ++k) edges_[k].weight = weights[k];
}

void FileEdges::add_to(GraphBuilder& builder) const {
    const auto n_undirected = std::ranges::count(edges_, Directed::No, &FileEdge::directed);
    const bool is_mixed = n_undirected > 0 && n_undirected < std::ssize(edges_);
    if (!edges_.empty())
        builder.set_directed(is_mixed || n_undirected == 0 ? Directed::Yes : Directed::No);
    for (const auto& [source, target, weight, directed] : edges_) {
        builder.add_edge(source, target, weight);
        if (is_mixed && directed == Directed::No && source != target)
            builder.add_edge(target, source, weight);
    }
    if (is_mixed)
        builder.note(counted(n_undirected, "undirected edge") +
                     " of a directed graph taken as one edge each way");
    if (!without_effect_.empty())
        builder.note(note_of_no_effect("attribute", without_effect_, "edges"));
}

std::string note_of_no_effect(std::string_view what, const std::vector<std::string>& names,
                              std::string_view whose) {
    constexpr std::size_t kMostNamed = 8;
    return fmt::format("without effect: {}{} {} of {}", what, names.size() == 1 ? "" : "s",
                       joined_few(names, kMostNamed, shown), whose);
}

std::optional<float> finite_number(std::string_view text) {
    float number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    if (failure != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
    return number;
}

bool is_finite_number(std::string_view text) {
    return finite_number(text).has_value();
}

namespace {

/// True of a number in digits that a float cannot hold.
bool is_beyond_float(std::string_view text) {
    float number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    return failure == std::errc::result_out_of_range && rest == end;
}

/// True if a number that a float cannot hold is too small: it is below 1, or its exponent is
/// negative, or it begins with a zero.
bool is_tiny(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    if (read_digits(text.data(), end, number).ec == std::errc()) return std::abs(number) < 1;
    return text.find_first_of("0.") == (text.starts_with('-') ? 1 : 0) ||
           text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
}

}  // namespace

std::string why_no_number(std::string_view text) {
    if (!is_beyond_float(text)) return "is not a finite number";
    return is_tiny(text) ? "is too small for a number of 32 bits; write 0, or at least 1.2e-38"
                         : "is too large for a number of 32 bits; write at most 3.4e38";
}

bool is_unusable_number(std::string_view text) {
    float number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    const bool is_whole = !text.empty() && rest == end;
    return is_beyond_float(text) || (is_whole && failure == std::errc() && !std::isfinite(number));
}

}  // namespace headlight
