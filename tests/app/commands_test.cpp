#include "ui/window/commands.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "core/error.h"
#include "ui/input/shortcut.h"

namespace headlight::commands_test {
namespace {

TEST_CASE("commands: each has its own id, name and keys, and says what it does") {
    std::set<std::string_view> ids, names;
    std::vector<Shortcut> taken;
    for (const Command& command : all_commands()) {
        CHECK(ids.insert(command.id).second);
        CHECK(names.insert(command.name).second);
        CHECK(*command.what);
        CHECK(&command_at(command.id) == &command);
        for (const char* keys : {command.keys, command.more_keys})
            for (const Shortcut& shortcut : shortcuts_from(keys)) {
                CHECK(std::ranges::find(taken, shortcut) == taken.end());
                taken.push_back(shortcut);
            }
    }
    CHECK_THROWS_WITH_AS(command_at("undon"), "[command] there is no command “undon”", Error);
}

TEST_CASE("shortcuts_from: modifiers and a key; the key may be a plus; \"or\" separates several") {
    CHECK(shortcuts_from("").empty());
    CHECK(shortcuts_from("Ctrl++") == std::vector<Shortcut>{{Key::Plus, true}});
    CHECK(shortcuts_from("Alt+←") == std::vector<Shortcut>{{Key::Left, false, false, true}});
    CHECK(shortcuts_from("Ctrl+Shift+S") == std::vector<Shortcut>{{Key::S, true, true}});
    CHECK(shortcuts_from("F1 or ?") == std::vector<Shortcut>{{Key::F1}, {Key::Question}});
    CHECK_THROWS_WITH_AS(shortcuts_from("Ctrl+Nothing"), "[keys] there is no key “Ctrl+Nothing”",
                         Error);
}

}  // namespace
}  // namespace headlight::commands_test
