// Adjacency matrices, adjacency lists and SIF.
#include "graph/adjacency.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns the number in a cell of a matrix; 0 in an empty one. NaN stands for one that is refused
/// when the matrix is read: nan, inf, 1e50.
std::optional<float> matrix_number(std::string_view cell) {
    if (is_unusable_number(cell)) return std::numeric_limits<float>::quiet_NaN();
    return cell.empty() ? 0 : finite_number(cell);
}

template <typename Cells>
bool are_matrix_numbers(const Cells& cells, std::size_t begin = 0) {
    for (std::size_t k = begin; k < cells.size(); ++k)
        if (!matrix_number(cells[k])) return false;
    return true;
}

template <typename Cells>
bool has_no_number(const Cells& cells) {
    return std::ranges::none_of(
        cells, [](std::string_view cell) { return finite_number(cell).has_value(); });
}

bool are_different(std::vector<std::string> names) {
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
}

struct MatrixNames {
    bool in_first_line = false, in_first_column = false;
};

/// The properties of a text's lines that decide whether it is a matrix.
struct TableShape {
    std::vector<std::string> first_line;
    std::vector<std::string> first_cells;   // of the other lines
    std::size_t n_lines = 0, n_cells = 0;   // lines with the first; cells of the longest other one
    bool others_are_numbers = true;         // all cells of the other lines
    std::vector<std::vector<float>> small;  // the other lines, if they are at most three

    /// Returns nothing if a line has a name after its first cell, or lines differ in length.
    static std::optional<TableShape> of(std::string_view text);

    bool first_line_is_numbers() const { return are_matrix_numbers(first_line); }
    std::optional<MatrixNames> names_of_square() const;
    bool is_oblong() const;
};

std::optional<TableShape> TableShape::of(std::string_view text) {
    TableLines lines(text, "edge list", "");
    TableShape shape;
    if (!lines.next()) return std::nullopt;
    shape.first_line.assign(lines.cells().begin(), lines.cells().end());
    shape.n_lines = 1;
    while (lines.next()) {
        const auto& cells = lines.cells();
        const bool may_be_shorter = lines.separator() != Separator::Blank;
        const bool has_length = shape.n_lines == 1 || cells.size() == shape.n_cells;
        if (!are_matrix_numbers(cells, 1) || (!has_length && !may_be_shorter) ||
            cells.size() > shape.first_line.size() + 1)
            return std::nullopt;
        shape.others_are_numbers = shape.others_are_numbers && matrix_number(cells[0]).has_value();
        shape.n_cells = std::max(shape.n_cells, cells.size());
        shape.first_cells.emplace_back(cells[0]);
        if (++shape.n_lines <= 4 && shape.others_are_numbers) {
            shape.small.emplace_back();
            for (const std::string_view cell : cells)
                shape.small.back().push_back(*matrix_number(cell));
        }
        const std::size_t most_lines = shape.first_line.size() <= 3 ? 5 : kMaxNodes + 1;
        if (shape.n_lines > most_lines) return std::nullopt;
    }
    return shape;
}

/// True if nine numbers are a matrix rather than three edges with weights.
bool is_small_matrix(std::vector<std::vector<float>> rows) {
    for (std::vector<float>& row : rows) row.resize(3);
    const auto all = [&](auto is_so) {
        return std::ranges::all_of(
            rows, [&](const auto& row) { return std::ranges::all_of(row, is_so); });
    };
    if (all([](float value) { return value == 0 || value == 1; })) return true;
    if (rows[0][0] == 0 && rows[1][1] == 0 && rows[2][2] == 0) return true;
    return std::ranges::any_of(rows, [](const auto& row) {
        return row[0] != std::floor(row[0]) || row[1] != std::floor(row[1]);
    });
}

