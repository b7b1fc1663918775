#include "model/changes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/plan.h"
#include "model/evaluate.h"
#include "model/joined_pieces.h"
#include "model/vocabulary.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Maps each old index of an axis to its new one; −1 if it is gone.
using IndexMap = std::vector<Index>;

/// Maps a sequence: the elements before the first and after the last difference keep their
/// identity.
template <typename Element>
IndexMap map_sequence(const std::vector<Element>& before, const std::vector<Element>& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (tail < shorter - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    IndexMap map(before.size(), -1);
    for (std::size_t i = 0; i < head; ++i) map[i] = static_cast<Index>(i);
    for (std::size_t i = 0; i < tail; ++i)
        map[before.size() - 1 - i] = static_cast<Index>(after.size() - 1 - i);
    // A word that is being typed is still the same word.
    if (before.size() == after.size() && head + tail + 1 == before.size())
        map[head] = static_cast<Index>(head);
    return map;
}

using Sentences = std::vector<std::vector<std::string>>;

Index longest_sentence(const Sentences& sentences) {
    std::size_t longest = 0;
    for (const auto& words : sentences) longest = std::max(longest, words.size());
    return static_cast<Index>(longest);
}

/// Maps the words of stacked sentences, padded to equal length: words stay in their sentence
/// wherever it goes.
IndexMap map_sentences(const Sentences& before, const Sentences& after) {
    const IndexMap lines = map_sequence(before, after);
    const Index n_before = longest_sentence(before), n_after = longest_sentence(after);
    IndexMap map(before.size() * static_cast<std::size_t>(n_before), -1);
    for (std::size_t line = 0; line < before.size(); ++line) {
        if (lines[line] < 0) continue;
        const IndexMap words =
            map_sequence(before[line], after[static_cast<std::size_t>(lines[line])]);
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] >= 0)
                map[line * static_cast<std::size_t>(n_before) + i] =
                    lines[line] * n_after + words[i];
    }
    return map;
}

IndexMap map_names(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::map<std::string, Index> place;
    for (std::size_t i = 0; i < after.size(); ++i) place[after[i]] = static_cast<Index>(i);
    IndexMap map;
    for (const std::string& name : before) {
        const auto it = place.find(name);
        map.push_back(it == place.end() ? -1 : it->second);
    }
    return map;
}

IndexMap map_edges(const Edges& before, const Edges& after, const IndexMap& nodes) {
    std::map<std::pair<Index, Index>, Index> place;
    for (std::size_t e = 0; e < after.row.size(); ++e)
        place[{after.row[e], after.neighbour[e]}] = static_cast<Index>(e);
    IndexMap map;
    for (std::size_t e = 0; e < before.row.size(); ++e) {
        const auto it = place.find({nodes[static_cast<std::size_t>(before.row[e])],
                                    nodes[static_cast<std::size_t>(before.neighbour[e])]});
        map.push_back(it == place.end() ? -1 : it->second);
    }
    return map;
}

/// The maps of every axis whose indices can move. A list without a map stays as it is.
struct Moves {
    std::map<int, IndexMap> words;  // by list: things in an order, such as words
    std::map<int, IndexMap> names;  // by list: things known by name, such as a vocabulary's words
    IndexMap edges = {};
    Index n_before = 0, n_after = 0;  // words of a sentence; 0: none are stacked

    /// Returns the new place of a cell; nothing if it is gone.
    std::optional<std::pair<Index, Index>> moved(const PlannedTensor& tensor,
                                                 const CellValue& cell) const {
        const Index row = at(tensor.rows, cell.row);
        const bool is_stacked = n_before > 0 && tensor.columns.kind == AxisKind::Key;
        const Index column =
            is_stacked ? key_in_sentence(tensor, cell, row) : at(tensor.columns, cell.column);
        if (row < 0 || column < 0) return std::nullopt;
        return std::pair(row, column);
    }

  private:
    /// Returns the key of the cell's column within the row's own sentence: column j of a stack's
    /// row is key j. The row is one of the sentence's words, or, of an answer, the sentence.
    Index key_in_sentence(const PlannedTensor& tensor, const CellValue& cell, Index row) const {
        if (row < 0 || n_after == 0) return -1;
        const bool is_sentence = tensor.rows.kind == AxisKind::Named;
        const Index before = is_sentence ? cell.row : cell.row / n_before;
        const Index after = is_sentence ? row : row / n_after;
        const Index key = at(tensor.columns, before * n_before + cell.column);
        return key >= 0 && key / n_after == after ? key % n_after : -1;
    }

