#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "core/numeric/short_number.h"
#include "io/files/limits.h"
#include "views/export/look_names.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

/// Reads "1600x1000".
std::optional<Point> size_from(std::string_view text) {
    constexpr float kLeast = 64, kMost = 16384;
    const std::size_t cut = text.find('x');
    if (cut == std::string_view::npos) return std::nullopt;
    const auto width = number_between(text.substr(0, cut), kLeast, kMost);
    const auto height = number_between(text.substr(cut + 1), kLeast, kMost);
    if (!width || !height) return std::nullopt;
    return Point{*width, *height};
}

/// This character is never part of an argument.
constexpr char kEnd = '\0';

/// Makes the option read what was typed, not what as_text made of it.
CLI::Option& reading_as_typed(CLI::Option* option) {
    option->transform(CLI::Validator(
        [](std::string& text) {
            text = as_typed(std::move(text));
            return std::string();
        },
        ""));
    return *option;
}

std::function<void(const std::string&)> make_reader(const TextOption& option) {
    const std::string name = option.names.substr(0, option.names.find(','));
    return [name, option](const std::string& text) {
        if (!option.accept(text))
            throw CLI::ValidationError(name, fmt::format("{} {}", in_quotes(text), option.refusal));
    };
}

}  // namespace

std::string as_text(std::string argument) {
    return argument.starts_with('[') ? argument + kEnd : argument;
}

std::string as_typed(std::string text) {
    std::erase(text, kEnd);
    return text;
}

void Options::example(const std::string& lines) {
    app_.footer("\nExample:\n" + lines);
}

void Options::argument(const char* name, std::string& value, const char* what) {
    reading_as_typed(app_.add_option(name, value, what)).required()->type_name("");
}

void Options::optional_argument(const char* name, std::optional<std::string>& value,
                                const char* what) {
    reading_as_typed(app_.add_option(name, value, what)).type_name("");
}

void Options::arguments(const char* name, std::vector<std::string>& values, const char* what) {
    reading_as_typed(app_.add_option(name, values, what)).required()->type_name("");
}

void Options::flag(const char* name, bool& value, const char* what) {
    app_.add_flag(name, value, what);
}

void Options::path(const char* name, std::string& value, const char* what) {
    reading_as_typed(app_.add_option(name, value, what)).type_name("PATH");
}

void Options::folder(const char* name, std::string& value, const char* what) {
    reading_as_typed(app_.add_option(name, value, what + with_default(value))).type_name("FOLDER");
}

void Options::optional_text(const char* name, std::optional<std::string>& value, const char* what) {
    reading_as_typed(app_.add_option(name, value, what)).type_name("TEXT");
}

void Options::output(std::string& value, const char* what) {
    reading_as_typed(app_.add_option("-o,--output", value, what)).required()->type_name("FILE");
}

void Options::optional_output(std::optional<std::string>& value) {
    reading_as_typed(app_.add_option("-o,--output", value, "The file; without it, standard output"))
        .type_name("FILE");
}

void Options::list(const char* name, std::vector<std::string>& values, const char* type,
                   const char* what, const std::string& section) {
    reading_as_typed(app_.add_option(name, values, what))
        .type_name(type)
        ->allow_extra_args(false)
        ->group(section);
}

TextOption size_option(std::optional<Point>& value, const std::string& what) {
    return {"--size", what, "WxH", "is not a size such as 1600x1000, each side 64 to 16384",
            [&value](const std::string& text) {
                value = size_from(text);
                return value.has_value();
            }};
}

void Options::limit() {
    add({"--limit", "How large a file may be that is read whole, what it unpacks to, and a matrix",
         "SIZE", "is not a size such as 512M or 4G", [](const std::string& size) {
             if (!parse_size(size)) return false;
             raise_limits(size.c_str());
             return true;
         }});
}

bool Options::has(const std::string& name) const {
    return app_.get_option_no_throw(name) != nullptr;
}

std::vector<std::string> Options::names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : std::as_const(app_).get_options())
        if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
    return names;
}

std::vector<std::string> Options::given() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : std::as_const(app_).get_options())
        if (option->count() > 0 && !option->get_lnames().empty())
            names.push_back("--" + option->get_lnames().front());
    return names;
}

void Options::add(const TextOption& option, const std::string& section) {
    reading_as_typed(
        app_.add_option_function<std::string>(option.names, make_reader(option), option.what))
        .type_name(option.type)
        ->group(section);
}

void Options::add_all(const std::vector<TextOption>& options) {
    for (const TextOption& option : options)
        if (option.given == TextOption::Given::Once)
            add(option);
        else
            add_repeated(option);
}

