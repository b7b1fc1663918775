#include "app/script.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "core/error.h"
#include "core/matrix.h"
#include "core/plan.h"
#include "figure/number_format.h"
#include "io/files/file.h"
#include "io/pictures/picture.h"
#include "io/pictures/png_image.h"
#include "io/studies/ready_studies.h"
#include "io/text/json_text.h"
#include "io/text/numbers_text.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"
#include "ui/dialogs/palette.h"
#include "ui/input/shortcut.h"
#include "views/view_state.h"

namespace headlight {
namespace {

constexpr double kBetweenSteps_secs = 0.5;  // at the pace of people

/// Says where the picture of the window is when a step has failed, or why there is none.
std::string save_failure(Driver& driver, const ScriptFiles& files) {
    const auto file = files.output / (files.script.stem().string() + "-failed.png");
    try {
        make_parent_folder(file);
        write_file(file, write_pixels(driver.screenshot()));
    } catch (const Error& error) {
        return std::string("there is no picture of the window: ") + error.what();
    }
    return "the window is in " + path_text(file);
}

}  // namespace

void run_script(Driver& driver, const std::vector<ScriptStep>& steps, const ScriptFiles& files) {
    ScriptStage stage{driver, files};
    for (const ScriptStep& step : steps) {
        if (driver.program().loop().has_quit()) return;
        try {
            step.line->run(stage, step.texts);
        } catch (const Error& error) {
            throw Error(fmt::format("{}:{}", path_text(files.script), step.number), "{}: {}; {}",
                        printable(step.text), error.what(), save_failure(driver, files));
        }
        driver.rest(kBetweenSteps_secs);
    }
}

namespace {

// The differences between versions of FreeType, Cairo and OpenGL stay well under this.
constexpr double kMostMean = 0.3, kMostWorst = 8;
constexpr int kBlock = 4;

void store(const std::filesystem::path& file, const Pixels& pixels) {
    write_file(file, write_pixels(pixels));
}

}  // namespace

Pixels shrunk(const Pixels& pixels, int by) {
    Pixels small{pixels.width / by, pixels.height / by, {}};
    small.rgba.reserve(4 * static_cast<std::size_t>(small.width) * small.height);
    for (int y = 0; y < small.height; ++y)
        for (int x = 0; x < small.width; ++x)
            for (int c = 0; c < 4; ++c) {
                int sum = 0;
                for (int dy = 0; dy < by; ++dy)
                    for (int dx = 0; dx < by; ++dx) sum += pixels.at(x * by + dx, y * by + dy)[c];
                small.rgba.push_back(static_cast<std::uint8_t>((sum + by * by / 2) / (by * by)));
            }
    return small;
}

PictureDifference difference(const Pixels& a, const Pixels& b) {
    PictureDifference result;
    for (int y = 0; y < a.height; y += kBlock)
        for (int x = 0; x < a.width; x += kBlock) {
            double sum = 0;
            int n = 0;
            for (int v = y; v < std::min(y + kBlock, a.height); ++v)
                for (int u = x; u < std::min(x + kBlock, a.width); ++u)
                    for (int c = 0; c < 3; ++c, ++n)
                        sum += std::abs(int(a.at(u, v)[c]) - int(b.at(u, v)[c]));
            result.worst = std::max(result.worst, sum / n);
            result.mean += sum;
        }
    result.mean /= 3.0 * a.width * a.height;
    return result;
}

bool is_slight(const PictureDifference& difference) {
    return difference.mean <= kMostMean && difference.worst <= kMostWorst;
}

namespace {

using Texts = std::span<const std::string>;

/// Compares the window with the stored picture `name`; or stores it, if pictures are accepted.
/// Throws Error if the difference is not slight; then the window's picture lies in the output
/// folder.
void expect_picture(ScriptStage& stage, const std::string& name) {
    const std::filesystem::path file = stage.files.script.parent_path() / name;
    const Pixels window = shrunk(stage.driver.screenshot(), kShrink);
    if (stage.files.expected == ScriptFiles::Pictures::Accept) return store(file, window);
    const Pixels stored = read_png(read_file(file), path_text(file));
    const std::filesystem::path seen = stage.files.output / file.filename();
    if (stored.width != window.width || stored.height != window.height) {
        store(seen, window);
        throw Error("picture", "{} is {} pixels, a quarter of the window {}", path_text(file),
                    shape_text(stored.width, stored.height),
                    shape_text(window.width, window.height));
    }
    const PictureDifference apart = difference(window, {stored.width, stored.height, stored.rgba});
    if (is_slight(apart)) return;
    store(seen, window);
    throw Error("picture",
                "the window in {} differs from {} by {} on average, in one place by {} of 255",
                path_text(seen), path_text(file), format_value(static_cast<Scalar>(apart.mean), 2),
                format_value(static_cast<Scalar>(apart.worst), 1));
}

float number_from(const std::string& text) {
    const auto number = parse_number(text);
    if (!number) throw Error("script", "{} is not a number", in_quotes(text));
    return static_cast<float>(*number);
}

constexpr float kLeastSide = 64, kMostSide = 16384;  // of a window, in points
constexpr float kMostSeconds = 3600, kMostDistance = 1e5f;

/// Returns the number. Throws Error if it is out of the range.
float number_from(const std::string& text, float least, float most) {
    const float number = number_from(text);
    if (!(number >= least && number <= most))
        throw Error("script", "{} must be from {} to {}", in_quotes(text), number_text(least),
                    number_text(most));
    return number;
}

float distance_from(const std::string& text) {
    return number_from(text, -kMostDistance, kMostDistance);
}

void resize(ScriptStage& stage, Texts texts) {
    const float width = number_from(texts[0], kLeastSide, kMostSide);
    stage.driver.resize(width, number_from(texts[1], kLeastSide, kMostSide));
}

/// Throws Error for a number that a setting's field would replace by the nearest one in its range.
void check_is_taken(const Document& document, const std::string& field, double number) {
    for (const NumberSetting& setting : number_settings(document)) {
        if (setting.label != field) continue;
        const bool is_taken = !setting.is_whole || number == std::round(number);
        if (number >= setting.low && number <= setting.high && is_taken) continue;
        throw Error("script", "{} can be {} to {}, not {}", field,
                    number_text(static_cast<float>(setting.low)),
                    number_text(static_cast<float>(setting.high)),
                    number_text(static_cast<float>(number)));
    }
}

/// Types a number. Widths for each head are several numbers; a field takes none that is endless.
void set_number(ScriptStage& stage, Texts texts) {
    if (texts[1].find_first_of("0123456789") == std::string::npos)
        throw Error("script",
                    "{} is not a number; “choose FIELD = CHOICE” takes an entry of a list",
                    in_quotes(texts[1]));
    const auto number = parse_typed_number(texts[1]);
    if (number && !std::isfinite(*number))
        throw Error("script", "{} is not a number that a field accepts", in_quotes(texts[1]));
    if (number) check_is_taken(stage.driver.document(), texts[0], *number);
    stage.driver.set_number(texts[0], texts[1]);
}

/// Returns half a unit of the last digit that is written.
float written_precision(const std::string& number) {
    const std::size_t point = number.find('.');
    if (point == std::string::npos) return 0.5f;
    const std::size_t end =
        std::min(number.find_first_not_of("0123456789", point + 1), number.size());
    return 0.5f * std::pow(10.0f, -static_cast<float>(end - point - 1)) * 1.0001f;
}

/// Returns "a\tb\n" with a tab and a new line.
std::string unescaped(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (next != 't' && next != 'n') {
            plain += text[i];
            continue;
        }
        plain += next == 't' ? '\t' : '\n';
        ++i;
    }
    return plain;
}

std::optional<Index> find_index(const Trace& trace, const Axis& axis, const std::string& text) {
    Index index = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, index);
    if (failure == std::errc() && rest == end)
        return index >= 0 && index < axis.size ? std::optional(index) : std::nullopt;
    const std::vector<Index> places = find_on_axis(trace, axis, text);
    return places.empty() ? std::nullopt : std::optional(places.front());
}