    Index at(const Axis& axis, Index index) const {
        switch (axis.kind) {
            case AxisKind::Query:
            case AxisKind::Key:
            case AxisKind::Item:
                return at(words, axis.list, index);
            case AxisKind::Named:
                return at(names, axis.list, index);
            case AxisKind::Edge:
                return at(edges, index);
            default:
                return index;
        }
    }
    static Index at(const std::map<int, IndexMap>& maps, int list, Index index) {
        const auto map = maps.find(list);
        return map == maps.end() ? index : at(map->second, index);
    }
    static Index at(const IndexMap& map, Index index) {
        return index < static_cast<Index>(map.size()) ? map[static_cast<std::size_t>(index)] : -1;
    }
};

void move_interventions(Interventions& interventions, const Plan& before, const Moves& moves) {
    for (auto& [path, intervention] : interventions) {
        const PlannedTensor* tensor = before.find(path);
        if (!tensor) continue;
        std::vector<CellValue> moved;
        for (const CellValue& cell : intervention.cells) {
            const auto place = moves.moved(*tensor, cell);
            if (place) moved.push_back({place->first, place->second, cell.value});
        }
        std::sort(moved.begin(), moved.end(), [](const CellValue& a, const CellValue& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        });
        intervention.cells = std::move(moved);
    }
    std::erase_if(interventions, [](const auto& entry) { return entry.second.is_empty(); });
}

/// Maps vocabularies, which follow their words.
void map_vocabularies(Moves& moves, const Plan& before, const std::shared_ptr<const Plan>& after) {
    const std::size_t n_lists = after ? std::min(before.lists.size(), after->lists.size()) : 0;
    for (int list = 0; list < static_cast<int>(n_lists); ++list)
        moves.names[list] = map_names(before.items(list), after->items(list));
}

