#include "views/view_state.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "core/numeric/short_number.h"
#include "figure/color.h"
#include "figure/color_scale.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "views/export/look_names.h"
#include "views/heads_order.h"

namespace headlight {
namespace {

using TextList = std::vector<std::string>;
using ViewList = std::vector<ViewId>;

// ---- which views an option changes ----

using enum ViewEntry::Trait;

const ViewList kOfParts{ViewId::Matrix, ViewId::Compared, ViewId::Flow, ViewId::Layer,
                        ViewId::Window};
const ViewList kOfGraph{ViewId::Graph, ViewId::Compared, ViewId::Step};

/// Returns the views that stand beside each other in a comparison.
ViewList sides() {
    ViewList views = views_with(OfSides);
    std::erase_if(views,
                  [](ViewId id) { return id == ViewId::Window || view_of(id).shows_logits(); });
    return views;
}

/// Returns the views of that trait, and that of all heads, which can be sorted by what is held.
ViewList held_in(ViewEntry::Trait trait) {
    ViewList views = views_with(trait);
    views.push_back(ViewId::Heads);
    return views;
}

/// Returns the views with one matrix or with several of the same words.
ViewList sorted() {
    ViewList views = views_with(Numbered);
    std::erase(views, ViewId::Step);
    return views;
}

ViewList both(ViewList views, const ViewList& more) {
    views.insert(views.end(), more.begin(), more.end());
    return views;
}

// ---- options by their types; `get` leads to their place in a state ----

/// Makes an accessor of these members, for a state that is changed or read.
template <typename... Member>
auto at(Member... members) {
    return [=](auto& state) -> auto& {
        return (state.*....*members);
    };
}

constexpr auto kOften = TextOption::Given::OftenAsWell;

ViewOption named(const char* word, std::string help, std::string type, std::string refusal,
                 ViewList views, TextList needs = {}) {
    ViewOption option;
    option.word = word;
    option.help = std::move(help);
    option.type = std::move(type);
    option.refusal = std::move(refusal);
    option.views = std::move(views);
    option.needs = std::move(needs);
    return option;
}

TextList text_unless_empty(std::string text) {
    return text.empty() ? TextList{} : TextList{std::move(text)};
}

/// Makes an option whose texts are read and written by functions of its own.
ViewOption own(const char* word, std::string help, std::string type, std::string refusal,
               bool (*read)(ViewState&, const std::string&), std::string (*write)(const ViewState&),
               ViewList views) {
    ViewOption option =
        named(word, std::move(help), std::move(type), std::move(refusal), std::move(views));
    option.read = read;
    option.write = [write](const ViewState& state) { return text_unless_empty(write(state)); };
    return option;
}

template <typename Get, typename Choice, std::size_t n>
ViewOption choice(const char* word, const char* help, Get get, const EnumNames<Choice, n>& words,
                  ViewList views, TextList needs = {}) {
    const std::string known = words_text(words);
    ViewOption option = named(word, help + with_default(std::string(words.front().first)), known,
                              "is not one of " + known, std::move(views), std::move(needs));
    option.read = [get, &words](ViewState& state, const std::string& text) {
        const auto named = choice_named(text, words);
        if (named) get(state) = *named;
        return named.has_value();
    };
    option.write = [get, &words](const ViewState& state) {
        const Choice value = get(state);
        const bool is_usual = value == words.front().second;
        return text_unless_empty(is_usual ? "" : std::string(word_for(words, value)));
    };
    return option;
}

template <typename Get, typename Number>
ViewOption number(const char* word, const char* help, Get get, Number low, Number high,
                  ViewList views) {
    const std::string range = fmt::format("{} to {}", fewest_digits(low), fewest_digits(high));
    const ViewState fresh;
    const Number usual = get(fresh);
    ViewOption option =
        named(word, fmt::format("{}, {}{}", help, range, with_default(fewest_digits(usual))),
              "NUMBER", "is not a number from " + range, std::move(views));
    option.read = [get, low, high](ViewState& state, const std::string& text) {
        const auto value = number_between<Number>(text, low, high);
        if (value) get(state) = *value;
        return value.has_value();
    };
    option.write = [get, usual](const ViewState& state) {
        const Number value = get(state);
        if (value == usual) return TextList{};
        if constexpr (std::is_integral_v<Number>)
            return TextList{std::to_string(value)};
        else
            return TextList{number_text(value)};
    };
    return option;
}

template <typename Get>
ViewOption text(const char* word, const char* help, Get get, ViewList views, TextList needs = {}) {
    ViewOption option = named(word, help, "TEXT", "is empty", std::move(views), std::move(needs));
    option.read = [get](ViewState& state, const std::string& value) {
        if (!value.empty()) get(state) = value;
        return !value.empty();
    };
    option.write = [get](const ViewState& state) { return text_unless_empty(get(state)); };
    return option;
}

template <typename Get>
ViewOption list(const char* word, const char* type, const char* help, Get get, ViewList views,
                TextList needs = {}) {
    ViewOption option = named(word, help, type, "", std::move(views), std::move(needs));
    option.given = kOften;
    option.read = [get](ViewState& state, const std::string& value) {
        get(state).push_back(value);
        return true;
    };
    option.write = [get](const ViewState& state) { return get(state); };
    return option;
}

ViewOption of_graph(ViewOption option) {
    option.is_of_graph = true;
    return option;
}

ViewOption of_tables(ViewOption option) {
    option.is_of_tables = true;
    return option;
}

ViewOption of_colors(ViewOption option) {
    option.group = ViewOption::Group::Colors;
    return option;
}

// ---- texts of single options ----

bool read_sort_heads(ViewState& state, const std::string& text) {
    if (!text.empty()) state.looks.heads.order = read_heads_order(text);
    return !text.empty();
}

std::string write_sort_heads(const ViewState& state) {
    return write_heads_order(state.looks.heads.order);
}

/// "1,0,3"
bool read_heads(ViewState& state, const std::string& text) {
    std::vector<int> heads;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto head = number_between(std::string_view(text).substr(at, comma - at), 0, 9999);
        if (!head) return false;
        heads.push_back(*head);
        at = comma + 1;
    }
    state.heads = std::move(heads);
    return true;
}

std::string write_heads(const ViewState& state) {
    return joined(state.heads, ",");
}

bool read_across(ViewState& state, const std::string& text) {
    const auto across = number_between(text, 1, kMostAcross);
    if (across) state.looks.panels.across = *across;
    return across.has_value();
}

std::string write_across(const ViewState& state) {
    const int across = state.looks.panels.across;
    return across > 0 ? std::to_string(across) : "";
}

/// Reads "4:12.5:3": the enlargement, from 1 on, and the two coordinates of the middle, from 0 on.
/// Returns nothing if the text is none, or a number is larger than it may be.
std::optional<std::array<double, 3>> read_place(std::string_view text, double most_times,
                                                double most) {
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const auto times = number_between(text.substr(0, first), 1.0, most_times);
    const auto a = number_between(text.substr(first + 1, second - first - 1), 0.0, most);
    const auto b = number_between(text.substr(second + 1), 0.0, most);
    if (!times || !a || !b) return std::nullopt;
    return std::array{*times, *a, *b};
}

bool read_zoom(ViewState& state, const std::string& text) {
    const auto place = read_place(text, 1e6, 1e9);
    if (place) state.zoom = {(*place)[0], (*place)[1], (*place)[2]};
    return place.has_value();
}

std::string write_zoom(const ViewState& state) {
    const PictureView& view = state.zoom;
    return view.is_whole() ? ""
                           : fmt::format("{}:{}:{}", number_text(view.zoom), number_text(view.row),
                                         number_text(view.column));
}

constexpr int kMostColumn = 1'000'000, kMostOfEachNode = 1'000'000;

/// Returns the text that follows "strongest:"; nothing if the text begins otherwise.
std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
    if (!text.starts_with(begin)) return std::nullopt;
    return text.substr(begin.size());
}

