#include "text/scripts.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kDejaVu = "fonts-dejavu-core";
constexpr const char* kEastAsian = "fonts-wqy-microhei";

constexpr Script kScripts[] = {{"Latin", U'a', "fonts-inter"},
                               {"Greek", U'α', kDejaVu},
                               {"Cyrillic", U'ж', kDejaVu},
                               {"Hebrew", U'ש', kDejaVu},
                               {"Arabic", U'م', kDejaVu},
                               {"Devanagari", U'ह', "fonts-lohit-deva"},
                               {"Thai", U'ก', "fonts-tlwg-loma-ttf"},
                               {"kana", U'の', kEastAsian},
                               {"Chinese", U'你', kEastAsian},
                               {"Hangul", U'한', kEastAsian},
                               {"emoji", U'👍', "fonts-noto-color-emoji"}};

struct ScriptRange {
    char32_t first, last, sample;
};

constexpr ScriptRange kRanges[] = {
    {0x41, 0x24F, U'a'},      {0x370, 0x3FF, U'α'},    {0x400, 0x52F, U'ж'},
    {0x590, 0x5FF, U'ש'},     {0x600, 0x6FF, U'م'},    {0x750, 0x77F, U'م'},
    {0x900, 0x97F, U'ह'},     {0xE00, 0xE7F, U'ก'},    {0x1100, 0x11FF, U'한'},
    {0x2E80, 0x2FDF, U'你'},  {0x3000, 0x303F, U'你'}, {0x3040, 0x30FF, U'の'},
    {0x3130, 0x318F, U'한'},  {0x3400, 0x9FFF, U'你'}, {0xAC00, 0xD7FF, U'한'},
    {0xF900, 0xFAFF, U'你'},  {0xFB1D, 0xFB4F, U'ש'},  {0xFB50, 0xFDFF, U'م'},
    {0xFE70, 0xFEFF, U'م'},   {0xFF00, 0xFFEF, U'你'}, {0x1F000, 0x1FAFF, U'👍'},
    {0x20000, 0x3FFFF, U'你'}};

}  // namespace

std::span<const Script> scripts() {
    return kScripts;
}

const Script* find_script(char32_t character) {
    const auto* range = std::ranges::find_if(kRanges, [&](const ScriptRange& range) {
        return character >= range.first && character <= range.last;
    });
    if (range == std::end(kRanges)) return nullptr;
    return std::ranges::find(kScripts, range->sample, &Script::sample);
}

std::string lacking_fonts_text(const std::vector<const Script*>& lacking) {
    if (lacking.empty()) return {};
    std::string names, packages;
    for (const Script* script : lacking) {
        append_part(names, ", ", script->name);
        const std::string package = script->package;
        if (packages.find(package) == std::string::npos) packages += " " + package;
    }
    return fmt::format("No installed font has {}. On Debian and Ubuntu: sudo apt install{}", names,
                       packages);
}

}  // namespace headlight
