// The window's state, written and read back.
#include "io/studies/window_state.h"

#include <cstdlib>
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "io/files/file.h"

namespace headlight::window_state_test {
namespace {

WindowState some_state() {
    WindowState state;
    state.width = 1280.5f;
    state.height = 720;
    state.is_maximised = true;
    state.place = ScreenPlace{-1920, 40};
    state.theme = ThemeName::Contrast;
    state.zoom = 1.265625f;
    state.workspace = 2;
    state.files = {OpenFiles{{"/a\xFF %41.headlight", "/b.headlight"}, 1},
                   OpenFiles{{"/a \"b\".headlight"}, 1}, OpenFiles{{"/ü/graph.edges"}, 0},
                   OpenFiles{}};
    state.lecture = "/ü/mine.lecture";
    state.lecture_page = 4;
    return state;
}

}  // namespace

TEST_CASE("window state: a written state is read back, also from a folder that did not exist") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.file("a/b/window.json");
    for (const WindowState& state : {some_state(), WindowState{}}) {
        write_window_state(file, state);
        CHECK(read_window_state(file) == state);
    }
}

TEST_CASE("window state: a broken file counts as missing") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.file("window.json");
    CHECK(!read_window_state(file));
    write_window_state(file, some_state());
    const std::string whole = read_file(file);
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
        write_file(file, whole.substr(0, length));
        CHECK_MESSAGE(!read_window_state(file), length);
    }
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        text.replace(text.find(from), from.size(), to);
        write_file(file, text);
        return read_window_state(file).has_value();
    };
    CHECK(changed("1280.5", "1281"));
    CHECK(!changed("1280.5", "-5"));
    CHECK(!changed("1280.5", "1e30"));
    CHECK(!changed("\"contrast\"", "\"pink\""));
    CHECK(changed("\"workspace\": 2", "\"workspace\": 5"));  // lectures
    CHECK(!changed("\"workspace\": 2", "\"workspace\": 6"));
    CHECK(!changed("\"lecture_page\": 4", "\"lecture_page\": -1"));
    CHECK(!changed("\"shown\": 1", "\"shown\": -1"));
    CHECK(!changed("\"shown\": 1", "\"seen\": 1"));
    CHECK(!changed("[-1920, 40]", "[-1920]"));
    CHECK(!changed(",\n    {\"open\": [], \"shown\": 0}\n  ]", "]"));
}

TEST_CASE("window state: the state of a window without tabs is read, one file a workspace") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.file("window.json");
    write_file(file, R"({"width": 1280, "height": 720, "maximised": false, "theme": "dark",
        "zoom": 1, "workspace": 2, "files": ["/a.headlight", "", "/g.edges", ""]})");
    const auto state = read_window_state(file);
    REQUIRE(state);
    CHECK(state->theme == ThemeName::Dark);
    CHECK(state->files[0] == OpenFiles{{"/a.headlight"}, 0});
    CHECK(state->files[1] == OpenFiles{});
    CHECK(state->files[2] == OpenFiles{{"/g.edges"}, 0});
}

TEST_CASE("window state: its folder is the one that the system specifies") {
    const char* before = std::getenv("XDG_STATE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_STATE_HOME", "/somewhere", 1);
    CHECK(state_folder() == "/somewhere/headlight");
    setenv("XDG_STATE_HOME", "relative", 1);  // counts as not set
    setenv("HOME", "/home/her", 1);
    CHECK(state_folder() == "/home/her/.local/state/headlight");
    before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
}

}  // namespace headlight::window_state_test
