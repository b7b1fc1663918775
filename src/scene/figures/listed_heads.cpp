#include "scene/figures/listed_heads.h"

#include <algorithm>
#include <cmath>

#include "core/analyses/head_metrics.h"
#include "paint/color_scale.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/labels.h"
#include "paint/legend.h"
#include "paint/number_format.h"
#include "scene/figures/image_view.h"
#include "scene/figures/panels_view.h"
#include "text/counted.h"

namespace headlight {
namespace {

constexpr float kPitch = 118, kListPad = 12;  // of a head in the figure; around all of them

constexpr float kWidestBar = 280;  // with its name
constexpr float kGridTitle = 22, kGridGap = 18, kGridTitleSize = 13;

Point list_size(const HeadsOfSide& side) {
    int columns = 1;
    for (const ListedHead& head : side.heads) columns = std::max(columns, head.head + 1);
    constexpr float kNames = 80, kNumbers = 20;  // of the layers and the heads
    const float title = side.title.empty() ? 0 : kGridTitle;
    return {2 * kListPad + kNames + kPitch * static_cast<float>(columns),
            2 * kListPad + kNumbers + title +
                (kPitch + 10) * static_cast<float>(std::max<std::size_t>(side.rows.size(), 1))};
}

HeadsOfSide heads_of_b(const Scene& scene, HeadsMemory& memory) {
    const SceneOfB b(scene);
    return {ComparedSide::B, side_title(*scene.comparison, ComparedSide::B),
            list_heads(b.scene(), memory.b), attention_rows(scene.comparison->components()), ""};
}

/// The pictures show D = A − B, all by the largest |D| of any head.
HeadsOfSide differences_of(const Scene& scene, const HeadsOfSide& a, HeadsMemory& memory) {
    HeadsOfSide side{ComparedSide::Difference,
                     side_title(*scene.comparison, ComparedSide::Difference),
                     {},
                     a.rows,
                     "B has none of these heads"};
    Scalar largest = 0;
    for (const ListedHead& head : a.heads)
        if (head.difference) largest = std::max(largest, head.difference->largest);
    const Scalar limit = symmetric_limit(largest);
    memory.difference.resize(a.heads.size());
    std::size_t n = 0;
    for (const ListedHead& head : a.heads) {
        if (!head.difference) continue;
        if (!head.difference->problem.empty()) {
            side.problem = head.difference->problem;
            continue;
        }
        HeadThumbnail& thumbnail = memory.difference[n++];
        const Tensor& tensor = head.difference->tensor;
        update_thumbnail(thumbnail, scene.trace, tensor, thumbnail_look(scene, tensor));
        thumbnail.colors.scale = diverging_scale(scene.theme, limit);
        side.heads.push_back(head);
        side.heads.back().thumbnail = &thumbnail;
        side.heads.back().pattern = &tensor;
    }
    if (!side.heads.empty())
        side.title += ", brown −" + format_value(limit, 2) + " to blue +" + format_value(limit, 2);
    return side;
}

/// The held cell's key, else the held word.
std::optional<Scalar> weight_on_held(const Scene& scene, const Tensor& pattern) {
    const Focus& held = scene.selection.held().focus;
    const Axis& keys = pattern.columns();
    if (keys.kind != AxisKind::Key || pattern.identity().role != Role::Pattern) return std::nullopt;
    std::optional<Index> key;
    if (held.query && held.query_list == keys.list) key = held.query;
    if (held.key && held.key_list == keys.list) key = held.key;
    if (!key || *key >= keys.size || pattern.value->rows() == 0) return std::nullopt;
    return pattern.value->col(*key).mean();
}

void add_grid_title(Figure& figure, const std::string& title, const Theme& theme,
                    const MeasureText& measure) {
    TextMark mark{{0, kGridTitleSize}, title, kGridTitleSize, theme.text, Font::Bold};
    shorten(mark, figure.width, measure);
    if (mark.text != title) figure.leave_out({"whole titles", 1, 1, true});
    figure.add(std::move(mark));
}

}  // namespace

Scalar ListedHead::metric(int m, bool without_first) const {
    const Index from = without_first ? std::min<Index>(1, metrics->rows() - 1) : 0;
    return (*metrics)(from, m);
}

std::optional<Scalar> ListedHead::distance() const {
    return difference && difference->rows ? std::optional(difference->rows->total_variation)
                                          : std::nullopt;
}

std::string ListedHead::short_label() const {
    const std::string shortest = shortest_label();
    if (shows_difference()) return shortest.empty() ? "" : "differs " + shortest;
    if (thumbnail->row) return "0 to " + format_value(thumbnail->colors.scale.high, 2);
    return label ? shortest + " " + format_value(label->value, 2) : "";
}

std::string ListedHead::shortest_label() const {
    if (shows_difference()) return distance() ? format_value(*distance(), 2) : "";
    if (!label || thumbnail->row) return "";
    return head_metric_names()[static_cast<std::size_t>(label->metric)];
}

HeadPicture ListedHead::picture(const Theme& theme) const {
    return {.row = row,
            .head = head,
            .picture = thumbnail->colors.values,
            .scale = thumbnail->colors.scale,
            .color = head_color(theme, head),
            .aspect = thumbnail->aspect(),
            .marked = thumbnail->looking_patch(),
            .label = short_label(),
            .stand_in = ablation ? stand_in(*ablation) : "",
            .short_label = shortest_label()};
}

std::vector<ListedHead> list_heads(const Scene& scene, std::vector<HeadThumbnail>& thumbnails) {
    std::vector<ListedHead> heads;
    const std::vector<const Component*> attentions = all_attentions(scene.components);
    std::size_t n = 0;
    for (const Component* attention : attentions) n += static_cast<std::size_t>(attention->n_heads);
    thumbnails.resize(n);
    for (std::size_t row = 0; row < attentions.size(); ++row)
        for (int h = 0; h < attentions[row]->n_heads; ++h) {
            HeadThumbnail& thumbnail = thumbnails[--n];
            const Tensor& pattern = thumbnail_source(scene.trace, *attentions[row], h);
            if (!pattern.value) continue;  // it is being computed
            update_thumbnail(thumbnail, scene.trace, pattern, thumbnail_look(scene, pattern));
            const Tensor* metrics = find_of_head(scene.trace, *attentions[row], h, Role::Metrics);
            const Tensor* z = ablated_tensor(scene.trace, *attentions[row], h);
            heads.push_back({attentions[row], static_cast<int>(row), h, &pattern,
                             metrics ? metrics->value.get() : nullptr,
                             head_label(scene.trace, attentions[row]->path, h), &thumbnail,
                             z ? find_ablation(*z) : std::nullopt, weight_on_held(scene, pattern)});
        }
    return heads;
}

std::vector<std::string> head_globs(const Plan& plan) {
    const bool has_overviews = std::ranges::any_of(plan.tensors(), [](const PlannedTensor& tensor) {
        return tensor.identity.role == Role::Overview;
    });
    return {has_overviews ? "*.overview" : "*.pattern", "*.metrics", kChancePath};
}

std::vector<std::string> attention_rows(const Components& components) {
    std::vector<std::string> rows;
    for (const Component* attention : all_attentions(components))
        rows.push_back(attention_name(*attention));
    return rows;
}

std::vector<HeadsOfSide> list_sides(const Scene& scene, HeadsMemory& memory) {
    const std::vector<ComparedSide> shown = sides_of(scene, HasHeads::All);
    HeadsOfSide a{ComparedSide::A, "", list_heads(scene, memory.a),
                  attention_rows(scene.components), ""};
    if (shown == std::vector{ComparedSide::A}) {
        memory.b.clear(), memory.difference.clear();
        memory.differences = {};
        return {std::move(a)};
    }
    a.title = side_title(*scene.comparison, ComparedSide::A);
    for (ListedHead& head : a.heads) head.difference = memory.differences.of(scene, *head.pattern);
    std::vector<HeadsOfSide> sides;
    for (const ComparedSide side : shown)
        sides.push_back(side == ComparedSide::A   ? a
                        : side == ComparedSide::B ? heads_of_b(scene, memory)
                                                  : differences_of(scene, a, memory));
    return sides;
}

HeadGridFigure side_figure(const SideOfHeads& shown, Point size, const Theme& theme,
                           const MeasureText& measure) {
    const float title = shown.side.title.empty() ? 0 : kGridTitle;
    HeadGridInput input{.heads = shown.pictures,
                        .rows = {},
                        .width = size.x,
                        .height = std::max(1.0f, size.y - title)};
    if (shown.order == SideOfHeads::Order::ByLayer) input.rows = shown.side.rows;
    HeadGridFigure grid = head_grid_figure(input, theme, measure);
    if (title == 0) return grid;
    HeadGridFigure titled{{size.x, size.y, {}}, std::move(grid.boxes)};
    add_grid_title(titled.figure, shown.side.title, theme, measure);
    if (shown.pictures.empty() && !shown.side.problem.empty()) {
        TextMark reason{
            {0, title + kGridTitleSize}, shown.side.problem, kGridTitleSize, theme.muted};
        shorten(reason, size.x, measure);
        titled.figure.add(std::move(reason));
        return titled;
    }
    add_part(titled.figure, grid.figure, {0, title});
    for (Box& box : titled.boxes) box.y += title;
    return titled;
}

std::string colors_of_heads(const Scene& scene) {
    const std::vector<const Component*> attentions = all_attentions(scene.components);
    if (attentions.empty()) return "";
    const Tensor& pattern = thumbnail_source(scene.trace, *attentions.front(), 0);
    const PictureSettings& settings = scene.selection.scales.of(pattern.quantity());
    const bool is_usual = settings.scale == PictureSettings::Scale::Linear &&
                          settings.range == PictureSettings::Range::Standard;
    if (is_usual || !pattern.value || !has_free_colors(pattern.quantity())) return "";
    const MatrixColors colors = scene.selection.scales.colors(pattern, pattern.value, scene.theme);
    if (settings.scale == PictureSettings::Scale::PerRow) return colors.legend;
    if (settings.range == PictureSettings::Range::Fitted)
        return colors.legend + ", up to the largest of each head";
    return colors.legend + ", " + format_value(colors.scale.low, 2) + " to " +
           format_value(colors.scale.high, 2);
}

std::optional<ColorBar> bar_of_heads(const Scene& scene) {
    const std::vector<const Component*> attentions = all_attentions(scene.components);
    const bool is_difference = sides_of(scene, HasHeads::All).front() == ComparedSide::Difference;
    if (attentions.empty() || has_image(scene.trace) || is_difference) return std::nullopt;
    const Tensor& first = thumbnail_source(scene.trace, *attentions.front(), 0);
    const PictureSettings& settings = scene.selection.scales.of(first.quantity());
    if (!first.value || settings.scale == PictureSettings::Scale::PerRow ||
        settings.range == PictureSettings::Range::Fitted)
        return std::nullopt;
    Scalar largest = 0;
    for (const Component* attention : attentions)
        for (int h = 0; h < attention->n_heads; ++h)
            if (const Tensor& pattern = thumbnail_source(scene.trace, *attention, h); pattern.value)
                largest = std::max(largest, largest_magnitude(*pattern.value));
    const Tensor all =
        of_no_head(first, std::make_shared<const Matrix>(Matrix::Constant(1, 1, largest)));
    MatrixColors colors = scene.selection.scales.colors(all, all.value, scene.theme);
    return ColorBar{std::move(colors.scale), colors.legend + "; each head in its own colour",
                    colors.clipped};
}

std::string unmeasured_heads_text(const std::vector<ListedHead>& heads) {
    const auto n = std::ranges::count_if(heads, [](const ListedHead& head) {
        return head.metrics && std::isnan(head.metric(int(HeadMetric::Entropy), false));
    });
    if (n == 0) return "";
    return "the patterns of " + std::to_string(n) + " of " + counted(std::ssize(heads), "head") +
           " have NaN or infinity: their metrics are not defined";
}

std::string blank_heads_text(const Scene& scene, const std::vector<ListedHead>& heads) {
    constexpr Scalar kFaint = Scalar(0.2);
    constexpr std::ptrdiff_t kOneIn = 4;
    constexpr Index kLong = 64;  // keys: in a short text faint cells are large enough to be seen
    if (heads.empty() || heads.front().pattern->columns().size < kLong) return "";
    if (heads.front().pattern->quantity() != Quantity::Probability) return "";
    const PictureSettings& settings = scene.selection.scales.of(Quantity::Probability);
    if (settings.scale != PictureSettings::Scale::Linear ||
        settings.range != PictureSettings::Range::Standard || heads.front().thumbnail->row)
        return "";
    const auto n = std::ranges::count_if(
        heads, [](const ListedHead& head) { return head.thumbnail->largest < kFaint; });
    if (n * kOneIn < std::ssize(heads)) return "";
    return std::to_string(n) + " of " + counted(std::ssize(heads), "head") +
           " look nearly blank on a scale of 0 to 1: on average the largest weight of a row of the "
           "picture is below " +
           format_value(kFaint, 1);
}

Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    HeadsMemory memory;
    const std::vector<HeadsOfSide> sides = list_sides(scene, memory);
    const auto n = static_cast<float>(sides.size());
    const auto bar =
        look.seen_from == FigureLook::SeenFrom::Far ? std::nullopt : bar_of_heads(scene);
    const float below = bar ? kLegendHeight + kListPad : 0;
    const Point one = list_size(sides.front()),
                standard{n * one.x + (n - 1) * kGridGap, one.y + below};
    const Point size = picture_room(look, standard, [&](float width) {
                           return standard.y * std::max(1.0f, width / standard.x);
                       }).size;
    Figure figure{size.x, size.y, {}};
    const std::vector<Box> boxes =
        place_pictures({kListPad, kListPad, size.x - 2 * kListPad, size.y - 2 * kListPad - below},
                       static_cast<int>(sides.size()), kGridGap);
    float bottom = 0;  // of the lowest head
    for (std::size_t k = 0; k < sides.size(); ++k) {
        SideOfHeads shown{.side = sides[k], .pictures = {}};
        for (const ListedHead& head : sides[k].heads)
            shown.pictures.push_back(head.picture(scene.theme));
        const HeadGridFigure grid =
            side_figure(shown, {boxes[k].width, boxes[k].height}, scene.theme, measure);
        add_part(figure, grid.figure, {boxes[k].x, boxes[k].y});
        for (const Box& box : grid.boxes) bottom = std::max(bottom, boxes[k].y + box.bottom());
    }
    if (!bar) return figure;
    constexpr float kCaptions = 24;
    add_legend(figure,
               {.box = {kListPad, std::min(size.y - below, bottom + kCaptions),
                        std::min(kWidestBar, size.x - 2 * kListPad), kLegendHeight},
                .scale = bar->scale,
                .name = bar->name,
                .direction = LegendInput::Direction::Lying,
                .clipped = bar->clipped},
               scene.theme, measure);
    return figure;
}

}  // namespace headlight
