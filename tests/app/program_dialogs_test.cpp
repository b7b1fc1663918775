// Every dialog on a small screen, upright and lying: it lies within the window, nothing in it is
// cut or covered, and a pointer closes it.
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/driver.h"
#include "crashing_window.h"
#include "io/arrays/npz.h"
#include "temporary_folder.h"

namespace headlight::program_dialogs_test {
namespace {

constexpr WindowSize kSizes[] = {{390, 800, 1}, {800, 390, 1}, {1280, 800, 1}};

void find(Driver& d, const std::string& text) {
    d.press(Key::K, Modifier::Ctrl);
    d.type(text);
    d.press(Key::Enter);
}

struct Opening {
    std::string title;
    std::function<void(Driver&)> open;
    std::string left_by = "close " + title;
};

std::function<void(Driver&)> by_key(Key key, Modifier modifier = Modifier::None) {
    return [=](Driver& d) { d.press(key, modifier); };
}

std::function<void(Driver&)> by_name(const std::string& name) {
    return [=](Driver& d) { find(d, name); };
}

/// Returns every dialog of the window, but that about the work of a window that has crashed.
std::vector<Opening> openings(const TemporaryFolder& folder) {
    const std::string arrays =
        folder.with("weights.npz", write_npz({{"other", Matrix::Constant(32, 8, Scalar(0.25))},
                                              {"strange", Matrix::Ones(5, 7)}}));
    const std::string lecture = folder.with("small.lecture", "# Small\n\n## Only\n\nHere.\n");
    return {{"Find", by_key(Key::K, Modifier::Ctrl)},
            {"Compare A with", by_key(Key::B, Modifier::Ctrl)},
            {"Keys and gestures", by_key(Key::F1)},
            {"Options of the view", by_key(Key::V)},
            {"Options of the view", by_name("Colours")},
            {"Open", by_key(Key::O, Modifier::Ctrl)},
            {"Save as", by_key(Key::S, Modifier::Ctrl)},
            {"Import", by_name("Import matrices")},
            {"Import matrices", [arrays](Driver& d) { d.drop(arrays), d.settle(); }},
            {"Get a model", by_name("Get a model")},
            {"Export", by_key(Key::E, Modifier::Ctrl)},
            {"Export the lecture",
             [lecture](Driver& d) {
                 d.drop(lecture);
                 d.settle();
                 d.press(Key::E, Modifier::Ctrl);
             }},
            {"Unsaved work",
             [](Driver& d) {
                 find(d, "causal: on");
                 d.push(make_event(InputEvent::Kind::Quit));
                 d.settle();
             },
             "button Stay"}};
}

bool is_control(const std::string& name) {
    return name.starts_with("button ") || name.starts_with("switch ") || name.starts_with("close ");
}

/// The dialog lies within the window, all that has a name between its sides, and no button on
/// another.
void check_fit(Driver& d, const std::string& title, const WindowSize& size) {
    INFO(title, " at ", size.width, " x ", size.height);
    const auto dialog = d.regions().find("dialog " + title);
    REQUIRE(dialog);
    CHECK(dialog->x >= 0);
    CHECK(dialog->y >= 0);
    CHECK(dialog->right() <= size.width);
    CHECK(dialog->bottom() <= size.height);
    std::vector<std::pair<std::string, Box>> controls;
    for (const auto& [name, box] : d.regions().boxes()) {
        if (!d.regions().is_in_popup(name)) continue;
        INFO(name);
        CHECK(box.x >= dialog->x - 1);
        CHECK(box.right() <= dialog->right() + 1);
        if (!is_control(name)) continue;
        for (const auto& [other, other_box] : controls) {
            INFO(other);
            CHECK(common_part(box, other_box).is_empty());
        }
        controls.emplace_back(name, box);
    }
}

}  // namespace

TEST_CASE("dialogs: each fits into a small window, and a pointer closes it") {
    const TemporaryFolder folder;
    ::setenv("XDG_STATE_HOME", folder.file("state").c_str(), 1);
    for (const WindowSize& size : kSizes)
        for (const Opening& opening : openings(folder)) {
            Driver d(size);
            opening.open(d);
            check_fit(d, opening.title, size);
            REQUIRE(d.has(opening.left_by));
            d.click(opening.left_by);
            INFO(opening.title);
            CHECK_FALSE(d.has("dialog " + opening.title));
            CHECK_FALSE(d.regions().has_popup());
        }
    ::unsetenv("XDG_STATE_HOME");
}

TEST_CASE("dialogs: that about the work of a window that has crashed fits, too") {
    for (const WindowSize& size : kSizes) {
        const TemporaryFolder folder;
        {
            CrashingWindow d(folder);
            d.replace_sentence("one two three");
        }
        CrashingWindow d(folder);
        REQUIRE(d.is_offered());
        d.resize(size.width, size.height);
        check_fit(d, "Work that was not saved", size);
        d.click("button Not now");
        CHECK_FALSE(d.is_offered());
    }
}

TEST_CASE("dialogs: the key that opened one closes it") {
    Driver d;
    const std::pair<std::string, std::function<void(Driver&)>> keys[] = {
        {"Find", by_key(Key::K, Modifier::Ctrl)},
        {"Compare A with", by_key(Key::B, Modifier::Ctrl)},
        {"Keys and gestures", by_key(Key::F1)},
        {"Options of the view", by_key(Key::V)}};
    for (const auto& [title, press] : keys)
        for (int times = 0; times < 2; ++times) {
            INFO(title);
            press(d);
            CHECK(d.has("dialog " + title));
            press(d);
            CHECK_FALSE(d.has("dialog " + title));
        }
}

TEST_CASE("dialogs: the cross of a list that was scrolled stays where it is") {
    Driver d({390, 800, 1});
    d.press(Key::F1);
    const Box before = *d.regions().find("close Keys and gestures");
    d.wheel({200, 400}, -20);
    CHECK(d.regions().find("close Keys and gestures")->y == before.y);
    d.click("close Keys and gestures");
    CHECK_FALSE(d.has("dialog Keys and gestures"));
}

}  // namespace headlight::program_dialogs_test
