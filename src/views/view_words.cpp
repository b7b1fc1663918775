// Options of a view read and written as words, and the reasons why one has no effect.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/components.h"
#include "core/error.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "views/export/look_names.h"
#include "views/graph_view.h"
#include "views/image_view.h"
#include "views/scene.h"
#include "views/selection.h"
#include "views/view_state.h"

namespace headlight {

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

std::string views_text(const std::vector<ViewId>& views) {
    if (views.empty()) return "";
    constexpr std::size_t kMany = 9;
    const bool are_many = views.size() >= kMany;
    const std::vector<ViewId> of_no_study{ViewId::Sweep, ViewId::Training, ViewId::Window};
    std::string words;
    for (const ViewEntry& named : all_views())
        if (!is_among(named.id, of_no_study) && is_among(named.id, views) != are_many)
            append_part(words, ", ", named.word);
    return (are_many ? "of all views but " : "of the views ") + words;
}

std::string why_not_of(const std::vector<ViewId>& views, ViewId view) {
    const bool is_of_it = view == ViewId::Window || views.empty() || is_among(view, views);
    return is_of_it ? "" : "it is " + views_text(views);
}

namespace {

/// Explains why a change of colours changes nothing in such a view; "" if it may change something.
std::string why_idle_change(const PictureChange& change, ViewId view, const ViewState& state) {
    using Of = PictureChange::Of;
    if (view == ViewId::Window) return "";
    const bool is_other_kind = change.of == Of::Quantity && change.quantity != Quantity::Amount;
    if (view == ViewId::Composition && is_other_kind)
        return fmt::format("the view shows amounts, and nothing of the kind {}",
                           word_for(kQuantityWords, change.quantity));
    if (change.of != Of::Difference) return "";
    if (state.with.empty()) return "without --with there is no A − B";
    if (state.sides == Comparison::Show::Both) return "--sides both draws no A − B";
    const bool has_sides = why_not_of(find_view_option("sides")->views, view).empty();
    return has_sides ? "" : fmt::format("the view {} draws no A − B", view_of(view).word);
}

/// The changes of colours that one option has made, and the first of them that is idle.
struct ChangesOfOption {
    std::ptrdiff_t n = 0, n_idle = 0;
    std::string of, why;  // "difference:", why it changes nothing
};
ChangesOfOption changes_of(const ViewOption& option, ViewId view, const ViewState& state) {
    ChangesOfOption changes;
    for (const PictureChange& change : state.pictures) {
        if (change.option != option.word) continue;
        ++changes.n;
        const std::string why = why_idle_change(change, view, state);
        if (why.empty() || ++changes.n_idle > 1) continue;
        const bool is_difference = change.of == PictureChange::Of::Difference;
        changes.of = is_difference ? kDifferenceWord : word_for(kQuantityWords, change.quantity);
        changes.why = why;
    }
    return changes;
}

/// Explains why the order of heads, or the rows of their metrics, sort nothing.
std::string why_not_sorted(const ViewOption& option, const ViewState& state) {
    using By = HeadsOrder::By;
    const By by = state.looks.heads.order.by;
    if (option.word == "metric-rows" && by != By::Metric)
        return "the heads are sorted by no metric that can leave out a row";
    if (option.word != "sort-heads") return "";
    if (by == By::Difference && state.with.empty()) return "it needs --with";
    const bool holds = !state.rows.empty() || !state.columns.empty();
    return by == By::HeldWord && !holds ? "it needs --row or --column" : "";
}

/// Explains why what is held changes nothing in the view of all heads. In a picture the heads show
/// what the held patch reads.
std::string why_not_held(const ViewOption& option, const ViewState& state, const Scene& scene) {
    const bool is_row = option.word == "row";
    if (!is_row && option.word != "column" && option.word != "held") return "";
    const bool is_sorted = state.looks.heads.order.by == HeadsOrder::By::HeldWord;
    return is_sorted || (is_row && has_image(scene.trace)) ? "" : "it needs --sort-heads held-word";
}

/// True of an option for the cells of a matrix. A range also is that of an A − B of edges.
bool is_of_cells(const ViewOption& option, ViewId view) {
    if (option.word == "range" && view == ViewId::Compared) return false;
    return option.picture || option.word == "sort" || option.word == "rows" ||
           option.word == "columns";
}

/// True if the view shows a graph in place of the pattern of its edges.
bool draws_graph_alone(ViewId view, const Scene& scene) {
    const bool can_be = view == ViewId::Step || view == ViewId::Compared;
    return can_be && scene.document.drawn_graph() &&
           shows_picture_alone(scene.trace, scene.selection);
}

/// Explains why the other side of the comparison leaves the option without effect.
std::string why_idle_beside(const ViewOption& option, ViewId view, const Scene& scene) {
    if (!scene.comparison || !scene.comparison->is_on()) return "";
    const bool is_head = scene.comparison->other<OtherHead>() != nullptr;
    if (option.word == "with" && is_head && (view == ViewId::Heads || view == ViewId::Panels))
        return fmt::format("a head is no side of the view {}", view_of(view).word);
    if (option.word == "names" && !scene.comparison->other<OtherStudy>())
        return "only a study that is B is named; heads and sentences have names";
    return "";
}

/// Says what of the option the scene does not obey, though it obeys the rest; "" if it obeys all.
std::string left_of_option(const ViewOption& option, ViewId view, const ViewState& state,
                           const Scene& scene) {
    std::string text;
    const Selection& selection = scene.selection;
    const bool is_heads = option.word == "heads" && !state.heads.empty();
    if (is_heads && selection.head != state.heads.front())
        text = fmt::format("{} is of head {}, which is the chosen one", selection.chosen,
                           selection.head);
    const ViewEntry& entry = view_of(view);
    const bool is_of_one_row =
        view == ViewId::Row || view == ViewId::Explanation || entry.shows_logits();
    if ((is_heads && state.heads.size() > 1 && !entry.has(ViewEntry::OfHeads)) ||
        (option.word == "row" && state.rows.size() > 1 && is_of_one_row))
        append_part(text, "; ",
                    fmt::format("only the first one is shown by the view {}", entry.word));
    const Tensor* colored =
        option.word == "nodes" ? colored_matrix(scene.trace, scene.components, selection) : nullptr;
    const int column = selection.looks.graph.column;
    if (colored && column >= colored->columns().size)
        text = fmt::format("{} has columns 0 to {}, and the last one is drawn, not {}",
                           colored->path(), colored->columns().size - 1, column);
    if (const ChangesOfOption changes = changes_of(option, view, state); changes.n_idle > 0)
        text = fmt::format("what is said of '{}:' is without effect, {}", changes.of, changes.why);
    return text;
}

}  // namespace

std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state) {
    if (std::string why = why_not_of(option.views, view); !why.empty()) return why;
    const bool has_needed = std::ranges::any_of(option.needs, [&](const std::string& word) {
        return !find_view_option(word)->write(state).empty();
    });
    if (view == ViewId::Window) return "";
    if (!option.needs.empty() && !has_needed)
        return "it needs " +
               joined(option.needs, " or ", [](const auto& word) { return "--" + word; });
    if (std::string why = why_not_sorted(option, state); !why.empty()) return why;
    const ChangesOfOption changes = changes_of(option, view, state);
    return changes.n_idle == changes.n ? changes.why : "";
}