std::string write_edges(const ViewState& state) {
    const GraphLook& look = state.looks.graph;
    switch (look.edges) {
        case GraphLook::EdgesShown::Strongest:
            return fmt::format("strongest:{}", look.n_strongest);
        case GraphLook::EdgesShown::Weight:
            return "weight:" + number_text(look.least_weight);
        case GraphLook::EdgesShown::Chosen:
            return "chosen";
        case GraphLook::EdgesShown::All:
            break;
    }
    return "";
}

bool read_edges(ViewState& state, const std::string& word) {
    GraphLook& look = state.looks.graph;
    using Shown = GraphLook::EdgesShown;
    if (word == "all" || word == "chosen") {
        look.edges = word == "all" ? Shown::All : Shown::Chosen;
        return true;
    }
    if (const auto text = after(word, "strongest:"))
        if (const auto n = number_between(*text, 1, kMostOfEachNode)) {
            look.edges = Shown::Strongest;
            look.n_strongest = *n;
            return true;
        }
    if (const auto text = after(word, "weight:"))
        if (const auto least = number_between(*text, 0.0f, 1.0f)) {
            look.edges = Shown::Weight;
            look.least_weight = *least;
            return true;
        }
    return false;
}

std::string write_nodes(const ViewState& state) {
    const GraphLook& look = state.looks.graph;
    switch (look.nodes) {
        case GraphLook::NodeColors::Groups:
            return "group";
        case GraphLook::NodeColors::Feature:
            return fmt::format("feature:{}", look.column);
        case GraphLook::NodeColors::Output:
            return fmt::format("output:{}", look.column);
        case GraphLook::NodeColors::Classes:
            break;
    }
    return "";
}

