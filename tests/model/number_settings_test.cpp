
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "core/error.h"
#include "model/presets.h"
#include "model/settings/setting_text.h"

namespace headlight::number_settings_test {
namespace {

constexpr const char* kTemperature = "layer.attention.temperature";

}  // namespace

TEST_CASE("number_settings: every number of every study can be set to both ends of its range") {
    for (const Preset& preset : presets())
        for (const NumberSetting& setting : number_settings(preset.make()))
            for (const double end : {setting.low, setting.high}) {
                INFO(preset.name << ": " << setting.path);
                Document document = preset.make();
                set_number_setting(document, setting.path, end);
                const auto changed = find_number_setting(document, setting.path);
                REQUIRE(changed);
                CHECK(changed->value == end);
            }
}

TEST_CASE("number_settings: only settings that have an effect are listed, and no choices") {
    const Document document = built_in_sentence();
    CHECK(find_number_setting(document, kTemperature)->label == "Temperature");
    CHECK(find_number_setting(document, "layer.attention.d_power"));
    CHECK(!find_number_setting(document, "layer.attention.d_hidden"));
    CHECK(!find_number_setting(document, "layer.attention.score"));
    CHECK(find_number_setting(document, "seed"));
    CHECK(find_number_setting(built_in_graph(), "layer.slope"));
}

TEST_CASE("set_number_setting: values are clamped to the range, and whole ones are rounded") {
    Document document = built_in_sentence();
    set_number_setting(document, kTemperature, 1e9);
    CHECK(document.sentence()->layer.attention.temperature == 100);
    set_number_setting(document, "layer.attention.n_heads", 2.6);
    CHECK(document.sentence()->layer.attention.n_heads == 3);
    set_number_setting(document, "layer.attention.d_k", 5);
    CHECK(document.sentence()->layer.attention.d_k == Widths{{5}});
}

TEST_CASE("set_number_setting: text that is not a number is refused and changes nothing") {
    Document document = built_in_sentence();
    CHECK_THROWS_AS(set_number_setting(document, "layer.attention.beauty", 1), Error);
    CHECK_THROWS_AS(
        set_number_setting(document, kTemperature, std::numeric_limits<double>::quiet_NaN()),
        Error);
    CHECK(document == built_in_sentence());
}

}  // namespace headlight::number_settings_test
