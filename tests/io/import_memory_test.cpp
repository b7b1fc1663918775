#include "io/studies/import_memory.h"

#include <doctest/doctest.h>

#include "../temporary_folder.h"

namespace headlight::import_memory_test {
namespace {

const std::vector<ArrayShape> kArrays{{"a \"quoted\"", 4, 4}, {"b", 2, 1}};
const std::vector<TensorMapping> kMappings{
    {"a \"quoted\"", CellRange{0, 0, 2, 4}, Turn::Transposed, "x"},
    {"b", std::nullopt, Turn::Kept, "y"}};

}  // namespace

TEST_CASE("import memory: the targets of arrays are found by names and shapes, in any order") {
    const TemporaryFolder folder;
    const std::string file = folder.file("state/imports.json");
    CHECK(remembered_mappings(file, kArrays).empty());
    remember_mappings(file, kArrays, kMappings);
    CHECK(remembered_mappings(file, kArrays) == kMappings);
    CHECK(remembered_mappings(file, {kArrays[1], kArrays[0]}) == kMappings);
    CHECK(remembered_mappings(file, {kArrays[1]}).empty());
    CHECK(remembered_mappings(file, {kArrays[1], {"a \"quoted\"", 5, 4}}).empty());
    remember_mappings(file, kArrays, {});
    CHECK(remembered_mappings(file, kArrays).empty());
}

TEST_CASE("import memory: the last twenty files are remembered, and a broken memory is discarded") {
    const TemporaryFolder folder;
    const std::string file = folder.file("imports.json");
    for (Index n = 1; n <= 21; ++n)
        remember_mappings(file, {{"W", n, 1}}, {{"W", std::nullopt, Turn::Kept, "x"}});
    CHECK(remembered_mappings(file, {{"W", 1, 1}}).empty());
    CHECK(remembered_mappings(file, {{"W", 2, 1}}).size() == 1);
    folder.with("imports.json", "{\"imports\": [1]}");
    CHECK(remembered_mappings(file, {{"W", 2, 1}}).empty());
    remember_mappings(file, kArrays, kMappings);
    CHECK(remembered_mappings(file, kArrays) == kMappings);
}

}  // namespace headlight::import_memory_test
