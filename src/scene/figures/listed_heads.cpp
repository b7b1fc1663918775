#include "scene/figures/listed_heads.h"

#include <algorithm>

#include "core/analyses/head_metrics.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr float kPitch = 118, kListPad = 12;  // of a head in the figure; around all of them

Point list_size(const std::vector<ListedHead>& heads, std::size_t n_rows) {
    int columns = 1;
    for (const ListedHead& head : heads) columns = std::max(columns, head.head + 1);
    constexpr float kNames = 80, kNumbers = 20;  // of the layers and the heads
    return {2 * kListPad + kNames + kPitch * static_cast<float>(columns),
            2 * kListPad + kNumbers +
                (kPitch + 10) * static_cast<float>(std::max<std::size_t>(n_rows, 1))};
}

}  // namespace

Scalar ListedHead::metric(int m, bool without_first) const {
    const Index from = without_first ? std::min<Index>(1, metrics->rows() - 1) : 0;
    return (*metrics)(from, m);
}

std::string ListedHead::short_label() const {
    if (thumbnail->row) return "0 to " + format_value(thumbnail->colors.scale.high, 2);
    if (!label) return "";
    return std::string(head_metric_names()[static_cast<std::size_t>(label->metric)]) + " " +
           format_value(label->value, 2);
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
            .stand_in = ablation ? stand_in(*ablation) : ""};
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
                             z ? find_ablation(*z) : std::nullopt});
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

Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    std::vector<HeadThumbnail> thumbnails;
    const std::vector<ListedHead> heads = list_heads(scene, thumbnails);
    HeadGridInput input{.heads = {}, .rows = attention_rows(scene.components)};
    const Point standard = list_size(heads, input.rows.size());
    const Point size = picture_room(look, standard, [&](float width) {
                           return standard.y * std::max(1.0f, width / standard.x);
                       }).size;
    input.width = size.x;
    input.height = size.y;
    for (const ListedHead& head : heads) input.heads.push_back(head.picture(scene.theme));
    Figure figure{size.x, size.y, {}};
    input.width -= 2 * kListPad;
    input.height -= 2 * kListPad;
    add_part(figure, head_grid_figure(input, scene.theme, measure).figure, {kListPad, kListPad});
    return figure;
}

}  // namespace headlight
