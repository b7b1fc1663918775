#include "io/files/folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <tuple>

#include "io/files/file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
    return text;
}

FolderEntry read_folder_entry(const fs::path& path) {
    FolderEntry entry{.name = path.filename()};
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return entry;  // a link to nothing
    entry.is_folder = S_ISDIR(status.st_mode);
    entry.size_bytes = static_cast<std::uintmax_t>(status.st_size);
    entry.changed_at = status.st_mtim.tv_sec;
    return entry;
}

}  // namespace

// std::filesystem's iterator is not used: it ends the program when there is no memory for a name.
std::vector<fs::path> names_in(const fs::path& folder, std::error_code& error) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    std::vector<fs::path> names;
    errno = open ? 0 : errno;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
        errno = 0;
    }
    error.assign(errno, std::generic_category());
    return names;
}

FolderContents list_folder(const fs::path& folder) {
    FolderContents contents;
    std::error_code error;
    for (const fs::path& name : names_in(folder, error))
        contents.entries.push_back(read_folder_entry(folder / name));
    if (error) contents.problem = fmt::format("{}: {}", path_text(folder), error.message());
    std::ranges::sort(contents.entries, {}, [](const FolderEntry& entry) {
        return std::tuple(!entry.is_folder, lower(entry.name.native()), entry.name.native());
    });
    return contents;
}

fs::path typed_path(const fs::path& folder, const std::string& typed) {
    const char* home = std::getenv("HOME");
    if (home && (typed == "~" || typed.starts_with("~/")))
        return (fs::path(home) / typed.substr(std::min<std::size_t>(2, typed.size())))
            .lexically_normal();
    return (folder / typed).lexically_normal();
}

std::string complete_path(const fs::path& folder, const std::string& typed) {
    const std::size_t start = typed.rfind('/') + 1;  // 0 if there is none
    const std::string before = typed.substr(0, start), name = typed.substr(start);
    std::vector<FolderEntry> found = list_folder(typed_path(folder, before)).entries;
    std::erase_if(found, [&](const FolderEntry& entry) {
        return !entry.name.native().starts_with(name) || (entry.is_hidden() && name.empty());
    });
    if (found.empty()) return typed;
    std::string common = found.front().name.native();
    for (const FolderEntry& entry : found) {
        const auto end = std::ranges::mismatch(common, entry.name.native()).in1;
        common.erase(end, common.end());
    }
    const bool is_one_folder = found.size() == 1 && found.front().is_folder;
    return before + common + (is_one_folder ? "/" : "");
}

fs::path free_name(const fs::path& wanted) {
    std::error_code ignored;
    fs::path name = wanted;
    for (int number = 2; fs::exists(name, ignored); ++number)
        name = wanted.parent_path() / (fmt::format("{}-{}{}", wanted.stem().native(), number,
                                                   wanted.extension().native()));
    return name;
}

std::string size_text(std::uintmax_t size_bytes) {
    constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
    auto size = static_cast<double>(size_bytes);
    std::size_t unit = 0;
    for (; size >= 999.5 && unit + 1 < std::size(kUnits); ++unit) size /= 1000;
    const int n_decimals = size < 9.95 && unit > 0 ? 1 : 0;
    return fmt::format("{:.{}f} {}", size, n_decimals, kUnits[unit]);
}

std::string time_text(std::time_t time) {
    std::tm local{};
    if (time == 0 || !::localtime_r(&time, &local)) return "";
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return text;
}

}  // namespace headlight
