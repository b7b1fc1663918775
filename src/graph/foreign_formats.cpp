#include "graph/foreign_formats.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "graph/adjacency.h"
#include "graph/graph.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::string_view beginning_of(std::string_view text) {
    constexpr std::size_t kBeginning = std::size_t{64} << 10;
    text = text.substr(0, kBeginning);
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool begins_with(std::string_view text, std::string_view word) {
    return ascii_lower(beginning_of(text).substr(0, word.size())) == word;
}

/// True of a line without a header: the number of nodes, at least 5 and at most 62, as one
/// character; then their pairs, 6 bits a character, filled up with zeros.
/// [McKay, nauty]
bool is_graph6_line(std::string_view line) {
    constexpr int kFirst = 63, kMost = 62;
    if (std::ranges::any_of(line, [](char c) { return c < kFirst || c > 126; })) return false;
    const int n = line.empty() ? 0 : line[0] - kFirst;
    const int n_pairs = n * (n - 1) / 2, n_bytes = (n_pairs + 5) / 6;
    if (n < 5 || n > kMost || std::ssize(line) != 1 + n_bytes) return false;
    const int n_unused = 6 * n_bytes - n_pairs;
    return ((line.back() - kFirst) & ((1 << n_unused) - 1)) == 0;
}

std::optional<std::uint64_t> whole_number_in(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    return failure == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool is_graph6(std::string_view text) {
    if (begins_with(text, ">>graph6<<") || begins_with(text, ">>sparse6<<") ||
        begins_with(text, ">>digraph6<<"))
        return true;
    const std::string_view line = trimmed(text.substr(0, 1000));
    return line.size() == trimmed(text).size() && is_graph6_line(line);
}

bool is_multiline_adjacency_list(std::string_view text) {
    return has_networkx_comments(text) && text.find('{') != std::string_view::npos;
}

bool is_ucinet(std::string_view text) {
    const std::string beginning = ascii_lower(beginning_of(text).substr(0, 200));
    return beginning.starts_with("dl") && beginning.size() > 2 &&
           (beginning[2] == ' ' || beginning[2] == '\n' || beginning[2] == '\r') &&
           (beginning.find("n=") != std::string::npos ||
            beginning.find("n =") != std::string::npos);
}

bool is_dimacs(std::string_view text) {
    std::string_view rest = beginning_of(text);
    while (rest.starts_with("c ") || rest.starts_with("c\n")) {
        rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
        rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
    }
    return rest.starts_with("p edge ") || rest.starts_with("p col ") || rest.starts_with("p sp ") ||
           rest.starts_with("p max ");
}

bool is_metis(std::string_view text) {
    TableLines lines(text, "edge list", "");
    if (!lines.next() || lines.cells().size() < 2 || lines.separator() != Separator::Blank)
        return false;
    const auto n = whole_number_in(lines.cells()[0]), n_edges = whole_number_in(lines.cells()[1]);
    if (lines.cells().size() > 2 || !n || !n_edges || *n < 3 || *n > kMaxNodes) return false;
    std::uint64_t n_lines = 0, n_cells = 0;
    while (lines.next()) {
        if (++n_lines > *n) return false;
        for (const std::string_view cell : lines.cells()) {
            const auto number = whole_number_in(cell);
            if (!number || *number < 1 || *number > *n || *number == n_lines) return false;
            ++n_cells;
        }
    }
    return n_lines == *n && n_cells == 2 * *n_edges;
}

bool is_yaml(std::string_view text) {
    return begins_with(text, "---\n") || begins_with(text, "---\r") || begins_with(text, "%yaml");
}

bool is_python(std::string_view text) {
    const std::string_view beginning = beginning_of(text);
    const std::string_view line = beginning.substr(0, beginning.find_first_of("\r\n"));
    const std::string_view end = trimmed(line);
    return begins_with(text, "[(") || begins_with(text, "{(") ||
           (begins_with(text, "(") && line.find(',') != std::string_view::npos &&
            (end.ends_with(')') || end.ends_with("),")));
}

}  // namespace headlight