bool read_nodes(ViewState& state, const std::string& word) {
    GraphLook& look = state.looks.graph;
    using Colors = GraphLook::NodeColors;
    if (word == "class" || word == "group") {
        look.nodes = word == "class" ? Colors::Classes : Colors::Groups;
        return true;
    }
    for (const auto& [begin, colors] : {std::pair(std::string_view("feature:"), Colors::Feature),
                                        std::pair(std::string_view("output:"), Colors::Output)}) {
        const auto text = after(word, begin);
        const auto column = text ? number_between(*text, 0, kMostColumn) : std::nullopt;
        if (!column) continue;
        look.nodes = colors;
        look.column = *column;
        return true;
    }
    return false;
}

std::string write_graph_zoom(const ViewState& state) {
    const GraphZoom& zoom = state.looks.graph.zoom;
    if (zoom.is_whole()) return "";
    return fmt::format("{}:{}:{}", number_text(zoom.zoom), number_text(zoom.x),
                       number_text(zoom.y));
}

bool read_graph_zoom(ViewState& state, const std::string& text) {
    const auto place = read_place(text, kMostGraphZoom, 1);
    if (place) state.looks.graph.zoom = {(*place)[0], (*place)[1], (*place)[2]};
    return place.has_value();
}

// ---- how matrices are coloured ----

std::string map_names() {
    std::string names;
    for (const auto& maps : {sequential_maps(), diverging_maps()})
        for (const ColorMap& map : maps) append_part(names, "|", map.name);
    return names;
}

bool read_colors(PictureSettings& settings, const std::string& name) {
    settings.colors = name;
    return find_map(sequential_maps(), name) || find_map(diverging_maps(), name);
}
std::string write_colors(const PictureSettings& settings, Signs) {
    return settings.colors;
}

/// "0:0.5": two numbers, the second one larger.
bool read_range(PictureSettings& settings, const std::string& text) {
    using Range = PictureSettings::Range;
    if (text == "standard" || text == "fitted") {
        settings.range = text == "fitted" ? Range::Fitted : Range::Standard;
        return true;
    }
    constexpr Scalar kMost = std::numeric_limits<Scalar>::max();
    const std::size_t cut = text.find(':');
    if (cut == std::string::npos) return false;
    const auto low = number_between(std::string_view(text).substr(0, cut), -kMost, kMost);
    const auto high = number_between(std::string_view(text).substr(cut + 1), -kMost, kMost);
    if (!low || !high || !(*low < *high)) return false;
    settings.range = Range::Fixed;
    settings.low = *low;
    settings.high = *high;
    return true;
}
std::string write_range(const PictureSettings& settings, Signs signs) {
    using Range = PictureSettings::Range;
    if (settings.range == Range::Standard) return "";
    if (settings.range == Range::Fitted) return "fitted";
    return fmt::format("{}:{}", number_text(signs == Signs::Both ? -settings.high : settings.low),
                       number_text(settings.high));
}

