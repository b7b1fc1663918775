#include "io/studies/window_state.h"

#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/arrays/stored_path.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxStateBytes = 64 << 10;
constexpr Scalar kLeastSide = 320, kMostSide = 20000;
constexpr int kFarthest = 100000;
constexpr Scalar kLeastZoom = 0.5f, kMostZoom = 4;

/// XDG base directories are absolute or are not set (specification 0.8).
std::filesystem::path folder_from(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path folder = value ? value : "";
    return folder.is_absolute() ? folder : std::filesystem::path();
}

std::vector<std::pair<std::string_view, ThemeName>> theme_choices() {
    std::vector<std::pair<std::string_view, ThemeName>> choices;
    for (const ThemeWord& theme : theme_words()) choices.emplace_back(theme.word, theme.name);
    return choices;
}

ScreenPlace parse_place(const JsonView& place) {
    if (place.size() != 2) place.fail("must be two numbers");
    return {static_cast<int>(place[0].integer(-kFarthest, kFarthest)),
            static_cast<int>(place[1].integer(-kFarthest, kFarthest))};
}

WindowState parse(const JsonView& root) {
    WindowState state;
    root.expect_keys(
        {"width", "height", "maximised", "place", "theme", "zoom", "workspace", "files"});
    state.width = root.at("width").number(kLeastSide, kMostSide);
    state.height = root.at("height").number(kLeastSide, kMostSide);
    state.is_maximised = root.at("maximised").flag();
    if (const auto place = root.find("place")) state.place = parse_place(*place);
    state.theme = root.at("theme").choice(theme_choices());
    state.zoom = root.at("zoom").number(kLeastZoom, kMostZoom);
    const JsonView files = root.at("files");
    if (files.size() != state.files.size()) files.fail("must be one for each workspace");
    for (std::size_t i = 0; i < state.files.size(); ++i)
        state.files[i] = path_from_stored(files[i].text()).native();
    const auto last = static_cast<std::int64_t>(state.files.size());  // the training has no file
    state.workspace = static_cast<int>(root.at("workspace").integer(0, last));
    return state;
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
    return parse(JsonView(json));
}

void write_window_state(const std::filesystem::path& file, const WindowState& state) {
    std::string text = "{\n  \"width\": " + number_text(state.width) +
                       ",\n  \"height\": " + number_text(state.height) +
                       ",\n  \"maximised\": " + (state.is_maximised ? "true" : "false");
    if (state.place)
        text += ",\n  \"place\": [" + std::to_string(state.place->x) + ", " +
                std::to_string(state.place->y) + "]";
    for (const ThemeWord& theme : theme_words())
        if (theme.name == state.theme) text += ",\n  \"theme\": " + json_string(theme.word);
    text += ",\n  \"zoom\": " + number_text(state.zoom) +
            ",\n  \"workspace\": " + std::to_string(state.workspace) + ",\n  \"files\": [";
    for (std::size_t i = 0; i < state.files.size(); ++i)
        text += (i > 0 ? ", " : "") + json_string(stored_path(state.files[i]));
    text += "]\n}\n";
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    write_file(file, text);
}

}  // namespace headlight