std::optional<MatrixNames> TableShape::names_of_square() const {
    const std::size_t n_others = n_lines - 1, n_first = first_line.size();
    const bool has_corner = n_first == n_lines;
    if (n_others >= 2 && n_cells <= n_lines &&
        (has_corner || (n_first == n_others && n_cells == n_lines)) &&
        std::equal(first_line.begin() + (has_corner ? 1 : 0), first_line.end(), first_cells.begin(),
                   first_cells.end()) &&
        (!has_corner || !finite_number(first_line[0])) && are_different(first_cells))
        return MatrixNames{true, true};
    if (first_line_is_numbers() && others_are_numbers && n_lines >= 3 && n_first <= n_lines &&
        std::max(n_cells, n_first) == n_lines) {
        std::vector<std::vector<float>> rows(1);
        for (const std::string& cell : first_line) rows[0].push_back(*matrix_number(cell));
        rows.insert(rows.end(), small.begin(), small.end());
        if (n_lines > 3 || is_small_matrix(std::move(rows))) return MatrixNames{false, false};
    }
    if (n_others >= 3 && n_first == n_others && n_cells <= n_others && others_are_numbers &&
        has_no_number(first_line) && are_different(first_line) &&
        (n_others > 3 || is_small_matrix(small)))
        return MatrixNames{true, false};
    std::vector<std::string> row_names = first_cells;
    row_names.push_back(n_first > 0 ? first_line[0] : "");
    if (n_lines >= 3 && n_first <= n_lines + 1 && std::max(n_cells, n_first) == n_lines + 1 &&
        are_matrix_numbers(first_line, 1) && has_no_number(row_names) && are_different(row_names))
        return MatrixNames{false, true};
    return std::nullopt;
}

bool TableShape::is_oblong() const {
    return n_lines >= 2 && first_line_is_numbers() && others_are_numbers && first_line.size() > 3 &&
           n_cells == first_line.size();
}

class AdjacencyMatrixReader {
  public:
    AdjacencyMatrixReader(std::string_view text, Directed directed, std::string_view source)
        : text_(text), directed_(directed), lines_(text, "adjacency matrix", source) {}

    ReadGraph read() {
        const auto shape = TableShape::of(text_);
        const auto names = shape ? shape->names_of_square() : std::nullopt;
        if (!names) fail_shape(shape);
        try {
            read_nodes(*shape, *names);
            read_rows(*names);
            add_edges();
            return builder_.take();
        } catch (const GraphRefusal& refusal) {
            lines_.lines().fail(refusal.what());
        }
    }

  private:
    struct Entry {
        int row, column;
        float weight;
        auto operator<=>(const Entry&) const = default;
    };

    [[noreturn]] void fail_shape(const std::optional<TableShape>& shape) const {
        const std::string here = shape ? fmt::format("; here are {} of {}",
                                                     counted(std::int64_t(shape->n_lines), "line"),
                                                     counted(std::int64_t(shape->n_cells), "cell"))
                                       : "";
        lines_.lines().fail_whole(
            "the matrix of a graph has as many rows as columns, all of numbers" + here);
    }

    void read_nodes(const TableShape& shape, const MatrixNames& names) {
        const std::size_t n = shape.n_lines - (names.in_first_line ? 1 : 0);
        const std::size_t corner = shape.first_line.size() > n ? 1 : 0;
        for (std::size_t k = 0; k < n; ++k) {
            if (names.in_first_line)
                builder_.add_node(shape.first_line[k + corner]);
            else if (names.in_first_column)
                builder_.add_node(k == 0 ? shape.first_line[0] : shape.first_cells[k - 1]);
            else
                builder_.add_node(std::to_string(k));
        }
    }

    void read_rows(const MatrixNames& names) {
        if (names.in_first_line && lines_.next()) lines_.check_quotes();
        for (int row = 0; lines_.next(); ++row) {
            lines_.check_quotes();
            const auto& cells = lines_.cells();
            const std::size_t first = names.in_first_column ? 1 : 0;
            for (std::size_t k = first; k < cells.size(); ++k) {
                const float weight = *matrix_number(cells[k]);
                if (std::isnan(weight))
                    lines_.lines().fail("the entry {} {}", shown(cells[k]),
                                        why_no_number(cells[k]));
                if (weight != 0) entries_.push_back({row, static_cast<int>(k - first), weight});
            }
            if (entries_.size() > std::size_t{2} * kMaxEdges)
                throw GraphRefusal("there are more than 2,000,000 edges; use a part of the graph");
        }
    }

