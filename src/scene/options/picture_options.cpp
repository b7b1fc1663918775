#include "scene/options/picture_options.h"

#include <limits>

#include "paint/color_maps.h"
#include "scene/export/look_words.h"

namespace headlight {
namespace {

std::string map_names() {
    std::string names;
    for (const auto& maps : {sequential_maps(), diverging_maps()})
        for (const ColorMap& map : maps) names += (names.empty() ? "" : "|") + map.name;
    return names;
}

bool is_map(const std::string& name) {
    return find_map(sequential_maps(), name) || find_map(diverging_maps(), name);
}

/// "0:0.5": two numbers, the second one larger.
bool read_range(PictureSettings& settings, const std::string& text) {
    using Range = PictureSettings::Range;
    if (text == "standard" || text == "fitted") {
        settings.range = text == "fitted" ? Range::Fitted : Range::Standard;
        return true;
    }
    constexpr Scalar kMost = std::numeric_limits<Scalar>::max();
    const std::size_t cut = text.find(':');
    if (cut == std::string::npos) return false;
    const auto low = number_between(std::string_view(text).substr(0, cut), -kMost, kMost);
    const auto high = number_between(std::string_view(text).substr(cut + 1), -kMost, kMost);
    if (!low || !high || !(*low < *high)) return false;
    settings.range = Range::Fixed;
    settings.low = *low;
    settings.high = *high;
    return true;
}

/// "4:12.5:3": how large, and which row and column are in the middle.
bool read_view(PictureView& view, std::string_view text) {
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return false;
    const auto zoom = number_between(text.substr(0, first), 1.0, 1e6);
    const auto row = number_between(text.substr(first + 1, second - first - 1), 0.0, 1e9);
    const auto column = number_between(text.substr(second + 1), 0.0, 1e9);
    if (!zoom || !row || !column) return false;
    view = {*zoom, *row, *column};
    return true;
}

/// Reads a setting's text into settings, or returns false.
using ReadSetting = std::function<bool(PictureSettings&, const std::string&)>;

template <typename Choice, std::size_t n>
ReadSetting choice_reader(Choice PictureSettings::*setting, const ChoiceWords<Choice, n>& words) {
    return [setting, &words](PictureSettings& settings, const std::string& text) {
        const auto choice = choice_named(text, words);
        if (choice) settings.*setting = *choice;
        return choice.has_value();
    };
}

/// "log" of the matrix shown, "signed:log" of all that are signed, "difference:log" of A − B.
bool take(std::vector<PictureChange>& changes, const ReadSetting& read, std::string text) {
    PictureChange change;
    const std::size_t colon = text.find(':');
    const std::string before = colon == std::string::npos ? "" : text.substr(0, colon);
    if (const auto quantity = choice_named(before, kQuantityWords)) {
        change.of = PictureChange::Of::Quantity;
        change.quantity = *quantity;
    } else if (before == kDifferenceWord) {
        change.of = PictureChange::Of::Difference;
    }
    if (change.of != PictureChange::Of::Shown) text.erase(0, colon + 1);
    PictureSettings ignored;
    if (!read(ignored, text)) return false;
    change.apply = [read, text](PictureSettings& settings) { read(settings, text); };
    changes.push_back(std::move(change));
    return true;
}

}  // namespace

std::vector<TextOption> picture_options(ShownOptions& options) {
    std::vector<TextOption> all;
    using Settings = PictureSettings;
    const auto add = [&](const char* name, const std::string& what, const std::string& type,
                         const std::string& refusal, const ReadSetting& read) {
        all.push_back({name, what, type, refusal,
                       [&options, read](const std::string& text) {
                           return take(options.pictures, read, text);
                       },
                       TextOption::Given::OftenAsWell});
    };
    const auto add_choice = [&](const char* name, const char* what, auto setting,
                                const auto& words) {
        const std::string known = words_text(words);
        const auto standard = std::string(word_for(words, Settings{}.*setting));
        add(name, what + with_default(standard), known, "is not one of " + known,
            choice_reader(setting, words));
    };
    add("--colors",
        "Of a matrix, instead of the head's own. This and the next: of the one shown, or of all of "
        "a kind, 'signed:Red to blue', or of A − B, 'difference:Red to blue'; may be repeated",
        map_names(), "is not one of " + map_names(),
        [](Settings& settings, const std::string& text) {
            settings.colors = text;
            return is_map(text);
        });
    add_choice("--steps", "Of the colours", &Settings::scale, kColorStepWords);
    add("--range", "Values of the first and the last colour: 0:0.5 [standard]",
        "standard|fitted|LOW:HIGH", "is not standard, fitted or a range such as 0:0.5", read_range);
    add_choice("--far-out", "What a pixel shows if it covers many cells", &Settings::far_out,
               kFarOutWords);
    add_choice("--numbers", "In the cells", &Settings::numbers, kNumbersWords);
    all.push_back(
        {"--zoom", "A part of a matrix: 4:12.5:3 is 4 times larger around row 12.5, column 3",
         "ZOOM:ROW:COLUMN", "is not a zoom, a row and a column such as 4:12.5:3",
         [&view = options.view](const std::string& text) { return read_view(view, text); }});
    return all;
}

}  // namespace headlight
