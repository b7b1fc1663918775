// Scripts: their language, and that wrong expectations are rejected.
#include "app/script.h"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "io/files/file.h"
#include "source_folder.h"

namespace headlight::script_test {
namespace {

using Texts = std::vector<std::string>;

std::string problem_of(const std::string& script) {
    try {
        parse_script(script, "s.script");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// The error of running the script on the built-in sentence.
std::string failure_of(Driver& driver, const std::string& script) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    try {
        run_script(driver, parse_script(script, "s.script"),
                   {.script = folder / "s.script", .output = folder});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

using Source = std::function<const std::uint8_t*(int x, int y)>;

/// The window with the pixels of the box replaced, reduced in size like stored pictures.
Pixels repainted(const Pixels& window, const Box& box, const Source& source) {
    Pixels changed = window;
    for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y)
        for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x)
            std::copy_n(source(x, y), 4, changed.rgba.data() + (window.at(x, y) - window.at(0, 0)));
    return shrunk(changed, kShrink);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("script: words in capitals in a usage line stand for text up to the next literal word") {
    CHECK(match_line("click THING", "click  button Undo ") == Texts{"button Undo"});
    CHECK(match_line("drag THING by X Y", "drag field Heads by 10 -3") ==
          Texts{"field Heads", "10", "-3"});
    CHECK(match_line("drag THING to THING", "drag cell a[0, 1] to cell a[2, 3]") ==
          Texts{"cell a[0, 1]", "cell a[2, 3]"});
    CHECK(match_line("expect no text TEXT", "expect no text at all") == Texts{"at all"});
    CHECK(match_line("type TEXT", "type  now") == Texts{" now"});
    CHECK(match_line("type TEXT", "type now ") == Texts{"now "});
    CHECK(match_line("replace FIELD with TEXT", "replace  Sentence  with  a b") ==
          Texts{"Sentence", " a b"});
    CHECK(!match_line("click THING", "click"));
    CHECK(!match_line("click THING", "clicks button Undo"));
    CHECK(!match_line("drag THING by X Y", "drag field Heads by 10"));
    CHECK(!match_line("set FIELD = NUMBER", "set Heads 3"));
}

TEST_CASE("script: what Find does not have, and numbers that a field cannot take, fail") {
    Driver driver;
    CHECK(has(failure_of(driver, "find zzzzqqq"), "Find has nothing for it"));
    CHECK(failure_of(driver, "find temperature") == "");
    CHECK(has(failure_of(driver, "set Heads = 999"), "Heads can be 1 to 256, not 999"));
    CHECK(has(failure_of(driver, "set Heads = 2.5"), "Heads can be 1 to 256, not 2.5"));
    CHECK(failure_of(driver, "set Heads = 2") == "");
    CHECK(has(failure_of(driver, "set Score = additive"), "“choose FIELD = CHOICE”"));
    CHECK(driver.document().sentence()->layer.attention.n_heads == 2);
}

TEST_CASE("script: what is typed where no field has the keyboard fails, and names its line") {
    Driver driver;
    const std::string failure = failure_of(driver, "press Esc\ntype lost words");
    CHECK(has(failure, "s.script:2] type lost words: "));
    CHECK(has(failure, "no field has the keyboard: nothing was typed"));
    CHECK(failure_of(driver, "click text Sentence\ntype !") == "");
    CHECK(failure_of(driver,
                     "double-click cell blocks.0.attn.heads.0.pattern[0, 0]\n"
                     "type 0.5\n"
                     "press Enter") == "");
}

TEST_CASE("script: every kind of line matches its own usage, and none before it") {
    for (const ScriptLine& line : script_lines()) {
        const auto first = std::ranges::find_if(script_lines(), [&](const ScriptLine& other) {
            return match_line(other.usage, line.usage).has_value();
        });
        CHECK_MESSAGE(first->usage == std::string_view(line.usage), line.usage);
    }
}

TEST_CASE("script: docs/commands.md explains every kind of line") {
    const std::string docs = read_file(source_folder() / "docs/commands.md");
    for (const ScriptLine& line : script_lines())
        CHECK_MESSAGE(has(docs, std::string("| `") + line.usage + "` | " + line.what + " |"),
                      line.usage);
}

TEST_CASE("script: empty lines and comments are left out, the others keep their numbers") {
    const auto steps = parse_script("# a comment\n\r\t \r\n  press Ctrl+Z\r\ntype a b", "s.script");
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].number == 3);
    CHECK(steps[0].texts == Texts{"Ctrl+Z"});
    CHECK(steps[1].number == 4);
    CHECK(steps[1].text == "type a b");
}

TEST_CASE("script: an invalid line is quoted together with the valid ones") {
    CHECK(has(problem_of("press A\nclik button Undo"), "s.script:2"));
    CHECK(has(problem_of("clik button Undo"), "click"));
    CHECK(has(problem_of("drag field Heads"), "write drag THING by X Y or drag THING to THING"));
}

TEST_CASE("script: keys are known by their names") {
    CHECK(key_stroke("Ctrl+Shift+Z").key == Key::Z);
    CHECK(key_stroke("Ctrl+Shift+Z").modifier == Modifier::CtrlShift);
    CHECK(key_stroke("Esc").key == Key::Escape);
    CHECK(key_stroke("7").key == Key::Seven);
    CHECK_THROWS_AS(key_stroke("Ctrl+Nothing"), Error);
}

TEST_CASE("script: changing a word changes the numbers, and undo restores them") {
    Driver driver;
    CHECK(failure_of(driver,
                     "replace Sentence with The cat was tired\n"
                     "click cell blocks.0.attn.heads.0.pattern[tired, cat]\n"
                     "expect text tired → cat\n"
                     "expect no text Nothing is called so\n"
                     "set Heads = 2\n"
                     "expect undo Set heads to 2\n"
                     "find Undo\n"
                     "press Ctrl+Z\n"
                     "expect blocks.0.attn.heads.0.pattern[0, 0] = 0.062\n") == "");
}

TEST_CASE("script: a failed expectation names its line and the actual value") {
    Driver driver;
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    CHECK(has(failure_of(driver, "press A\nexpect " + pattern + "[0, 0] = 0.7777"), "s.script:2"));
    CHECK(has(failure_of(driver, "expect " + pattern + "[0, 0] = 0.7777"), "it is 0."));
    CHECK(has(failure_of(driver, "expect text no such words anywhere"), "is not visible"));
    CHECK(has(failure_of(driver, "expect no text Sentence"), "is visible"));
    CHECK(has(failure_of(driver, "click button Nothing"), "“button Nothing”"));
    CHECK(has(failure_of(driver, "click cell " + pattern + "[0, 999]"), "has no cell"));
    CHECK(has(failure_of(driver, "click cell nothing[0, 0]"), "nothing"));
    CHECK(has(failure_of(driver, "expect undo Something"), "the last step is"));
    CHECK(has(failure_of(driver, "wait long"), "is not a number"));
}

TEST_CASE("script: pictures are compared by pixels, not by bytes") {
    Pixels white{32, 32, std::vector<std::uint8_t>(4 * 32 * 32, 255)}, other = white;
    CHECK(difference(white, other).worst == 0);
    for (int y = 8; y < 12; ++y)
        for (int x = 8; x < 12; ++x) other.rgba[4 * (static_cast<std::size_t>(y) * 32 + x)] = 0;
    CHECK(difference(white, other).worst == doctest::Approx(85));
    CHECK(difference(white, other).mean == doctest::Approx(255.0 * 16 / (3 * 32 * 32)));
    CHECK(shrunk(other, 4).at(2, 2)[0] == 0);
    CHECK(shrunk(other, 4).at(3, 2)[0] == 255);
}

TEST_CASE("script: a shift by two pixels, a missing word and another colour are rejected") {
    Driver driver;
    const Pixels window = driver.screenshot();
    const Pixels stored = shrunk(window, kShrink);
    const auto is_noticed = [&](const Box& box, const Source& source) {
        return !is_slight(difference(stored, repainted(window, box, source)));
    };
    const Box field = *driver.regions().find("text Sentence");
    const Box button = *driver.regions().find("button Save");
    const Box cell = *driver.regions().find_cell("blocks.0.attn.heads.0.pattern", 7, 1);

    CHECK_FALSE(is_noticed(field, [&](int x, int y) { return window.at(x, y); }));
    CHECK(is_noticed(field, [&](int x, int y) { return window.at(x - 2, y); }));
    CHECK(is_noticed(field, [&](int x, int y) { return window.at(x, y - 2); }));
    const Box word{button.x + 4, button.y + 4, button.width - 8, button.height - 8};
    CHECK(is_noticed(word, [&](int, int) { return window.at(int(word.x), int(word.y)); }));
    const std::uint8_t orange[] = {213, 94, 0, 255};
    CHECK(is_noticed(cell, [&](int, int) { return orange; }));
}

TEST_CASE("script: a window that differs from the stored picture is rejected") {
    Driver driver;
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    ScriptFiles files{
        .script = folder / "p.script", .output = folder, .expected = ScriptFiles::Pictures::Accept};
    const auto steps = parse_script("expect picture p.png", "p.script");
    run_script(driver, steps, files);
    files.expected = ScriptFiles::Pictures::Compare;
    run_script(driver, steps, files);
    driver.press(Key::F1);
    CHECK_THROWS_AS(run_script(driver, steps, files), Error);
    std::filesystem::remove(folder / "p.png");
}

TEST_CASE("script: invalid numbers are reported with their line") {
    Driver driver;
    for (const char* line :
         {"wait -1", "wait inf", "wait 1e9", "size 300 9999999999", "size -1 100", "size inf 100",
          "set Heads = inf", "scroll picture by inf", "drag field Heads by 1e30 0"}) {
        const std::string failure = failure_of(driver, line);
        CHECK_MESSAGE(has(failure, "s.script:1"), line);
        CHECK_MESSAGE((has(failure, "must be from") || has(failure, "is not a number")), line);
    }
}

TEST_CASE("script: an option that no view has, or that a view refuses, is reported") {
    Driver driver;
    CHECK(has(failure_of(driver, "option color = Viridis"), "no view has an option"));
    CHECK(has(failure_of(driver, "option nodes = group"), "the view has no such option"));
    CHECK(has(failure_of(driver, "option row = zebra"), "the view refuses it"));
}

TEST_CASE("script: a missing folder is made; if that fails, the error is reported") {
    Driver driver;
    const auto folder = std::filesystem::temp_directory_path() / "headlight-pictures" / "a";
    const auto run = [&](const std::filesystem::path& output) -> std::string {
        try {
            run_script(driver, parse_script("expect text no such words", "s.script"),
                       {.script = "s.script", .output = output});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(has(run(folder), "it is not visible in the window; the window is in"));
    CHECK(has(run("/dev/null/x"), "it is not visible in the window; there is no picture"));
    std::filesystem::remove_all(folder.parent_path());
}

}  // namespace headlight::script_test
