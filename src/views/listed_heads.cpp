#include "views/listed_heads.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analyses/head_metrics.h"
#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/legend.h"
#include "figure/number_format.h"
#include "text/strings.h"
#include "views/heads_order.h"
#include "views/image_view.h"
#include "views/panels_view.h"

namespace headlight {
namespace {

constexpr float kGridTitle = 22;  // height of the title of a grid, where there is one

constexpr float kGridTitleSize = 13;

HeadsOfSide heads_of_b(const Scene& scene, HeadsMemory& memory) {
    const SceneOfB b(scene);
    return {ComparedSide::B, side_title(*scene.comparison, ComparedSide::B),
            list_heads(b.scene(), memory.b), attention_rows(scene.comparison->components), ""};
}

/// Colours all heads of A − B by one scale: that of the largest |D|, or the range that was set.
MatrixColors colors_of_differences(const Scene& scene, const HeadsOfSide& a,
                                   const PictureScales& scales) {
    Scalar largest = 0;
    const Tensor* any = nullptr;
    for (const ListedHead& head : a.heads)
        if (head.difference && head.difference->problem.empty()) {
            largest = std::max(largest, head.difference->largest);
            any = &head.difference->tensor;
        }
    if (!any) return {};
    const Tensor all =
        of_no_head(*any, std::make_shared<const Matrix>(Matrix::Constant(1, 1, largest)));
    return scales.colors(all, all.value, scene.theme);
}

std::string words_for(const MatrixColors& colors, const PictureSettings& settings) {
    if (settings.scale == PictureSettings::Scale::PerRow) return colors.legend;
    const bool is_standard = settings.colors.empty();
    const std::string end = format_value(colors.scale.high, 2);
    return (is_standard ? "brown −" : "−") + end + (is_standard ? " to blue +" : " to +") + end +
           (settings.scale == PictureSettings::Scale::Log ? ", log" : "");
}

/// The pictures show D = A − B.
HeadsOfSide differences_of(const Scene& scene, const HeadsOfSide& a, HeadsMemory& memory) {
    HeadsOfSide side{ComparedSide::Difference,
                     side_title(*scene.comparison, ComparedSide::Difference),
                     {},
                     a.rows,
                     "B has none of these heads"};
    const PictureScales scales = scene.selection.scales.for_difference();
    const MatrixColors colors = colors_of_differences(scene, a, scales);
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
        update_thumbnail(thumbnail, scene.trace, tensor,
                         {scene.theme, scales, thumbnail_look(scene, tensor).row});
        thumbnail.colors.scale = colors.scale;
        side.heads.push_back(head);
        side.heads.back().thumbnail = &thumbnail;
        side.heads.back().pattern = &tensor;
    }
    if (side.heads.empty()) return side;
    side.bar = ColorBar{colors.scale, difference_legend(colors), colors.clipped};
    side.colors = words_for(colors, scales.of(Quantity::Signed));
    return side;
}

/// Returns the weight on the held cell's key, or else on the held word.
std::optional<Scalar> weight_on_held(const Scene& scene, const Tensor& pattern) {
    const AxisIndices& held = scene.selection.held().indices;
    const Axis& keys = pattern.columns();
    if (keys.kind != AxisKind::Key || pattern.identity().role != Role::Pattern) return std::nullopt;
    std::optional<Index> key;
    if (held.query && held.query_list == keys.list) key = held.query;
    if (held.key && held.key_list == keys.list) key = held.key;
    if (!key || *key >= keys.size || pattern.value->rows() == 0) return std::nullopt;
    return pattern.value->col(*key).mean();
}

std::string why_undefined(const Tensor& metrics, HeadMetric metric, MetricRows rows) {
    const std::string texts = texts_without(metric, rows);
    const bool has_text = is_measured(metrics, rows) && !texts.empty();
    return "not defined" + (has_text ? " for texts " + texts
                            : is_measured(metrics, rows)
                                ? " here"
                                : ", since its pattern has NaN or infinity");
}

/// Says how many heads have metrics that are not defined. A null pointer is a head without metrics.
std::string unmeasured_text(const std::vector<const Tensor*>& metrics) {
    const auto n = std::ranges::count_if(metrics, [](const Tensor* of_head) {
        return of_head && of_head->value && !is_measured(*of_head, MetricRows::All);
    });
    if (n == 0) return "";
    return fmt::format(
        "the patterns of {} of {} have NaN or infinity: their metrics are not defined", n,
        counted(std::ssize(metrics), "head"));
}

bool is_difference_alone(const Scene& scene) {
    return sides_of(scene, HasHeads::All).front() == ComparedSide::Difference;
}

}  // namespace

