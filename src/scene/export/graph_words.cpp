#include "scene/export/graph_words.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "io/text/json_text.h"

namespace headlight {
namespace {

constexpr int kMostColumn = 1'000'000, kMostOfEachNode = 1'000'000;

template <typename Number>
std::optional<Number> number_in(std::string_view text, Number least, Number most) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, value);
    const bool is_number = failure == std::errc() && rest == end;
    return is_number && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// What follows "strongest:"; nothing if the text begins otherwise.
std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
    if (!text.starts_with(begin)) return std::nullopt;
    return text.substr(begin.size());
}

}  // namespace

std::string edges_word(const GraphLook& look) {
    switch (look.edges) {
        case GraphLook::EdgesShown::Strongest:
            return fmt::format("strongest:{}", look.n_strongest);
        case GraphLook::EdgesShown::Weight:
            return "weight:" + number_text(look.least_weight);
        case GraphLook::EdgesShown::Chosen:
            return "chosen";
        case GraphLook::EdgesShown::All:
            break;
    }
    return "all";
}

bool read_edges_word(GraphLook& look, std::string_view word) {
    using Shown = GraphLook::EdgesShown;
    if (word == "all" || word == "chosen") {
        look.edges = word == "all" ? Shown::All : Shown::Chosen;
        return true;
    }
    if (const auto text = after(word, "strongest:"))
        if (const auto n = number_in(*text, 1, kMostOfEachNode)) {
            look.edges = Shown::Strongest;
            look.n_strongest = *n;
            return true;
        }
    if (const auto text = after(word, "weight:"))
        if (const auto least = number_in(*text, 0.0f, 1.0f)) {
            look.edges = Shown::Weight;
            look.least_weight = *least;
            return true;
        }
    return false;
}

std::string nodes_word(const GraphLook& look) {
    switch (look.nodes) {
        case GraphLook::NodeColors::Groups:
            return "group";
        case GraphLook::NodeColors::Feature:
            return fmt::format("feature:{}", look.column);
        case GraphLook::NodeColors::Output:
            return fmt::format("output:{}", look.column);
        case GraphLook::NodeColors::Classes:
            break;
    }
    return "class";
}

bool read_nodes_word(GraphLook& look, std::string_view word) {
    using Colors = GraphLook::NodeColors;
    if (word == "class" || word == "group") {
        look.nodes = word == "class" ? Colors::Classes : Colors::Groups;
        return true;
    }
    for (const auto& [begin, colors] : {std::pair(std::string_view("feature:"), Colors::Feature),
                                        std::pair(std::string_view("output:"), Colors::Output)}) {
        const auto text = after(word, begin);
        const auto column = text ? number_in(*text, 0, kMostColumn) : std::nullopt;
        if (!column) continue;
        look.nodes = colors;
        look.column = *column;
        return true;
    }
    return false;
}

std::string graph_zoom_word(const GraphZoom& zoom) {
    return fmt::format("{}:{}:{}", number_text(zoom.zoom), number_text(zoom.x),
                       number_text(zoom.y));
}

bool read_graph_zoom_word(GraphZoom& zoom, std::string_view word) {
    const std::size_t first = word.find(':'), second = word.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return false;
    const auto factor = number_in(word.substr(0, first), 1.0, kMostGraphZoom);
    const auto x = number_in(word.substr(first + 1, second - first - 1), 0.0, 1.0);
    const auto y = number_in(word.substr(second + 1), 0.0, 1.0);
    if (!factor || !x || !y) return false;
    zoom = {*factor, *x, *y};
    return true;
}

}  // namespace headlight
