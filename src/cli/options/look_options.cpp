#include "cli/options/look_options.h"

#include "scene/export/look_words.h"

namespace headlight {
namespace {

constexpr float kLeastScale = kLeastDpi / kPointsPerInch, kMostScale = kMostDpi / kPointsPerInch;

}  // namespace

void add_look_options(Options& command, FigureLook& look) {
    command.size(look.room,
                 "Of a picture, in points; with --width or --type its shape "
                 "[as large as it needs]");
    command.add({"--width",
                 "Of a picture, which is arranged in it: 85mm, 3.25in, 1200px, 240pt [as large "
                 "as it needs]",
                 "WIDTH", "is not a width such as 85mm, 3.25in, 1200px or 240pt",
                 [&look](const std::string& text) {
                     look.width = width_from(text);
                     return look.width.has_value();
                 }});
    command.add({"--type",
                 "Of the labels in the finished picture: 7pt, 2.5mm, 14px [in a --width 8pt, less "
                 "down to 5pt where only so all labels have room]",
                 "SIZE", "is not a size of type such as 7pt, 2.5mm or 14px",
                 [&look](const std::string& text) {
                     look.type = type_from(text);
                     return look.type.has_value();
                 }});
    command.number("--dpi", look.dpi, kLeastDpi, kMostDpi, "Pixels per inch of a PNG");
    command.add(
        {"--scale", "Pixels per point: --scale 2 is --dpi 144", "NUMBER",
         "is not a number from " + short_text(kLeastScale) + " to " + short_text(kMostScale),
         [&look](const std::string& text) {
             const auto scale = number_between(text, kLeastScale, kMostScale);
             if (scale) look.dpi = *scale * kPointsPerInch;
             return scale.has_value();
         }});
    command.choice("--theme", look.theme, kThemeWords, "Colours of a picture");
    command.choice("--background", look.background, kBackgroundWords, "Background of a picture");
    command.choice("--title", look.heading, kHeadingWords, "Title and formula above a matrix");
    command.choice("--selection", look.selected, kSelectedWords, "Marks on what is held");
}

}  // namespace headlight
