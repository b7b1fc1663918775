#include "io/text/values_json.h"

#include <fmt/format.h>
#include <limits>

#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

Scalar read_value(const JsonView& view) {
    const bool is_nan = view.is_text() && view.text() == "nan";
    return is_nan ? std::numeric_limits<Scalar>::quiet_NaN() : view.number(Infinity::Allowed);
}

void check_size(const JsonView& object, std::string_view key, std::size_t size) {
    const auto view = object.find(key);
    if (!view) return;
    if (view->unsigned_integer() != size)
        view->fail("does not agree with 'values', where it is {}", size);
}

Matrix read_values(const JsonView& object) {
    object.expect_keys({"rows", "columns", "equation", "values"});
    const JsonView rows = object.at("values");
    const std::size_t n_rows = rows.size();
    std::size_t n_columns = n_rows == 0 ? 0 : rows[0].size();
    if (n_rows == 0)
        if (const auto columns = object.find("columns")) n_columns = columns->integer(0, 1 << 30);
    check_size(object, "rows", n_rows);
    check_size(object, "columns", n_columns);
    Matrix matrix(static_cast<Index>(n_rows), static_cast<Index>(n_columns));
    for (std::size_t i = 0; i < n_rows; ++i) {
        const JsonView row = rows[i];
        if (row.size() != n_columns)
            row.fail("this row has {}, the first has {}",
                     counted(static_cast<std::int64_t>(row.size()), "value"), n_columns);
        for (std::size_t j = 0; j < n_columns; ++j)
            matrix(static_cast<Index>(i), static_cast<Index>(j)) = read_value(row[j]);
    }
    return matrix;
}

std::string tensor_json(const Tensor& tensor, const Steps& steps) {
    const Matrix& values = *tensor.value;
    std::string text = fmt::format(
        "{}: {{\n"
        "    \"rows\": {},\n"
        "    \"columns\": {},\n"
        "    \"equation\": {},\n"
        "    \"values\": [",
        json_string(tensor.path()), values.rows(), values.cols(), json_string(tensor.equation()));
    for (Index i = 0; i < values.rows(); ++i) {
        text += (i == 0 ? "\n      " : ",\n      ") + json_row(values, i);
        steps.advance(1.0 / static_cast<double>(values.rows()));
    }
    return text + (values.rows() == 0 ? "]\n  }" : "\n    ]\n  }");
}

}  // namespace

std::string write_values_json(const std::vector<const Tensor*>& tensors, const Steps& steps) {
    std::string text = "{";
    for (const Tensor* tensor : tensors)
        text += (tensor == tensors.front() ? "\n  " : ",\n  ") +
                tensor_json(*tensor, steps.part(1.0 / static_cast<double>(tensors.size())));
    return text + "\n}\n";
}

NamedMatrices read_values_json(std::string_view bytes, const std::string& source) {
    const JsonSource json{source, parse_json(bytes, source)};
    NamedMatrices matrices;
    JsonView(json).for_each_member([&](const std::string& path, const JsonView& object) {
        matrices.emplace_back(path, read_values(object));
    });
    return matrices;
}

}  // namespace headlight
