#include "views/saved_view.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "core/batch.h"
#include "core/error.h"
#include "core/plan.h"
#include "io/files/file.h"
#include "text/strings.h"
#include "views/export/export_arguments.h"
#include "views/heads_order.h"
#include "views/held.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

/// Returns what `name` returns; its errors name the option.
auto named_by(const char* option, const auto& name) {
    try {
        return name();
    } catch (const Error& error) {
        throw Error(option, "{}", error.problem());
    }
}

/// True if the rows are items that look, or that stand for themselves; rows of K and V are looked
/// at.
bool are_readers(const Axis& rows) {
    return rows.kind == AxisKind::Item || rows.kind == AxisKind::Query;
}

/// True if there is one number for each edge.
bool is_edge_list(const Tensor& tensor) {
    return tensor.rows().kind == AxisKind::Edge && tensor.row_edges() && tensor.columns().size == 1;
}

/// Returns the axis of the study's items; in a graph, its nodes.
Axis items_of(const Trace& trace) {
    return {.kind = AxisKind::Item, .size = static_cast<Index>(trace.items().size())};
}

/// Returns the indices that the first two cells of that row have in common.
AxisIndices row_indices(const Trace& trace, const Tensor& tensor, Index row) {
    AxisIndices indices = axis_indices(trace, tensor, row, 0);
    const AxisIndices next = axis_indices(trace, tensor, row, 1);
    for (const auto member :
         {&AxisIndices::query, &AxisIndices::key, &AxisIndices::edge, &AxisIndices::model,
          &AxisIndices::head_key, &AxisIndices::head_value, &AxisIndices::concat})
        if (indices.*member != next.*member) (indices.*member).reset();
    return indices;
}

/// Points at a row without a column. An edge, and a row of one number, are cells.
Pick row_held(const Trace& trace, const Tensor& tensor, Index row) {
    if (are_readers(tensor.rows())) return pick_item(row, tensor.rows().list);
    if (tensor.row_edges() || tensor.columns().size == 1) return pick_at(trace, tensor, row, 0);
    const AxisIndices alone = row_indices(trace, tensor, row);
    return alone.is_empty() ? pick_at(trace, tensor, row, 0) : Pick{alone, {}};
}

/// Returns the edge that is named; a node of the same name takes precedence.
std::optional<Index> edge_named(const TensorIn& in, const std::string& text, const TakeNote& note) {
    const Axis& rows = in.tensor.rows();
    if (rows.kind != AxisKind::Edge || find_on_axis(in.trace, rows, text).empty())
        return std::nullopt;
    const Index edge = index_named(in.trace, {in.tensor, rows, "row", "--row"}, text, note);
    if (find_on_axis(in.trace, items_of(in.trace), text).empty()) return edge;
    note(in_quotes(text) + " is ambiguous: the node is taken; an edge is called so, too");
    return std::nullopt;
}

/// Returns the edge along which `reader` reads the named node.
Index edge_between(const TensorIn& in, Index reader, const std::string& text,
                   const TakeNote& note) {
    const Edges& edges = *in.tensor.row_edges();
    const Axis nodes = items_of(in.trace);
    const Index read = index_named(in.trace, {in.tensor, nodes, "column", "--column"}, text, note);
    for (Index e = edges.offsets[static_cast<std::size_t>(reader)];
         e < edges.offsets[static_cast<std::size_t>(reader) + 1]; ++e)
        if (edges.neighbour[static_cast<std::size_t>(e)] == read) return e;
    throw Error("--column", "{} does not read {}: there is no such edge",
                axis_label(in.trace, nodes, reader), axis_label(in.trace, nodes, read));
}

/// Points, in a list of edges, at a node, or at an edge by its own name or by its two nodes.
Pick held_in_graph(const TensorIn& in, const ViewState& state, const TakeNote& note) {
    if (state.rows.empty()) throw Error("--column", "give the row, too: --row");
    if (state.columns.size() > 1) throw Error("--column", "with --row it can be given once");
    const Axis nodes = items_of(in.trace);
    const auto read_node = [&](const std::string& text) {
        return index_named(in.trace, {in.tensor, nodes, "row", "--row"}, text, note);
    };
    std::optional<Index> edge = edge_named(in, state.rows.front(), note);
    if (edge && !state.columns.empty())
        throw Error("--column", "an edge has no columns: {}", in_quotes(state.rows.front()));
    const Index node = edge ? 0 : read_node(state.rows.front());
    if (!edge && !state.columns.empty()) edge = edge_between(in, node, state.columns.front(), note);
    Pick pick = edge ? pick_at(in.trace, in.tensor, *edge, 0) : pick_item(node);
    for (std::size_t i = 1; i < state.rows.size(); ++i)
        pick.indices.also.push_back(read_node(state.rows[i]));
    return pick;
}

