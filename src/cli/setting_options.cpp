#include "cli/setting_options.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr ChoiceWords<Switch, 2> kSwitchWords = {{{"on", Switch::On}, {"off", Switch::Off}}};

std::string with_dashes(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

}  // namespace

void SettingOptions::widths(const Field& field, Widths& value, Range<int> range) {
    take(field,
         {"WIDTHS", "is not a number from " + range_text(range) + ", or one for each head: 8,4,4",
          setting_text(value)},
         ", " + range_text(range), [&value, range](const std::string& text) {
             const auto widths = parse_widths(text, range);
             if (widths) value = *widths;
             return widths.has_value();
         });
}

void SettingOptions::flag(const Field& field, Switch& value) {
    take(field, {words_text(kSwitchWords), "is not one of on|off", setting_text(value)}, "",
         [&value](const std::string& text) {
             const auto choice = choice_named(text, kSwitchWords);
             if (choice) value = *choice;
             return choice.has_value();
         });
}

void SettingOptions::take(const Field& field, Kind kind, const std::string& range, Accept accept) {
    const auto same = std::ranges::find(options_, std::string(field.key), &Option::key);
    if (same != options_.end()) {
        if (kind.initial != same->kind.initial)
            same->kind.initial += ", " + spoken(group_) + ": " + kind.initial;
        same->accepts.push_back(std::move(accept));
        return;
    }
    std::string what = field.help;
    if (what.ends_with('.')) what.pop_back();
    options_.push_back(
        {field.key, section_, what, range, group_, std::move(kind), {std::move(accept)}});
}

/// The short name first: refusals call the option by it.
std::string SettingOptions::names_of(const Option& option) const {
    const std::string name = with_dashes(option.key);
    if (command_.has("--" + name)) return "--" + with_dashes(option.group) + "-" + name;
    return name.starts_with("n-") ? "--" + name.substr(2) + ",--" + name : "--" + name;
}

void SettingOptions::add_all() {
    for (const Option& option : options_) {
        const auto accept_all = [accepts = option.accepts](const std::string& text) {
            return std::ranges::all_of(accepts, [&](const Accept& accept) { return accept(text); });
        };
        command_.add({names_of(option),
                      option.what + option.range + Options::with_default(option.kind.initial),
                      option.kind.type, option.kind.refusal, accept_all},
                     option.section);
    }
}

}  // namespace headlight
