#include "cli/picture_options.h"

#include <limits>

#include "paint/color_maps.h"
#include "ui/look_words.h"

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

}  // namespace

void add_picture_options(Command& command, PictureSettings& settings, PictureView& view) {
    command.add({"--colors", "Of a matrix, instead of the head's own", map_names(),
                 "is not one of " + map_names(), [&settings](const std::string& text) {
                     settings.colors = text;
                     return is_map(text);
                 }});
    command.choice("--steps", settings.scale, kColorStepWords, "Of the colours");
    command.add({"--range", "Values of the first and the last colour: 0:0.5 [standard]",
                 "standard|fitted|LOW:HIGH", "is not standard, fitted or a range such as 0:0.5",
                 [&settings](const std::string& text) { return read_range(settings, text); }});
    command.choice("--far-out", settings.far_out, kFarOutWords,
                   "What a pixel shows that covers many cells");
    command.choice("--numbers", settings.numbers, kNumbersWords, "In the cells");
    command.add({"--zoom",
                 "A part of a matrix: 4:12.5:3 is 4 times larger around row 12.5, column 3",
                 "ZOOM:ROW:COLUMN", "is not a zoom, a row and a column such as 4:12.5:3",
                 [&view](const std::string& text) { return read_view(view, text); }});
}

}  // namespace headlight
