#include "views/export/figure_caption.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "core/error.h"
#include "core/explain.h"
#include "figure/number_format.h"
#include "figure/tensor_figure.h"
#include "figure/words/formula.h"
#include "io/studies/study.h"
#include "model/weight_origin.h"
#include "text/strings.h"
#include "views/compared_sides.h"
#include "views/explanation_view.h"
#include "views/export/export_arguments.h"
#include "views/export/look_names.h"
#include "views/finished_sweep.h"
#include "views/heads_order.h"
#include "views/image_view.h"
#include "views/listed_heads.h"
#include "views/panels_view.h"
#include "views/row_bars.h"
#include "views/view_figure.h"
#include "views/view_table.h"
#include "views/weighted_view.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

/// Returns " by" and the command, or why there is none; a sweep has a command of its own.
std::string how_it_was_made(const Scene& scene, const ExportChoice& choice) {
    const bool is_sweep = choice.view == ViewId::Sweep;
    const std::string why = scene.sweep ? why_no_sweep_command(*scene.sweep) : "";
    if (is_sweep && !why.empty())
        return fmt::format(
            " in the window; no command makes it again, since {}. It is of this study:", why);
    std::string made = fmt::format(" by\n{}\n", export_command(scene, choice));
    // In pictures of the whole view of logits a sweep stands below the cards.
    const bool is_seen = scene.selection.view == ViewId::Readout;
    const bool is_of_logits =
        choice.view == ViewId::Readout || (choice.view == ViewId::Window && is_seen);
    if (!scene.sweep || !is_of_logits) return made + "of this study:";
    ExportChoice alone = choice;
    alone.view = ViewId::Sweep;
    alone.film = {};
    alone.file.replace_filename(
        fmt::format("{}-sweep{}", choice.file.stem().string(), choice.file.extension().string()));
    made += "which leaves out the sweep and gives the cards all the room";
    made += why.empty() ? fmt::format(":\n{}\n", export_command(scene, alone))
                        : fmt::format("; no command makes the sweep again, since {}\n", why);
    return made + "of this study:";
}

}  // namespace

std::string figure_caption(const Scene& scene, const ExportChoice& choice,
                           const std::string& note) {
    std::string origin = view_origin(scene, choice.view);
    // The frames have other settings, or other numbers, than the network that was tested.
    if (choice.film.is_on() && !choice.film.is_walk()) origin = without_accuracy(origin);
    if (!origin.empty()) origin = "\n" + origin;
    // A figure of a sweep names the study as it was when the sweep was made.
    const bool is_earlier = choice.view == ViewId::Sweep && scene.sweep->order.document;
    const Document& document = is_earlier ? *scene.sweep->order.document : scene.document;
    return view_caption(scene, choice.view) + (note.empty() ? "" : "\n" + note) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION + how_it_was_made(scene, choice) + "\n\n" +
           write_study(document);
}

