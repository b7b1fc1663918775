// The content of a view of a study, and its look: one list of all that can be chosen.
//
// Goals: the command line, the keys of a lecture's page, the view that is saved with a study, the
// command in a caption, and the notes on what has no effect read and write this list. A new option
// is one line of it. Not goals: what a hand has selected of one trace (views/selection.h).
#pragma once

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/numeric/read_digits.h"
#include "core/numeric/short_number.h"
#include "figure/picture_scales.h"
#include "figure/picture_view.h"
#include "io/studies/study.h"
#include "model/settings/setting_names.h"
#include "text/strings.h"
#include "views/comparison.h"
#include "views/looks.h"
#include "views/views.h"

namespace headlight {

enum class ViewId;

/// Takes a text's meaning over, or returns false.
using Accept = std::function<bool(const std::string& text)>;

struct TextOption {
    std::string names;    // "--heads,--n-heads"
    std::string what;     // "Attention heads in each layer, 1 to 16 [4]"
    std::string type;     // "NUMBER", "none|pre|post"
    std::string refusal;  // "is not a number from 1 to 16"
    Accept accept;
    enum class Given { Once, OftenAsWell } given = Given::Once;
    std::vector<ViewId> views = {};  // it can change these; empty: all, or it is of none
};

/// Reads a number that takes the whole text; returns nothing if it does not, or is not between the
/// limits.
template <typename Number>
std::optional<Number> number_between(std::string_view text, Number low, Number high) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    if (failure != std::errc() || rest != end || !(number >= low && number <= high))
        return std::nullopt;
    return number;
}

/// "none|pre|post"
template <typename Choice, std::size_t n>
std::string words_text(const EnumNames<Choice, n>& words) {
    return joined(words, "|", [](const auto& choice) { return choice.first; });
}

template <typename Choice, std::size_t n>
std::optional<Choice> choice_named(std::string_view text, const EnumNames<Choice, n>& words) {
    for (const auto& [word, meaning] : words)
        if (word == text) return meaning;
    return std::nullopt;
}

/// Adds the usual value, " [4]", after the description of an option.
inline std::string with_default(const std::string& text) {
    return fmt::format(" [{}]", text);
}

template <typename Number>
TextOption number_option(const char* name, Number& value, Number low, Number high,
                         const std::string& what) {
    const std::string range = fmt::format("{} to {}", fewest_digits(low), fewest_digits(high));
    return {name, fmt::format("{}, {}{}", what, range, with_default(fewest_digits(value))),
            "NUMBER", "is not a number from " + range,
            [&value, low, high](const std::string& text) {
                const auto number = number_between<Number>(text, low, high);
                if (number) value = *number;
                return number.has_value();
            }};
}

template <typename Choice, std::size_t n>
TextOption choice_option(const char* name, Choice& value, const EnumNames<Choice, n>& words,
                         const std::string& what) {
    const std::string known = words_text(words);
    return {name, what + with_default(std::string(word_for(words, value))), known,
            "is not one of " + known, [&value, &words](const std::string& text) {
                const auto choice = choice_named(text, words);
                if (choice) value = *choice;
                return choice.has_value();
            }};
}

/// A setting for the colours of matrices, as an option writes it.
struct PictureChange {
    enum class Of { Shown, Quantity, Difference } of = Of::Shown;  // Difference: A − B
    Quantity quantity = {};
    std::string option = {}, value = {};  // "steps", "log"

    bool operator==(const PictureChange&) const = default;
};

/// The choices of a view. Matrices, rows, words and heads have the names that people give them; an
/// empty text or list says nothing.
struct ViewState {
    std::string part;                  // path of the component that is open
    std::vector<int> heads;            // the chosen head, and those drawn over it
    std::string held;                  // the matrix whose row is held; "": the chosen one
    std::vector<std::string> rows;     // of it; more than one: words that look
    std::vector<std::string> columns;  // more than one, without rows: words that are read
    std::vector<std::string> part_rows, part_columns;  // the only ones that are shown; none: all
    std::string against;                               // of the plane: a second matrix
    std::vector<std::string> panels;                   // globs of the matrices of panels …
    std::vector<std::string> panel_titles;             // … and their titles, in their order
    std::string with;   // B: a study's file, a head's matrix, or a sentence's number
    std::string names;  // "now|before": what A and B are called
    Comparison::Show sides = Comparison::Show::All;
    std::vector<PictureChange> pictures;
    PictureView zoom;
    Looks looks;
    /// On the picture of a graph a held row is a node. No option says so: the view does.
    bool rows_are_nodes = false;
};

