// Table: named columns of texts and of numbers, as analyses of heads and of logits make them.
//
// Goals: one table is a file of any format that holds numbers. Not goals: matrices of a trace,
// whose rows and columns are its axes (csv.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/matrix.h"
#include "core/plan.h"
#include "core/progress.h"
#include "core/trace.h"

namespace headlight {

struct TableColumn {
    std::string name;
    /// The cells, as many in each column. A NaN counts as no number: the cell is empty.
    std::variant<std::vector<std::string>, std::vector<double>> cells;
};

struct Table {
    std::string name = {};     // "sweep": what its numbers are called in an archive
    std::string caption = {};  // its description, in a sentence
    std::vector<TableColumn> columns = {};
    std::size_t n_labels = 1;  // the number of first columns that say what a row is of

    std::size_t n_rows() const;
    /// Adds a column after the others, to be filled.
    std::vector<std::string>& add_texts(std::string column);
    std::vector<double>& add_numbers(std::string column);
};

/// Returns the number of a cell; nothing where it is a text, or where there is none.
std::optional<Scalar> number_in(const Table& table, std::size_t row, std::size_t column);
/// Returns the text of a cell; "" where it is no text.
std::string text_in(const Table& table, std::size_t row, std::size_t column);

/// Keeps only those rows, in that order.
void keep_rows(Table& table, const std::vector<std::size_t>& rows);

/// Returns the numbers without labels and texts, for formats that hold nothing else: rows × columns
/// of numbers.
Matrix numbers_of(const Table& table);
/// Returns the names of these columns.
std::vector<std::string> number_columns(const Table& table);

/// Writes [{"column": "text", "other column": 0.5}, …], an object a row; a cell without a number is
/// null.
std::string write_table_json(const Table& table, const Steps& steps = {});

/// The rows of a tensor, whose first column has the names of the rows.
struct TensorRows {
    const Trace& trace;
    const Tensor& tensor;  // with values
    const char* corner;    // between the names of rows and columns, in the first head

    Index n_rows() const { return tensor.value->rows(); }
    Index n_columns() const { return 1 + tensor.value->cols(); }
    std::string head(Index column) const {
        if (column > 0) return column_head(trace, tensor, column - 1);
        return axis_name(trace, tensor.rows()) + corner + axis_name(trace, tensor.columns());
    }
    bool is_number(Index column) const { return column > 0; }
    bool is_label(Index column) const { return column == 0; }
    std::optional<Scalar> number(Index row, Index column) const {
        if (column == 0) return std::nullopt;
        return (*tensor.value)(row, column - 1);
    }
    std::string text(Index row, Index column) const {
        return column == 0 ? axis_label(trace, tensor.rows(), row) : "";
    }
};

struct TableRows {
    const Table& table;

    Index n_rows() const { return static_cast<Index>(table.n_rows()); }
    Index n_columns() const { return std::ssize(table.columns); }
    std::string head(Index column) const { return at(column).name; }
    bool is_number(Index column) const {
        return std::holds_alternative<std::vector<double>>(at(column).cells);
    }
    /// Numbers that identify a row, such as a head's, are written as they are.
    bool is_label(Index column) const { return column < static_cast<Index>(table.n_labels); }
    std::optional<Scalar> number(Index row, Index column) const {
        return number_in(table, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
    }
    std::string text(Index row, Index column) const {
        return text_in(table, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
    }

  private:
    const TableColumn& at(Index column) const {
        return table.columns[static_cast<std::size_t>(column)];
    }
};

}  // namespace headlight
