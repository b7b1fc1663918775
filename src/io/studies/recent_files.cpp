#include "io/studies/recent_files.h"

#include <algorithm>
#include <system_error>

#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxListBytes = 1 << 20;

/// Reads the list with files that are gone, too: a USB stick may be plugged in again.
std::vector<fs::path> read_list(const fs::path& list) {
    std::vector<fs::path> files;
    try {
        const std::string name = path_text(list);
        const JsonSource source{name, parse_json(read_file(list, kMaxListBytes), name)};
        const JsonView root(source);
        root.for_each_element(
            [&](const JsonView& file) { files.push_back(path_from_stored(file.text())); });
    } catch (const Error&) {
        return {};
    }
    return files;
}

}  // namespace

std::vector<fs::path> read_recent_files(const fs::path& list) {
    std::vector<fs::path> files = read_list(list);
    std::erase_if(files, [](const fs::path& file) {
        std::error_code error;
        return !fs::is_regular_file(file, error) && !fs::is_directory(file, error);
    });
    return files;
}

void add_recent_file(const fs::path& list, const fs::path& file) {
    if (list.empty() || file.empty()) return;
    std::error_code error;
    fs::path full = fs::absolute(file, error).lexically_normal();
    if (error) return;
    if (!full.has_filename()) full = full.parent_path();  // "gpt2/"
    std::vector<fs::path> files = read_list(list);
    std::erase(files, full);
    files.insert(files.begin(), full);
    files.resize(std::min(files.size(), kMostRecentFiles));
    std::string text = "[";
    for (const fs::path& known : files)
        text += (text.size() > 1 ? ",\n  " : "\n  ") + json_string(stored_path(known));
    try {
        fs::create_directories(list.parent_path(), error);
        write_file(list, text + "\n]\n");
    } catch (const Error&) {
        return;
    }
}

}  // namespace headlight
