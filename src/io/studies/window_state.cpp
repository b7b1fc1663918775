#include "io/studies/window_state.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxStateBytes = 1 << 20, kMostFiles = 64;
constexpr Scalar kLeastSide = 320, kMostSide = 20000;
constexpr int kFarthest = 100000, kMostPage = 1000000;
constexpr Scalar kLeastZoom = 0.5f, kMostZoom = 4;

/// Returns the folder; empty if it is relative, since XDG base directories are absolute or are not
/// set (specification 0.8).
std::filesystem::path folder_from(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path folder = value ? value : "";
    return folder.is_absolute() ? folder : std::filesystem::path();
}

std::string parse_path(const JsonView& text) {
    return path_from_stored(text.text()).native();
}

/// Reads {"open": ["/a.headlight"], "shown": 0}; before there were tabs, it was one path, or "".
OpenFiles parse_files(const JsonView& view) {
    OpenFiles files;
    if (!view.is_object()) {
        std::string only = parse_path(view);
        if (!only.empty()) files.names.push_back(std::move(only));
        return files;
    }
    view.expect_keys({"open", "shown"});
    const JsonView open = view.at("open");
    if (open.size() > kMostFiles) open.fail("at most 64 files are opened again");
    open.for_each_element([&](const JsonView& file) { files.names.push_back(parse_path(file)); });
    files.shown = static_cast<std::size_t>(
        view.at("shown").integer(0, static_cast<std::int64_t>(kMostFiles)));
    return files;
}

std::string files_text(const OpenFiles& files) {
    const std::string names = joined(
        files.names, ", ", [](const std::string& file) { return json_string(stored_path(file)); });
    return "{\"open\": [" + names + "], \"shown\": " + std::to_string(files.shown) + "}";
}

}  // namespace

std::filesystem::path state_folder() {
    std::filesystem::path folder = folder_from("XDG_STATE_HOME");
    if (folder.empty()) {
        const std::filesystem::path home = folder_from("HOME");
        if (home.empty()) return {};
        folder = home / ".local" / "state";
    }
    return folder / "headlight";
}

std::optional<WindowState> read_window_state(const std::filesystem::path& file) {
    try {
        return parse_window_state(read_file(file, kMaxStateBytes), path_text(file));
    } catch (const Error&) {
        return std::nullopt;
    }
}

WindowState parse_window_state(std::string_view bytes, const std::string& source) {
    const JsonSource json{source, parse_json(bytes, source)};
    const JsonView root(json);
    WindowState state;
    root.expect_keys({"width", "height", "maximised", "place", "theme", "zoom", "workspace",
                      "files", "lecture", "lecture_page"});
    state.width = root.at("width").number(kLeastSide, kMostSide);
    state.height = root.at("height").number(kLeastSide, kMostSide);
    state.is_maximised = root.at("maximised").flag();
    if (const auto place = root.find("place")) {
        if (place->size() != 2) place->fail("must be two numbers");
        state.place = ScreenPlace{static_cast<int>((*place)[0].integer(-kFarthest, kFarthest)),
                                  static_cast<int>((*place)[1].integer(-kFarthest, kFarthest))};
    }
    std::vector<std::pair<std::string_view, ThemeName>> themes;
    for (const ThemeWord& theme : theme_words()) themes.emplace_back(theme.word, theme.name);
    state.theme = root.at("theme").choice(themes);
    state.zoom = root.at("zoom").number(kLeastZoom, kMostZoom);
    const JsonView files = root.at("files");
    if (files.size() != state.files.size()) files.fail("must be one for each workspace");
    for (std::size_t i = 0; i < state.files.size(); ++i) state.files[i] = parse_files(files[i]);
    if (const auto lecture = root.find("lecture")) state.lecture = parse_path(*lecture);
    if (const auto page = root.find("lecture_page"))
        state.lecture_page = static_cast<int>(page->integer(0, kMostPage));
    const auto last = static_cast<std::int64_t>(state.files.size() + 1);  // training and lecture
    state.workspace = static_cast<int>(root.at("workspace").integer(0, last));
    return state;
}

void write_window_state(const std::filesystem::path& file, const WindowState& state) {
    std::string text = fmt::format("{{\n  \"width\": {},\n  \"height\": {},\n  \"maximised\": {}",
                                   number_text(state.width), number_text(state.height),
                                   state.is_maximised ? "true" : "false");
    if (state.place)
        text += fmt::format(",\n  \"place\": [{}, {}]", state.place->x, state.place->y);
    for (const ThemeWord& theme : theme_words())
        if (theme.name == state.theme) text += ",\n  \"theme\": " + json_string(theme.word);
    text += fmt::format(",\n  \"zoom\": {},\n  \"workspace\": {},\n  \"files\": [",
                        number_text(state.zoom), state.workspace);
    for (std::size_t i = 0; i < state.files.size(); ++i)
        text += (i > 0 ? ",\n    " : "\n    ") + files_text(state.files[i]);
    text += "\n  ]";
    if (!state.lecture.empty())
        text += fmt::format(",\n  \"lecture\": {},\n  \"lecture_page\": {}",
                            json_string(stored_path(state.lecture)), state.lecture_page);
    text += "\n}\n";
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    write_file(file, text);
}

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
