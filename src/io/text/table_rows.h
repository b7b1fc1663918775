// What writers of tables read: a tensor with the names of its axes, or a table. Both have lines of
// cells under heads; a cell is a number or a text.
#pragma once

#include <optional>
#include <string>

#include "core/axis_names.h"
#include "core/trace.h"
#include "io/text/table.h"

namespace headlight {

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
