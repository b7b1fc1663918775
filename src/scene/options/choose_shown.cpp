#include "scene/options/choose_shown.h"

#include <algorithm>
#include <cmath>

#include "core/axis_names.h"
#include "core/error.h"
#include "core/page.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "paint/tensor_scale.h"
#include "scene/held_steps.h"
#include "scene/options/text_option.h"
#include "text/counted.h"
#include "text/printable.h"

namespace headlight {
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
    throw Error("--column", axis_label(in.trace, nodes, reader) + " does not read " +
                                axis_label(in.trace, nodes, read) + ": there is no such edge");
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
        throw Error("--column", "an edge has no columns: " + in_quotes(shown.rows.front()));
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
            throw Error("--heads", "there is no head " + std::to_string(head) +
                                       (attention ? "; " + attention->path + " has " +
                                                        std::to_string(attention->n_heads)
                                                  : std::string()));
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
                throw Error(std::string("--") + place.noun + "s",
                            "the range '" + std::string(item) + "' ends before it begins");
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
        throw Error("--panel-title", "there are " + std::to_string(titles.size()) +
                                         " titles, and --panel names " +
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
    throw Error("--range", "the values have signs, so the colours lie evenly about 0; write -" +
                               most + ":" + most + " in place of " + number_text(settings.low) +
                               ":" + number_text(settings.high));
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
        throw Error("--part", "the study has no part '" + *shown.component +
                                  "'; `headlight list` prints the paths, which begin with parts");
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