/// Reads "log" for the matrix shown, "signed:log" for all that are signed, "difference:log" for A −
/// B.
bool read_change(ViewState& state, const ViewOption& option, std::string text) {
    PictureChange change{.option = option.word, .value = {}};
    const std::size_t colon = text.find(':');
    const std::string before = colon == std::string::npos ? "" : text.substr(0, colon);
    if (const auto quantity = choice_named(before, kQuantityWords)) {
        change.of = PictureChange::Of::Quantity;
        change.quantity = *quantity;
    } else if (before == kDifferenceWord) {
        change.of = PictureChange::Of::Difference;
    }
    if (change.of != PictureChange::Of::Shown) text.erase(0, colon + 1);
    PictureSettings ignored;
    if (!option.picture->read(ignored, text)) return false;
    change.value = std::move(text);
    state.pictures.push_back(std::move(change));
    return true;
}

std::string write_change(const PictureChange& change) {
    using Of = PictureChange::Of;
    const std::string_view of = change.of == Of::Shown ? ""
                                : change.of == Of::Difference
                                    ? kDifferenceWord
                                    : word_for(kQuantityWords, change.quantity);
    return of.empty() ? change.value : fmt::format("{}:{}", of, change.value);
}

ViewOption picture(const char* word, std::string help, std::string type, std::string refusal,
                   PictureOption way, ViewList views) {
    ViewOption option =
        named(word, std::move(help), std::move(type), std::move(refusal), std::move(views));
    option.given = kOften;
    option.picture = std::move(way);
    option.read = [word](ViewState& state, const std::string& value) {
        return read_change(state, *find_view_option(word), value);
    };
    option.write = [word](const ViewState& state) {
        TextList values;
        for (const PictureChange& change : state.pictures)
            if (change.option == word) values.push_back(write_change(change));
        return values;
    };
    return of_colors(std::move(option));
}

template <typename Choice, std::size_t n>
ViewOption picture(const char* word, const char* help, Choice PictureSettings::*member,
                   const EnumNames<Choice, n>& words, ViewList views) {
    const std::string known = words_text(words);
    const auto read = [member, &words](PictureSettings& settings, const std::string& text) {
        const auto named = choice_named(text, words);
        if (named) settings.*member = *named;
        return named.has_value();
    };
    const auto write = [member, &words](const PictureSettings& settings, Signs) {
        const Choice value = settings.*member;
        return value == words.front().second ? "" : std::string(word_for(words, value));
    };
    return picture(word, help + with_default(std::string(words.front().first)), known,
                   "is not one of " + known, {read, write}, std::move(views));
}

/// Reads two names, neither of them empty.
bool read_names(ViewState& state, const std::string& text) {
    const std::size_t bar = text.find('|');
    if (bar == std::string::npos || bar == 0 || bar + 1 == text.size() || bar != text.rfind('|'))
        return false;
    state.names = text;
    return true;
}

std::string write_names(const ViewState& state) {
    return state.names;
}

ViewOption names_of_sides() {
    ViewOption option = own("names", "What A and B are called: 'now|before'", "NAME|NAME",
                            "is not two names with | between them, such as now|before", read_names,
                            write_names, both(sides(), views_with(OfLogit)));
    option.needs = {"with"};
    return option;
}

// ---- the list ----