Scalar ListedHead::metric(HeadMetric metric, MetricRows rows) const {
    return static_cast<Scalar>(measured_metric(*metrics, metric, rows));
}

std::string ListedHead::metric_text(HeadMetric metric, MetricRows rows) const {
    const Scalar number = this->metric(metric, rows);
    return std::isnan(number) ? "—: " + why_undefined(*metrics, metric, rows)
                              : format_value(number, 3);
}

std::optional<Scalar> ListedHead::distance() const {
    return difference && difference->rows ? std::optional(difference->rows->total_variation)
                                          : std::nullopt;
}

std::string ListedHead::short_label() const {
    if (shows_difference()) return distance() ? "differs " + format_value(*distance(), 2) : "";
    if (thumbnail->row) return "0 to " + format_value(thumbnail->colors.scale.high, 2);
    return label ? fmt::format("{} {}", shortest_label(), format_value(label->value, 2)) : "";
}

std::string ListedHead::shortest_label() const {
    if (shows_difference() || !label || thumbnail->row) return "";
    return head_metric_names()[static_cast<std::size_t>(label->metric)];
}

HeadPicture ListedHead::picture(const Theme& theme) const {
    return {.row = row,
            .head = head,
            .part = attention->path,
            .picture = thumbnail->colors.values,
            .scale = thumbnail->colors.scale,
            .color = head_color(theme, head),
            .aspect = thumbnail->aspect(),
            .marked = thumbnail->looking_patch(),
            .label = short_label(),
            .stand_in = ablation ? stand_in(*ablation) : "",
            .name = attention->head_names.empty() ? "" : head_word(*attention, head),
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
                             metrics && metrics->value ? metrics : nullptr,
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
    if (shown.is_by_layer) input.rows = shown.side.rows;
    HeadGridFigure grid = head_grid_figure(input, theme, measure);
    if (title == 0) return grid;
    HeadGridFigure titled{{size.x, size.y, {}}, std::move(grid.boxes)};
    const bool has_colors = shown.has_colors_in_title && !shown.side.colors.empty();
    const std::string words = shown.side.title + (has_colors ? ", " + shown.side.colors : "");
    TextMark heading{{0, kGridTitleSize}, words, kGridTitleSize, theme.text, Font::Bold};
    shorten(heading, size.x, measure);
    if (heading.text != words) titled.figure.leave_out({"titles", 1, 1, true});
    titled.figure.add(std::move(heading));
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
    if (attentions.empty() || is_difference_alone(scene)) return "";
    const Tensor& pattern = thumbnail_source(scene.trace, *attentions.front(), 0);
    const PictureSettings& settings = scene.selection.scales.of(pattern.quantity());
    const bool is_usual = settings.scale == PictureSettings::Scale::Linear &&
                          settings.range == PictureSettings::Range::Standard;
    if (is_usual || !pattern.value || !has_free_colors(pattern.quantity())) return "";
    const MatrixColors colors = scene.selection.scales.colors(pattern, pattern.value, scene.theme);
    if (settings.scale == PictureSettings::Scale::PerRow) return colors.legend;
    if (settings.range == PictureSettings::Range::Fitted)
        return colors.legend + ", up to the largest of each head";
    return fmt::format("{}, {} to {}", colors.legend, format_value(colors.scale.low, 2),
                       format_value(colors.scale.high, 2));
}

namespace {

/// Returns one scale for each hue of the heads; none where all have the same colours.
std::vector<ColorScale> scales_of_heads(const Scene& scene, const MatrixPtr& values) {
    int n_heads = 0;
    const Component* widest = nullptr;
    for (const Component* attention : all_attentions(scene.components))
        if (attention->n_heads > n_heads) widest = attention, n_heads = attention->n_heads;
    std::vector<ColorScale> scales;
    for (int h = 0; h < std::min(n_heads, static_cast<int>(scene.theme.heads.size())); ++h) {
        const Tensor& pattern = thumbnail_source(scene.trace, *widest, h);
        ColorScale scale = scene.selection.scales.colors(pattern, values, scene.theme).scale;
        if (h > 0 && scale.colors == scales.front().colors) return {};
        scales.push_back(std::move(scale));
    }
    if (scales.size() < 2) scales.clear();
    return scales;
}

/// Returns the bar that the colours of all heads have in common, each in its own colour; nothing
/// where each has a range of its own, or there is no head of A or B.
std::optional<ColorBar> bar_of_heads(const Scene& scene) {
    const std::vector<const Component*> attentions = all_attentions(scene.components);
    if (attentions.empty() || has_image(scene.trace) || is_difference_alone(scene))
        return std::nullopt;
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
    ColorBar bar{std::move(colors.scale), colors.legend, colors.clipped,
                 scales_of_heads(scene, all.value)};
    if (!bar.stripes.empty()) bar.name += "; a colour for each head";
    return bar;
}

}  // namespace

std::string unmeasured_heads_text(const std::vector<ListedHead>& heads) {
    std::vector<const Tensor*> metrics;
    for (const ListedHead& head : heads) metrics.push_back(head.metrics);
    return unmeasured_text(metrics);
}

std::string unmeasured_heads_text(const Scene& scene) {
    std::vector<const Tensor*> metrics;
    for (const Component* attention : all_attentions(scene.components))
        for (int h = 0; h < attention->n_heads; ++h)
            metrics.push_back(find_of_head(scene.trace, *attention, h, Role::Metrics));
    return unmeasured_text(metrics);
}

std::string why_no_metric(const std::vector<ListedHead>& heads, HeadMetric metric,
                          MetricRows rows) {
    const Tensor* any = nullptr;
    for (const ListedHead& head : heads) {
        if (!head.metrics) continue;
        if (!std::isnan(head.metric(metric, rows))) return "";
        any = head.metrics;
    }
    return any ? head_metric_names()[static_cast<std::size_t>(metric)] +
                     (" is " + why_undefined(*any, metric, rows))
               : "";
}

namespace {

constexpr Index kLong = 64;  // keys: in a short text faint cells are large enough to be seen

/// True of a pattern of a long text in the colours of 0 to 1, whose cells may all be faint.
bool may_be_blank(const Scene& scene, const Tensor& pattern) {
    const PictureSettings& settings = scene.selection.scales.of(Quantity::Probability);
    return pattern.columns().size >= kLong && pattern.quantity() == Quantity::Probability &&
           settings.scale == PictureSettings::Scale::Linear &&
           settings.range == PictureSettings::Range::Standard;
}

}  // namespace

std::string blank_matrices_text(const Scene& scene, const std::vector<const Tensor*>& matrices) {
    constexpr Scalar kNearlyNothing = Scalar(0.1);
    const bool are_blank = std::ranges::all_of(matrices, [&](const Tensor* matrix) {
        return may_be_blank(scene, *matrix) && matrix->value && matrix->value->size() > 0 &&
               matrix->value->rowwise().maxCoeff().mean() < kNearlyNothing;
    });
    if (matrices.empty() || !are_blank) return "";
    return fmt::format(
        "nearly blank on a scale of 0 to 1: on average the largest weight of a row is below {}",
        format_value(kNearlyNothing, 1));
}

namespace {

constexpr Scalar kFaint = Scalar(0.2);  // of a small picture

std::string blank_share_text(std::ptrdiff_t n, std::ptrdiff_t of) {
    constexpr std::ptrdiff_t kOneIn = 4;
    if (n == 0 || n * kOneIn < of) return "";
    return fmt::format(
        "{} of {} look nearly blank on a scale of 0 to 1: on average the largest weight of a row "
        "of the picture is below {}",
        n, counted(of, "head"), format_value(kFaint, 1));
}

}  // namespace

std::string blank_heads_text(const Scene& scene) {
    if (has_image(scene.trace) || is_difference_alone(scene)) return "";
    std::ptrdiff_t n = 0, of = 0;
    for (const Component* attention : all_attentions(scene.components))
        for (int h = 0; h < attention->n_heads; ++h) {
            const Tensor& pattern = thumbnail_source(scene.trace, *attention, h);
            if (!pattern.value || !may_be_blank(scene, pattern)) continue;
            ++of;
            if (pattern.value->rowwise().maxCoeff().mean() < kFaint) ++n;
        }
    return blank_share_text(n, of);
}

std::string blank_heads_text(const Scene& scene, const std::vector<ListedHead>& heads) {
    if (heads.empty() || !may_be_blank(scene, *heads.front().pattern)) return "";
    if (heads.front().thumbnail->row) return "";
    const auto n = std::ranges::count_if(
        heads, [](const ListedHead& head) { return head.thumbnail->largest < kFaint; });
    return blank_share_text(n, std::ssize(heads));
}

namespace {

// Lengths in points: a head with its gap; the space around all of them; the gap from one side to
// the next.
constexpr float kPitch = 118, kListPad = 12, kGridGap = 18;
constexpr float kNamesOfLayers = 80, kNumbersOfHeads = 20, kCaptionOfHead = 14;
constexpr float kLegible = 48, kLeastForCaption = 58, kRowGap = 4;  // in less a head has no caption
constexpr float kWidestBar = 280, kBelowHeads = 24;  // with its name; from the heads to the bar

float in_row(int count, float each) {
    return static_cast<float>(count) * each + static_cast<float>(count - 1) * kGridGap;
}
float share(float all, int count) {
    return (all - static_cast<float>(count - 1) * kGridGap) / static_cast<float>(count);
}
int count_rows(int count, int across) {
    return (count + across - 1) / across;
}

float count_columns(const HeadsOfSide& side) {
    int columns = 1;
    for (const ListedHead& head : side.heads) columns = std::max(columns, head.head + 1);
    return static_cast<float>(columns);
}

float rows_of_heads(const HeadsOfSide& side) {
    return static_cast<float>(std::max<std::size_t>(side.rows.size(), 1));
}
float above_heads(const HeadsOfSide& side) {
    return kNumbersOfHeads + (side.title.empty() ? 0 : kGridTitle);
}

Point side_size(const HeadsOfSide& side, float pitch) {
    const float below = pitch < kLeastForCaption ? kRowGap : kCaptionOfHead;
    return {kNamesOfLayers + pitch * count_columns(side),
            above_heads(side) + (pitch + below) * rows_of_heads(side)};
}

/// Returns the size of a head with its gap, in a room for one side.
float pitch_in(const HeadsOfSide& side, Point room) {
    const float row = (room.y - above_heads(side)) / rows_of_heads(side);
    const float high = row - kCaptionOfHead < kLeastForCaption
                           ? std::min(row - kRowGap, kLeastForCaption - 1)
                           : row - kCaptionOfHead;
    const float wide = (room.x - kNamesOfLayers) / count_columns(side);
    return std::clamp(std::min(wide, high), 1.0f, kPitch);
}

/// Places as many sides beside each other as leave the heads legible; otherwise as many as make the
/// heads largest on a page.
struct Arrangement {
    int across = 1;
    float pitch = 0;
};
Arrangement best_arrangement(const HeadsOfSide& side, int n, Point page) {
    Arrangement best;
    for (int across = n; across >= 1; --across) {
        const Point room{share(page.x, across), share(page.y, count_rows(n, across))};
        if (const float pitch = pitch_in(side, room); pitch > best.pitch) best = {across, pitch};
        if (best.pitch >= kLegible) break;
    }
    return best;
}

int across_in_room(const HeadsOfSide& side, int n, Point room) {
    const Point one = side_size(side, kPitch);
    const std::vector<Box> boxes =
        place_pictures({0, 0, room.x, room.y}, n, kGridGap, one.x / one.y);
    return static_cast<int>(std::ranges::count(boxes, boxes.front().y, &Box::y));
}

/// Adds the bars beside each other.
void add_bars(Figure& figure, const std::vector<ColorBar>& bars, float top, const Theme& theme,
              const MeasureText& measure) {
    const auto n = static_cast<int>(bars.size());
    const float each = std::min(kWidestBar, share(figure.width - 2 * kListPad, std::max(n, 1)));
    float left = kListPad;
    for (const ColorBar& bar : bars) {
        add_legend(figure,
                   {.box = {left, top, each, kLegendHeight},
                    .scale = bar.scale,
                    .name = bar.name,
                    .direction = LegendInput::Direction::Lying,
                    .clipped = bar.clipped,
                    .stripes = bar.stripes},
                   theme, measure);
        left += each + kGridGap;
    }
}

/// Adds the line that says by which number the heads are sorted.
void add_order(Figure& figure, const std::string& text, const Theme& theme,
               const MeasureText& measure) {
    if (text.empty()) return;
    TextMark line{{kListPad, kListPad + kGridTitleSize}, text, kGridTitleSize, theme.muted};
    shorten(line, figure.width - 2 * kListPad, measure);
    if (line.text != text) figure.leave_out({"titles", 1, 1, true});
    figure.add(std::move(line));
}

}  // namespace

std::vector<ColorBar> bars_of_sides(const Scene& scene, const std::vector<HeadsOfSide>& sides) {
    std::vector<ColorBar> bars;
    if (auto bar = bar_of_heads(scene)) bars.push_back(std::move(*bar));
    for (const HeadsOfSide& side : sides)
        if (side.bar) bars.push_back(*side.bar);
    return bars;
}

Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    HeadsMemory memory;
    const SortedSides sorted = sort_sides(scene, list_sides(scene, memory));
    const std::vector<HeadsOfSide>& sides = sorted.sides;
    const bool is_far = look.is_far;
    const std::vector<ColorBar> bars =
        is_far ? std::vector<ColorBar>() : bars_of_sides(scene, sides);
    const float below = bars.empty() ? 0 : kLegendHeight + kListPad;
    const float above = sorted.text.empty() ? 0 : kGridTitle, around = above + below;
    const auto n = static_cast<int>(sides.size());
    const Point one = side_size(sides.front(), kPitch);
    const Point standard{in_row(n, one.x) + 2 * kListPad, one.y + 2 * kListPad + around};
    int across = n;
    const float page = tallest_on_page(look) - 2 * kListPad - around;
    const Point size =
        picture_room(look, standard, [&](float width) {
            const Arrangement best =
                best_arrangement(sides.front(), n, {width - 2 * kListPad, page});
            across = best.across;
            return in_row(count_rows(n, across), side_size(sides.front(), best.pitch).y) +
                   2 * kListPad + around;
        }).size;
    if (look.room) across = across_in_room(sides.front(), n, {size.x, size.y - around});
    Figure figure{size.x, size.y, {}};
    add_order(figure, sorted.text, scene.theme, measure);
    const Point each{share(size.x - 2 * kListPad, across),
                     share(size.y - 2 * kListPad - around, count_rows(n, across))};
    float bottom = 0;  // of the lowest head
    for (int k = 0; k < n; ++k) {
        const HeadsOfSide& side = sides[static_cast<std::size_t>(k)];
        SideOfHeads shown{.side = side, .is_by_layer = sorted.is_by_layer, .pictures = {}};
        shown.has_colors_in_title = is_far;  // else there is a bar
        for (const ListedHead& head : side.heads)
            shown.pictures.push_back(sorted.numbers.picture(head, scene.theme));
        const HeadGridFigure grid = side_figure(shown, each, scene.theme, measure);
        const Point at{kListPad + static_cast<float>(k % across) * (each.x + kGridGap),
                       kListPad + above + static_cast<float>(k / across) * (each.y + kGridGap)};
        add_part(figure, grid.figure, at);
        for (const Box& box : grid.boxes) bottom = std::max(bottom, at.y + box.bottom());
    }
    add_bars(figure, bars, std::min(size.y - below, bottom + kBelowHeads), scene.theme, measure);
    return figure;
}

}  // namespace headlight