    bool is_symmetric() const {
        std::vector<Entry> turned;
        for (const auto& [row, column, weight] : entries_) turned.push_back({column, row, weight});
        std::ranges::sort(turned);
        return turned == entries_;
    }

    void add_edges() {
        const bool is_directed = directed_ == Directed::Yes || !is_symmetric();
        builder_.set_directed(is_directed ? Directed::Yes : Directed::No);
        for (const auto& [row, column, weight] : entries_)
            if (is_directed || row <= column) builder_.add_edge(row, column, weight);
        builder_.note(fmt::format("read as an adjacency matrix{}",
                                  is_directed && directed_ == Directed::No
                                      ? "; directed, since it is not symmetric"
                                      : ""));
    }

    std::string_view text_;
    Directed directed_;
    TableLines lines_;
    GraphBuilder builder_{Directed::Yes};
    std::vector<Entry> entries_;  // in order
};

/// Returns the end of the name before a colon, as in "Anna: Ben, Carla"; npos if there is none.
std::size_t end_of_node(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return std::string_view::npos;
    const bool ends_name =
        colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t';
    const bool is_first = line.substr(0, colon).find_first_of(",;\t\"") == std::string_view::npos;
    return ends_name && is_first ? colon : std::string_view::npos;
}

/// The lines of an adjacency list, as TableLines. A node that a colon ends is the first cell; the
/// text after the colon decides the separator of the others.
class NodeLines {
  public:
    NodeLines(std::string_view text, std::string_view source)
        : lines_(text, "adjacency list", source), is_of_networkx_(has_networkx_comments(text)) {
        if (is_of_networkx_) separator_ = Separator::Blank;
    }

    bool next() {
        while (lines_.next()) {
            const std::string_view line = trimmed(lines_.line());
            if (is_comment(line)) continue;
            const std::size_t end = is_of_networkx_ ? std::string_view::npos : end_of_node(line);
            has_colon_ = end != std::string_view::npos;
            const std::string_view others = has_colon_ ? line.substr(end + 1) : line;
            if (separator_ == Separator::Unknown) separator_ = detect_separator(others);
            cells_ = split_.split(others, separator_);
            if (has_colon_) cells_.insert(cells_.begin(), trimmed(line.substr(0, end)));
            if (!cells_.empty()) return true;
        }
        return false;
    }

    /// Returns the node, then those that it has edges to.
    const std::vector<std::string_view>& cells() const { return cells_; }
    bool has_colon() const { return has_colon_; }
    const TextLines& lines() const { return lines_; }

    /// Throws Error, with the line. In NetworkX's files anything but a blank belongs to a name.
    void check() const {
        if (is_of_networkx_) return;
        split_.check_quotes(lines_);
        check_separators(lines_, cells_, separator_);
    }

  private:
    TextLines lines_;
    Cells split_;
    std::vector<std::string_view> cells_;
    Separator separator_ = Separator::Unknown;
    bool is_of_networkx_, has_colon_ = false;
};

bool cannot_be_a_node(std::string_view name) {
    return name.find_first_of("[]{}()") != std::string_view::npos || name.ends_with(':') ||
           name.find(": ") != std::string_view::npos;
}