/// Returns the plan of a document; null if it has nothing to attend to.
std::shared_ptr<const Plan> find_plan(const Document& document) {
    if (document.interventions.empty()) return nullptr;  // nothing will have to move
    try {
        return plan(document);
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

std::vector<Index> map_words(const std::vector<std::string>& before,
                             const std::vector<std::string>& after) {
    return map_sequence(before, after);
}

namespace {

/// +∞, to which no cell is set: with it, calculations yield ∞ − ∞ and 0 · ∞, which are no numbers.
/// −∞ masks.
constexpr Scalar kEndless = std::numeric_limits<Scalar>::infinity();

void check_value(const std::string& path, Index row, Index column, Scalar value) {
    const bool is_nan = value != value;
    if (!is_nan && value != kEndless) return;
    throw Error("edit", "the value for {}[{}, {}] is {}; a cell needs a number, or −inf", path, row,
                column, is_nan ? "NaN" : "+inf");
}

}  // namespace

void set_cell(Document& document, const std::string& path, Index row, Index column, Scalar value) {
    if (value == kEndless)
        throw Error("edit", "a cell cannot be set to +inf; enter a number, or −inf to mask");
    Intervention& intervention = document.interventions[path];
    intervention.set(row, column, value);
    intervention.is_on = true;
}

void reset_cell(Document& document, const std::string& path, Index row, Index column) {
    const auto it = document.interventions.find(path);
    if (it == document.interventions.end()) return;
    it->second.reset(row, column);
    if (it->second.is_empty()) document.interventions.erase(it);
}

void reset_tensor(Document& document, const std::string& path) {
    document.interventions.erase(path);
}

void check_values(const PlannedTensor& tensor, const Matrix& values) {
    if (values.rows() != tensor.rows.size || values.cols() != tensor.columns.size)
        throw Error("edit", "{} is {}, the values given are {}", tensor.path,
                    shape_text(tensor.rows.size, tensor.columns.size),
                    shape_text(values.rows(), values.cols()));
    for (Index i = 0; i < values.rows(); ++i)
        for (Index j = 0; j < values.cols(); ++j) check_value(tensor.path, i, j, values(i, j));
}

void set_tensor(Document& document, const PlannedTensor& tensor, const Matrix& values) {
    check_values(tensor, values);
    document.interventions[tensor.path] = intervene_on_all(values);
}

void patch_tensor(Document& document, const PlannedTensor& tensor, const Matrix& values) {
    check_values(tensor, values);
    Intervention& intervention = document.interventions[tensor.path];
    const Index first = tensor.first_row, end = first + values.rows();
    std::vector<CellValue>& cells = intervention.cells.edit();
    std::erase_if(cells,
                  [&](const CellValue& cell) { return cell.row >= first && cell.row < end; });
    std::vector<CellValue> patch = intervene_on_all(values).cells;
    for (CellValue& cell : patch) cell.row += first;
    const auto at = std::find_if(cells.begin(), cells.end(),
                                 [&](const CellValue& cell) { return cell.row >= end; });
    if (cells.empty()) intervention.rows = RowRule::Keep;
    intervention.is_on = true;
    cells.insert(at, patch.begin(), patch.end());
}

void set_text(Document& document, const std::string& text) {
    if (const RecordedStudy* recorded = document.recorded(); recorded && recorded->joined) {
        Document pieces = *recorded->joined;
        set_text(pieces, text);
        document = join_pieces(pieces, WithoutPieces::Allowed);
        return;
    }
    SentenceStudy* study = document.sentence();
    if (!study) throw Error("edit", "this study has no sentence");
    const Sentences words_before = sentences_in(*study, document.weights);
    const std::shared_ptr<const Plan> before = find_plan(document);
    SentenceStudy changed = *study;
    changed.text = text;
    const Sentences words = sentences_in(changed, document.weights);  // may refuse the text
    *study = std::move(changed);
    if (!before) return;
    Moves moves;
    moves.words[0] = map_sentences(words_before, words);
    moves.n_before = longest_sentence(words_before);
    moves.n_after = longest_sentence(words);
    map_vocabularies(moves, *before, find_plan(document));
    // Answers follow their sentences, whatever word each is asked about.
    const IndexMap sentences = map_sequence(words_before, words);
    for (const PlannedTensor& tensor : before->tensors())
        if (tensor.identity.role == Role::Answer) moves.names[tensor.rows.list] = sentences;
    move_interventions(document.interventions, *before, moves);
}

std::vector<std::string> reset_cells_of_words(Document& document) {
    std::vector<std::string> paths;
    const std::shared_ptr<const Plan> planned = find_plan(document);
    if (!planned) return paths;
    for (auto& [path, intervention] : document.interventions) {
        const PlannedTensor* tensor = planned->find(path);
        const bool is_of_words =
            tensor && (is_of_items(tensor->rows) || is_of_items(tensor->columns));
        if (!is_of_words || intervention.cells.empty()) continue;
        intervention.cells = {};
        paths.push_back(path);
    }
    std::erase_if(document.interventions,
                  [](const auto& entry) { return entry.second.is_empty(); });
    return paths;
}

void set_text(Document& document, Side side, const std::string& text) {
    AlignmentStudy* study = document.alignment();
    if (!study) throw Error("edit", "this study has no source and target");
    check_utf8(text);
    const std::shared_ptr<const Plan> before = find_plan(document);
    (side == Side::Source ? study->source : study->target) = text;
    if (!before) return;
    const std::shared_ptr<const Plan> after = find_plan(document);
    Moves moves;
    if (after)
        for (int list = 0; list < static_cast<int>(before->lists.size()); ++list)
            moves.words[list] = map_sequence(before->items(list), after->items(list));
    else
        moves.words[side == Side::Source ? 0 : 1] = {};
    map_vocabularies(moves, *before, after);
    move_interventions(document.interventions, *before, moves);
}

void set_graph_study(Document& document, GraphStudy changed) {
    GraphStudy* study = document.graph();
    if (!study) throw Error("edit", "this study has no graph");
    const std::shared_ptr<const Plan> before = find_plan(document);
    *study = std::move(changed);
    if (!before) return;
    std::vector<std::string> names;
    for (const Node& node : study->graph.nodes) names.push_back(node.name);
    Moves moves;
    moves.words[0] = map_names(before->items(), names);
    moves.edges = map_edges(*before->edges, graph_edges(*study), moves.words[0]);
    move_interventions(document.interventions, *before, moves);
}

namespace {

/// Fits lists of widths to the number of heads: new heads have the width of the last one.
void fit_widths(AttentionSettings& attention, int n_heads_before) {
    for (Widths* widths : {&attention.d_k, &attention.d_v}) {
        std::vector<int>& values = widths->values;
        if (widths->is_list() && std::ssize(values) == n_heads_before)
            values.resize(static_cast<std::size_t>(attention.n_heads), values.back());
    }
}

/// Fits lists that have one number for each layer of a graph's network in the same way.
void fit_layers(GraphSettings& layer, int n_layers_before) {
    for (Widths* list : {&layer.n_heads, &layer.d_out})
        if (list->is_list() && std::ssize(list->values) == n_layers_before)
            list->values.resize(static_cast<std::size_t>(layer.n_layers), list->values.back());
}

void set_layer(StackSettings& layer, const StackSettings& changed) {
    const int n_heads_before = layer.attention.n_heads, n_layers_before = layer.n_layers;
    layer = changed;
    if (layer.attention.n_heads != n_heads_before) fit_widths(layer.attention, n_heads_before);
    std::vector<int>& windows = layer.mask.window.values;
    if (layer.mask.window.is_list() && std::ssize(windows) == n_layers_before)
        windows.resize(static_cast<std::size_t>(layer.n_layers), windows.back());
}

}  // namespace

void set_settings(Document& document, const Study& changed) {
    if (changed.index() != document.study.index())
        throw Error("edit", "these settings are of another kind of study");
    if (const SentenceStudy* study = std::get_if<SentenceStudy>(&changed)) {
        set_layer(document.sentence()->layer, study->layer);
        document.sentence()->decoding = study->decoding;
    } else if (const AlignmentStudy* study = std::get_if<AlignmentStudy>(&changed)) {
        document.alignment()->mechanism = study->mechanism;
        set_layer(document.alignment()->layer, study->layer);
        document.alignment()->recurrent = study->recurrent;
    } else if (const GraphStudy* study = std::get_if<GraphStudy>(&changed)) {
        GraphSettings layer = study->layer;
        const int n_layers_before = document.graph()->layer.n_layers;
        if (layer.n_layers != n_layers_before) fit_layers(layer, n_layers_before);
        set_graph_study(document, {document.graph()->graph, layer, study->self_loops});
    } else if (const ImageStudy* study = std::get_if<ImageStudy>(&changed)) {
        ImageSettings& layer = document.image()->layer;
        const StackSettings before = layer.stack;
        layer = study->layer;
        static_cast<StackSettings&>(layer.stack) = before;
        set_layer(layer.stack, study->layer.stack);
    }
}

Document with_network_of(Document document, const Document& network) {
    set_settings(document, network.study);
    if (network.weights) {
        document.weights = network.weights;
        document.seed = network.seed;
        document.interventions.clear();
    }
    return document;
}

void show_recorded_text(RecordedStudy& study, int number) {
    study.text_number = number;
    study.text = (*study.texts)[static_cast<std::size_t>(number)];
    study.graph = study.text.graph ? *study.text.graph : Graph();
}

void choose_recorded_text(Document& document, int number) {
    RecordedStudy* study = document.recorded();
    if (!study) throw Error("text", "only a recording has several texts");
    if (number < 0 || number >= study->count_texts())
        throw Error("text", "there is no text {}; the recording has {}", number + 1,
                    study->count_texts());
    if (number == study->text_number) return;
    show_recorded_text(*study, number);
    document.interventions.clear();
}

Edges graph_edges(const Graph& graph, Switch self_loops) {
    const auto n = static_cast<Index>(graph.nodes.size());
    std::vector<EdgeEnds> list;
    for (const Edge& edge : graph.edges) {
        list.push_back({edge.target, edge.source});
        if (!graph.directed) list.push_back({edge.source, edge.target});
    }
    if (self_loops == Switch::On)
        for (Index i = 0; i < n; ++i) list.push_back({i, i});
    return make_edges(n, std::move(list));
}

Edges graph_edges(const GraphStudy& study) {
    return graph_edges(study.graph, study.self_loops);
}

bool are_same_but_for_places(Graph a, const Graph& b) {
    for (std::size_t k = 0; k < std::min(a.nodes.size(), b.nodes.size()); ++k)
        a.nodes[k].x = b.nodes[k].x, a.nodes[k].y = b.nodes[k].y;
    return a == b;
}

void change_graph(Document& document, const std::function<void(Graph&)>& change) {
    if (const GraphStudy* study = document.graph()) {
        GraphStudy changed = *study;
        change(changed.graph);
        return set_graph_study(document, std::move(changed));
    }
    Graph* graph = document.drawn_graph();
    if (!graph) throw Error("edit", "this study has no graph");
    Graph changed = *graph;
    change(changed);
    if (!are_same_but_for_places(changed, *graph))
        throw Error("edit",
                    "attention was recorded on this graph: its nodes can be moved, and "
                    "nothing else of it changed");
    *graph = std::move(changed);
}

const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head) {
    return find_of_head(trace, attention, head, Role::HeadOutput);
}

std::optional<Ablation> find_ablation(const Tensor& z) {
    const Ablation ablation = z.intervention.ablation;
    return ablation == Ablation::None ? std::nullopt : std::optional(ablation);
}

void ablate(Document& document, const std::string& path, std::optional<Ablation> ablation) {
    reset_tensor(document, path);
    if (ablation) document.interventions[path].ablation = *ablation;
}

std::string ablation_name(const Component& attention, int head, std::optional<Ablation> ablation) {
    const std::string name = "head " + head_word(attention, head);
    if (!ablation) return "Restore " + name;
    return "Ablate " + name + (*ablation == Ablation::Zero ? " to zero" : " to its mean");
}

void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation) {
    for (int h = 0; h < attention.n_heads; ++h) {
        const Tensor* z = ablated_tensor(whole, attention, h);
        if (z && h != head) ablate(document, z->path(), ablation);
        if (z && h == head && find_ablation(*z)) reset_tensor(document, z->path());
    }
}

void restore_heads(Document& document, const Trace& whole, const Component& attention) {
    for (int h = 0; h < attention.n_heads; ++h)
        if (const Tensor* z = ablated_tensor(whole, attention, h); z && find_ablation(*z))
            reset_tensor(document, z->path());
}

}  // namespace headlight
