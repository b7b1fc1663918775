#include "cli/output/csv_cell.h"

#include <filesystem>

#include "core/error.h"
#include "io/files/file.h"

namespace headlight {

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

void check_is_csv_name(const std::string& file, const std::string& others) {
    const std::filesystem::path path = file;
    if (path.extension() != ".csv")
        throw Error(path_text(path), "this is a table; the extension must be .csv" + others);
}

}  // namespace headlight