/// Returns the cell of "blocks.0.attn.heads.0.pattern[it, cat]", in the sentence that is shown.
CellPlace cell_from(ScriptStage& stage, std::string text) {
    constexpr std::string_view kWord = "cell ";
    if (text.starts_with(kWord)) text.erase(0, kWord.size());
    const std::size_t open = text.find('[');
    if (open == std::string::npos || text.back() != ']')
        throw Error("script", "{} is not a cell; write PATH[ROW, COLUMN]", in_quotes(text));
    stage.driver.trace();
    const Scene scene = stage.driver.scene();
    const Tensor& tensor = scene.trace.at(text.substr(0, open));
    const std::string inside = text.substr(open + 1, text.size() - open - 2);
    if (tensor.columns().size == 1)
        if (const auto row = find_index(scene.trace, tensor.rows(), inside))
            return {tensor.path(), *row, 0};
    for (std::size_t comma = 0; (comma = inside.find(',', comma)) != std::string::npos; ++comma) {
        const std::size_t after = comma + (inside.substr(comma + 1, 1) == " " ? 2 : 1);
        const auto row = find_index(scene.trace, tensor.rows(), inside.substr(0, comma));
        const auto column = find_index(scene.trace, tensor.columns(), inside.substr(after));
        if (row && column) return {tensor.path(), *row, *column};
    }
    throw Error("script", "{} has no cell {}", tensor.path(),
                in_quotes(fmt::format("[{}]", inside)));
}