namespace {

std::string name_of_view(ViewId view) {
    const ViewEntry& named = view_of(view);
    return named.title;
}

/// Returns "colours: values above 0.5 look like 0.5", "colours of A − B: …"; "" where all colours
/// are those of their values.
std::string clipped_text(const ColorScale& scale, ClippedEnds clipped, const std::string& of = "") {
    std::string text;
    const auto add = [&](const char* beyond, Scalar end) {
        const std::string number = format_tick(end, {end});
        text += (text.empty() ? fmt::format("\ncolours{}: values ", of.empty() ? "" : " of " + of)
                              : ", ") +
                beyond + number + " look like " + number;
    };
    if (clipped.below) add("below ", scale.low);
    if (clipped.above) add("above ", scale.high);
    return text;
}

/// Names each of several bars by the first part of its name: "A − B", "probability".
std::string clipped_text(const std::vector<ColorBar>& bars) {
    std::string text;
    for (const ColorBar& bar : bars)
        text += clipped_text(bar.scale, bar.clipped,
                             bars.size() > 1 ? bar.name.substr(0, bar.name.find(',')) : "");
    return text;
}

std::string clipped_text(const Scene& scene, const Tensor& tensor) {
    if (!tensor.value) return "";
    const MatrixColors colors = scene.selection.scales.colors(tensor, tensor.value, scene.theme);
    return clipped_text(colors.scale, colors.clipped);
}

/// "A = softmax(…)", and below it "4 × 4  query ↓ reads key →"
std::string equation_and_shape(const Scene& scene, const Tensor& tensor) {
    return fmt::format("{}\n{}  {}", plain_formula(tensor.equation()),
                       shape_text(tensor.rows().size, tensor.columns().size),
                       tensor_caption(scene.trace, tensor));
}

std::string matrix_text(const Scene& scene, const Tensor& tensor) {
    return fmt::format("{}\n{}{}", tensor_title(tensor), equation_and_shape(scene, tensor),
                       clipped_text(scene, tensor));
}

/// Describes each panel after its letter.
std::string panels_text(const Scene& scene, const std::vector<std::string>& paths) {
    const ShownPanels panels = list_panels(scene, FigureLook::Heading::Shown);
    std::string text;
    for (std::size_t k = 0; k < panels.input.panels.size(); ++k) {
        const PanelInput& panel = panels.input.panels[k];
        const std::string& title = panel.titles.front();
        const std::string& path = panel.matrix.target->path;
        text += fmt::format("{} {}", panel_letter(k), title);
        if (title.find(path) == std::string::npos) text += " · " + path;
        text += "\n";
    }
    text += equation_and_shape(scene, scene.trace.at(paths.front()));
    return text + clipped_text(panels.input.bars);
}

/// Explains the number below a head of A − B.
std::string distance_text(const std::vector<HeadsOfSide>& sides) {
    for (const HeadsOfSide& side : sides)
        for (const ListedHead& head : side.heads)
            if (head.shows_difference() && head.distance())
                return "\ndiffers: ½ Σ |A − B| of each row, the total variation, as the mean of "
                       "all rows; 0 to 1";
    return "";
}

std::string part_text(const Component& part) {
    return part.label == part.group ? part.label : fmt::format("{} · {}", part.group, part.label);
}

std::string table_text(const Scene& scene, ViewId view) {
    return view_table(scene, view).table.caption;
}

/// Returns a line for each side of a comparison. The captions of logits name the sides themselves.
std::string sides_text(const Scene& scene, ViewId view) {
    if (!view_of(view).shows_sides() || view_of(view).shows_logits() || view == ViewId::Panels)
        return "";
    const auto sides = sides_of(scene, view == ViewId::Heads ? HasHeads::All : HasHeads::One);
    if (sides == std::vector{ComparedSide::A}) return "";
    std::string text;
    for (const ComparedSide side : sides) text += "\n" + side_title(*scene.comparison, side);
    return text;
}

std::string content_text(const Scene& scene, ViewId view) {
    const ViewEntry& entry = view_of(view);
    if (view == ViewId::Window) return view_caption(scene, shown_view(scene));
    if (entry.caption) return entry.caption(scene);
    return entry.table ? table_text(scene, view)
                       : matrix_text(scene, scene.trace.at(scene.selection.chosen));
}

}  // namespace

/// Describes the patterns of all heads at once, or of each group of attentions that are alike.
std::string heads_caption(const Scene& scene) {
    struct Alike {
        std::vector<std::string> attentions;
        std::string text;
    };
    std::vector<Alike> kinds;
    int n_heads = 0;
    for (const Component* attention : all_attentions(scene.components)) {
        n_heads += attention->n_heads;
        const Tensor* pattern = find_of_head(scene.trace, *attention, 0, Role::Pattern);
        if (!pattern) continue;
        std::string text = equation_and_shape(scene, *pattern);
        const auto at = std::ranges::find(kinds, text, &Alike::text);
        (at == kinds.end() ? kinds.emplace_back(Alike{{}, std::move(text)}) : *at)
            .attentions.push_back(attention_name(*attention));
    }
    std::string text = "the patterns of " + counted(n_heads, "head");
    for (const Alike& kind : kinds)
        text += fmt::format("\n{}\n{}", joined(kind.attentions, ", "), kind.text);
    HeadsMemory memory;
    const SortedSides sorted = sort_sides(scene, list_sides(scene, memory));
    const std::vector<HeadsOfSide>& sides = sorted.sides;
    if (!sorted.text.empty()) text += "\n" + sorted.text;
    return text + distance_text(sides) + clipped_text(bars_of_sides(scene, sides));
}

/// Describes the patterns of the heads that stand on top of each other.
std::string words_caption(const Scene& scene) {
    const Component* attention = shown_attention(scene.components, scene.selection);
    std::vector<std::string> titles;
    const Tensor* last = nullptr;
    for (const int head : scene.selection.shown_heads())
        if (const Tensor* pattern = find_of_head(scene.trace, *attention, head, Role::Pattern)) {
            titles.push_back(tensor_title(*pattern));
            last = pattern;
        }
    std::string text = joined(titles, "\n") + (last ? "\n" + equation_and_shape(scene, *last) : "");
    WordLinesSidesMemory memory;
    for (const WordLinesSide& side : word_lines_sides(scene, WordLinesInput::Detail::Full, memory))
        if (const std::string range = line_range_note(side.input.lines); !range.empty())
            text +=
                "\n" + (side.title.empty() ? "" : std::string(side_text(side.side)) + ": ") + range;
    return text;
}

