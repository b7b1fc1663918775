#include "scene/options/shown_options.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

#include "core/axis_names.h"
#include "core/error.h"
#include "core/page.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "paint/color_maps.h"
#include "paint/color_scale.h"
#include "scene/export/graph_words.h"
#include "scene/export/look_words.h"
#include "scene/figures/view_figure.h"
#include "scene/held.h"
#include "scene/options/text_option.h"
#include "text/strings.h"

namespace headlight {
namespace {

using ViewList = std::vector<FigureOf>;

// ---- which views an option changes ----

const ViewList kOfLogits{FigureOf::Readout, FigureOf::NextWords, FigureOf::Lens,
                         FigureOf::Attribution};
const ViewList kOfOneHead{FigureOf::Words, FigureOf::Compared,   FigureOf::Panels,
                          FigureOf::Graph, FigureOf::Image,      FigureOf::Flow,
                          FigureOf::Layer, FigureOf::Step,       FigureOf::Row,
                          FigureOf::Plane, FigureOf::Explanation};
const ViewList kOfHeld{
    FigureOf::Matrix,    FigureOf::Words, FigureOf::Compared,    FigureOf::Panels,
    FigureOf::Graph,     FigureOf::Image, FigureOf::Flow,        FigureOf::Layer,
    FigureOf::Step,      FigureOf::Row,   FigureOf::Plane,       FigureOf::Readout,
    FigureOf::NextWords, FigureOf::Lens,  FigureOf::Attribution, FigureOf::Explanation};
const ViewList kOfCells{
    FigureOf::Matrix, FigureOf::Words, FigureOf::Compared, FigureOf::Panels, FigureOf::Graph,
    FigureOf::Flow,   FigureOf::Layer, FigureOf::Step,     FigureOf::Plane,  FigureOf::Explanation};
const ViewList kOfSides{FigureOf::Compared, FigureOf::Panels, FigureOf::Heads, FigureOf::Words};
const ViewList kOfColors{FigureOf::Matrix, FigureOf::Compared,    FigureOf::Panels,
                         FigureOf::Heads,  FigureOf::Composition, FigureOf::Flow,
                         FigureOf::Layer,  FigureOf::Step};

ViewList joined_views(ViewList views, const ViewList& more) {
    views.insert(views.end(), more.begin(), more.end());
    return views;
}

/// The option, of these views alone, and only beside one of `needs`.
TextOption of_views(TextOption option, const ViewList& views, std::vector<std::string> needs = {}) {
    option.views = views;
    option.needs = std::move(needs);
    return option;
}

std::string map_names() {
    std::string names;
    for (const auto& maps : {sequential_maps(), diverging_maps()})
        for (const ColorMap& map : maps) append_part(names, "|", map.name);
    return names;
}

bool is_map(const std::string& name) {
    return find_map(sequential_maps(), name) || find_map(diverging_maps(), name);
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

/// "4:12.5:3": how large, and which row and column are in the middle.
bool read_view(PictureView& view, std::string_view text) {
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return false;
    const auto zoom = number_between(text.substr(0, first), 1.0, 1e6);
    const auto row = number_between(text.substr(first + 1, second - first - 1), 0.0, 1e9);
    const auto column = number_between(text.substr(second + 1), 0.0, 1e9);
    if (!zoom || !row || !column) return false;
    view = {*zoom, *row, *column};
    return true;
}

/// Reads a setting's text into settings, or returns false.
using ReadSetting = std::function<bool(PictureSettings&, const std::string&)>;

template <typename Choice, std::size_t n>
ReadSetting choice_reader(Choice PictureSettings::*setting, const ChoiceWords<Choice, n>& words) {
    return [setting, &words](PictureSettings& settings, const std::string& text) {
        const auto choice = choice_named(text, words);
        if (choice) settings.*setting = *choice;
        return choice.has_value();
    };
}

/// "log" of the matrix shown, "signed:log" of all that are signed, "difference:log" of A − B.
bool take(std::vector<PictureChange>& changes, const ReadSetting& read, std::string text) {
    PictureChange change;
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
    if (!read(ignored, text)) return false;
    change.apply = [read, text](PictureSettings& settings) { read(settings, text); };
    changes.push_back(std::move(change));
    return true;
}

/// `options` must live as long as the result.
std::vector<TextOption> picture_options(ShownOptions& options) {
    std::vector<TextOption> all;
    using Settings = PictureSettings;
    const auto add = [&](const char* name, const std::string& what, const std::string& type,
                         const std::string& refusal, const ReadSetting& read,
                         const ViewList& views) {
        all.push_back({name, what, type, refusal,
                       [&options, read](const std::string& text) {
                           return take(options.pictures, read, text);
                       },
                       TextOption::Given::OftenAsWell, views});
    };
    const auto add_choice = [&](const char* name, const char* what, auto setting, const auto& words,
                                const ViewList& views) {
        const std::string known = words_text(words);
        const auto standard = std::string(word_for(words, Settings{}.*setting));
        add(name, what + with_default(standard), known, "is not one of " + known,
            choice_reader(setting, words), views);
    };
    add(
        "--colors",
        "Of a matrix, instead of the head's own. This and the next: of the one shown, or of all of "
        "a kind, 'signed:Red to blue', or of A − B, 'difference:Red to blue'; may be repeated",
        map_names(), "is not one of " + map_names(),
        [](Settings& settings, const std::string& text) {
            settings.colors = text;
            return is_map(text);
        },
        joined_views(kOfColors, {FigureOf::Image}));
    add_choice("--steps", "Of the colours", &Settings::scale, kColorStepWords, kOfColors);
    add("--range", "Values of the first and the last colour: 0:0.5 [standard]",
        "standard|fitted|LOW:HIGH", "is not standard, fitted or a range such as 0:0.5", read_range,
        joined_views(kOfColors, {FigureOf::Words}));
    add_choice("--far-out", "What a pixel shows if it covers many cells", &Settings::far_out,
               kFarOutWords,
               {FigureOf::Matrix, FigureOf::Compared, FigureOf::Panels, FigureOf::Composition,
                FigureOf::Flow, FigureOf::Layer, FigureOf::Step});
    add_choice("--numbers", "In the cells", &Settings::numbers, kNumbersWords,
               {FigureOf::Matrix, FigureOf::Compared, FigureOf::Panels, FigureOf::Composition,
                FigureOf::Flow, FigureOf::Layer, FigureOf::Step});
    all.push_back(of_views(
        {"--zoom", "A part of a matrix: 4:12.5:3 is 4 times larger around row 12.5, column 3",
         "ZOOM:ROW:COLUMN", "is not a zoom, a row and a column such as 4:12.5:3",
         [&view = options.view](const std::string& text) { return read_view(view, text); }},
        {FigureOf::Matrix, FigureOf::Flow, FigureOf::Layer}));
    return all;
}

/// "1,0,3"
bool read_heads(std::vector<int>& heads, std::string_view text) {
    heads.clear();
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto head = number_between(text.substr(at, comma - at), 0, 9999);
        if (!head) return false;
        heads.push_back(*head);
        at = comma + 1;
    }
    return true;
}

void add_held(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(of_views(
        list_option(
            "--row", options.rows, "ROW",
            "Held as if clicked: an index from 0, a word, a node, an edge ('9<-33': 9 reads "
            "33); may be repeated"),
        kOfHeld));
    all.push_back(of_views(
        list_option(
            "--column", options.columns, "COLUMN",
            "With --row: the cell in this column, or the edge to this node; alone: a word that is "
            "read; may be repeated"),
        kOfCells));
    all.push_back(of_views(text_option("--held", options.held,
                                       "The matrix of the held row, if it is not the one shown"),
                           kOfHeld, {"--row", "--column"}));
}

void add_part(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(
        of_views(list_option("--rows", options.part_rows, "ROW,…",
                             "The rows that alone are shown, as it,cat,3..5; may be repeated"),
                 {FigureOf::Matrix, FigureOf::Compared}));
    all.push_back(of_views(list_option("--columns", options.part_columns, "COLUMN,…",
                                       "The columns that alone are shown"),
                           {FigureOf::Matrix, FigureOf::Compared}));
    all.push_back(of_views(number_option("--top", options.n_bars, 1, kMostBars,
                                         "How many of the largest numbers are shown"),
                           {FigureOf::Row}));
    all.push_back(of_views(text_option("--against", options.against,
                                       "A second matrix whose rows stand in the same plane"),
                           {FigureOf::Plane}));
    all.push_back(of_views(text_option("--terms-of", options.terms_of,
                                       "The step towards the cell whose terms are listed, by the "
                                       "end of its path: scores [the last one]"),
                           {FigureOf::Explanation}));
    all.push_back(of_views(choice_option("--terms", options.term_order, kTermOrderWords,
                                         "The largest term first, or as they are computed"),
                           {FigureOf::Explanation}));
}

void add_panels(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(of_views(list_option("--panel", options.panels, "GLOB",
                                       "Matrices beside each other; without it, the chosen "
                                       "matrix of the chosen heads; may be repeated"),
                           {FigureOf::Panels}));
    all.push_back(of_views(list_option("--panel-title", options.panel_titles, "TITLE",
                                       "The title of the first of --panel, then of the next; "
                                       "empty: its layer and head; may be repeated"),
                           {FigureOf::Panels}, {"--panel", "--tensor"}));
    all.push_back(of_views(
        {"--across",
         fmt::format("How many beside each other, 1 to {} [as many as have room]", kMostAcross),
         "NUMBER", fmt::format("is not a number from 1 to {}", kMostAcross),
         [&options](const std::string& text) {
             const auto across = number_between(text, 1, kMostAcross);
             options.across = across.value_or(0);
             return across.has_value();
         }},
        {FigureOf::Panels}));
}

void add_words(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(of_views(
        {"--heads",
         "Heads whose lines between words are drawn together; the first one is the chosen one",
         "HEAD,…", "is not a list of heads such as 1,0,3",
         [&options](const std::string& text) { return read_heads(options.heads, text); }},
        kOfOneHead));
    all.push_back(of_views(
        choice_option("--words-in", options.words.layout, kWordLayoutWords, "Lines between words"),
        {FigureOf::Words}));
    all.push_back(of_views(
        number_option("--strongest", options.words.strongest_percent, kLeastStrongestPercent,
                      100.0f, "Share of the lines between words that is drawn, in per cent"),
        {FigureOf::Words}));
    all.push_back(of_views(choice_option("--leave-out", options.words.leave_out, kLeaveOutWords,
                                         "Keys that lines between words leave out"),
                           {FigureOf::Words}));
    all.push_back(of_views(
        choice_option("--left-out", options.words.left_out_weight, kLeftOutWords,
                      "The weight of what is left out: lost, or redistributed to the others"),
        {FigureOf::Words}, {"--leave-out"}));
    all.push_back(of_views(text_option("--word", options.asked_word,
                                       "The word whose logit is split; without it, the likeliest"),
                           kOfLogits));
    all.push_back(
        of_views(text_option("--minus", options.minus_word, "A word whose logit is subtracted"),
                 {FigureOf::Readout, FigureOf::Attribution}));
    all.push_back(of_views(choice_option("--rows-as", options.rows_as, kRowsAsWords,
                                         "How several held words are combined"),
                           {FigureOf::Words, FigureOf::Image}, {"--row", "--column"}));
}

void add_graph(std::vector<TextOption>& all, ShownOptions& options) {
    GraphLook& look = options.graph;
    all.push_back(
        of_views({"--edges", "Edges that are drawn [all]", "all|strongest:N|weight:LEAST|chosen",
                  "is not all, strongest:3, weight:0.1 or chosen",
                  [&look](const std::string& text) { return read_edges_word(look, text); }},
                 {FigureOf::Graph, FigureOf::Compared, FigureOf::Step}));
    all.push_back(of_views(
        {"--nodes", "What the colours of nodes show [class]",
         "class|group|feature:COLUMN|output:COLUMN", "is not class, group, feature:0 or output:0",
         [&look](const std::string& text) { return read_nodes_word(look, text); }},
        {FigureOf::Graph, FigureOf::Compared, FigureOf::Step}));
    all.push_back(of_views(
        {"--graph-zoom",
         "A part of a graph: 4:0.5:0.25 is 4 times larger around the middle, a quarter "
         "from the top",
         "ZOOM:X:Y", "is not a zoom and a place such as 4:0.5:0.25",
         [&look](const std::string& text) { return read_graph_zoom_word(look.zoom, text); }},
        {FigureOf::Graph, FigureOf::Compared, FigureOf::Step}));
}

void add_comparison(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(of_views(text_option("--with", options.with,
                                       "B of a comparison: a study's file, a matrix of another "
                                       "head, or the number of another sentence"),
                           joined_views(kOfSides, kOfLogits)));
    all.push_back(
        of_views(text_option("--names", options.names, "What A and B are called: 'now|before'"),
                 joined_views(kOfSides, kOfLogits), {"--with"}));
    all.push_back(of_views(
        choice_option("--sides", options.sides, kSideWords, "Of a comparison: A and B, or A − B"),
        kOfSides, {"--with"}));
}

}  // namespace

std::vector<TextOption> shown_options(ShownOptions& options) {
    std::vector<TextOption> all;
    all.push_back(
        of_views(text_option("--part", options.component, "The part that is shown (blocks.1.mlp)"),
                 kOfOneHead));
    add_held(all, options);
    add_part(all, options);
    add_panels(all, options);
    add_words(all, options);
    add_graph(all, options);
    add_comparison(all, options);
    for (TextOption& option : picture_options(options)) all.push_back(std::move(option));
    for (TextOption& option : all)
        if (!option.views.empty()) option.what += " (" + views_text(option) + ")";
    return all;
}

namespace {

bool has_view(const std::vector<FigureOf>& views, FigureOf view) {
    return std::ranges::find(views, view) != views.end();
}

}  // namespace

std::string views_text(const TextOption& option) {
    if (option.views.empty()) return "";
    constexpr std::size_t kMany = 9;
    const bool are_many = option.views.size() >= kMany;
    const std::vector<FigureOf> of_no_study{FigureOf::Sweep, FigureOf::Training, FigureOf::Window};
    std::string words;
    for (const NamedFigure& named : named_views())
        if (!has_view(of_no_study, named.view) && has_view(option.views, named.view) != are_many)
            append_part(words, ", ", named.word);
    return (are_many ? "of all views but " : "of the views ") + words;
}

std::string why_idle(const TextOption& option, FigureOf view,
                     const std::vector<std::string>& given) {
    if (view == FigureOf::Window) return "";
    if (!option.views.empty() && !has_view(option.views, view))
        return "it is " + views_text(option);
    const bool has_needed = std::ranges::any_of(option.needs, [&](const std::string& name) {
        return std::ranges::find(given, name) != given.end();
    });
    return option.needs.empty() || has_needed ? "" : "it needs " + joined(option.needs, " or ");
}

namespace {

/// The rows are those that look, or that stand for themselves; rows of K and V are looked at.
bool are_readers(const Axis& rows) {
    return rows.kind == AxisKind::Item || rows.kind == AxisKind::Query;
}

/// One number an edge.
bool is_edge_list(const Tensor& tensor) {
    return tensor.rows().kind == AxisKind::Edge && tensor.row_edges() && tensor.columns().size == 1;
}

/// What the study is about: in a graph its nodes.
Axis items_of(const Trace& trace) {
    return {.kind = AxisKind::Item, .size = static_cast<Index>(trace.items().size())};
}

/// The rows after the first are of the items that the first one looks for: an edge is held beside
/// other nodes.
Axis more_rows(const Tensor& tensor, const Trace& trace) {
    return are_readers(tensor.rows()) ? tensor.rows() : items_of(trace);
}

/// Of a cell of that row what is the same in the next column.
Focus row_focus(const Trace& trace, const Tensor& tensor, Index row) {
    Focus focus = cell_focus(trace, tensor, row, 0);
    const Focus next = cell_focus(trace, tensor, row, 1);
    for (const auto member : {&Focus::query, &Focus::key, &Focus::edge, &Focus::model,
                              &Focus::head_key, &Focus::head_value, &Focus::concat})
        if (focus.*member != next.*member) (focus.*member).reset();
    return focus;
}

/// Without a column. An edge, and a row of one number, are cells.
Pointed row_held(const Trace& trace, const Tensor& tensor, Index row) {
    if (are_readers(tensor.rows())) return point_at_item(row, tensor.rows().list);
    if (tensor.row_edges() || tensor.columns().size == 1) return point_at(trace, tensor, row, 0);
    const Focus alone = row_focus(trace, tensor, row);
    return alone.is_empty() ? point_at(trace, tensor, row, 0) : Pointed{alone, {}};
}

/// The edge that is named; a node of the same name goes before it.
std::optional<Index> edge_named(const TensorIn& in, const std::string& text, const TakeNote& note) {
    const Axis& rows = in.tensor.rows();
    if (rows.kind != AxisKind::Edge || find_on_axis(in.trace, rows, text).empty())
        return std::nullopt;
    const Index edge = index_named(in.trace, {in.tensor, rows, "row", "export"}, text, note);
    if (find_on_axis(in.trace, items_of(in.trace), text).empty()) return edge;
    note(in_quotes(text) + " is ambiguous: the node is taken; an edge is called so, too");
    return std::nullopt;
}

/// The edge along which `reader` reads the named node.
Index edge_between(const TensorIn& in, Index reader, const std::string& text,
                   const TakeNote& note) {
    const Edges& edges = *in.tensor.row_edges();
    const Axis nodes = items_of(in.trace);
    const Index read = index_named(in.trace, {in.tensor, nodes, "column", "export"}, text, note);
    for (Index e = edges.offsets[static_cast<std::size_t>(reader)];
         e < edges.offsets[static_cast<std::size_t>(reader) + 1]; ++e)
        if (edges.neighbour[static_cast<std::size_t>(e)] == read) return e;
    throw Error("--column", "{} does not read {}: there is no such edge",
                axis_label(in.trace, nodes, reader), axis_label(in.trace, nodes, read));
}

/// Of a list of edges: a node, or an edge by its own name or by its two nodes.
Pointed held_in_graph(const TensorIn& in, const ShownOptions& shown, const TakeNote& note) {
    if (shown.rows.empty()) throw Error("--column", "give the row, too: --row");
    if (shown.columns.size() > 1) throw Error("--column", "with --row it can be given once");
    const Axis nodes = items_of(in.trace);
    const auto read_node = [&](const std::string& text) {
        return index_named(in.trace, {in.tensor, nodes, "row", "export"}, text, note);
    };
    std::optional<Index> edge = edge_named(in, shown.rows.front(), note);
    if (edge && !shown.columns.empty())
        throw Error("--column", "an edge has no columns: {}", in_quotes(shown.rows.front()));
    const Index node = edge ? 0 : read_node(shown.rows.front());
    if (!edge && !shown.columns.empty()) edge = edge_between(in, node, shown.columns.front(), note);
    Pointed pointed = edge ? point_at(in.trace, in.tensor, *edge, 0) : point_at_item(node);
    for (std::size_t i = 1; i < shown.rows.size(); ++i)
        pointed.focus.also.push_back(read_node(shown.rows[i]));
    return pointed;
}

/// The matrix whose rows are named. On the picture of a graph one that has a row for each node.
const Tensor& held_matrix(const TensorIn& in, const ShownOptions& shown) {
    if (shown.held) return in.trace[tensor_named(in.trace, *shown.held)];
    if (shown.rows_are == ShownOptions::RowsAre::OfMatrix || is_edge_list(in.tensor) ||
        is_of_items(in.tensor.rows()))
        return in.tensor;
    const Tensor* nodes = in.trace.find("embed");
    return nodes ? *nodes : in.tensor;
}

Pointed held_rows(const Trace& trace, const Tensor& tensor, const ShownOptions& shown,
                  const TakeNote& note) {
    const bool are_nodes = !shown.held && shown.rows_are == ShownOptions::RowsAre::Nodes;
    if (are_nodes && is_edge_list(tensor)) return held_in_graph({trace, tensor}, shown, note);
    const auto read_index = [&](const Axis& axis, const char* noun, const std::string& text) {
        return index_named(trace, {tensor, axis, noun, "export"}, text, note);
    };
    std::optional<Index> row;
    if (!shown.rows.empty()) row = read_index(tensor.rows(), "row", shown.rows.front());
    const Axis named = row ? columns_of_row(trace, tensor, *row) : tensor.columns();
    std::vector<Index> columns;
    for (const std::string& column : shown.columns)
        columns.push_back(read_index(named, "column", column));
    if (!row) {
        if (tensor.columns().kind != AxisKind::Key)
            throw Error("--column", "give the row, too: --row");
        Pointed key;
        key.focus.key = columns.front();
        key.focus.key_list = tensor.columns().list;
        key.focus.also.assign(columns.begin() + 1, columns.end());
        return key;
    }
    if (columns.size() > 1) throw Error("--column", "with --row it can be given once");
    Pointed pointed = columns.empty() ? row_held(trace, tensor, *row)
                                      : point_at(trace, tensor, *row, columns.front());
    const Axis more = more_rows(tensor, trace);
    for (std::size_t i = 1; i < shown.rows.size(); ++i)
        pointed.focus.also.push_back(read_index(more, "row", shown.rows[i]));
    return pointed;
}

void check_heads(const Component* attention, const std::vector<int>& heads) {
    for (const int head : heads)
        if (!attention || head >= attention->n_heads)
            throw Error("--heads", "there is no head {}{}", head,
                        attention ? fmt::format("; {} has {}", attention->path, attention->n_heads)
                                  : std::string());
}

/// "it", "3..5", "it, cat": the indices, in that order.
std::vector<Index> part_named(const TensorIn& tensor, const AxisPlace& place,
                              const std::vector<std::string>& texts, const TakeNote& note) {
    std::vector<Index> part;
    const auto index = [&](std::string_view name) {
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        return index_named(tensor.trace, place, std::string(name), note);
    };
    for (const std::string& text : texts)
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t comma = std::min(text.find(',', at), text.size());
            const std::string_view item = std::string_view(text).substr(at, comma - at);
            at = comma + 1;
            const std::size_t dots = item.find("..");
            const bool is_range =
                dots != std::string_view::npos && dots > 0 && dots + 2 < item.size();
            const Index first = index(is_range ? item.substr(0, dots) : item);
            const Index last = is_range ? index(item.substr(dots + 2)) : first;
            if (last < first)
                throw Error(fmt::format("--{}s", place.noun),
                            "the range '{}' ends before it begins", item);
            for (Index k = first; k <= last; ++k)
                if (std::ranges::find(part, k) == part.end()) part.push_back(k);
        }
    return part;
}

MatrixLook matrix_look(const TensorIn& in, const ShownOptions& shown, const TakeNote& note) {
    MatrixLook look{.n_bars = shown.n_bars, .against = {}, .part_of = in.tensor.path()};
    if (shown.against) look.against = in.trace[tensor_named(in.trace, *shown.against)].path();
    const Tensor& tensor = in.tensor;
    look.rows = part_named(in, {tensor, tensor.rows(), "row", "export"}, shown.part_rows, note);
    look.columns =
        part_named(in, {tensor, tensor.columns(), "column", "export"}, shown.part_columns, note);
    return look;
}

PanelsLook panels_look(const Trace& trace, const ShownOptions& shown) {
    PanelsLook look{.across = shown.across};
    for (const std::string& glob : shown.panels)
        for (const TensorId id : tensors_matching(trace, {glob})) {
            const std::string& path = trace[id].path();
            if (std::ranges::find(look.matrices, path) == look.matrices.end())
                look.matrices.push_back(path);
        }
    const std::vector<std::string>& titles = shown.panel_titles;
    if (titles.size() > look.matrices.size())
        throw Error("--panel-title", "there are {} titles, and --panel names {}", titles.size(),
                    counted(std::ssize(look.matrices), "matrix", "matrices"));
    for (std::size_t k = 0; k < titles.size(); ++k)
        if (!titles[k].empty()) look.titles[look.matrices[k]] = titles[k];
    return look;
}

std::optional<Other> sentence_named(const Trace& whole, const std::string& text) {
    const Index n = count_pages(whole);
    const auto sentence = number_between(text, Index{1}, n);
    if (!sentence || n < 2) return std::nullopt;
    return OtherSentence{static_cast<int>(*sentence - 1)};
}

std::optional<Other> recorded_text_named(const Document& a, const std::string& text) {
    const RecordedStudy* study = a.recorded();
    const auto number = number_between(text, 1, study ? study->count_texts() : 0);
    if (!number || study->count_texts() < 2) return std::nullopt;
    return other_recorded_text(a, *number - 1);
}

std::optional<Other> head_named(const Trace& whole, const std::string& path) {
    const Tensor* tensor = whole.find(path);
    if (!tensor || tensor->identity().head < 0) return std::nullopt;
    return OtherHead{tensor->identity().of_head(-1).path(), tensor->identity().head};
}

/// Colours lie evenly about 0 where values have signs.
void check_range(const PictureSettings& settings) {
    if (settings.range != PictureSettings::Range::Fixed || settings.low == -settings.high) return;
    const std::string most = number_text(std::max(std::abs(settings.low), std::abs(settings.high)));
    throw Error(
        "--range",
        "the values have signs, so the colours lie evenly about 0; write -{}:{} in place of {}:{}",
        most, most, number_text(settings.low), number_text(settings.high));
}

void change_picture(PictureScales& scales, Quantity of_shown, const PictureChange& change,
                    const ShownOptions& shown) {
    using Of = PictureChange::Of;
    const bool is_alone = shown.with && shown.sides == Comparison::Show::Difference;
    const bool is_difference = change.of == Of::Difference || (change.of == Of::Shown && is_alone);
    const Quantity quantity = change.of == Of::Quantity ? change.quantity : of_shown;
    PictureSettings& settings = is_difference ? scales.of_difference() : scales.of(quantity);
    change.apply(settings);
    if (is_difference || is_signed(quantity)) check_range(settings);
}

}  // namespace

