#include "scene/figures/image_view.h"

#include <algorithm>

#include "scene/held_rows.h"

namespace headlight {
namespace {

/// `end`, a half, a fifth, a tenth … of it: the last that is no less than the weights. Of many
/// patches each gets little; the picture says what its full colour stands for.
Scalar scale_end(const std::vector<Scalar>& weights, Scalar end) {
    const Scalar most = *std::max_element(weights.begin(), weights.end());
    for (int step = 0; most > 0 && step < 20; ++step) {
        const Scalar smaller = end / (step % 3 == 1 ? Scalar(2.5) : Scalar(2));
        if (smaller < most) break;
        end = smaller;
    }
    return end;
}

std::string weights_name(const std::vector<std::string>& patches, const std::vector<Index>& queries,
                         RowsAs as) {
    if (queries.size() == 1)
        return "What patch " + patches.at(static_cast<std::size_t>(queries[0])) + " reads";
    std::string name = joined_name(patches, queries, as);
    name[0] = as == RowsAs::Sum ? 'S' : 'M';
    return name;
}

}  // namespace

bool shows_image_alone(const Trace& trace, const Selection& selection) {
    const Tensor* chosen = trace.find(selection.chosen);
    return chosen && chosen->identity().role == Role::Pattern;
}

ImageInput image_input(const Scene& scene) {
    const ImageStudy& study = *scene.document.image();
    ImageInput input{.rows = study.rows,
                     .columns = study.columns,
                     .channels = study.channels,
                     .pixels = study.pixels,
                     .patch_rows = 1,
                     .patch_columns = std::max<Index>(1, scene.trace.grid_columns()),
                     .queries = scene.selection.held().focus.queries(),
                     .hovered = scene.selection.hovered().focus.query,
                     .weights = {},
                     .scale = {},
                     .weights_name = {}};
    const auto n = static_cast<Index>(scene.trace.items().size());
    input.patch_rows = std::max<Index>(1, n / input.patch_columns);
    // The picture is that of the trace: pixels may be set by hand.
    if (const Tensor* image = scene.trace.find("image"); image && image->value)
        input.pixels.assign(image->value->data(), image->value->data() + image->value->size());
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, scene.selection);
    if (!pattern) return input;
    input.scale = scene.selection.scales.scale(*pattern, scene.theme);
    ReadWeights read = read_weights(scene.trace, *pattern, scene.selection);
    if (read.queries.empty()) return input;
    input.weights_name =
        weights_name(scene.trace.shown_items(), read.queries, scene.selection.rows_as);
    input.queries = std::move(read.queries);
    input.weights = std::move(read.weights);
    input.scale.high = scale_end(input.weights, read.most);
    return input;
}

}  // namespace headlight