/// These views have no range that could be set for their weights.
std::string pattern_caption(const Scene& scene) {
    const Tensor& pattern = *shown_pattern(scene.trace, scene.components, scene.selection);
    return fmt::format("{}\n{}", tensor_title(pattern), equation_and_shape(scene, pattern));
}

/// A and B share their colours. Edges of a graph and weights of an image have no range.
std::string compared_caption(const Scene& scene) {
    const Tensor& a = scene.trace.at(scene.selection.chosen);
    std::string text = fmt::format("{}\n{}", tensor_title(a), equation_and_shape(scene, a));
    const ComparedTensor& chosen = scene.comparison->chosen;
    const PictureScales& scales = scene.selection.scales;
    const bool is_matrix = !a.row_edges() && !has_image(scene.trace);
    if (is_matrix && chosen.b && scene.comparison->show != Comparison::Show::Difference) {
        const MatrixColors colors = scales.colors(a, chosen.extremes, scene.theme);
        text += clipped_text(colors.scale, colors.clipped,
                             scene.comparison->show == Comparison::Show::All ? "A and B" : "");
    }
    if (!chosen.difference || scene.comparison->show == Comparison::Show::Both) return text;
    const MatrixColors colors =
        scales.for_difference().colors(chosen.tensor, chosen.tensor.value, scene.theme);
    return text + clipped_text(colors.scale, colors.clipped,
                               scene.comparison->show == Comparison::Show::All ? "A − B" : "");
}

std::string plane_caption(const Scene& scene) {
    const Tensor& chosen = scene.trace.at(scene.selection.chosen);
    const Tensor* against = scene.trace.find(scene.selection.looks.matrix.against);
    return matrix_text(scene, chosen) + (against ? "\n" + matrix_text(scene, *against) : "");
}

/// Describes all parts of the open one's layer.
std::string layer_caption(const Scene& scene) {
    const std::string& group = open_component(scene.components, scene.selection).group;
    std::vector<std::string> parts;
    for (const Component& part : scene.components)
        if (part.group == group)
            parts.push_back(fmt::format("{} · {}", part_text(part), part.path));
    return joined(parts, "\n");
}

/// Describes the cards, and the sweep below them. A logit that is no sum has no parts, one that is
/// NaN no words.
std::string logits_caption(const Scene& scene) {
    std::string text;
    for (const ViewId card : {ViewId::NextWords, ViewId::Lens, ViewId::Attribution}) try {
            append_part(text, "\n", table_text(scene, card));
        } catch (const Error& error) {
            append_part(text, "\n", fmt::format("{}: {}", name_of_view(card), error.problem()));
        }
    if (scene.sweep) text += "\n" + table_text(scene, ViewId::Sweep);
    return text;
}

/// Describes the cell by its name and value, and its matrix.
std::string explanation_caption(const Scene& scene) {
    const auto cell = explained_cell(scene.trace, scene.selection);
    const TensorId id = scene.trace.id_at(cell->path);
    return fmt::format("{} = {}\n{}", shown_cell_name(scene.trace, id, cell->row, cell->column),
                       format_value((*scene.trace[id].value)(cell->row, cell->column)),
                       matrix_text(scene, scene.trace[id]));
}

std::string panels_caption(const Scene& scene) {
    return panels_text(scene, panel_paths(scene));
}

std::string weighted_caption(const Scene& scene) {
    const std::vector<std::string> paths = weighted_paths(scene);
    Selection selection = scene.selection;
    selection.looks.panels = {paths};
    return panels_text(scene.with(selection, scene.theme), paths);
}

std::string flow_caption(const Scene& scene) {
    return fmt::format("{}\n{}", part_text(open_component(scene.components, scene.selection)),
                       matrix_text(scene, scene.trace.at(scene.selection.chosen)));
}

std::string row_caption(const Scene& scene) {
    const Tensor& chosen = scene.trace.at(scene.selection.chosen);
    return fmt::format("{}\n{}", row_title_text(scene, chosen), matrix_text(scene, chosen));
}

std::string view_caption(const Scene& scene, ViewId view) {
    return fmt::format("{}\n{}{}", name_of_view(view), content_text(scene, view),
                       sides_text(scene, view));
}

}  // namespace headlight
