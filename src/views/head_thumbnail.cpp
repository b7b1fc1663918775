#include "views/head_thumbnail.h"

#include <fmt/format.h>

#include "core/numeric/statistics.h"
#include "figure/number_format.h"
#include "figure/read_lines.h"
#include "views/image_view.h"

namespace headlight {

namespace {

MatrixPtr pooled(const Edges& edges, const Matrix& pattern) {
    std::vector<WeightedEdge> read;
    for (std::size_t e = 0; e < edges.row.size(); ++e)
        read.push_back({static_cast<int>(edges.row[e]), static_cast<int>(edges.neighbour[e]),
                        pattern(static_cast<Index>(e), 0)});
    return std::make_shared<const Matrix>(pooled_pattern(read, edges.n_nodes));
}

/// Returns the entropy of a pattern; for an overview, from the head's metrics.
Scalar pattern_entropy(const Trace& trace, const Tensor& pattern) {
    if (trace.edges()) return mean_entropy_bits(*pattern.value, *trace.edges());
    const Identity& identity = pattern.identity();
    if (identity.role != Role::Overview) return mean_entropy_bits(*pattern.value);
    const Tensor* metrics = trace.find(identity.at(Role::Metrics).path);
    return metrics && metrics->value ? (*metrics->value)(0, Index(HeadMetric::Entropy)) : Scalar(0);
}

/// Arranges one row of the pattern as the image lies.
MatrixPtr laid_out(const Matrix& pattern, Index row, const Trace& trace) {
    const Index columns = trace.grid_columns(), begin = trace.grid_begin();
    Matrix grid((pattern.cols() - begin) / columns, columns);
    std::copy_n(pattern.row(row).data() + begin, grid.size(), grid.data());
    return std::make_shared<const Matrix>(std::move(grid));
}

}  // namespace

float HeadThumbnail::aspect() const {
    if (!row || !picture) return 1;
    return static_cast<float>(picture->cols()) / static_cast<float>(picture->rows());
}

std::optional<Index> HeadThumbnail::looking_patch() const {
    return pattern && pattern->rows() > 1 ? patch : std::nullopt;
}

ThumbnailLook thumbnail_look(const Scene& scene, const Tensor& pattern) {
    return {scene.theme, scene.selection.scales,
            looking_row(scene.trace, pattern, scene.selection)};
}

const Tensor& thumbnail_source(const Trace& trace, const Component& attention, int head) {
    const Tensor* overview = find_of_head(trace, attention, head, Role::Overview);
    return overview ? *overview : *find_of_head(trace, attention, head, Role::Pattern);
}

std::string waiting_text(const Trace& trace, const Tensor& tensor) {
    if (tensor.value) return "";
    const LaterMatrices* later = find_later(tensor.planned());
    if (later && !later->is_there(tensor.settings().begin)) return later->words();
    for (const TensorId input : tensor.inputs())
        if (std::string text = waiting_text(trace, trace[input]); !text.empty()) return text;
    return "";
}

std::string overview_text(const Trace& trace, const Tensor& thumbnail_source) {
    const Identity& identity = thumbnail_source.identity();
    if (identity.role != Role::Overview) return "";
    const Tensor* pattern = trace.find(identity.at(Role::Pattern).path);
    if (!pattern || !find_later(pattern->planned())) return "";
    return fmt::format("of {} cells, each the largest of those that fall on it, of {}",
                       shape_text(thumbnail_source.rows().size, thumbnail_source.columns().size),
                       shape_text(pattern->rows().size, pattern->columns().size));
}

void update_thumbnail(HeadThumbnail& thumbnail, const Trace& trace, const Tensor& pattern,
                      const ThumbnailLook& look) {
    const PictureSettings& settings = look.scales.of(pattern.quantity());
    const MatrixPtr mask = look.row ? nullptr : look.scales.mask_for(trace, pattern);
    const bool is_known =
        thumbnail.pattern == pattern.value && thumbnail.row == look.row && thumbnail.mask == mask;
    if (is_known && thumbnail.theme == &look.theme && thumbnail.settings == settings) return;
    thumbnail.theme = &look.theme;
    thumbnail.settings = settings;
    thumbnail.pattern = pattern.value;
    thumbnail.row = look.row;
    thumbnail.mask = mask;
    thumbnail.patch = look.row ? patch_of_item(trace, *look.row) : std::nullopt;
    thumbnail.picture = pattern.value;
    if (trace.edges())
        thumbnail.picture = pooled(*trace.edges(), *pattern.value);
    else if (look.row)
        thumbnail.picture = laid_out(*pattern.value, *look.row, trace);
    thumbnail.entropy = pattern_entropy(trace, pattern);
    const Matrix& picture = *thumbnail.picture;
    thumbnail.largest = picture.size() > 0 ? picture.rowwise().maxCoeff().mean() : Scalar(0);
    thumbnail.colors = look.scales.colors(pattern, thumbnail.picture, look.theme, mask);
    if (look.row && settings.range == PictureSettings::Range::Standard)
        thumbnail.colors.scale.high = scale_end(view(*thumbnail.picture), 1);
}

std::string label_and_value(const HeadLabel& label) {
    return fmt::format("{} {}", label_text(label.metric), format_value(label.value, 2));
}

const char* ablation_words(Ablation ablation) {
    return ablation == Ablation::Zero ? "ablated: zero" : "ablated: mean";
}

const char* stand_in(Ablation ablation) {
    return ablation == Ablation::Zero ? "×" : "μ";
}

}  // namespace headlight