std::string why_idle(const ViewOption& option, ViewId view, const ViewState& state,
                     const Scene& scene) {
    if (std::string why = why_idle(option, view, state); !why.empty()) return why;
    if (option.is_of_graph && !scene.document.drawn_graph()) return "the study has no graph";
    if (is_of_cells(option, view) && draws_graph_alone(view, scene))
        return "the picture is a graph, which has no cells";
    if (view == ViewId::Heads)
        if (std::string why = why_not_held(option, state, scene); !why.empty()) return why;
    const std::string& open = scene.selection.component;
    if (option.word == "part" && find_component(scene.components, state.part) && open != state.part)
        return fmt::format("{} is of {}", scene.selection.chosen, open);
    return why_idle_beside(option, view, scene);
}

ViewState without_refusals(ViewState state, ViewId view) {
    std::vector<PictureChange> pictures = std::exchange(state.pictures, {});
    std::erase_if(pictures, [&](const PictureChange& change) {
        return !why_idle(*find_view_option(change.option), view, state).empty() ||
               !why_idle_change(change, view, state).empty();
    });
    state.pictures = std::move(pictures);
    if (!why_idle(*find_view_option("sort-heads"), view, state).empty())
        state.looks.heads.order = {};
    return state;
}

std::vector<ViewNote> notes_on_options(ViewId view, const ViewState& state, const Scene& scene) {
    std::vector<ViewNote> notes;
    for (const ViewOption& option : view_options()) {
        const std::string why = why_idle(option, view, state, scene);
        std::string text =
            why.empty() ? left_of_option(option, view, state, scene) : "without effect, " + why;
        if (!text.empty()) notes.push_back({option.word, std::move(text)});
    }
    return notes;
}

std::string without_dashes(std::string text) {
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.erase(at, 2);
    return text;
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
