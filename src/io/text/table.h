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

#include "core/axis_names.h"
#include "core/matrix.h"
#include "core/steps.h"
#include "core/trace.h"

namespace headlight {

struct TableColumn {
    std::string name;
    /// As many in each column. A number that is NaN is none: an empty cell.
    std::variant<std::vector<std::string>, std::vector<double>> cells;
};

struct Table {
    std::string name = {};     // "sweep": what its numbers are called in an archive
    std::string caption = {};  // what it is, in a sentence
    std::vector<TableColumn> columns = {};
    std::size_t n_labels = 1;  // so many of the first columns say what a row is of

    std::size_t n_rows() const;
    /// A column after the others, to be filled.
    std::vector<std::string>& add_texts(std::string column);
    std::vector<double>& add_numbers(std::string column);
};

/// The number of a cell; nothing where it is a text, or where there is none.
std::optional<Scalar> number_in(const Table& table, std::size_t row, std::size_t column);
/// The text of a cell; "" where it is no text.
std::string text_in(const Table& table, std::size_t row, std::size_t column);

/// Those rows alone, in that order.
void keep_rows(Table& table, const std::vector<std::size_t>& rows);

/// The numbers without labels and texts, for formats that hold nothing else: rows × columns of
/// numbers.
Matrix numbers_of(const Table& table);
/// The names of these columns.
std::vector<std::string> number_columns(const Table& table);

/// [{"column": "text", "other column": 0.5}, …], an object a row; what is no number is null.
std::string write_table_json(const Table& table, const Steps& steps = {});

/// The first column has the names of the rows.
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
    /// A number that says what the row is of, such as a head's, is written as it is.
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
