#include "ui/image_view.h"

#include <algorithm>

#include "paint/tensor_scale.h"

namespace headlight {
namespace {

/// 1, 0.5, 0.2, 0.1 …: the first that is no less than the weights. Of many patches each gets
/// little; the picture says what its full colour stands for.
Scalar scale_end(const std::vector<Scalar>& weights) {
    const Scalar most = *std::max_element(weights.begin(), weights.end());
    Scalar end = 1;
    for (int step = 0; most > 0 && step < 20; ++step) {
        const Scalar smaller = end / (step % 3 == 1 ? Scalar(2.5) : Scalar(2));
        if (smaller < most) break;
        end = smaller;
    }
    return end;
}

}  // namespace

bool shows_image_alone(const Selection& selection) {
    return selection.chosen.ends_with(".pattern");
}

ImageInput image_input(const Scene& scene) {
    const ImageStudy& study = *scene.document.image();
    ImageInput input{.rows = study.rows,
                     .columns = study.columns,
                     .channels = study.channels,
                     .pixels = study.pixels,
                     .patch_rows = 1,
                     .patch_columns = std::max<Index>(1, scene.trace.grid_columns),
                     .query = scene.selection.held().focus.query,
                     .hovered = scene.selection.hovered().focus.query,
                     .weights = {},
                     .scale = {},
                     .query_name = {}};
    const auto n = static_cast<Index>(scene.trace.items().size());
    input.patch_rows = std::max<Index>(1, n / input.patch_columns);
    // The picture is that of the trace: pixels may be set by hand.
    if (const Tensor* image = scene.trace.find("image"); image && image->value)
        input.pixels.assign(image->value->data(), image->value->data() + image->value->size());
    const auto query = scene.selection.current().focus.query;
    const Tensor* pattern = shown_pattern(scene.trace, scene.parts, scene.selection);
    if (!pattern) return input;
    input.scale = scale_of(*pattern, Matrix(), scene.theme);
    if (!query || *query >= n || !pattern->value) return input;
    input.query = query;
    input.query_name = scene.trace.items()[static_cast<std::size_t>(*query)];
    const auto row = pattern->value->row(*query);
    input.weights.assign(row.begin(), row.end());
    input.scale.high = scale_end(input.weights);
    return input;
}

}  // namespace headlight
