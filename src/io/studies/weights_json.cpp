#include "io/studies/weights_json.h"

#include "io/arrays/stored_path.h"
#include "io/files/checksum.h"
#include "text/counted.h"

namespace headlight {
namespace {

SharedNames read_names(const JsonView& object, const char* key, Index size) {
    const auto list = object.find(key);
    if (!list) return nullptr;
    if (static_cast<Index>(list->size()) != size)
        list->fail("has " + counted(static_cast<std::int64_t>(list->size()), "name") + " for " +
                   std::to_string(size) + " " + key);
    std::vector<std::string> names;
    list->for_each_element([&](const JsonView& name) { names.push_back(name.text()); });
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

/// {"values": [[…]], "rows": ["the", …], "columns": […]}
WeightMatrix read_weight(const JsonView& object) {
    object.expect_keys({"values", "rows", "columns"});
    const JsonView rows = object.at("values");
    const std::size_t n_columns = rows.size() == 0 ? 0 : rows[0].size();
    Matrix values(static_cast<Index>(rows.size()), static_cast<Index>(n_columns));
    Index i = 0;
    rows.for_each_element([&](const JsonView& row) {
        if (row.size() != n_columns) row.fail("is not as long as the first row");
        Index j = 0;
        row.for_each_element(
            [&](const JsonView& value) { values(i, j++) = value.number(Infinity::Allowed); });
        ++i;
    });
    const Index n_rows = values.rows(), n = values.cols();
    return {.values = std::make_shared<const Matrix>(std::move(values)),
            .row_names = read_names(object, "rows", n_rows),
            .column_names = read_names(object, "columns", n)};
}

}  // namespace

SharedWeights read_weights_json(const JsonView& object) {
    object.expect_keys({"origin", "file", "model", "checksum", "matrices"});
    const auto origin = object.find("origin"), file = object.find("file"),
               model = object.find("model"), checksum = object.find("checksum"),
               matrices = object.find("matrices");
    if (matrices && (file || model || checksum))
        object.fail("has both 'matrices' and a 'file' or 'model'; keep one");
    if (file && model) object.fail("has both a 'file' and a 'model'; keep one");
    Weights weights;
    if (origin) weights.origin = origin->text();
    if (matrices) {
        WeightMatrices read;
        matrices->for_each_member([&](const std::string& path, const JsonView& matrix) {
            read.emplace(path, read_weight(matrix));
        });
        weights = *make_weights(std::move(read), weights.origin);
        weights.is_inside = true;
        return std::make_shared<const Weights>(std::move(weights));
    }
    if (file) weights.file = file->text();
    if (model) weights.file = path_from_stored(model->text()).native();
    weights.is_model = model.has_value();
    if (checksum) {
        const auto sum = parse_checksum(checksum->text());
        if (!sum) checksum->fail("is no checksum");
        weights.checksum = *sum;
    }
    weights.problem = "is not open: its weights were not there; open the study again";
    return std::make_shared<const Weights>(std::move(weights));
}

}  // namespace headlight
