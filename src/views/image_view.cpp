#include "views/image_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "figure/figure_look.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr const char* kImageName = "Image";

/// Returns the number of items that lie in the picture.
Index count_patches(const Trace& trace) {
    const Tensor* patches = trace.find(Location().at(Role::Patches).path);
    return patches ? patches->rows().size / patches->rows().groups
                   : static_cast<Index>(trace.items().size()) - trace.grid_begin();
}

constexpr const char* kClassTokenReads = "What the class token reads";

std::string weights_name(const Trace& trace, const std::vector<Index>& queries, RowsAs as) {
    const std::vector<std::string>& patches = trace.shown_items();
    if (queries.size() == 1 && !patch_of_item(trace, queries[0])) return kClassTokenReads;
    if (queries.size() == 1)
        return fmt::format("What patch {} reads", patches.at(static_cast<std::size_t>(queries[0])));
    std::string name = joined_name(patches, queries, as);
    name[0] = as == RowsAs::Sum ? 'S' : 'M';
    return name;
}

/// Returns "Image · triangle 0.98", where a network classifies the image.
std::string image_name(const Trace& trace) {
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.identity().role != Role::ClassProbabilities || !tensor.value) continue;
        Index most = 0;
        const Scalar probability = tensor.value->row(0).maxCoeff(&most);
        if (std::isnan(probability)) break;
        return fmt::format("{} · {} {}", kImageName, shown_label(trace, tensor.columns(), most),
                           format_value(probability, 3));
    }
    return kImageName;
}

/// Returns the places, in the picture, of those items that are patches.
std::vector<Index> patches_among(const Trace& trace, const std::vector<Index>& items) {
    std::vector<Index> patches;
    for (const Index item : items)
        if (const auto patch = patch_of_item(trace, item)) patches.push_back(*patch);
    return patches;
}

}  // namespace

std::optional<Index> patch_of_item(const Trace& trace, Index item) {
    const Index patch = item - trace.grid_begin();
    return patch >= 0 && patch < count_patches(trace) ? std::optional(patch) : std::nullopt;
}

std::optional<Index> looking_row(const Trace& trace, const Tensor& pattern,
                                 const Selection& selection) {
    const Index columns = trace.grid_columns();
    const auto n = static_cast<Index>(trace.items().size());
    if (columns == 0 || pattern.columns().size != n) return std::nullopt;
    if (pattern.rows().size != n) return 0;
    const AxisIndices& indices = selection.current().indices;
    if (indices.query && indices.query_list == 0 && *indices.query < n) return indices.query;
    if (trace.grid_begin() > 0) return 0;  // the class token, which the answer comes from
    return n / columns / 2 * columns + columns / 2;
}

ReadWeights read_patches(const Trace& trace, const Tensor& pattern, const Selection& selection) {
    ReadWeights read = read_weights(trace, pattern, selection);
    const auto row = looking_row(trace, pattern, selection);
    if (read.queries.empty() && row && pattern.value) {
        const auto weights = pattern.value->row(*row);
        read = {.queries = {*row}, .weights = {weights.begin(), weights.end()}};
    }
    // A class token among the items, the first or the last one, is no part of the picture.
    const Index n_patches = count_patches(trace), begin = trace.grid_begin();
    if (std::ssize(read.weights) < begin + n_patches) return read;
    read.weights.erase(read.weights.begin(), read.weights.begin() + begin);
    read.weights.resize(static_cast<std::size_t>(n_patches));
    return read;
}

Scalar scale_end(ConstView weights, Scalar end) {
    const Scalar most = weights.maxCoeff();
    for (int step = 0; most > 0 && step < 20; ++step) {
        const Scalar smaller = end / (step % 3 == 1 ? Scalar(2.5) : Scalar(2));
        if (smaller < most) break;
        end = smaller;
    }
    return end;
}

bool has_image(const Trace& trace) {
    return trace.grid_columns() > 0;
}

ImageInput image_input(const Scene& scene, ImageTitle title) {
    const Tensor& image = scene.trace.at(Location().at(Role::Image).path);
    const Index columns = scene.trace.image_columns();
    const Index rows = image.rows().size / image.rows().groups / columns;
    const AxisIndices& held = scene.selection.held().indices;
    const bool holds_patches = held.query_list == 0;
    ImageInput input{.rows = static_cast<int>(rows),
                     .columns = static_cast<int>(columns),
                     .channels = static_cast<int>(image.columns().size),
                     .pixels = {},
                     .patch_rows = 1,
                     .patch_columns = std::max<Index>(1, scene.trace.grid_columns()),
                     .queries = holds_patches ? patches_among(scene.trace, held.queries())
                                              : std::vector<Index>(),
                     .hovered = {},
                     .weights = {},
                     .scale = {},
                     .weights_name = {},
                     .name = title == ImageTitle::WithClass ? image_name(scene.trace) : kImageName};
    if (const AxisIndices& indices = scene.selection.hovered().indices;
        indices.query_list == 0 && indices.query)
        input.hovered = patch_of_item(scene.trace, *indices.query);
    input.patch_rows = std::max<Index>(1, count_patches(scene.trace) / input.patch_columns);
    // The picture is that of the trace: pixels may be set by hand.
    if (image.value)
        input.pixels.assign(image.value->data(), image.value->data() + image.value->size());
    else if (const ImageStudy* study = scene.document.image())
        std::ranges::copy(study->values(), std::back_inserter(input.pixels));
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, scene.selection);
    if (!pattern) return input;
    input.scale = scene.selection.scales.scale(*pattern, scene.theme);
    ReadWeights read = read_patches(scene.trace, *pattern, scene.selection);
    if (read.queries.empty()) return input;
    const bool of_token = pattern->identity().component == ComponentKind::ClassAttention;
    input.weights_name =
        of_token ? kClassTokenReads
                 : weights_name(scene.trace, read.queries, scene.selection.looks.rows_as);
    // When a class token looks, a held patch is one that it reads, so it is marked like one that is
    // pointed at.
    if (of_token && !input.hovered && !input.queries.empty()) input.hovered = input.queries.front();
    input.queries = of_token ? std::vector<Index>() : patches_among(scene.trace, read.queries);
    input.weights = std::move(read.weights);
    input.scale.high =
        scale_end(ConstView(input.weights.data(), 1, std::ssize(input.weights)), read.most);
    return input;
}

Figure image_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr float kLeastForBeside = 480;
    ImageInput input =
        image_input(scene, look.tells_class ? ImageTitle::WithClass : ImageTitle::Plain);
    const auto height_for = [&](float width) {
        return width < kLeastForBeside ? height_above(input, width) : height_beside(input, width);
    };
    const Point room = picture_room(look, kUsualRoom, height_for).size;
    input.width = room.x;
    input.height = room.y;
    return image_figure(input, scene.theme, measure).figure;
}

}  // namespace headlight