/// Where values have both signs, colours lie evenly about 0.
enum class Signs { One, Both };
/// An option for the colours and numbers of matrices, in its two ways between a text and the
/// settings.
struct PictureOption {
    std::function<bool(PictureSettings& settings, const std::string& text)> read;
    std::function<std::string(const PictureSettings& settings, Signs)> write;  // "": as in new ones
};

/// One choice of a view: its name and possible values, the views that it changes, and its two ways
/// between a text and the state.
struct ViewOption {
    std::string word;     // "strongest": --strongest, the key of a page, a word of a saved view
    std::string help;     // with its range and what it is without the option
    std::string type;     // "NUMBER", "sum|mean"
    std::string refusal;  // "is not a number from 1 to 60"
    std::vector<ViewId> views;       // the views that it changes
    std::vector<std::string> needs;  // words; without one of these options it has no effect
    TextOption::Given given = TextOption::Given::Once;
    /// Returns false, and leaves the state as it was, if the text is not of the type.
    std::function<bool(ViewState& state, const std::string& text)> read;
    /// Returns the texts that make it so in a new state, one after the other; none where it is so
    /// already.
    std::function<std::vector<std::string>(const ViewState& state)> write;
    /// A form of its own has the options of a group as well.
    enum class Group { None, Colors } group = Group::None;
    bool is_of_graph = false;                   // it changes studies with a graph only
    bool is_of_tables = false;                  // it changes the numbers of a view, too
    std::optional<PictureOption> picture = {};  // of the colours and numbers of matrices
};

/// Returns the options in the order in which a command has them.
const std::vector<ViewOption>& view_options();
/// Returns the option of that word; null if there is none.
const ViewOption* find_view_option(std::string_view word);
/// Returns the options that are of that view and of such a study, whatever else is chosen.
std::vector<const ViewOption*> options_of(ViewId view, const Document& document);
/// Returns the options as those of a command. `state` must live as long as the result.
std::vector<TextOption> command_options(ViewState& state);

/// Reads one word. Returns what is wrong with the text, "is not …"; "" if nothing is; nothing if
/// there is no such option.
std::optional<std::string> read_view_word(ViewState& state, std::string_view word,
                                          const std::string& text);
/// Throws Error if there is no such option, or it has no such value.
void take_view_word(ViewState& state, const ViewWord& word);

/// Writes all that differs from a new state.
ViewWords write_view(const ViewState& state);

/// Names the views that an option changes: "of the views words", "of all views but heads"; "" for
/// all.
std::string views_text(const std::vector<ViewId>& views);
/// Explains why the option changes nothing in such a view, given the rest of the state: "it is of
/// the views words", "it needs --with"; "" if it may change something.
std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state);
/// Also explains why it changes nothing for what the scene shows: "the study has no graph", "the
/// picture is a graph, which has no cells".
std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state,
                     const Scene& scene);
/// Explains that the view is none of these; "" if it is one. It is the first reason of why_idle.
std::string why_not_of(const std::vector<ViewId>& views, ViewId view);
/// Returns the state without those choices that change nothing in such a view and that a matrix
/// might refuse: colours, and the order of heads.
ViewState without_refusals(ViewState state, ViewId view);

/// A note on an option that the scene does not obey, or obeys only in part.
struct ViewNote {
    std::string word;  // of the option
    std::string text;  // "without effect, it needs --with"; "only the first one is shown by …"
};
/// Returns the notes on all options in the order of the list, whether they were given or not. The
/// state is chosen in the scene.
std::vector<ViewNote> notes_on_options(ViewId view, const ViewState& state, const Scene& scene);
/// Returns the text with the names of options as a page and the window write them: without the
/// dashes of a command.
std::string without_dashes(std::string text);

// ---- how matrices are coloured ----

/// Returns the settings that differ from new ones, as changes of that kind; `option` and `value`
/// are set.
std::vector<PictureChange> changes_from(const PictureSettings& settings, PictureChange of,
                                        Signs signs);
/// Explains why an option of the colours changes nothing in matrices of that quantity; "" if it may
/// change something.
std::string why_idle(const ViewOption& option, Quantity quantity, const PictureSettings& settings);
/// Gives an option of the colours another text; an empty one makes it as in new settings. Returns
/// what is wrong with the text, and leaves the settings as they were; "" if nothing is.
std::string set_picture_option(PictureSettings& settings, const ViewOption& option,
                               const std::string& text, Signs signs);
/// Explains how to write a range of values with signs that does not lie evenly about 0; "" if it
/// does.
std::string why_uneven(const PictureSettings& settings);
/// Makes the change, whatever part of the picture it belongs to.
void apply(const PictureChange& change, PictureSettings& settings);

}  // namespace headlight