void Options::add_repeated(const TextOption& option) {
    const auto read = [read_one = make_reader(option)](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) read_one(text);
    };
    reading_as_typed(
        app_.add_option_function<std::vector<std::string>>(option.names, read, option.what))
        .type_name(option.type)
        ->allow_extra_args(false);
}

namespace {

constexpr float kLeastScale = kLeastDpi / kPointsPerInch, kMostScale = kMostDpi / kPointsPerInch;

}  // namespace

std::vector<TextOption> look_options(FigureLook& look) {
    using Views = std::vector<ViewId>;
    std::vector<TextOption> all;
    all.push_back(size_option(look.room,
                              "Of a picture, in points; with --width or --type its shape "
                              "[as large as it needs]"));
    all.push_back({"--width",
                   "Of a picture, which is arranged in it: 85mm, 3.25in, 1200px, 240pt [as large "
                   "as it needs]",
                   "WIDTH", "is not a width such as 85mm, 3.25in, 1200px or 240pt",
                   [&look](const std::string& text) {
                       look.width = width_from(text);
                       return look.width.has_value();
                   }});
    all.push_back(
        {"--type",
         "Of the labels in the finished picture: 7pt, 2.5mm, 14px [in a --width 8pt, less "
         "down to 5pt where only so all labels have room]",
         "SIZE", "is not a size of type such as 7pt, 2.5mm or 14px",
         [&look](const std::string& text) {
             look.type = type_from(text);
             return look.type.has_value();
         }});
    all.push_back(
        number_option("--dpi", look.dpi, kLeastDpi, kMostDpi, "Pixels per inch of a PNG"));
    all.push_back({"--scale", "Pixels per point: --scale 2 is --dpi 144", "NUMBER",
                   fmt::format("is not a number from {} to {}", fewest_digits(kLeastScale),
                               fewest_digits(kMostScale)),
                   [&look](const std::string& text) {
                       const auto scale = number_between(text, kLeastScale, kMostScale);
                       if (scale) look.dpi = *scale * kPointsPerInch;
                       return scale.has_value();
                   }});
    all.push_back(choice_option("--theme", look.theme, kThemeWords, "Colours of a picture"));
    all.push_back(choice_option("--background", look.background, kBackgroundWords,
                                "Background of a picture"));
    Views titled;
    for (const ViewEntry& named : all_views())
        if (named.id != ViewId::Step) titled.push_back(named.id);
    all.push_back(choice_option(
        "--title", look.heading, kHeadingWords,
        "Titles and formulas; names: short titles alone, without formulas and paths"));
    all.back().views = std::move(titled);
    all.push_back(
        choice_option("--selection", look.selected, kSelectedWords, "Marks on what is held"));
    Views marked = views_with(ViewEntry::Marks);
    std::erase_if(marked, [](ViewId id) { return view_of(id).needs_held(); });
    all.back().views = std::move(marked);
    return all;
}

namespace {

constexpr EnumNames<Switch, 2> kSwitchWords = {{{"on", Switch::On}, {"off", Switch::Off}}};

std::string with_dashes(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

/// A visitor that only asks which setting it sees, whatever its type.
class SettingPaths {
  public:
    explicit SettingPaths(const SeeSetting& see) : see_(see) {}

    void section(const char*) {}
    void number(const Field& field, auto&, auto) { see(field); }
    void widths(const Field& field, Widths&, WidthRange) { see(field); }
    void choice(const Field& field, auto&, const auto&) { see(field); }
    void flag(const Field& field, Switch&) { see(field); }
    void group(const Field& field, auto& settings) {
        const std::string outer = within_;
        within_ += std::string(field.key) + ".";
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
        within_ = outer;
    }

  private:
    void see(const Field& field) { see_(within_ + field.key, field, relevance_.of(field)); }

    const SeeSetting& see_;
    std::string within_;
    Relevance relevance_;
};

}  // namespace

void see_settings(const Study& study, const SeeSetting& see) {
    SettingPaths paths(see);
    std::visit([&](auto settings) { visit_fields(settings, paths); }, study);
}

std::vector<std::string> idle_settings(const Study& study, const std::vector<std::string>& given) {
    std::set<std::string> used;
    std::map<std::string, std::string> idle;  // from the key to the setting's explanation
    see_settings(study, [&](const std::string&, const Field& field, bool is_relevant) {
        if (std::ranges::find(given, field.key) == given.end()) return;
        if (is_relevant)
            used.insert(field.key);
        else
            idle.emplace(field.key, field.help);
    });
    std::vector<std::string> sentences;
    for (const auto& [key, help] : idle)
        if (!used.contains(key))
            sentences.push_back(fmt::format("--{} has no effect as the other settings are: {}",
                                            with_dashes(key), help));
    return sentences;
}

void SettingOptions::widths(const Field& field, Widths& value, WidthRange range) {
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
