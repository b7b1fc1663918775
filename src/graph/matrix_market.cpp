#include "graph/matrix_market.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

enum class Symmetry { General, Symmetric, Skew };

class MatrixMarketReader {
  public:
    MatrixMarketReader(std::string_view text, std::string_view source_name)
        : lines_(text, "Matrix Market", source_name) {}

    ReadGraph read() {
        read_banner();
        try {
            read_size();
            is_array_ ? read_columns() : read_entries();
            return builder_->take();
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
    }

  private:
    /// Returns the cells of the next line that is no comment and not empty.
    const std::vector<std::string_view>* next_cells() {
        while (lines_.next()) {
            if (is_comment(lines_.line())) continue;
            const auto& cells = cells_.split(lines_.line(), Separator::Blank);
            if (!cells.empty()) return &cells;
        }
        return nullptr;
    }

    void read_banner() {
        if (!lines_.next()) lines_.fail_whole("is empty");
        const std::string banner = ascii_lower(lines_.line());
        const std::vector<std::string_view> words = cells_.split(banner, Separator::Blank);
        if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
            lines_.fail(
                "the first line must be like '%%MatrixMarket matrix coordinate real general'");
        is_array_ = words[2] == "array";
        if (!is_array_ && words[2] != "coordinate") fail_word(words[2], "'coordinate' or 'array'");
        is_pattern_ = words[3] == "pattern" && !is_array_;
        if (!is_pattern_ && words[3] != "real" && words[3] != "integer" && words[3] != "double")
            fail_word(words[3],
                      is_array_ ? "'real' or 'integer'" : "'real', 'integer' or 'pattern'");
        if (words[4] == "symmetric")
            symmetry_ = Symmetry::Symmetric;
        else if (words[4] == "skew-symmetric")
            symmetry_ = Symmetry::Skew;
        else if (words[4] != "general")
            fail_word(words[4], "'general', 'symmetric' or 'skew-symmetric'");
    }

    [[noreturn]] void fail_word(std::string_view word, const std::string& known) const {
        lines_.fail("{} cannot be read; it can be {}", shown(word), known);
    }

    /// Reads "rows columns entries", or "rows columns".
    void read_size() {
        const auto* cells = next_cells();
        if (!cells) lines_.fail_whole("the line with the sizes is missing; the file is incomplete");
        const std::size_t wanted = is_array_ ? 2 : 3;
        if (cells->size() != wanted)
            lines_.fail("the sizes must be {} whole numbers: {}", wanted,
                        is_array_ ? "rows, columns" : "rows, columns, entries");
        const std::uint64_t n_rows = whole_number((*cells)[0]),
                            n_columns = whole_number((*cells)[1]);
        if (!is_array_) n_entries_ = whole_number((*cells)[2]);
        if (n_rows != n_columns)
            lines_.fail("the matrix is {} × {}; the matrix of a graph must be square", n_rows,
                        n_columns);
        if (n_rows > kMaxNodes)
            throw GraphRefusal("there are more than 200,000 nodes; use a part of the graph");
        if (n_entries_ > kMaxEdges)
            throw GraphRefusal("there are more than 2,000,000 edges; use a part of the graph");
        builder_.emplace(symmetry_ == Symmetry::Symmetric ? Directed::No : Directed::Yes);
        for (std::uint64_t i = 1; i <= n_rows; ++i) builder_->add_node(std::to_string(i));
    }

    std::uint64_t whole_number(std::string_view text) const {
        std::uint64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [rest, failure] = std::from_chars(text.data(), end, number);
        if (failure != std::errc() || rest != end)
            lines_.fail("{} is not a whole number from 0 to 18446744073709551615", shown(text));
        return number;
    }

    /// Reads "row column value", counted from 1.
    void read_entries() {
        std::uint64_t n_read = 0;
        while (const auto* cells = next_cells()) {
            if (++n_read > n_entries_)
                lines_.fail("there are more entries than the sizes say, which is {}", n_entries_);
            const std::size_t wanted = is_pattern_ ? 2 : 3;
            if (cells->size() != wanted)
                lines_.fail("this entry has {}; it must have {}{}",
                            counted(cells->size(), "number"), wanted,
                            is_pattern_ ? ": row, column" : ": row, column, value");
            const int row = index((*cells)[0]), column = index((*cells)[1]);
            add(row, column, is_pattern_ ? 1 : value((*cells)[2]));
        }
        if (n_read < n_entries_)
            lines_.fail_whole(fmt::format(
                "only {} of the {} entries are there; the file is incomplete", n_read, n_entries_));
    }

    /// Reads one value a line, column by column; of symmetric matrices from the diagonal down.
    void read_columns() {
        const int n = builder_->n_nodes();
        for (int column = 0; column < n; ++column) {
            const int first = symmetry_ == Symmetry::General ? 0
                              : symmetry_ == Symmetry::Skew  ? column + 1
                                                             : column;
            for (int row = first; row < n; ++row) {
                const auto* cells = next_cells();
                if (!cells) lines_.fail_whole("values are missing; the file is incomplete");
                if (cells->size() != 1)
                    lines_.fail("this line has {}; a line of an array must have one",
                                counted(cells->size(), "value"));
                add(row, column, value(cells->front()));
            }
        }
        if (next_cells()) lines_.fail("there are more values than the sizes say");
    }

    int index(std::string_view text) const {
        const std::uint64_t number = whole_number(text);
        if (number < 1 || number > static_cast<std::uint64_t>(builder_->n_nodes()))
            lines_.fail("the index {} is not between 1 and {}", number, builder_->n_nodes());
        return static_cast<int>(number) - 1;
    }

    float value(std::string_view text) const {
        const auto number = finite_number(text);
        if (!number) lines_.fail("the value {} {}", shown(text), why_no_number(text));
        return *number;
    }

    void add(int row, int column, float weight) {
        if (symmetry_ != Symmetry::General && column > row)
            lines_.fail(
                "this entry is above the diagonal; a symmetric or skew-symmetric matrix stores "
                "only its lower half");
        if (symmetry_ == Symmetry::Skew && row == column)
            lines_.fail(
                "this entry is on the diagonal, which a skew-symmetric matrix does not store");
        if (weight == 0) return;
        builder_->add_edge(row, column, weight);
        if (symmetry_ == Symmetry::Skew) builder_->add_edge(column, row, -weight);
    }

    TextLines lines_;
    Cells cells_;
    std::optional<GraphBuilder> builder_;
    bool is_array_ = false, is_pattern_ = false;
    Symmetry symmetry_ = Symmetry::General;
    std::uint64_t n_entries_ = 0;
};

}  // namespace

ReadGraph read_matrix_market(std::string_view text, std::string_view source_name) {
    return MatrixMarketReader(text, source_name).read();
}

}  // namespace headlight
