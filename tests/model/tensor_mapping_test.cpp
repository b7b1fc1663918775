#include "model/imports/tensor_mapping.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "model/evaluate.h"

namespace headlight::tensor_mapping_test {
namespace {

const ArrayShape kArray{"a.T[0:1]", 6, 4};
const std::vector<ArrayShape> kArrays{{"W", 6, 4}, kArray};

}  // namespace

TEST_CASE("mappings: a written mapping is read back, also with names that look like parts") {
    for (const ArrayShape& array : kArrays)
        for (const auto& part : {std::optional<CellRange>(), std::optional(CellRange{1, 0, 2, 4}),
                                 std::optional(CellRange{0, 2, 6, 2})})
            for (const Turn turn : {Turn::Kept, Turn::Transposed}) {
                const TensorMapping mapping{array.name, part, turn, "embed"};
                const std::string text = mapping_text(mapping, array);
                INFO(text);
                CHECK(parse_mapping(text, kArrays) == mapping);
            }
}

TEST_CASE("mappings: a part is cut out, then transposed") {
    Matrix array(3, 2);
    array << 1, 2, 3, 4, 5, 6;
    PlannedTensor tensor;
    tensor.rows.size = 2, tensor.columns.size = 1;
    const TensorMapping mapping{"W", CellRange{1, 0, 1, 2}, Turn::Transposed, "x"};
    CHECK(fits(mapping, {"W", 3, 2}, tensor));
    const Matrix cut = mapped_values(mapping, array, tensor);
    REQUIRE(cut.rows() == 2);
    CHECK(cut(0, 0) == 3);
    CHECK(cut(1, 0) == 4);
    CHECK_FALSE(fits({"W", CellRange{3, 0, 1, 2}, Turn::Transposed, "x"}, {"W", 3, 2}, tensor));
    CHECK_FALSE(fits({"W", std::nullopt, Turn::Kept, "x"}, {"W", 3, 2}, tensor));
}

TEST_CASE("mappings: a vector fits a row and a column") {
    PlannedTensor row;
    row.columns.size = 3;
    const TensorMapping mapping{"b", std::nullopt, Turn::Kept, "x"};
    CHECK(fits(mapping, {"b", 3, 1}, row));
    CHECK(mapped_values(mapping, Matrix::Ones(3, 1), row).cols() == 3);
    CHECK_FALSE(fits(mapping, {"b", 2, 1}, row));
}

TEST_CASE("mappings: the suggested tensors are leaves outside the probe") {
    const Trace trace(plan(built_in_sentence()));
    const TensorMapping mapping{"W", std::nullopt, Turn::Kept, ""};
    const std::vector<std::string> paths = fitting_paths(mapping, {"W", 32, 8}, trace);
    CHECK(paths.size() == 12);  // W_Q, W_K, W_V of four heads
    CHECK(fitting_paths(mapping, {"W", 7, 13}, trace).empty());
}

}  // namespace headlight::tensor_mapping_test
