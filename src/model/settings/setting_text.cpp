#include "model/settings/setting_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/numeric/read_digits.h"
#include "core/numeric/short_number.h"
#include "model/changes.h"
#include "model/settings/study_settings.h"
#include "text/strings.h"

namespace headlight {

std::string setting_text(int value) {
    return std::to_string(value);
}

std::string setting_text(float value) {
    return fewest_digits(value);
}

std::string setting_text(Switch value) {
    return value == Switch::On ? "on" : "off";
}

std::string setting_text(const Widths& value) {
    return joined(value.values);
}

std::string spoken(const Widths& value, WidthRange range) {
    return value.follow_the_model() && range.zero ? range.zero : setting_text(value);
}

std::string spoken(std::string_view word) {
    std::string text(word);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string within_sentence(std::string label) {
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (label.size() > 1 && is_capital(label[0]) && !is_capital(label[1]))
        label[0] = static_cast<char>(label[0] - 'A' + 'a');
    return label;
}

std::string change_name(const Field& field, const std::string& value) {
    return fmt::format("Set {} to {}", within_sentence(field.label), value);
}

std::string change_name(const Field& field, Switch value) {
    return fmt::format("Set {} {}", within_sentence(field.label), setting_text(value));
}

std::optional<Widths> parse_widths(std::string_view text, WidthRange range) {
    Widths widths{{}};
    while (true) {
        const std::size_t comma = text.find(',');
        std::string_view number = text.substr(0, comma);
        while (number.starts_with(' ')) number.remove_prefix(1);
        while (number.ends_with(' ')) number.remove_suffix(1);
        const char* end = number.data() + number.size();
        int width = 0;
        const auto [rest, failure] = read_digits(number.data(), end, width);
        if (failure != std::errc() || rest != end) return std::nullopt;
        widths.values.push_back(width);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    if (!is_within(widths, range)) return std::nullopt;
    return widths;
}

bool is_within(const Widths& value, WidthRange range) {
    const Range<int> one = range.of_each(value);
    return !value.values.empty() && value.values.size() <= std::size_t{kMaxHeads} &&
           std::ranges::all_of(value.values, [&](int width) { return is_within(width, one); });
}

namespace {

constexpr EnumNames<Switch, 2> kOnOffWords = {{{"on", Switch::On}, {"off", Switch::Off}}};

template <typename Number>
std::optional<Number> parse_whole_text(std::string_view text) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    if (failure != std::errc() || rest != end) return std::nullopt;
    return number;
}

/// Goes through all settings; the one with the path is read, and set if there is a value.
class NamedSetting {
  public:
    NamedSetting(std::string_view path, std::optional<std::string_view> value)
        : path_(path), value_(value) {}

    void section(const char*) {}
    template <typename Number>
    void number(const Field& field, Number& setting, Range<Number> range) {
        if (!is_it(field)) return;
        if (value_) {
            const auto number = parse_whole_text<Number>(*value_);
            if (!number || !is_within(*number, range)) refuse(range_text(range));
            setting = *number;
        }
        text_ = setting_text(setting);
    }
    void widths(const Field& field, Widths& setting, WidthRange range) {
        if (!is_it(field)) return;
        if (value_) {
            const auto widths = parse_widths(*value_, range);
            if (!widths)
                refuse(
                    fmt::format("{}, or one for each {}: 8, 4, 4", range_text(range), field.each));
            setting = *widths;
        }
        text_ = setting_text(setting);
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& setting, const EnumNames<Choice, n>& words) {
        if (!is_it(field)) return;
        choice_ = {field.label, {}};
        for (const auto& item : words) choice_.words.push_back(item.first);
        std::string known;
        bool is_known = !value_;
        for (const auto& [word, meaning] : words) {
            append_part(known, ", ", word);
            if (value_ != word) continue;
            setting = meaning;
            is_known = true;
        }
        if (!is_known) refuse(known);
        text_ = std::string(word_for(words, setting));
    }
    void flag(const Field& field, Switch& setting) { choice(field, setting, kOnOffWords); }
    void group(const Field& field, auto& settings) {
        const std::string outer = std::exchange(group_, group_ + field.key + ".");
        visit_fields(settings, *this);
        group_ = outer;
    }

    const std::string& text() const {
        if (!text_) {
            std::string names;
            for (const std::string& known : known_)
                if (known.ends_with(path_.substr(path_.rfind('.') + 1)))
                    names += (names.empty() ? "; it is perhaps " : " or ") + known;
            throw Error("study", "there is no setting {}{}", in_quotes(path_), names);
        }
        return *text_;
    }
    /// Returns the setting's words; none if it is a number or there is no such setting.
    const ChoiceSetting& choice_setting() const { return choice_; }
    /// Returns the paths of all settings.
    const std::vector<std::string>& paths() const { return known_; }

  private:
    bool is_it(const Field& field) {
        known_.push_back(group_ + field.key);
        return known_.back() == path_;
    }
    [[noreturn]] void refuse(const std::string& allowed) const {
        throw Error("study", "{} cannot be '{}'; it can be {}", path_, *value_, allowed);
    }

    std::string_view path_;
    std::optional<std::string_view> value_;
    std::string group_;
    std::vector<std::string> known_;
    std::optional<std::string> text_;
    ChoiceSetting choice_;
};

constexpr std::string_view kSeedPath = "seed";

std::string visit_setting(Study& study, std::string_view path,
                          std::optional<std::string_view> value) {
    NamedSetting visitor(path, value);
    std::visit([&](auto& settings) { visit_fields(settings, visitor); }, study);
    return visitor.text();
}

}  // namespace

void set_named_setting(Document& document, std::string_view path, std::string_view value) {
    if (path == kSeedPath) {
        const auto seed = parse_whole_text<std::uint64_t>(value);
        if (!seed) throw Error("study", "seed cannot be '{}'", value);
        document.seed = *seed;
        return;
    }
    visit_setting(document.study, path, value);
}

std::string named_setting(const Document& document, std::string_view path) {
    if (path == kSeedPath) return std::to_string(document.seed);
    Study study = document.study;
    return visit_setting(study, path, std::nullopt);
}

std::vector<std::string> setting_paths(const Document& document) {
    Study study = document.study;
    NamedSetting visitor("", std::nullopt);
    std::visit([&](auto& settings) { visit_fields(settings, visitor); }, study);
    std::vector<std::string> paths = visitor.paths();
    paths.emplace_back(kSeedPath);
    return paths;
}

std::optional<ChoiceSetting> find_choice_setting(const Document& document, std::string_view path) {
    Study study = document.study;
    NamedSetting visitor(path, std::nullopt);
    std::visit([&](auto& settings) { visit_fields(settings, visitor); }, study);
    if (visitor.choice_setting().words.empty()) return std::nullopt;
    return visitor.choice_setting();
}

namespace {

constexpr const char* kSeed = "seed";

/// Calls `see(setting, set)` for each number that matters; set(x) changes it. See
/// model/settings/settings.h.
template <typename See>
class NumberVisitor {
  public:
    explicit NumberVisitor(See see) : see_(std::move(see)) {}

    void section(const char*) {}
    void number(const Field& field, int& value, Range<int> range) {
        if (!relevance_.of(field)) return;
        see_(NumberSetting{.path = group_ + field.key,
                           .label = field.label,
                           .value = double(value),
                           .low = double(range.low),
                           .high = double(range.high),
                           .is_whole = true},
             [&value](double wanted) { value = static_cast<int>(std::lround(wanted)); });
    }
    void number(const Field& field, float& value, Range<float> range) {
        if (!relevance_.of(field)) return;
        see_(NumberSetting{group_ + field.key, field.label, value, range.low, range.high},
             [&value](double wanted) { value = static_cast<float>(wanted); });
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        if (value.values.size() == 1) number(field, value.values[0], range);
    }
    void choice(const Field&, auto&, const auto&) {}
    void flag(const Field&, Switch&) {}
    void group(const Field& field, auto& settings) {
        const std::string outer = std::exchange(group_, group_ + field.key + ".");
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
        group_ = outer;
    }

  private:
    See see_;
    Relevance relevance_;
    std::string group_;
};

void visit_numbers(Study& study, auto see) {
    NumberVisitor visitor(std::move(see));
    std::visit([&](auto& settings) { visit_fields(settings, visitor); }, study);
}

}  // namespace

std::vector<NumberSetting> number_settings(const Document& document) {
    std::vector<NumberSetting> settings;
    Study study = document.study;
    visit_numbers(study, [&](const NumberSetting& setting, auto) { settings.push_back(setting); });
    settings.push_back({.path = kSeed,
                        .label = "Seed",
                        .value = static_cast<double>(document.seed),
                        .high = kMaxSeed,
                        .is_whole = true});
    return settings;
}

std::optional<NumberSetting> find_number_setting(const Document& document,
                                                 const std::string& path) {
    for (NumberSetting& setting : number_settings(document))
        if (setting.path == path) return std::move(setting);
    return std::nullopt;
}

void set_number_setting(Document& document, const std::string& path, double value) {
    const auto setting = find_number_setting(document, path);
    if (!setting || std::isnan(value))
        throw Error("settings", "{} is not a number that can be set here", path);
    const double kept = std::clamp(value, setting->low, setting->high);
    if (path == kSeed) {
        document.seed = static_cast<std::uint64_t>(std::lround(kept));
        return;
    }
    Study study = document.study;
    visit_numbers(study, [&](const NumberSetting& seen, auto set) {
        if (seen.path == path) set(kept);
    });
    set_settings(document, study);
}

}  // namespace headlight
