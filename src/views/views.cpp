#include "views/views.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/analyses/readout.h"
#include "core/error.h"
#include "figure/figure_look.h"
#include "text/strings.h"
#include "views/answer.h"
#include "views/compared_sides.h"
#include "views/explanation_view.h"
#include "views/export/figure_caption.h"
#include "views/finished_sweep.h"
#include "views/graph_view.h"
#include "views/image_view.h"
#include "views/listed_heads.h"
#include "views/log_curves.h"
#include "views/matrix_view.h"
#include "views/panels_view.h"
#include "views/plane_view.h"
#include "views/readout_view.h"
#include "views/row_bars.h"
#include "views/scene.h"
#include "views/step_figure.h"
#include "views/training_curves.h"
#include "views/view_figure.h"
#include "views/view_table.h"
#include "views/weighted_view.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

// ---- pictures that take a line ----

Figure logits_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    return readout_picture(scene, kLogitCards, look, measure);
}

template <LogitCard which>
Figure card_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    return readout_picture(scene, std::array{which}, look, measure);
}

/// Only in the view of logits is a head marked.
Figure sweep_view_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    HeatmapInput input = *sweep_input(scene);
    input.selected = {};
    return sweep_figure(std::move(input), scene.theme, look, measure);
}

Figure training_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const std::span<const EarlierRun> earlier =
        scene.earlier_runs ? *scene.earlier_runs : std::span<const EarlierRun>();
    return plot_figure(training_curves(*scene.training, scene.training_step, scene.theme, earlier),
                       scene.theme, look, measure);
}

/// Draws the scores by Q, K and V beside each other.
Figure composition_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const std::vector<std::string> paths = composition_paths(scene.trace);
    const std::optional<CellPlace>& cell = scene.selection.held().cell;
    Selection selection = scene.selection;
    if (!cell || !is_among(cell->path, paths)) selection.release();
    return picture_of_panels(scene.with(selection, scene.theme), paths, look, measure);
}

// ---- when there is something to see ----

bool has_attention(const Scene& scene) {
    return shown_pattern(scene.trace, scene.components, scene.selection) != nullptr;
}

bool always(const Scene&) {
    return true;
}

bool has_matrix(const Scene& scene) {
    return scene.trace.find(scene.selection.chosen) != nullptr;
}

bool has_numbers(const Scene& scene) {
    const Tensor* tensor = scene.trace.find(scene.selection.chosen);
    return tensor && tensor->value && tensor->value->size() > 0;
}

bool has_vectors(const Scene& scene) {
    return has_numbers(scene) && is_plane(scene.trace.at(scene.selection.chosen));
}

bool has_held_cell(const Scene& scene) {
    return explained_cell(scene.trace, scene.selection).has_value();
}

bool has_graph(const Scene& scene) {
    return scene.document.drawn_graph() && has_attention(scene);
}

bool has_picture(const Scene& scene) {
    return has_image(scene.trace) && has_attention(scene);
}

bool has_lines(const Scene& scene) {
    return has_word_lines(scene.trace) && has_attention(scene);
}

bool has_comparison(const Scene& scene) {
    return scene.comparison && scene.comparison->is_on();
}

bool has_panels(const Scene& scene) {
    return !panel_paths(scene).empty();
}

bool has_logits(const Scene& scene) {
    return has_readout(scene.trace);
}

bool has_sweep(const Scene& scene) {
    return scene.sweep != nullptr;
}

bool has_composition(const Scene& scene) {
    return scene.trace.find(composition_path(Composition::Value)) != nullptr;
}

bool has_heads(const Scene& scene) {
    return !all_attentions(scene.components).empty();
}

bool has_several_heads(const Scene& scene) {
    int n = 0;
    for (const Component* attention : all_attentions(scene.components)) n += attention->n_heads;
    return n > 1;
}

/// True if some matrices were chosen, or the heads answer a question each.
bool has_named_panels(const Scene& scene) {
    return !scene.selection.looks.panels.matrices.empty() ||
           attention_of_questions(scene.components);
}

bool has_weighted(const Scene& scene) {
    return !weighted_paths(scene).empty();
}

/// The vectors may still be computed.
bool has_vectors_chosen(const Scene& scene) {
    const Tensor* chosen = scene.trace.find(scene.selection.chosen);
    return chosen && has_two_columns(*chosen);
}

bool has_parts(const Scene& scene) {
    return !scene.components.empty();
}

bool has_training(const Scene& scene) {
    return scene.training != nullptr;
}

// ---- what must be computed ----

using Globs = std::vector<std::string>;

Globs needs_logits(const Scene&) {
    return {logits_path()};
}

Globs needs_all_patterns(const Scene&) {
    return {"*.pattern"};
}

Globs needs_heads(const Scene& scene) {
    return head_globs(scene.trace);
}