/// Returns the matrix whose rows are named; on the picture of a graph, one that has a row for each
/// node.
const Tensor& held_matrix(const TensorIn& in, const ViewState& state) {
    if (!state.held.empty())
        return in.trace[named_by("--held", [&] { return tensor_named(in.trace, state.held); })];
    if (!state.rows_are_nodes || is_edge_list(in.tensor) || is_of_items(in.tensor.rows()))
        return in.tensor;
    const Tensor* nodes = in.trace.find("embed");
    return nodes ? *nodes : in.tensor;
}

Pick held_rows(const Trace& trace, const Tensor& tensor, const ViewState& state,
               const TakeNote& note) {
    const bool are_nodes = state.held.empty() && state.rows_are_nodes;
    if (are_nodes && is_edge_list(tensor)) return held_in_graph({trace, tensor}, state, note);
    const auto read_index = [&](const Axis& axis, const char* noun, const std::string& text) {
        const std::string option = std::string("--") + noun;
        return index_named(trace, {tensor, axis, noun, option.c_str()}, text, note);
    };
    std::optional<Index> row;
    if (!state.rows.empty()) row = read_index(tensor.rows(), "row", state.rows.front());
    const Axis named = row ? columns_of_row(trace, tensor, *row) : tensor.columns();
    std::vector<Index> columns;
    for (const std::string& column : state.columns)
        columns.push_back(read_index(named, "column", column));
    if (!row) {
        if (tensor.columns().kind != AxisKind::Key)
            throw Error("--column", "give the row, too: --row");
        Pick key;
        key.indices.key = columns.front();
        key.indices.key_list = tensor.columns().list;
        key.indices.also.assign(columns.begin() + 1, columns.end());
        return key;
    }
    if (columns.size() > 1) throw Error("--column", "with --row it can be given once");
    Pick pick = columns.empty() ? row_held(trace, tensor, *row)
                                : pick_at(trace, tensor, *row, columns.front());
    // The further rows are the items that the first one looks for, as an edge is held beside other
    // nodes.
    const Axis more = are_readers(tensor.rows()) ? tensor.rows() : items_of(trace);
    for (std::size_t i = 1; i < state.rows.size(); ++i)
        pick.indices.also.push_back(read_index(more, "row", state.rows[i]));
    return pick;
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
                throw Error(place.command, "the range '{}' ends before it begins", item);
            for (Index k = first; k <= last; ++k)
                if (!is_among(k, part)) part.push_back(k);
        }
    return part;
}

MatrixLook matrix_look(const TensorIn& in, const ViewState& state, const TakeNote& note) {
    MatrixLook look = state.looks.matrix;
    look.part_of = in.tensor.path();
    if (!state.against.empty())
        look.against =
            in.trace[named_by("--against", [&] { return tensor_named(in.trace, state.against); })]
                .path();
    const Tensor& tensor = in.tensor;
    look.rows = part_named(in, {tensor, tensor.rows(), "row", "--rows"}, state.part_rows, note);
    look.columns =
        part_named(in, {tensor, tensor.columns(), "column", "--columns"}, state.part_columns, note);
    return look;
}

PanelsLook panels_look(const Trace& trace, const ViewState& state) {
    PanelsLook look = state.looks.panels;
    for (const std::string& glob : state.panels)
        for (const TensorId id :
             named_by("--panel", [&] { return tensors_matching(trace, {glob}); })) {
            const std::string& path = trace[id].path();
            if (!is_among(path, look.matrices)) look.matrices.push_back(path);
        }
    const std::vector<std::string>& titles = state.panel_titles;
    if (titles.size() > look.matrices.size())
        throw Error("--panel-title", "there are {} titles, and --panel names {}", titles.size(),
                    counted(std::ssize(look.matrices), "matrix", "matrices"));
    for (std::size_t k = 0; k < titles.size(); ++k)
        if (!titles[k].empty()) look.titles[look.matrices[k]] = titles[k];
    return look;
}

std::optional<Other> sentence_named(const Trace& whole, const std::string& text) {
    const Index n = count_sentences(whole);
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

void change_picture(PictureScales& scales, Quantity of_shown, const PictureChange& change,
                    const ViewState& state) {
    using Of = PictureChange::Of;
    const bool is_alone = !state.with.empty() && state.sides == Comparison::Show::Difference;
    const bool is_difference = change.of == Of::Difference || (change.of == Of::Shown && is_alone);
    const Quantity quantity = change.of == Of::Quantity ? change.quantity : of_shown;
    PictureSettings& settings = is_difference ? scales.of_difference() : scales.of(quantity);
    apply(change, settings);
    const bool has_signs = is_difference || is_signed(quantity);
    if (const std::string why = has_signs ? why_uneven(settings) : ""; !why.empty())
        throw Error("--range", why);
}

}  // namespace

void open_part(Selection& selection, const Trace& trace, const Components& components,
               const ViewState& state) {
    if (!state.heads.empty()) selection.head = state.heads.front();
    selection.fit(trace, components);
    if (state.part.empty()) return;
    if (!find_component(components, state.part))
        throw Error(
            "--part",
            "the study has no part '{}'; `headlight list` prints the paths, which begin with parts",
            state.part);
    selection.choose_component(trace, components, state.part);
}

