// Options of a view read and written as words, and the reasons why one has no effect.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "core/error.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "views/view_state.h"

namespace headlight {
namespace {

bool has_view(const std::vector<ViewId>& views, ViewId view) {
    return std::ranges::find(views, view) != views.end();
}

}  // namespace

const ViewOption* find_view_option(std::string_view word) {
    const auto found = std::ranges::find(view_options(), word, &ViewOption::word);
    return found == view_options().end() ? nullptr : &*found;
}

std::vector<const ViewOption*> options_of(ViewId view, const Document& document) {
    std::vector<const ViewOption*> options;
    for (const ViewOption& option : view_options()) {
        const bool fits_study = !option.is_of_graph || document.drawn_graph();
        if (fits_study && why_not_of(option.views, view).empty()) options.push_back(&option);
    }
    return options;
}

std::vector<TextOption> command_options(ViewState& state) {
    std::vector<TextOption> all;
    for (const ViewOption& option : view_options())
        all.push_back(
            {"--" + option.word, fmt::format("{} ({})", option.help, views_text(option.views)),
             option.type, option.refusal,
             [&state, &option](const std::string& text) { return option.read(state, text); },
             option.given, option.views});
    return all;
}

std::optional<std::string> read_view_word(ViewState& state, std::string_view word,
                                          const std::string& text) {
    const ViewOption* option = find_view_option(word);
    if (!option) return std::nullopt;
    return option->read(state, text) ? "" : option->refusal;
}

void take_view_word(ViewState& state, const ViewWord& word) {
    const auto wrong = read_view_word(state, word.name, word.value);
    if (!wrong) throw Error("view", "there is no option {}", in_quotes(word.name));
    if (!wrong->empty()) throw Error("view", "{}: {} {}", word.name, in_quotes(word.value), *wrong);
}

ViewWords write_view(const ViewState& state) {
    ViewWords words;
    for (const ViewOption& option : view_options())
        for (std::string& value : option.write(state))
            words.push_back({option.word, std::move(value)});
    return words;
}

ViewWords write_view(const ViewState& state, ViewId view) {
    ViewWords words = write_view(state);
    std::erase_if(words, [&](const ViewWord& word) {
        return !why_idle(*find_view_option(word.name), view, state).empty();
    });
    return words;
}

std::string views_text(const std::vector<ViewId>& views) {
    if (views.empty()) return "";
    constexpr std::size_t kMany = 9;
    const bool are_many = views.size() >= kMany;
    const std::vector<ViewId> of_no_study{ViewId::Sweep, ViewId::Training, ViewId::Window};
    std::string words;
    for (const ViewEntry& named : all_views())
        if (!has_view(of_no_study, named.id) && has_view(views, named.id) != are_many)
            append_part(words, ", ", named.word);
    return (are_many ? "of all views but " : "of the views ") + words;
}

std::string why_not_of(const std::vector<ViewId>& views, ViewId view) {
    const bool is_of_it = view == ViewId::Window || views.empty() || has_view(views, view);
    return is_of_it ? "" : "it is " + views_text(views);
}

std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state) {
    if (std::string why = why_not_of(option.views, view); !why.empty()) return why;
    const bool has_needed = std::ranges::any_of(option.needs, [&](const std::string& word) {
        return !find_view_option(word)->write(state).empty();
    });
    if (view == ViewId::Window || option.needs.empty() || has_needed) return "";
    return "it needs " + joined(option.needs, " or ", [](const auto& word) { return "--" + word; });
}

std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state,
                     const Document& document) {
    std::string why = why_idle(option, view, state);
    const bool lacks_graph = option.is_of_graph && !document.drawn_graph();
    return why.empty() && lacks_graph ? "the study has no graph" : why;
}

std::vector<PictureChange> changes_from(const PictureSettings& settings, PictureChange of,
                                        Signs signs) {
    std::vector<PictureChange> changes;
    for (const ViewOption& option : view_options()) {
        if (!option.picture) continue;
        of.option = option.word;
        of.value = option.picture->write(settings, signs);
        if (!of.value.empty()) changes.push_back(of);
    }
    return changes;
}

std::string why_idle(const ViewOption& option, Quantity quantity, const PictureSettings& settings) {
    const std::string& word = option.word;
    const bool sets_colors = word == "colors" || word == "steps" || word == "range";
    if (sets_colors && !has_free_colors(quantity)) return "such matrices have colours of their own";
    if (word == "range" && settings.scale == PictureSettings::Scale::PerRow)
        return "with --steps per-row each row has a range of its own";
    if (word != "decimals") return "";
    if (settings.numbers == PictureSettings::Numbers::Never) return "there are no numbers";
    return quantity == Quantity::Rank ? "ranks are whole numbers" : "";
}

std::string set_picture_option(PictureSettings& settings, const ViewOption& option,
                               const std::string& text, Signs signs) {
    PictureSettings made;
    for (const PictureChange& change : changes_from(settings, {}, signs))
        if (change.option != option.word) apply(change, made);
    if (!text.empty() && !option.picture->read(made, text))
        return fmt::format("{} {}", in_quotes(text), option.refusal);
    std::string wrong = signs == Signs::Both ? why_uneven(made) : "";
    if (wrong.empty()) settings = made;
    return wrong;
}

std::string why_uneven(const PictureSettings& settings) {
    if (settings.range != PictureSettings::Range::Fixed || settings.low == -settings.high)
        return "";
    const std::string most = number_text(std::max(std::abs(settings.low), std::abs(settings.high)));
    return fmt::format(
        "the values have signs, so the colours lie evenly about 0; write -{}:{} in place of {}:{}",
        most, most, number_text(settings.low), number_text(settings.high));
}

void apply(const PictureChange& change, PictureSettings& settings) {
    find_view_option(change.option)->picture->read(settings, change.value);
}

}  // namespace headlight