Globs needs_composition(const Scene& scene) {
    return composition_paths(scene.trace);
}

Globs needs_panels(const Scene& scene) {
    return panel_paths(scene);
}

Globs needs_chosen(const Scene& scene) {
    return {scene.selection.chosen};
}

Globs needs_held_cell(const Scene& scene) {
    const std::optional<CellPlace>& cell = scene.selection.held().cell;
    return cell ? Globs{cell->path} : Globs{};
}

Globs needs_against(const Scene& scene) {
    const std::string& against = scene.selection.looks.matrix.against;
    return against.empty() ? Globs{} : Globs{against};
}

Globs needs_patterns(const Scene& scene) {
    const Component* attention = shown_attention(scene.components, scene.selection);
    return attention ? Globs{attention->path + ".heads.*.pattern"} : Globs{};
}

/// Returns the globs of the tensors that are drawn for these parts.
Globs tensors_in(const Scene& scene, const std::function<bool(const Component&)>& is_drawn) {
    Globs globs;
    for (const Component& component : scene.components)
        if (is_drawn(component))
            for (const TensorId id : shown_tensors(scene.trace, component, scene.selection.head))
                globs.push_back(scene.trace[id].path());
    return globs;
}

Globs needs_part(const Scene& scene) {
    const Component& open = open_component(scene.components, scene.selection);
    return tensors_in(scene, [&](const Component& component) { return &component == &open; });
}

Globs needs_layer(const Scene& scene) {
    const std::string& group = open_component(scene.components, scene.selection).group;
    return tensors_in(scene, [&](const Component& component) { return component.group == group; });
}

// ---- where their weights come from, and what is nearly blank ----

std::string whole_network(const Scene& scene) {
    return whole_origin(scene);
}

std::string study_alone(const Scene& scene) {
    return study_origin(scene.document, scene.trace);
}

std::string sweep_origin(const Scene& scene) {
    const SweepJob& order = scene.sweep->order;
    return study_origin(order.document ? *order.document : scene.document,
                        order.base ? *order.base : scene.trace);
}

/// Says which heads are drawn as NaN.
std::string unmeasured_sides_text(const Scene& scene) {
    std::string text = unmeasured_heads_text(scene);
    const std::vector<ComparedSide> sides = sides_of(scene, HasHeads::All);
    if (sides == std::vector{ComparedSide::A}) return text;
    const SceneOfB b(scene);
    const std::string of_b = unmeasured_heads_text(b.scene());
    if (!text.empty()) text = "A: " + text;
    if (!of_b.empty()) text += (text.empty() ? "B: " : "; B: ") + of_b;
    return text;
}

/// Adds the meaning of the heads' colours, where it is not the usual.
std::string heads_origin(const Scene& scene) {
    std::string origin = whole_origin(scene);
    for (const std::string& note : {colors_of_heads(scene), unmeasured_sides_text(scene)})
        if (!note.empty()) append_part(origin, "; ", note);
    return origin;
}

/// On a scale of 0 to 1 a long text leaves nearly nothing to be seen.
std::string blank_heads(const Scene& scene) {
    return blank_heads_text(scene);
}

std::string blank_matrix(const Scene& scene) {
    const Tensor* chosen = scene.trace.find(scene.selection.chosen);
    return chosen && !shown_part(scene, *chosen) ? blank_matrices_text(scene, {chosen}) : "";
}

std::string blank_panels(const Scene& scene) {
    std::vector<const Tensor*> matrices;
    for (const std::string& path : panel_paths(scene)) matrices.push_back(&scene.trace.at(path));
    return blank_matrices_text(scene, matrices);
}

// ---- the list ----

using enum ViewEntry::Trait;
constexpr const char* kNoLogits =
    "the study has no logits: its network says neither words nor a class";
constexpr unsigned kLogitTraits = OfLogit | OfHeld | OfSides | Marks;
constexpr unsigned kOfHead = OfPart | Marks;
constexpr unsigned kOfMatrices = OfPart | Marks | MarksCell | Colored | Numbered;

