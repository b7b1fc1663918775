#include "views/matrix_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "core/analyses/seriation.h"
#include "core/plan.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/flow_figure.h"
#include "figure/heatmap_figure.h"
#include "figure/tensor_figure.h"

namespace headlight {
namespace {

using Kept = std::vector<Index>;

Kept kept_or_all(const Kept& chosen, Index n) {
    Kept kept = chosen;
    if (kept.empty()) {
        kept.resize(static_cast<std::size_t>(n));
        std::iota(kept.begin(), kept.end(), Index{0});
    }
    return kept;
}

/// Returns the position of an index among those that are kept.
std::optional<Index> place_among(const Kept& kept, Index at) {
    const auto found = std::ranges::find(kept, at);
    if (found == kept.end()) return std::nullopt;
    return static_cast<Index>(found - kept.begin());
}

Kept places_among(const Kept& kept, const Kept& all) {
    Kept places;
    for (const Index at : all)
        if (const auto place = place_among(kept, at)) places.push_back(*place);
    return places;
}

void keep_labels(std::vector<std::string>& labels, const Kept& kept) {
    std::vector<std::string> left;
    for (const Index at : kept)
        left.push_back(at < std::ssize(labels) ? labels[static_cast<std::size_t>(at)] : "");
    if (!labels.empty()) labels = std::move(left);
}

void keep_picked(CellPick& pick, const Kept& rows, const Kept& columns) {
    pick.rows = places_among(rows, pick.rows);
    if (pick.column) pick.column = place_among(columns, *pick.column);
    pick.also_columns = places_among(columns, pick.also_columns);
}

MatrixPtr kept_cells(const MatrixPtr& values, const Kept& rows, const Kept& columns) {
    if (!values) return values;
    auto part = std::make_shared<Matrix>(std::ssize(rows), std::ssize(columns));
    for (Index i = 0; i < part->rows(); ++i)
        for (Index j = 0; j < part->cols(); ++j)
            (*part)(i, j) =
                (*values)(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    return part;
}

std::string count_kept(const Kept& chosen, Index n, const char* noun) {
    if (chosen.empty() || std::ssize(chosen) == n) return {};
    return fmt::format(" · {} of {} {}", chosen.size(), n, noun);
}

Kept in_order(const Kept& kept, const std::vector<Index>& order) {
    Kept sorted;
    for (const Index k : order) sorted.push_back(kept[static_cast<std::size_t>(k)]);
    return sorted;
}

void sort(MatrixPart& part, const Tensor& tensor) {
    const Kept rows = kept_or_all(part.rows, tensor.rows().size);
    const Kept columns = kept_or_all(part.columns, tensor.columns().size);
    if (std::max(std::ssize(rows), std::ssize(columns)) > kMostSeriated) {
        part.note = fmt::format("not sorted: more than {} rows or columns", kMostSeriated);
        return;
    }
    const Axis &down = tensor.rows(), &across = tensor.columns();
    const bool are_same_things = is_of_items(down) && is_of_items(across) &&
                                 down.list == across.list && down.size == across.size;
    if (are_same_things) {
        // Words that are rows and columns keep one order, also where some are only one of both.
        Kept words = rows;
        std::ranges::copy_if(columns, std::back_inserter(words), [&](Index word) {
            return std::ranges::find(rows, word) == rows.end();
        });
        std::ranges::sort(words);
        const MatrixPtr among_all = kept_cells(tensor.value, words, words);
        const Kept order = in_order(words, common_seriation_order(*among_all));
        const auto sorted = [&](const Kept& kept) {
            Kept in_common_order;
            std::ranges::copy_if(order, std::back_inserter(in_common_order), [&](Index word) {
                return std::ranges::find(kept, word) != kept.end();
            });
            return in_common_order;
        };
        part.rows = sorted(rows);
        part.columns = sorted(columns);
    } else {
        const MatrixPtr shown = kept_cells(tensor.value, rows, columns);
        const Matrix turned = shown->transpose();
        part.rows = in_order(rows, seriation_order(*shown));
        part.columns = in_order(columns, seriation_order(turned));
    }
    part.note = "sorted by similarity";
}

}  // namespace

std::optional<MatrixPart> shown_part(const Scene& scene, const Tensor& tensor) {
    const MatrixLook& look = scene.selection.looks.matrix;
    const auto fits = [](const Kept& kept, Index n) {
        return std::ranges::all_of(kept, [n](Index at) { return at < n; });
    };
    const bool is_part =
        look.part_of == tensor.path() && !(look.rows.empty() && look.columns.empty()) &&
        fits(look.rows, tensor.rows().size) && fits(look.columns, tensor.columns().size);
    MatrixPart part;
    if (is_part) part = {look.rows, look.columns};
    if (look.sort == MatrixLook::Sort::Similarity && tensor.value) sort(part, tensor);
    if (!is_part && part.note.empty()) return std::nullopt;
    return part;
}

MatrixPart sorted_part(const Tensor& tensor) {
    MatrixPart part;
    sort(part, tensor);
    return part;
}

void show_part(HeatmapInput& input, const MatrixPart& look) {
    if (!input.values) return;
    const Index n_rows = input.values->rows(), n_columns = input.values->cols();
    const Kept rows = kept_or_all(look.rows, n_rows);
    const Kept columns = kept_or_all(look.columns, n_columns);
    input.values = kept_cells(input.values, rows, columns);
    input.colored = kept_cells(input.colored, rows, columns);
    keep_labels(input.row_labels, rows);
    keep_labels(input.column_labels, columns);
    keep_picked(input.selected, rows, columns);
    keep_picked(input.hovered, rows, columns);
    std::vector<CellIndex> pinned;
    for (const CellIndex& cell : input.pinned) {
        const auto row = place_among(rows, cell.row), column = place_among(columns, cell.column);
        if (row && column) pinned.push_back({*row, *column});
    }
    input.pinned = std::move(pinned);
    input.view = {};
    if (input.target) {
        input.target->rows = rows;
        input.target->columns = columns;
    }
    input.title +=
        count_kept(look.rows, n_rows, "rows") + count_kept(look.columns, n_columns, "columns");
    if (look.note.empty()) return;
    // The note stands before the path, which may have no room.
    const std::string path = input.target ? " · " + input.target->path : "";
    const std::size_t at = path.empty() ? std::string::npos : input.title.find(path);
    input.title.insert(std::min(at, input.title.size()), " · " + look.note);
}

namespace {

/// Draws the chosen matrix with what is held, all of it in its own order.
HeatmapInput chosen_matrix(const Scene& scene) {
    const Selection& selection = scene.selection;
    const Tensor& tensor = scene.trace.at(selection.chosen);
    HeatmapInput input = heatmap_input(scene.trace, tensor, scene.theme, selection.scales);
    input.selected = cell_pick(tensor, selection.held().indices);
    input.view = selection.views.of(tensor);
    return input;
}

}  // namespace

Figure matrix_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    HeatmapInput input = chosen_matrix(scene);
    if (look.heading == FigureLook::Heading::Names) input.title = tensor_name(tensor);
    if (const auto part = shown_part(scene, tensor)) show_part(input, *part);
    return tensor_picture(std::move(input), look, measure);
}

namespace {

constexpr Point kFlowRoom{1200, 760};
constexpr float kComponentHeading = 34, kLeastForOneRow = 600;

/// Three cards above each other, and below them one row, or two where it is narrow.
float flow_height(float width) {
    const float least = width < kLeastForOneRow ? std::min(620.0f, 1.6f * width) : 480.0f;
    return std::max(in_proportion(kFlowRoom, width), least);
}

Figure flow_of(const Scene& scene, const Component& component, const PictureRoom& picture,
               const MeasureText& measure) {
    const Point room = picture.size;
    const Selection& selection = scene.selection;
    const Tensor& chosen = scene.trace.at(selection.chosen);
    FlowFigure flow = flow_figure({.trace = scene.trace,
                                   .component = component,
                                   .shown = shown_tensors(scene.trace, component, selection.head),
                                   .chosen = scene.trace.id_at(selection.chosen),
                                   .hovered = {},
                                   .held = selection.held().indices,
                                   .scales = selection.scales,
                                   .width = room.x,
                                   .height = room.y},
                                  scene.theme, measure);
    const Box& main = flow.main;
    flow.figure.width = room.x;
    flow.figure.height = room.y;
    flow.figure.add(RectMark{main, scene.theme.card, scene.theme.accent, 2, 8});
    HeatmapInput input = chosen_matrix(scene);
    if (const auto part = shown_part(scene, chosen)) show_part(input, *part);
    input.width = main.width;
    input.height = main.height;
    input.label_size = picture.label_size;
    add_part(flow.figure, heatmap_figure(input, scene.theme, measure).figure, {main.x, main.y});
    return std::move(flow.figure);
}

}  // namespace

Figure flow_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    return flow_of(scene, open_component(scene.components, scene.selection),
                   picture_room(look, kFlowRoom, flow_height), measure);
}

Figure layer_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const std::string& group = open_component(scene.components, scene.selection).group;
    const auto n =
        static_cast<float>(std::ranges::count(scene.components, group, &Component::group));
    const PictureRoom whole =
        picture_room(look, {kFlowRoom.x, n * (kFlowRoom.y + kComponentHeading)},
                     [&](float width) { return n * (flow_height(width) + kComponentHeading); });
    const Point room{whole.size.x, whole.size.y / n};
    Figure figure{whole.size.x, whole.size.y, {}, {}};
    float top = 0;
    for (const Component& component : scene.components) {
        if (component.group != group) continue;
        const std::string name =
            group == component.label ? group : fmt::format("{} · {}", group, component.label);
        figure.add(
            TextMark{{16, top + kComponentHeading - 8}, name, 15, scene.theme.text, Font::Bold});
        Selection selection = scene.selection;
        selection.choose_component(scene.trace, scene.components, component.path);
        Scene of_component = scene.with(selection, scene.theme);
        of_component.comparison = nullptr;
        add_part(figure,
                 flow_of(of_component, component,
                         {{room.x, room.y - kComponentHeading}, whole.label_size}, measure),
                 {0, top + kComponentHeading});
        top += room.y;
    }
    return figure;
}

}  // namespace headlight
