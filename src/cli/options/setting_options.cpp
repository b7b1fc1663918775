#include "cli/options/setting_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace headlight {
namespace {

constexpr ChoiceWords<Switch, 2> kSwitchWords = {{{"on", Switch::On}, {"off", Switch::Off}}};

std::string with_dashes(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

/// Finds the wanted keys whose settings do not matter, and their explanations.
class IdleFinder {
  public:
    explicit IdleFinder(const std::vector<std::string>& keys) : keys_(keys) {}

    void section(const char*) {}
    void number(const Field& field, auto&, auto) { see(field); }
    void widths(const Field& field, Widths&, Range<int>) { see(field); }
    void choice(const Field& field, auto&, const auto&) { see(field); }
    void flag(const Field& field, Switch&) { see(field); }
    void group(const Field& field, auto& settings) {
        mattering_.inside(field, [&] { visit_fields(settings, *this); });
    }

    std::vector<std::string> idle() const {
        std::vector<std::string> sentences;
        for (const auto& [key, help] : idle_)
            if (!used_.contains(key))
                sentences.push_back(fmt::format("--{} has no effect as the other settings are: {}",
                                                with_dashes(key), help));
        return sentences;
    }

  private:
    void see(const Field& field) {
        if (std::ranges::find(keys_, field.key) == keys_.end()) return;
        if (mattering_.of(field))
            used_.insert(field.key);
        else
            idle_.emplace(field.key, field.help);
    }

    const std::vector<std::string>& keys_;
    std::set<std::string> used_;
    std::map<std::string, std::string> idle_;  // from the key to the setting's explanation
    Mattering mattering_;
};

}  // namespace

std::vector<std::string> idle_settings(const Study& study, const std::vector<std::string>& given) {
    IdleFinder finder(given);
    std::visit([&](auto settings) { visit_fields(settings, finder); }, study);
    return finder.idle();
}

void SettingOptions::widths(const Field& field, Widths& value, Range<int> range) {
    take(field,
         {"WIDTHS",
          fmt::format("is not a number from {}, or one for each {}: 8,4,4", range_text(range),
                      field.each),
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
            same->kind.initial += fmt::format(", {}: {}", spoken(group_), kind.initial);
        same->accepts.push_back(std::move(accept));
        return;
    }
    std::string what = field.help;
    if (what.ends_with('.')) what.pop_back();
    options_.push_back(
        {field.key, section_, what, range, group_, std::move(kind), {std::move(accept)}});
}

/// Returns the names, the short one first: refusals call the option by it.
std::string SettingOptions::option_names(const Option& option) const {
    const std::string name = with_dashes(option.key);
    if (command_.has("--" + name)) return fmt::format("--{}-{}", with_dashes(option.group), name);
    return name.starts_with("n-") ? fmt::format("--{},--{}", name.substr(2), name) : "--" + name;
}

void SettingOptions::add_all() {
    for (const Option& option : options_) {
        const auto accept_all = [accepts = option.accepts, key = option.key,
                                 &given = given_](const std::string& text) {
            given.push_back(key);
            return std::ranges::all_of(accepts, [&](const Accept& accept) { return accept(text); });
        };
        command_.add(
            {option_names(option), option.what + option.range + with_default(option.kind.initial),
             option.kind.type, option.kind.refusal, accept_all},
            option.section);
    }
}

}  // namespace headlight