constexpr ViewEntry kViews[] = {
    {.id = ViewId::Matrix,
     .word = "matrix",
     .title = "Matrix",
     .help = "one matrix, with its names and numbers",
     .traits = Marks | MarksCell | Colored | Numbered,
     .aspect = 0,
     .has_content = has_matrix,
     .draw = matrix_picture,
     .blank = blank_matrix},
    {.id = ViewId::Graph,
     .word = "graph",
     .title = "Graph",
     .help = "the nodes, and how strongly each reads its neighbours",
     .traits = kOfHead | MarksCell,
     .aspect = 1.5f,
     .has_content = has_graph,
     .draw = graph_picture,
     .needs = needs_patterns,
     .caption = pattern_caption},
    {.id = ViewId::Image,
     .word = "image",
     .title = "Image",
     .help = "the picture, and how strongly its patches are read",
     .traits = kOfHead,
     .aspect = 1.5f,
     .has_content = has_picture,
     .draw = image_picture,
     .needs = needs_all_patterns,
     .caption = pattern_caption},
    {.id = ViewId::Words,
     .word = "words",
     .title = "Lines between words",
     .help = "lines from each word to the words it reads, for several heads",
     .traits = InMiddle | OfSides | kOfHead | MarksCell | OfHeads,
     .aspect = 1.25f,
     .has_content = has_lines,
     .draw = words_picture,
     .needs = needs_patterns,
     .button = "Words",
     .caption = words_caption},
    {.id = ViewId::Compared,
     .word = "compared",
     .title = "A and B",
     .help = "the chosen matrix of A, of B, and A − B",
     .traits = OfSides | kOfMatrices,
     .aspect = 2.2f,
     .has_content = has_comparison,
     .draw = compared_picture,
     .needs = needs_chosen,
     .caption = compared_caption},
    {.id = ViewId::Panels,
     .word = "panels",
     .title = "Panels",
     .help = "matrices of heads beside each other, as a figure for a paper",
     .traits = InMiddle | OfSides | kOfMatrices | OfHeads,
     .aspect = 1.9f,
     .has_content = has_panels,
     .draw = panels_picture,
     .needs = needs_panels,
     .button = "Panels",
     .has_button = has_named_panels,
     .caption = panels_caption,
     .origin = panels_origin,
     .blank = blank_panels},
    {.id = ViewId::Heads,
     .word = "heads",
     .title = "All heads",
     .help = "the heads of every layer, as small pictures",
     .traits = InMiddle | OfSides | Colored,
     .aspect = 1.9f,
     .has_content = has_heads,
     .draw = all_heads_picture,
     .needs = needs_heads,
     .table = heads_numbers,
     .button = "All heads",
     .has_button = has_several_heads,
     .caption = heads_caption,
     .origin = heads_origin,
     .blank = blank_heads},
    {.id = ViewId::Readout,
     .word = "logits",
     .title = "Logits",
     .help = "the likeliest words, layer by layer, and where they come from",
     .traits = InMiddle | kLogitTraits,
     .aspect = 1.5f,
     .has_content = has_logits,
     .draw = logits_picture,
     .needs = needs_logits,
     .why_not = kNoLogits,
     .button = "Logits",
     .caption = logits_caption,
     .origin = whole_network},
    {.id = ViewId::NextWords,
     .word = "next",
     .title = "Likeliest words",
     .help = "the likeliest words, with their probabilities",
     .traits = kLogitTraits,
     .aspect = 1.5f,
     .has_content = has_logits,
     .draw = card_picture<LogitCard::Next>,
     .needs = needs_logits,
     .table = logits_numbers<ViewId::NextWords>,
     .why_not = kNoLogits,
     .origin = whole_network},
    {.id = ViewId::Lens,
     .word = "lens",
     .title = "Logit lens",
     .help = "what each layer would say",
     .traits = kLogitTraits,
     .aspect = 1.5f,
     .has_content = has_logits,
     .draw = card_picture<LogitCard::Lens>,
     .needs = needs_logits,
     .table = logits_numbers<ViewId::Lens>,
     .why_not = kNoLogits,
     .origin = whole_network},
    {.id = ViewId::Attribution,
     .word = "attribution",
     .title = "Where the logit comes from",
     .help = "what each head, MLP and embedding adds to the logit",
     .traits = kLogitTraits,
     .aspect = 1.5f,
     .has_content = has_logits,
     .draw = card_picture<LogitCard::Attribution>,
     .needs = needs_logits,
     .table = logits_numbers<ViewId::Attribution>,
     .why_not = kNoLogits,
     .origin = whole_network},
    {.id = ViewId::Sweep,
     .word = "sweep",
     .title = "Sweep",
     .help = "how much each head matters, measured by taking it away",
     .traits = 0,
     .aspect = 1.5f,
     .has_content = has_sweep,
     .draw = sweep_view_picture,
     .table = sweep_numbers,
     .why_not = "no sweep has been done: the view of logits has a button Sweep, the command is "
                "headlight sweep",
     .origin = sweep_origin},
    {.id = ViewId::Composition,
     .word = "composition",
     .title = "Composition of heads",
     .help = "how strongly each head reads what each earlier head has written, by Q, K and V",
     .traits = InMiddle | Colored | Numbered,
     .aspect = 1.5f,
     .has_content = has_composition,
     .draw = composition_picture,
     .needs = needs_composition,
     .table = composition_numbers,
     .why_not = "the study has no heads of two layers that read one residual stream",
     .origin = study_alone},
    {.id = ViewId::Flow,
     .word = "flow",
     .title = "Flow of the part",
     .help = "the matrices of a part, connected",
     .traits = kOfMatrices | OfCards,
     .aspect = 1.9f,
     .has_content = has_parts,
     .draw = flow_picture,
     .needs = needs_part,
     .caption = flow_caption},
    {.id = ViewId::Layer,
     .word = "layer",
     .title = "Flow of the layer",
     .help = "the flows of all parts of a layer",
     .traits = kOfMatrices | OfCards,
     .aspect = 1.5f,
     .has_content = has_parts,
     .draw = layer_picture,
     .needs = needs_layer,
     .caption = layer_caption,
     .origin = whole_network},
    {.id = ViewId::Step,
     .word = "step",
     .title = "Step as a slide",
     .help = "the matrix as a slide",
     .traits = kOfMatrices | OfCards | SaysOrigin,
     .aspect = 1.9f,
     .has_content = has_matrix,
     .draw = step_picture},
    {.id = ViewId::Row,
     .word = "row",
     .title = "Largest of the row",
     .help = "the largest numbers of the held row as bars",
     .traits = kOfHead,
     .aspect = 1.5f,
     .has_content = has_numbers,
     .draw = row_picture,
     .caption = row_caption},
    {.id = ViewId::Plane,
     .word = "plane",
     .title = "Vectors in the plane",
     .help = "rows of two numbers as vectors, their angle and dot product",
     .traits = InMiddle | kOfHead,
     .aspect = 1.1f,
     .has_content = has_vectors,
     .draw = plane_picture,
     .needs = needs_against,
     .button = "Plane",
     .has_button = has_vectors_chosen,
     .caption = plane_caption},
    {.id = ViewId::Weighted,
     .word = "weighted",
     .title = "Value-weighted attention",
     .help = "A beside A(i,j) ‖V(j) W_O‖: how much what is read weighs in what the head writes",
     .traits = InMiddle | kOfMatrices | OfHeads,
     .aspect = 1.9f,
     .has_content = has_weighted,
     .draw = weighted_picture,
     .needs = weighted_paths,
     .why_not = "the study has no head whose values are weighted by its pattern",
     .caption = weighted_caption},
    {.id = ViewId::Explanation,
     .word = "explain",
     .title = "Arithmetic of a cell",
     .help = "the arithmetic of the held cell, with its terms",
     .traits = OfHeld | kOfHead | MarksCell,
     .aspect = 1.9f,
     .has_content = has_held_cell,
     .draw = explanation_figure,
     .needs = needs_held_cell,
     .why_not = "no cell is held: say by row and column whose arithmetic is meant",
     .caption = explanation_caption},
    {.id = ViewId::Training,
     .word = "training",
     .title = "Loss and accuracy",
     .help = "the curves of the training",
     .traits = 0,
     .aspect = 1.5f,
     .has_content = has_training,
     .draw = training_picture},
    {.id = ViewId::Window,
     .word = "window",
     .title = "The window itself",
     .help = "the window, as pixels",
     .traits = OfSides | OfHeads,
     .aspect = 1.5f,
     .has_content = always,
     .draw = nullptr}};

}  // namespace

