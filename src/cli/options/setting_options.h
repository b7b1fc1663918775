// Every setting of a study as an option of a command: --n-heads, or --heads for short.
//
// Settings of the same name in different parts of a study are one option, which sets them all: only
// one part matters at a time.
#pragma once

#include <memory>

#include "cli/options/options.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"

namespace headlight {

class SettingOptions {
  public:
    /// `given` gets the keys of those that are on the command line.
    SettingOptions(const Options& command, std::vector<std::string>& given)
        : command_(command), given_(given) {}

    void section(const char* label) { section_ = label; }

    template <typename Number>
    void number(const Field& field, Number& value, Range<Number> range) {
        take(field, {"NUMBER", "is not a number from " + range_text(range), setting_text(value)},
             ", " + range_text(range), [&value, range](const std::string& text) {
                 const auto number = number_between(text, range.low, range.high);
                 if (number) value = *number;
                 return number.has_value();
             });
    }
    void widths(const Field& field, Widths& value, Range<int> range);
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const ChoiceWords<Choice, n>& words) {
        take(field,
             {words_text(words), "is not one of " + words_text(words),
              std::string(word_for(words, value))},
             "", [&value, &words](const std::string& text) {
                 const auto choice = choice_named(text, words);
                 if (choice) value = *choice;
                 return choice.has_value();
             });
    }
    void flag(const Field& field, Switch& value);
    template <typename Settings>
    void group(const Field& field, Settings& settings) {
        const std::string outer = std::exchange(group_, field.key);
        visit_fields(settings, *this);
        group_ = outer;
    }

    /// Adds the visited settings to the command.
    void add_all();

  private:
    struct Kind {
        std::string type, refusal, initial;
    };
    struct Option {
        std::string key, section, what, range, group;
        Kind kind;
        std::vector<Accept> accepts = {};
    };

    void take(const Field& field, Kind kind, const std::string& range, Accept accept);
    std::string option_names(const Option& option) const;

    Options command_;
    std::vector<std::string>& given_;
    std::string section_ = "Options", group_;
    std::vector<Option> options_;
};

/// Returns a sentence for each given setting that does nothing as the others are.
std::vector<std::string> idle_settings(const Study& study, const std::vector<std::string>& given);

/// Returns options for all settings of `study`, which must live as long as the command, and
/// `given`.
template <typename AnyStudy>
void add_setting_options(const Options& command, AnyStudy& study, std::vector<std::string>& given) {
    SettingOptions options(command, given);
    visit_fields(study, options);
    options.add_all();
}

}  // namespace headlight
