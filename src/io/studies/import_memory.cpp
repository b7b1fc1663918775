#include "io/studies/import_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/window_state.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxMemoryBytes = 4 << 20, kMaxImports = 20;

using Texts = std::vector<std::string>;

struct RememberedImport {
    Texts arrays, mappings;
};

/// "W (8 × 6)", in one order.
Texts described(const std::vector<ArrayShape>& arrays) {
    Texts texts;
    for (const ArrayShape& array : arrays)
        texts.push_back(fmt::format("{} ({})", array.name, shape_text(array.rows, array.columns)));
    std::ranges::sort(texts);
    return texts;
}

Texts texts_in(const JsonView& list) {
    Texts texts;
    list.for_each_element([&](const JsonView& text) { texts.push_back(text.text()); });
    return texts;
}

std::vector<RememberedImport> read_imports(const std::filesystem::path& memory) {
    std::vector<RememberedImport> imports;
    try {
        const std::string name = path_text(memory);
        const JsonSource source{name, parse_json(read_file(memory, kMaxMemoryBytes), name)};
        JsonView(source).at("imports").for_each_element([&](const JsonView& import) {
            imports.push_back({texts_in(import.at("arrays")), texts_in(import.at("mappings"))});
        });
    } catch (const Error&) {
        imports.clear();
    }
    return imports;
}

}  // namespace

std::filesystem::path import_memory_file() {
    const std::filesystem::path folder = state_folder();
    return folder.empty() ? folder : folder / "imports.json";
}

std::vector<TensorMapping> remembered_mappings(const std::filesystem::path& memory,
                                               const std::vector<ArrayShape>& arrays) {
    std::vector<TensorMapping> mappings;
    if (memory.empty()) return mappings;
    const Texts wanted = described(arrays);
    for (const RememberedImport& import : read_imports(memory)) {
        if (import.arrays != wanted) continue;
        try {
            for (const std::string& text : import.mappings)
                mappings.push_back(parse_mapping(text, arrays));
        } catch (const Error&) {
            mappings.clear();
        }
        break;
    }
    return mappings;
}

void remember_mappings(const std::filesystem::path& memory, const std::vector<ArrayShape>& arrays,
                       const std::vector<TensorMapping>& mappings) {
    if (memory.empty()) return;
    std::vector<RememberedImport> imports = read_imports(memory);
    RememberedImport now{described(arrays), {}};
    for (const TensorMapping& mapping : mappings)
        now.mappings.push_back(
            mapping_text(mapping, *std::ranges::find(arrays, mapping.name, &ArrayShape::name)));
    std::erase_if(imports,
                  [&](const RememberedImport& import) { return import.arrays == now.arrays; });
    imports.insert(imports.begin(), std::move(now));
    imports.resize(std::min(imports.size(), kMaxImports));
    std::string text = "{\n  \"imports\": [";
    for (const RememberedImport& import : imports)
        text += fmt::format("{}\n    {{\"arrays\": {}, \"mappings\": {}}}",
                            &import == imports.data() ? "" : ",", json_list(import.arrays),
                            json_list(import.mappings));
    std::error_code ignored;
    std::filesystem::create_directories(memory.parent_path(), ignored);
    write_file(memory, text + "\n  ]\n}\n");
}

}  // namespace headlight