void open_shown(Selection& selection, const Trace& trace, const Components& components,
                const ShownOptions& shown) {
    if (!shown.heads.empty()) selection.head = shown.heads.front();
    selection.fit(trace, components);
    if (!shown.component) return;
    if (!find_component(components, *shown.component))
        throw Error(
            "--part",
            "the study has no part '{}'; `headlight list` prints the paths, which begin with parts",
            *shown.component);
    selection.choose_component(trace, components, *shown.component);
}

void choose_shown(Selection& selection, const TensorIn& tensor, const Components& components,
                  const ShownOptions& shown, const TakeNote& note) {
    const Trace& trace = tensor.trace;
    show_tensor(selection, trace, components, tensor.tensor.path());
    check_heads(shown_attention(components, selection), shown.heads);
    selection.also_heads = shown.heads;
    std::erase(selection.also_heads, selection.head);
    for (const PictureChange& change : shown.pictures)
        change_picture(selection.scales, tensor.tensor.quantity(), change, shown);
    selection.views.set(tensor.tensor, shown.view);
    selection.words = shown.words;
    selection.readout = {shown.asked_word.value_or(""), shown.minus_word.value_or("")};
    selection.graph = shown.graph;
    selection.rows_as = shown.rows_as;
    selection.explanation = {shown.terms_of.value_or(""), shown.term_order,
                             shown.terms_of.has_value()};
    selection.matrix = matrix_look(tensor, shown, note);
    selection.panels = panels_look(trace, shown);
    if (shown.rows.empty() && shown.columns.empty()) return;
    selection.keep_held(held_rows(trace, held_matrix(tensor, shown), shown, note));
}

Other other_shown(const Document& a, const Trace& whole, const ShownOptions& shown,
                  const OpenStudy& open) {
    if (auto sentence = sentence_named(whole, *shown.with)) return *sentence;
    if (auto text = recorded_text_named(a, *shown.with)) return *text;
    if (auto head = head_named(whole, *shown.with)) return *head;
    OtherStudy other{.name = path_text(std::filesystem::path(*shown.with).filename()),
                     .document = open(*shown.with)};
    if (other.document.study.index() != a.study.index())
        throw Error(*shown.with, "is another kind of study than the one it is compared with");
    if (shown.names) {
        const std::size_t bar = shown.names->find('|');
        other.name_a = shown.names->substr(0, bar);
        if (bar != std::string::npos) other.name = shown.names->substr(bar + 1);
    }
    return other;
}

}  // namespace headlight