/// Returns the place of a cell, or of anything that has a name in the window.
Point locate(ScriptStage& stage, const std::string& thing) {
    constexpr std::string_view kCell = "cell ";
    if (thing.starts_with(kCell))
        return stage.driver.locate(cell_from(stage, thing.substr(kCell.size())));
    stage.driver.hover(thing);  // it may have to be scrolled into view
    return stage.driver.locate(thing);
}

void click(ScriptStage& stage, const std::string& thing, Button button, Modifier modifier) {
    stage.driver.click(locate(stage, thing), button, modifier);
}

void drag(ScriptStage& stage, Texts texts, Modifier modifier, Button button) {
    const Point from = locate(stage, texts[0]);
    const Point to = texts.size() == 2 ? locate(stage, texts[1])
                                       : Point{from.x + distance_from(texts[1]),
                                               from.y + distance_from(texts[2])};
    stage.driver.drag(from, to, modifier, {}, button);
}

std::filesystem::path beside(const ScriptStage& stage, const std::string& file) {
    return stage.files.script.parent_path() / file;
}

void expect_number(ScriptStage& stage, Texts texts) {
    const CellPlace cell = cell_from(stage, texts[0]);
    const Tensor& tensor = stage.driver.scene().trace.at(cell.path);
    if (!tensor.value) throw Error("script", "{} is not computed: nothing shows it", cell.path);
    const Scalar value = (*tensor.value)(cell.row, cell.column), wanted = number_from(texts[1]);
    const bool is_same = std::isinf(wanted)
                             ? value == wanted
                             : std::abs(value - wanted) <= written_precision(texts[1]);
    if (!is_same) throw Error("script", "it is {:f}", value);
}

bool is_read(ScriptStage& stage, const std::string& text) {
    return stage.driver.texts().find(text) != std::string::npos;
}

void set_theme(ScriptStage& stage, const std::string& word) {
    for (const ThemeWord& theme : theme_words())
        if (theme.word == word) {
            stage.driver.program().workbench().set_theme(theme.name);
            stage.driver.program().loop().wake();
            return stage.driver.settle();
        }
    throw Error("script", "there is no theme {}", in_quotes(word));
}

void open_file(ScriptStage& stage, const std::string& name) {
    stage.driver.program().open_file(beside(stage, name));
    stage.driver.program().loop().wake();
    stage.driver.settle();
}

/// Empties a text field, which then has the keyboard.
void clear_field(ScriptStage& stage, const std::string& field) {
    stage.driver.click("text " + field);
    stage.driver.press(Key::A, Modifier::Ctrl);
    stage.driver.press(Key::Delete);
}

/// Changes an option of the view in the form of all of them.
void set_option(ScriptStage& stage, Texts texts) {
    constexpr int kMostScrolls = 100;
    Driver& driver = stage.driver;
    const ViewOption* option = find_view_option(texts[0]);
    if (!option) throw Error("script", "no view has an option {}", in_quotes(texts[0]));
    if (driver.types_into_field()) driver.press(Key::Escape);
    driver.press(Key::V);
    const std::string name = "option " + option->word;
    const bool has_choices = driver.has("field " + name);
    if (!has_choices && !driver.has("text " + name)) {
        driver.press(Key::Escape);
        throw Error("script", "the view has no such option");
    }
    const std::string place = (has_choices ? "field " : "text ") + name;
    for (int k = 0; k < kMostScrolls; ++k) {
        const Box form = *driver.regions().find("form options");
        const Point at = driver.locate(place);
        if (form.contains(at)) break;
        driver.wheel(form.center(), at.y > form.bottom() ? -1.0f : 1.0f);
    }
    if (has_choices) {
        driver.choose(name, texts[1]);
    } else {
        clear_field(stage, name);
        driver.type(texts[1]);
        driver.press(Key::Enter);
    }
    if (driver.has("warning " + option->word))
        throw Error("script", "the view refuses it, and the form says why");
    driver.press(Key::Escape);
}

