// The arguments that a command declares, the options that several commands share, and every setting
// of a study as an option: --n-heads, or --heads for short.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/numeric/short_number.h"
#include "figure/figure.h"
#include "figure/figure_look.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "text/strings.h"
#include "text/words.h"
#include "views/view_state.h"

namespace CLI {
class App;
}

namespace headlight {

/// Marks the argument as a text. The library takes an argument such as "[a, b]" for a list where
/// several are allowed; marked, it is a text like any other; as_typed takes the mark off.
std::string as_text(std::string argument);
std::string as_typed(std::string text);

TextOption size_option(std::optional<Point>& value, const std::string& what);

class Options {
  public:
    explicit Options(CLI::App& app) : app_(app) {}

    void example(const std::string& lines);

    void argument(const char* name, std::string& value, const char* what);
    void optional_argument(const char* name, std::optional<std::string>& value, const char* what);
    /// Adds an argument that may be given once or more often.
    void arguments(const char* name, std::vector<std::string>& values, const char* what);
    void flag(const char* name, bool& value, const char* what);
    void path(const char* name, std::string& value, const char* what);
    /// Adds a folder with a default.
    void folder(const char* name, std::string& value, const char* what);
    void optional_text(const char* name, std::optional<std::string>& value, const char* what);
    void output(std::string& value, const char* what);
    void optional_output(std::optional<std::string>& value);
    /// Adds an option that may be given several times.
    void list(const char* name, std::vector<std::string>& values, const char* type,
              const char* what, const std::string& section = "Options");
    void size(std::optional<Point>& value, const std::string& what) {
        add(size_option(value, what));
    }
    /// Adds --limit: the size limits of files; they apply to the whole process.
    void limit();

    template <typename Number>
    void number(const char* name, Number& value, Number low, Number high, const std::string& what) {
        add(number_option(name, value, low, high, what));
    }

    template <typename Number>
    void optional_number(const char* name, std::optional<Number>& value, Number low, Number high,
                         const std::string& what) {
        const std::string range = fmt::format("{} to {}", fewest_digits(low), fewest_digits(high));
        add({name, what, "NUMBER", "is not a number from " + range,
             [&value, low, high](const std::string& text) {
                 value = number_between<Number>(text, low, high);
                 return value.has_value();
             }});
    }

    template <typename Choice, std::size_t n>
    void choice(const char* name, Choice& value, const EnumNames<Choice, n>& words,
                const std::string& what) {
        add(choice_option(name, value, words, what));
    }

    template <typename Choice, std::size_t n>
    void optional_choice(const char* name, std::optional<Choice>& value,
                         const EnumNames<Choice, n>& words, const std::string& what) {
        const std::string known = words_text(words);
        add({name, what, known, "is not one of " + known,
             [&value, &words](const std::string& text) {
                 return (value = choice_named(text, words)).has_value();
             }});
    }

    /// `section` is a heading of the help.
    void add(const TextOption& option, const std::string& section = "Options");
    void add_all(const std::vector<TextOption>& options);
    bool has(const std::string& name) const;
    /// These return the long names of the options so far, and of those that were given on the
    /// command line.
    std::vector<std::string> names() const;
    std::vector<std::string> given() const;

  private:
    void add_repeated(const TextOption& option);

    CLI::App& app_;
};

/// Returns options for the look of pictures; each says which views of a study it changes. `look`
/// must live as long as the result.
std::vector<TextOption> look_options(FigureLook& look);
/// `look` must live as long as the command.
inline void add_look_options(Options& command, FigureLook& look) {
    for (TextOption option : look_options(look)) {
        option.views.clear();  // the command draws one view
        command.add(option);
    }
}

inline void add_sentence(Options& command, std::optional<Index>& sentence) {
    command.optional_number(
        "--sentence", sentence, Index{1}, static_cast<Index>(kMaxWords),
        "Only this one of several sentences, counted from 1; without it, all, stacked");
}

/// Makes an option of every setting. Settings of the same name in different parts of a study are
/// one option, which sets them all: only one part matters at a time.
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
    void widths(const Field& field, Widths& value, WidthRange range);
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
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

/// Shows each setting of the study: its path, "layer.heads", and whether it has an effect as the
/// others are.
using SeeSetting =
    std::function<void(const std::string& path, const Field& field, bool is_relevant)>;
void see_settings(const Study& study, const SeeSetting& see);

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