void apply_view(Selection& selection, const TensorIn& tensor, const Components& components,
                const ViewState& state, const TakeNote& note) {
    const Trace& trace = tensor.trace;
    show_tensor(selection, trace, components, tensor.tensor.path());
    check_heads(shown_attention(components, selection), state.heads);
    selection.also_heads = state.heads;
    std::erase(selection.also_heads, selection.head);
    for (const PictureChange& change : state.pictures)
        change_picture(selection.scales, tensor.tensor.quantity(), change, state);
    const std::string no_order = why_no_order(state.looks.heads.order, trace, components);
    if (!no_order.empty()) throw Error("--sort-heads", "{}", no_order);
    selection.views.set(tensor.tensor, state.zoom);
    selection.looks = state.looks;
    selection.looks.explanation.must_exist = !state.looks.explanation.terms_of.empty();
    selection.looks.matrix = matrix_look(tensor, state, note);
    selection.looks.panels = panels_look(trace, state);
    if (state.rows.empty() && state.columns.empty()) return;
    selection.keep_held(held_rows(trace, held_matrix(tensor, state), state, note));
}

Other named_other(const Document& a, const Trace& whole, const ViewState& state,
                  const OpenStudy& open) {
    if (auto sentence = sentence_named(whole, state.with)) return *sentence;
    if (auto text = recorded_text_named(a, state.with)) return *text;
    if (auto head = head_named(whole, state.with)) return *head;
    if (number_between(state.with, Index{0}, std::numeric_limits<Index>::max()))
        throw Error("--with", "there is no sentence {}: the study has {}", state.with,
                    counted(count_sentences(whole), "sentence"));
    OtherStudy other{.name = path_text(std::filesystem::path(state.with).filename()),
                     .document = open(state.with)};
    if (other.document.study.index() != a.study.index())
        throw Error(state.with, "is another kind of study than the one it is compared with");
    if (!state.names.empty()) name_sides(other, state.names);
    return other;
}

/// Returns the words of the whole window, of which a figure reads those that it needs.
ViewWords saved_view(const Scene& scene) {
    const OtherStudy* study = scene.comparison ? scene.comparison->other<OtherStudy>() : nullptr;
    // A study that was not read from a file has no name that lasts.
    const bool is_named = !study || !study->file.empty();
    const Comparison* comparison = is_named ? scene.comparison : nullptr;
    Selection of_part = scene.selection;
    of_part.view = ViewId::Matrix;
    const Scene part{scene.document, scene.trace, scene.components, of_part,
                     scene.theme,    comparison,  scene.kept};
    const Scene whole{scene.document, scene.trace, scene.components, scene.selection,
                      scene.theme,    comparison,  scene.kept};
    const ViewId view = shown_view(whole);
    const ViewEntry& named = view_of(view);
    ViewWords words;
    if (view != ViewId::Matrix) words.push_back({"what", named.word});
    ExportChoice choice;
    choice.view = ViewId::Window;
    choice.has_paths_as_given = true;
    if (study) choice.other = study->file;
    for (ViewWord& word : export_words(part, choice))
        if (word.name != "what") words.push_back(std::move(word));
    if (view == ViewId::Plane && !scene.selection.looks.matrix.against.empty())
        words.push_back({"against", scene.selection.looks.matrix.against});
    return words;
}

namespace {

/// These words of a view are no options of how it is shown.
constexpr std::array<std::string_view, 3> kViewItself = {"what", "tensor", "sentence"};

}  // namespace

ViewState read_view_words(const ViewWords& words) {
    ViewState state;
    for (const ViewWord& word : words)
        if (!is_among(word.name, kViewItself)) take_view_word(state, word);
    return state;
}

const std::string* find_word(const ViewWords& words, std::string_view name) {
    const auto found = std::ranges::find(words.rbegin(), words.rend(), name, &ViewWord::name);
    return found == words.rend() ? nullptr : &found->value;
}

int sentence_from(const std::string& text, Index n_sentences) {
    const auto number = number_between(text, Index{1}, n_sentences);
    if (!number) throw Error("view", "the study has sentences 1 to {}", n_sentences);
    return static_cast<int>(*number - 1);
}

Error unknown_view(const std::string& where, const std::string& word) {
    std::vector<std::string_view> known;
    for (const ViewEntry& named : all_views()) known.push_back(named.word);
    return {where, "there is no view " + in_quotes(word) + suggestion(word, known)};
}

ViewId figure_from(const std::string& word) {
    const ViewEntry* view = find_view(word);
    constexpr std::array kOfWindow{ViewId::Window, ViewId::Training, ViewId::Sweep};
    if (!view || std::ranges::count(kOfWindow, view->id) > 0) throw unknown_view("view", word);
    return view->id;
}

ViewId middle_for(ViewId id) {
    const ViewEntry& view = view_of(id);
    return view.stands_in_middle() ? id : view.shows_logits() ? ViewId::Readout : ViewId::Matrix;
}

void show_in_window(Selection& selection, ViewId view) {
    selection.view = middle_for(view);
    selection.explains = view == ViewId::Explanation;
}

}  // namespace headlight
