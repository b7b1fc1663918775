// Every colour of the program, by name, in each theme.
#include "figure/theme.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "embedded_palette.h"
#include "figure/color.h"

namespace headlight {
namespace {

constexpr std::pair<const char*, Color Theme::*> kNames[] = {
    {"window", &Theme::window},
    {"canvas", &Theme::canvas},
    {"panel", &Theme::panel},
    {"card", &Theme::card},
    {"field", &Theme::field},
    {"border", &Theme::border},
    {"text", &Theme::text},
    {"muted", &Theme::muted},
    {"accent", &Theme::accent},
    {"accent_soft", &Theme::accent_soft},
    {"on_accent", &Theme::on_accent},
    {"selection", &Theme::selection},
    {"warning", &Theme::warning},
    {"notice", &Theme::notice},
    {"notice_border", &Theme::notice_border},
    {"grid", &Theme::grid},
    {"wire", &Theme::wire},
    {"outline", &Theme::outline},
    {"node_border", &Theme::node_border},
    {"zero", &Theme::zero},
    {"negative", &Theme::negative},
    {"positive", &Theme::positive},
    {"masked", &Theme::masked},
    {"not_a_number", &Theme::not_a_number},
};

Theme read_theme(const nlohmann::json& json) {
    Theme theme;
    for (const auto& [name, member] : kNames)
        theme.*member = parse_color(json.at(name).get<std::string>());
    theme.has_strong_ends = json.value("strong_ends", false);
    for (const auto& hex : json.at("heads")) theme.heads.push_back(parse_color(hex));
    for (const auto& hex : json.at("groups")) theme.groups.push_back(parse_color(hex));
    return theme;
}

std::map<ThemeName, Theme> read_palette() {
    const auto json = nlohmann::json::parse(embedded_palette("palette.json"));
    std::map<ThemeName, Theme> themes;
    for (const auto& [word, name] : theme_words()) themes[name] = read_theme(json.at(word));
    return themes;
}

std::vector<ColorMap> read_maps(const char* kind) {
    const auto json = nlohmann::json::parse(embedded_palette("palette.json"));
    std::vector<ColorMap> maps;
    for (const auto& entry : json.at(kind)) {
        ColorMap map{entry.at("name").get<std::string>(), {}};
        for (const auto& hex : entry.at("anchors"))
            map.anchors.push_back(parse_color(hex.get<std::string>()));
        if (entry.value("steps", "") == "anchors") map.steps = ColorMap::Steps::Anchors;
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace

std::span<const ColorMap> sequential_maps() {
    static const auto maps = read_maps("sequential");
    return maps;
}

std::span<const ColorMap> diverging_maps() {
    static const auto maps = read_maps("diverging");
    return maps;
}

std::span<const ThemeWord> theme_words() {
    static constexpr ThemeWord kWords[] = {
        {"light", ThemeName::Light}, {"dark", ThemeName::Dark}, {"contrast", ThemeName::Contrast}};
    return kWords;
}

const Theme& theme_named(ThemeName name) {
    static const auto themes = read_palette();
    return themes.at(name);
}

Color head_color(const Theme& theme, int h) {
    const int count = static_cast<int>(theme.heads.size());
    const Color base = theme.heads[h % count];
    const int round = h / count;
    if (round == 0) return base;
    const Color toward = round % 2 == 1 ? theme.text : theme.card;
    return mixed(base, toward, 0.25 + 0.1 * (round / 2 % 4));
}

Color group_color(const Theme& theme, int group) {
    const int count = static_cast<int>(theme.groups.size());
    return theme.groups[(group % count + count) % count];
}

Color class_color(const Theme& theme, int label) {
    constexpr double kStrength = 0.6;
    return mixed(theme.card, head_color(theme, label + 1), kStrength);
}

Color text_on(const Theme& theme, Color background) {
    Color best = theme.text;
    for (Color candidate : {theme.card, theme.canvas})
        if (contrast(candidate, background) > contrast(best, background)) best = candidate;
    return best;
}

}  // namespace headlight