/// The options that choose part, heads, rows and matrices.
std::vector<ViewOption> options_of_places() {
    return {
        text("part", "The part that is shown (blocks.1.mlp)", at(&ViewState::part),
             views_with(OfPart)),
        own("heads",
            "Heads whose lines between words are drawn together; the first one is the chosen one",
            "HEAD,…", "is not a list of heads such as 1,0,3", read_heads, write_heads,
            views_with(OfPart)),
        of_tables(text("held", "The matrix of the held row, if it is not the one shown",
                       at(&ViewState::held), held_in(Marks), {"row", "column"})),
        of_tables(list(
            "row", "ROW",
            "Held as if clicked: an index from 0, a word, a node, an edge ('9<-33': 9 reads 33); "
            "may be repeated",
            at(&ViewState::rows), held_in(Marks))),
        of_tables(list("column", "COLUMN",
                       "With --row: the cell in this column, or the edge to this node; by itself: "
                       "a word that is "
                       "read; may be repeated",
                       at(&ViewState::columns), held_in(MarksCell))),
        list("rows", "ROW,…", "The only rows that are shown, as it,cat,3..5; may be repeated",
             at(&ViewState::part_rows), kOfParts),
        list("columns", "COLUMN,…", "The only columns that are shown", at(&ViewState::part_columns),
             kOfParts),
        of_colors(choice("sort",
                         "Puts similar rows beside each other, and similar columns; so a matrix "
                         "can be looked at, not edited",
                         at(&ViewState::looks, &Looks::matrix, &MatrixLook::sort), kSortWords,
                         sorted())),
        of_tables(own(
            "sort-heads",
            fmt::format("The number by which heads are sorted, the highest first: {}, or an own "
                        "metric such as 'norm(z)' [layer by layer]",
                        joined(named_orders(), ", ", write_heads_order)),
            "MEASURE", "is empty", read_sort_heads, write_sort_heads, {ViewId::Heads})),
        of_tables(choice("metric-rows", "Rows that the metric of each head includes",
                         at(&ViewState::looks, &Looks::heads, &HeadsLook::rows), kMetricRowsWords,
                         {ViewId::Heads}, {"sort-heads"})),
        number("top", "How many of the largest numbers are shown",
               at(&ViewState::looks, &Looks::matrix, &MatrixLook::n_bars), 1, kMostBars,
               {ViewId::Row}),
        text("against", "A second matrix whose rows stand in the same plane",
             at(&ViewState::against), {ViewId::Plane}),
        text("terms-of",
             "The step towards the cell whose terms are listed, by the end of its path: scores "
             "[the last one]",
             at(&ViewState::looks, &Looks::explanation, &ExplanationLook::terms_of),
             {ViewId::Explanation}),
        choice("terms", "The largest term first, or as they are computed",
               at(&ViewState::looks, &Looks::explanation, &ExplanationLook::order), kTermOrderWords,
               {ViewId::Explanation}),
        list("panel", "GLOB",
             "Matrices beside each other; without it, the chosen matrix of the chosen heads; may "
             "be repeated",
             at(&ViewState::panels), {ViewId::Panels}),
        list("panel-title", "TITLE",
             "The title of the first of --panel, then of the next; empty: its layer and head; may "
             "be repeated",
             at(&ViewState::panel_titles), {ViewId::Panels}, {"panel"}),
        own("across",
            fmt::format("How many beside each other, 1 to {} [as many as have room]", kMostAcross),
            "NUMBER", fmt::format("is not a number from 1 to {}", kMostAcross), read_across,
            write_across, {ViewId::Panels})};
}