constexpr Modifier kNone = Modifier::None, kShift = Modifier::Shift, kCtrl = Modifier::Ctrl;
constexpr Button kLeft = Button::Left, kRight = Button::Right, kMiddle = Button::Middle;

constexpr ScriptLine kLines[] = {
    {"size WIDTH HEIGHT", "Sets the size of the window in points: 64 to 16384", resize},
    {"theme NAME", "Light, dark or contrast", [](ScriptStage& s, Texts t) { set_theme(s, t[0]); }},
    {"study NAME", "Starts a ready-made study, see `headlight new --list`",
     [](ScriptStage& s, Texts t) {
         const ReadyStudy* preset = find_ready_study(t[0]);
         if (!preset) throw Error("script", "no ready-made study is called {}", in_quotes(t[0]));
         s.driver.program().workbench().open(preset->make(), {});
         s.driver.program().loop().wake();
         s.driver.settle();
     }},
    {"open FILE", "Opens a study or a graph beside the script",
     [](ScriptStage& s, Texts t) { open_file(s, t[0]); }},
    {"drop FILE", "Drags a file beside the script onto the window",
     [](ScriptStage& s, Texts t) { s.driver.drop(beside(s, t[0]).string()); }},
    {"point THING", "Moves the pointer there",
     [](ScriptStage& s, Texts t) { s.driver.move_to(locate(s, t[0])); }},
    {"click THING", "Moves there and presses the left button",
     [](ScriptStage& s, Texts t) { click(s, t[0], kLeft, kNone); }},
    {"shift-click THING", "With Shift held: adds to what is selected",
     [](ScriptStage& s, Texts t) { click(s, t[0], kLeft, kShift); }},
    {"ctrl-click THING", "With Ctrl held",
     [](ScriptStage& s, Texts t) { click(s, t[0], kLeft, kCtrl); }},
    {"right-click THING", "With the right button",
     [](ScriptStage& s, Texts t) { click(s, t[0], kRight, kNone); }},
    {"double-click THING", "Twice with the left button",
     [](ScriptStage& s, Texts t) { s.driver.double_click(locate(s, t[0])); }},
    {"drag THING by X Y", "To the right and down, in points",
     [](ScriptStage& s, Texts t) { drag(s, t, kNone, kLeft); }},
    {"drag THING to THING", "From one thing to another",
     [](ScriptStage& s, Texts t) { drag(s, t, kNone, kLeft); }},
    {"shift-drag THING by X Y", "With Shift held",
     [](ScriptStage& s, Texts t) { drag(s, t, kShift, kLeft); }},
    {"shift-drag THING to THING", "With Shift held",
     [](ScriptStage& s, Texts t) { drag(s, t, kShift, kLeft); }},
    {"ctrl-drag THING to THING", "With Ctrl held",
     [](ScriptStage& s, Texts t) { drag(s, t, kCtrl, kLeft); }},
    {"middle-drag THING by X Y", "With the middle button",
     [](ScriptStage& s, Texts t) { drag(s, t, kNone, kMiddle); }},
    {"right-drag THING by X Y", "With the right button",
     [](ScriptStage& s, Texts t) { drag(s, t, kNone, kRight); }},
    {"scroll THING by STEPS", "Turns the wheel at that place; up is positive",
     [](ScriptStage& s, Texts t) { s.driver.wheel(locate(s, t[0]), distance_from(t[1])); }},
    {"press KEYS", "Ctrl+Z, Esc, F5, Left, A …",
     [](ScriptStage& s, Texts t) {
         const KeyStroke stroke = key_stroke(t[0]);
         s.driver.press(stroke.key, stroke.modifier);
     }},
    {"type TEXT", "Types into the field that has the keyboard",
     [](ScriptStage& s, Texts t) {
         // The first letter may open a field, as a digit does on a held cell.
         const bool has_field = s.driver.types_into_field();
         s.driver.type(unescaped(t[0]));
         if (!has_field && !s.driver.types_into_field())
             throw Error("script", "no field has the keyboard: nothing was typed");
     }},
    {"paste TEXT", "With Ctrl+V; \\t and \\n are a tab and a new line",
     [](ScriptStage& s, Texts t) { s.driver.paste(unescaped(t[0])); }},
    {"replace FIELD with TEXT", "Types a new text into a text field",
     [](ScriptStage& s, Texts t) {
         s.driver.click("text " + t[0]);
         s.driver.press(Key::A, Modifier::Ctrl);
         s.driver.type(t[1]);
     }},
    {"clear FIELD", "Empties a text field", [](ScriptStage& s, Texts t) { clear_field(s, t[0]); }},
    {"option NAME = TEXT", "Changes an option of the view, in the form of all of them (V)",
     set_option},
    {"set FIELD = NUMBER", "Types a number into a field", set_number},
    {"choose FIELD = CHOICE", "Opens a field and chooses an entry",
     [](ScriptStage& s, Texts t) { s.driver.choose(t[0], t[1]); }},
    {"find TEXT", "Chooses the first result of Find (Ctrl+K)",
     [](ScriptStage& s, Texts t) {
         s.driver.press(Key::K, Modifier::Ctrl);
         s.driver.type(t[0]);
         if (is_read(s, kNothingFound)) {
             s.driver.press(Key::Escape);
             throw Error("script", "Find has nothing for it");
         }
         s.driver.press(Key::Enter);
     }},
    {"wait SECONDS", "Waits, at most an hour; while a training plays, so long in truth",
     [](ScriptStage& s, Texts t) { s.driver.rest(number_from(t[0], 0, kMostSeconds)); }},
    {"screenshot FILE", "Saves a picture of the window",
     [](ScriptStage& s, Texts t) {
         const std::filesystem::path file = s.files.output / t[0];
         make_parent_folder(file);
         write_file(file, write_pixels(s.driver.screenshot()));
     }},
    {"speaker FILE", "Saves a picture of the speaker's window",
     [](ScriptStage& s, Texts t) {
         const Pixels& picture = s.driver.program().loop().second_picture();
         if (picture.width == 0) throw Error("script", "the speaker's window is closed");
         const std::filesystem::path file = s.files.output / t[0];
         make_parent_folder(file);
         write_file(file, write_pixels(picture));
     }},
    {"expect text TEXT", "The text is visible in the window",
     [](ScriptStage& s, Texts t) {
         if (!is_read(s, t[0])) throw Error("script", "it is not visible in the window");
     }},
    {"expect no text TEXT", "The text is not visible in the window",
     [](ScriptStage& s, Texts t) {
         if (is_read(s, t[0])) throw Error("script", "it is visible in the window");
     }},
    {"expect thing THING", "The window has a thing of that name",
     [](ScriptStage& s, Texts t) {
         if (!s.driver.has(t[0])) throw Error("script", "the window has none");
     }},
    {"expect no thing THING", "It has none",
     [](ScriptStage& s, Texts t) {
         if (s.driver.has(t[0])) throw Error("script", "the window has one");
     }},
    {"expect undo LABEL", "The last undo step has this name",
     [](ScriptStage& s, Texts t) {
         if (s.driver.undo_label() != t[0])
             throw Error("script", "the last step is {}", in_quotes(s.driver.undo_label()));
     }},
    {"expect picture FILE", "The window looks like that picture beside the script",
     [](ScriptStage& s, Texts t) { expect_picture(s, t[0]); }},
    {"expect CELL = NUMBER", "The number agrees in the digits that are given", expect_number},
};

Key key_named(std::string_view word) {
    const auto key = find_key(word);
    if (!key) throw Error("script", "there is no key {}", in_quotes(std::string(word)));
    return *key;
}

}  // namespace

std::span<const ScriptLine> script_lines() {
    return kLines;
}

KeyStroke key_stroke(std::string_view text) {
    constexpr std::pair<std::string_view, Modifier> kModifiers[] = {
        {"Ctrl+Shift+", Modifier::CtrlShift},
        {"Ctrl+", Modifier::Ctrl},
        {"Shift+", Modifier::Shift},
        {"Alt+", Modifier::Alt}};
    for (const auto& [word, modifier] : kModifiers)
        if (text.starts_with(word)) return {key_named(text.substr(word.size())), modifier};
    return {key_named(text), Modifier::None};
}

}  // namespace headlight
