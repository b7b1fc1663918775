#include "io/text/table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <utility>

#include "io/text/json_text.h"

namespace headlight {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

std::vector<const TableColumn*> columns_of_numbers(const Table& table) {
    std::vector<const TableColumn*> found;
    for (std::size_t k = table.n_labels; k < table.columns.size(); ++k)
        if (std::holds_alternative<Numbers>(table.columns[k].cells))
            found.push_back(&table.columns[k]);
    return found;
}

/// Returns distinct keys, since an object has a key only once: the second "it" is "it#2".
Texts keys_of(const Table& table) {
    Texts keys;
    for (const TableColumn& column : table.columns) {
        std::string key = column.name;
        for (int n = 2; std::ranges::find(keys, key) != keys.end(); ++n)
            key = fmt::format("{}#{}", column.name, n);
        keys.push_back(std::move(key));
    }
    return keys;
}

std::string cell_json(const Table& table, std::size_t row, std::size_t column) {
    if (std::holds_alternative<Texts>(table.columns[column].cells))
        return json_string(text_in(table, row, column));
    const auto number = number_in(table, row, column);
    return number ? json_number(*number) : "null";
}

}  // namespace

std::size_t Table::n_rows() const {
    if (columns.empty()) return 0;
    return std::visit([](const auto& cells) { return cells.size(); }, columns.front().cells);
}

std::vector<std::string>& Table::add_texts(std::string column) {
    columns.push_back({std::move(column), Texts{}});
    return std::get<Texts>(columns.back().cells);
}

std::vector<double>& Table::add_numbers(std::string column) {
    columns.push_back({std::move(column), Numbers{}});
    return std::get<Numbers>(columns.back().cells);
}

std::optional<Scalar> number_in(const Table& table, std::size_t row, std::size_t column) {
    const auto* numbers = std::get_if<Numbers>(&table.columns[column].cells);
    if (!numbers || std::isnan((*numbers)[row])) return std::nullopt;
    return static_cast<Scalar>((*numbers)[row]);
}

std::string text_in(const Table& table, std::size_t row, std::size_t column) {
    const auto* texts = std::get_if<Texts>(&table.columns[column].cells);
    return texts ? (*texts)[row] : "";
}

void keep_rows(Table& table, const std::vector<std::size_t>& rows) {
    for (TableColumn& column : table.columns)
        std::visit(
            [&](auto& cells) {
                std::decay_t<decltype(cells)> kept;
                for (const std::size_t row : rows) kept.push_back(cells[row]);
                cells = std::move(kept);
            },
            column.cells);
}

Matrix numbers_of(const Table& table) {
    const std::vector<const TableColumn*> columns = columns_of_numbers(table);
    Matrix matrix(static_cast<Index>(table.n_rows()), std::ssize(columns));
    for (Index j = 0; j < matrix.cols(); ++j) {
        const Numbers& numbers = std::get<Numbers>(columns[static_cast<std::size_t>(j)]->cells);
        for (Index i = 0; i < matrix.rows(); ++i)
            matrix(i, j) = static_cast<Scalar>(numbers[static_cast<std::size_t>(i)]);
    }
    return matrix;
}

std::vector<std::string> number_columns(const Table& table) {
    std::vector<std::string> names;
    for (const TableColumn* column : columns_of_numbers(table)) names.push_back(column->name);
    return names;
}

std::string write_table_json(const Table& table, const Steps& steps) {
    const std::size_t n = table.n_rows();
    const Texts keys = keys_of(table);
    std::string json = "[";
    for (std::size_t i = 0; i < n; ++i) {
        json += i == 0 ? "\n  {" : ",\n  {";
        for (std::size_t k = 0; k < table.columns.size(); ++k)
            json += fmt::format("{}{}: {}", k > 0 ? ", " : "", json_string(keys[k]),
                                cell_json(table, i, k));
        json += "}";
        steps.advance(1.0 / static_cast<double>(n));
    }
    return json + "\n]\n";
}

}  // namespace headlight