/// The options that choose how these are shown.
std::vector<ViewOption> options_of_looks() {
    return {
        choice("rows-as", "How several held words are combined",
               at(&ViewState::looks, &Looks::rows_as), kRowsAsWords, {ViewId::Words, ViewId::Image},
               {"row", "column"}),
        choice("words-in", "Lines between words",
               at(&ViewState::looks, &Looks::words, &WordView::layout), kWordLayoutWords,
               {ViewId::Words}),
        number("strongest", "Share of the lines between words that is drawn, in per cent",
               at(&ViewState::looks, &Looks::words, &WordView::strongest_percent),
               kLeastStrongestPercent, 100.0f, {ViewId::Words}),
        choice("leave-out", "Keys that lines between words leave out",
               at(&ViewState::looks, &Looks::words, &WordView::leave_out), kLeaveOutWords,
               {ViewId::Words}),
        choice("left-out", "The weight of what is left out: lost, or redistributed to the others",
               at(&ViewState::looks, &Looks::words, &WordView::left_out_weight), kLeftOutWords,
               {ViewId::Words}, {"leave-out"}),
        of_tables(text("word", "The word whose logit is split; without it, the likeliest",
                       at(&ViewState::looks, &Looks::readout, &ReadoutLook::word),
                       views_with(OfLogit))),
        of_tables(text("minus", "A word whose logit is subtracted",
                       at(&ViewState::looks, &Looks::readout, &ReadoutLook::minus),
                       {ViewId::Readout, ViewId::Attribution})),
        of_graph(own("edges", "Edges that are drawn [all]", "all|strongest:N|weight:LEAST|chosen",
                     "is not all, strongest:3, weight:0.1 or chosen", read_edges, write_edges,
                     kOfGraph)),
        of_graph(own("nodes", "What the colours of nodes show [class]",
                     "class|group|feature:COLUMN|output:COLUMN",
                     "is not class, group, feature:0 or output:0", read_nodes, write_nodes,
                     kOfGraph)),
        of_graph(
            own("graph-zoom",
                "A part of a graph: 4:0.5:0.25 is 4 times larger around the middle, a quarter from "
                "the top",
                "ZOOM:X:Y", "is not a zoom and a place such as 4:0.5:0.25", read_graph_zoom,
                write_graph_zoom, kOfGraph)),
        of_tables(
            text("with",
                 "B of a comparison: a study's file, a matrix of another head, or the number of "
                 "another sentence",
                 at(&ViewState::with), both(sides(), views_with(OfLogit)))),
        of_tables(names_of_sides()),
        of_tables(choice("sides", "Of a comparison: A and B, or A − B", at(&ViewState::sides),
                         kSideWords, sides(), {"with"})),
        picture("colors",
                "Of a matrix, instead of the head's own. This and the next: of the one shown, or "
                "of all of a kind, 'signed:Red to blue', or of A − B, 'difference:Red to blue'; "
                "may be repeated",
                map_names(), "is not one of " + map_names(), {read_colors, write_colors},
                both(views_with(Colored), {ViewId::Image})),
        picture("steps",
                "Of the colours; with log equal ratios look equally different, with per-row each "
                "row is scaled by its largest value",
                &PictureSettings::scale, kColorStepWords, views_with(Colored)),
        picture("range", "Values of the first and the last colour: 0:0.5 [standard]",
                "standard|fitted|LOW:HIGH", "is not standard, fitted or a range such as 0:0.5",
                {read_range, write_range}, both(views_with(Colored), {ViewId::Words})),
        picture("far-out",
                "What a pixel shows if it covers many cells: the strongest of them, so that no "
                "peak is lost, or their mean",
                &PictureSettings::far_out, kFarOutWords, views_with(Numbered)),
        picture("numbers", "In the cells: where they fit, also small ones, or none",
                &PictureSettings::numbers, kNumbersWords, views_with(Numbered)),
        picture("decimals", "Digits after the decimal point in the cells",
                &PictureSettings::decimals, kDecimalsWords, views_with(Numbered)),
        own("zoom", "A part of a matrix: 4:12.5:3 is 4 times larger around row 12.5, column 3",
            "ZOOM:ROW:COLUMN", "is not a zoom, a row and a column such as 4:12.5:3", read_zoom,
            write_zoom, {ViewId::Matrix, ViewId::Flow, ViewId::Layer})};
}

std::vector<ViewOption> all_options() {
    std::vector<ViewOption> options = options_of_places();
    for (ViewOption& option : options_of_looks()) options.push_back(std::move(option));
    return options;
}

}  // namespace

const std::vector<ViewOption>& view_options() {
    static const std::vector<ViewOption> options = all_options();
    return options;
}

}  // namespace headlight
