#include "scene/figures/head_thumbnail.h"

#include "core/numeric/statistics.h"
#include "paint/number_format.h"
#include "paint/thumbnail.h"

namespace headlight {

namespace {

MatrixPtr pooled(const Edges& edges, const Matrix& pattern) {
    std::vector<ReadEdge> read;
    for (std::size_t e = 0; e < edges.row.size(); ++e)
        read.push_back({static_cast<int>(edges.row[e]), static_cast<int>(edges.neighbour[e]),
                        pattern(static_cast<Index>(e), 0)});
    return std::make_shared<const Matrix>(pooled_pattern(read, edges.n_nodes));
}

/// The entropy of a pattern; for an overview, from the head's metrics.
Scalar entropy_of(const Trace& trace, const Tensor& pattern) {
    if (trace.edges()) return mean_entropy_bits(*pattern.value, *trace.edges());
    const Identity& identity = pattern.identity();
    if (identity.role != Role::Overview) return mean_entropy_bits(*pattern.value);
    const Tensor* metrics = trace.find(identity.at(Role::Metrics).path);
    return metrics && metrics->value ? (*metrics->value)(0, Index(HeadMetric::Entropy)) : Scalar(0);
}

}  // namespace

const Tensor& thumbnail_source(const Trace& trace, const Component& attention, int head) {
    const Tensor* overview = find_of_head(trace, attention, head, Role::Overview);
    return overview ? *overview : *find_of_head(trace, attention, head, Role::Pattern);
}

void update_thumbnail(HeadThumbnail& thumbnail, const Trace& trace, const Tensor& pattern,
                      const Theme& theme, const PictureScales& scales) {
    const PictureSettings& settings = scales.of(pattern.quantity());
    const bool is_known = thumbnail.pattern == pattern.value;
    if (is_known && thumbnail.theme == &theme && thumbnail.settings == settings) return;
    thumbnail.theme = &theme;
    thumbnail.settings = settings;
    const Matrix& values = *pattern.value;
    thumbnail.pattern = pattern.value;
    thumbnail.picture = trace.edges() ? pooled(*trace.edges(), values) : pattern.value;
    thumbnail.entropy = entropy_of(trace, pattern);
    thumbnail.colors = scales.colors(pattern, thumbnail.picture, theme);
}

std::string label_and_value(const HeadLabel& label) {
    return std::string(label_text(label.metric)) + " " + format_value(label.value, 2);
}

const char* ablation_words(Ablation ablation) {
    return ablation == Ablation::Zero ? "ablated: zero" : "ablated: mean";
}

const char* stand_in(Ablation ablation) {
    return ablation == Ablation::Zero ? "0" : "μ";
}

}  // namespace headlight
