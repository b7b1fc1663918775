#include "cli/set_values.h"

#include "core/error.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "scene/options/item_names.h"

namespace headlight {
namespace {

/// A file knows no difference between a row and a list of numbers.
Matrix fitted(const Matrix& values, const PlannedTensor& tensor) {
    const bool is_list = values.cols() == 1 && tensor.rows.size == 1;
    return is_list && values.rows() == tensor.columns.size ? Matrix(values.transpose()) : values;
}

}  // namespace

void set_values(Document& document, const NamedMatrices& values, const std::string& source) {
    const std::shared_ptr<const Plan> planned = plan(document);
    Document changed = document;
    std::string problems;
    for (const auto& [path, matrix] : values) {
        try {
            const PlannedTensor& tensor = (*planned)[tensor_named(*planned, path)];
            set_tensor(changed, tensor, fitted(matrix, tensor));
        } catch (const Error& error) {
            problems += std::string("\n  ") + error.what();
        }
    }
    if (!problems.empty()) throw Error(source, "does not fit the study:" + problems);
    document = std::move(changed);
}

}  // namespace headlight