std::span<const ViewEntry> all_views() {
    return kViews;
}

const ViewEntry& view_of(ViewId id) {
    return *std::ranges::find(kViews, id, &ViewEntry::id);
}

std::vector<ViewId> views_with(ViewEntry::Trait trait) {
    std::vector<ViewId> views;
    for (const ViewEntry& view : kViews)
        if (view.has(trait)) views.push_back(view.id);
    return views;
}

const ViewEntry* find_view(std::string_view word) {
    const auto found = std::ranges::find(kViews, word, &ViewEntry::word);
    return found == std::end(kViews) ? nullptr : found;
}

std::optional<ViewId> middle_named(std::string_view word) {
    const ViewEntry* found = find_view(word);
    return found && found->stands_in_middle() ? std::optional(found->id) : std::nullopt;
}

bool is_shown(const Scene& scene, ViewId view) {
    return view_of(view).has_content(scene);
}

std::vector<ViewEntry> list_views(const Scene& scene) {
    std::vector<ViewEntry> views;
    std::ranges::copy_if(kViews, std::back_inserter(views),
                         [&](const ViewEntry& view) { return view.has_content(scene); });
    return views;
}

void check_is_shown(const Scene& scene, ViewId id) {
    const ViewEntry& view = view_of(id);
    if (view.has_content(scene)) return;
    if (const RecordedStudy* recorded = scene.document.recorded())
        throw Error("export", "there is nothing to show as '{}' in this study: {}", view.word,
                    recorded->joined ? "words have only patterns, their pieces have the rest"
                                     : "a recording has only patterns");
    if (view.why_not) throw Error("export", "{}", view.why_not);
    throw Error("export", "there is nothing to show as '{}' in this study", view.word);
}

}  // namespace headlight