/// True if the text can be an adjacency list, without looking at comments.
bool has_a_line_for_every_node(std::string_view text) {
    NodeLines lines(text, "");
    std::unordered_set<std::string> first_names, others;
    std::size_t n_lines = 0, n_colons = 0, least = kMaxNodes, most = 0;
    while (lines.next()) {
        auto cells = lines.cells();
        if (++n_lines > kMaxNodes) return false;
        least = std::min(least, cells.size());
        most = std::max(most, cells.size());
        if (lines.has_colon()) ++n_colons;
        if (!first_names.emplace(cells[0]).second) return false;
        for (std::size_t k = 1; k < cells.size(); ++k) others.emplace(cells[k]);
        if (std::ranges::any_of(cells, cannot_be_a_node)) return false;
        std::ranges::sort(cells);
        if (std::ranges::adjacent_find(cells) != cells.end()) return false;
    }
    const bool cannot_be_edges = most > 3 || (most == 3 && least < 3);
    const bool has_all =
        std::ranges::all_of(others, [&](const auto& name) { return first_names.contains(name); });
    if (n_colons > 0) return n_lines > 1 && n_colons == n_lines && (has_all || most > 2);
    return cannot_be_edges && n_lines > 1 && has_all;
}

class AdjacencyListReader {
  public:
    AdjacencyListReader(std::string_view text, Directed directed, std::string_view source)
        : lines_(text, source), builder_(directed) {}

    ReadGraph read() {
        try {
            while (lines_.next()) read_line();
            builder_.note("read as an adjacency list");
            return builder_.take();
        } catch (const GraphRefusal& refusal) {
            lines_.lines().fail(refusal.what());
        }
    }

  private:
    void read_line() {
        lines_.check();
        const auto& cells = lines_.cells();
        const int node = builder_.node_named(cells[0]);
        for (std::size_t k = 1; k < cells.size(); ++k)
            builder_.add_edge(node, builder_.node_named(cells[k]));
    }

    NodeLines lines_;
    GraphBuilder builder_;
};

class SifReader {
  public:
    SifReader(std::string_view text, Directed directed, std::string_view source)
        : lines_(text, "SIF", source),
          separator_(text.find('\t') == std::string_view::npos ? Separator::Blank : Separator::Tab),
          builder_(directed) {}

    ReadGraph read() {
        try {
            while (lines_.next()) read_line(cells_.split(lines_.line(), separator_));
            if (!kinds_.empty())
                builder_.note("kinds of edges without effect: " +
                              joined_few(kinds_, std::size_t{6}, shown));
            return builder_.take();
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
    }

  private:
    void read_line(const std::vector<std::string_view>& cells) {
        if (cells.empty()) return;
        cells_.check_quotes(lines_);
        if (cells.size() == 2)
            lines_.fail(
                "this line has two cells; in SIF it has a node, the kind of edge, and one or more "
                "targets, or a node by itself");
        const int source = builder_.node_named(cells[0]);
        constexpr std::size_t kMostKinds = 1000;
        if (cells.size() > 1 && kinds_.size() < kMostKinds && !is_among(cells[1], kinds_))
            kinds_.emplace_back(cells[1]);
        for (std::size_t k = 2; k < cells.size(); ++k)
            builder_.add_edge(source, builder_.node_named(cells[k]));
    }

    TextLines lines_;
    Separator separator_;
    Cells cells_;
    GraphBuilder builder_;
    std::vector<std::string> kinds_;
};

}  // namespace

bool is_adjacency_matrix(std::string_view text) {
    const auto shape = TableShape::of(text);
    return shape && (shape->names_of_square() || shape->is_oblong());
}

ReadGraph read_adjacency_matrix(std::string_view text, Directed directed,
                                std::string_view source_name) {
    return AdjacencyMatrixReader(text, directed, source_name).read();
}

bool has_networkx_comments(std::string_view text) {
    return text.starts_with('#') &&
           text.substr(std::min(text.find('\n'), text.size())).starts_with("\n# GMT ");
}

bool is_adjacency_list(std::string_view text) {
    return has_networkx_comments(text) || has_a_line_for_every_node(text);
}

ReadGraph read_adjacency_list(std::string_view text, Directed directed,
                              std::string_view source_name) {
    return AdjacencyListReader(text, directed, source_name).read();
}

ReadGraph read_sif(std::string_view text, Directed directed, std::string_view source_name) {
    return SifReader(text, directed, source_name).read();
}

}  // namespace headlight
