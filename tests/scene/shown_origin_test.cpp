// Where weights come from, in the lines that a narrow figure has room for.
#include "scene/figures/shown_origin.h"

#include <doctest/doctest.h>

namespace headlight::shown_origin_test {
namespace {

float half_of_size(const std::string& text, float size, Font) {
    return 0.5f * size * static_cast<float>(text.size());
}

}  // namespace

TEST_CASE("origin: a narrow figure says it whole, in more lines") {
    const std::string origin =
        "trained: Who is it?, 4500 steps, seed 1, 100.0 % of held-out examples right; 4 matrices "
        "are set by hand";
    CHECK(origin_lines(origin, 900, half_of_size) == std::vector<std::string>{origin});
    for (const float width : {241.0f, 300.0f, 400.0f}) {
        Figure figure{width, 100, {}};
        add_origin(figure, origin, theme_named(ThemeName::Light), half_of_size);
        std::string said;
        float y = 100;
        for (const Mark& mark : figure.marks) {
            const auto& line = std::get<TextMark>(mark);
            said += (said.empty() ? "" : " ") + line.text;
            CHECK(half_of_size(line.text, line.size, line.font) <= width);
            CHECK(line.at.y > y);
            y = line.at.y;
        }
        CHECK(said == origin);
        CHECK(figure.height == 100 + origin_height(figure.marks.size()));
        CHECK(y < figure.height);
    }
    // What is longer than three lines is cut, and says so.
    CHECK(origin_lines(origin + origin + origin, 241, half_of_size).size() == 3);
}

}  // namespace headlight::shown_origin_test
