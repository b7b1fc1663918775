#include "figure/image_figure.h"

#include <doctest/doctest.h>
#include <utility>

#include "figure/color_scale.h"
#include "figure/marks.h"

namespace headlight::image_figure_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

ImageInput make_input(int rows, int columns, int channels, int patch) {
    ImageInput input;
    input.rows = rows;
    input.columns = columns;
    input.channels = channels;
    input.pixels.assign(static_cast<std::size_t>(rows * columns * channels), 0.5f);
    input.patch_rows = rows / patch;
    input.patch_columns = columns / patch;
    input.weights.assign(static_cast<std::size_t>(input.patch_rows * input.patch_columns), 0);
    input.scale = sequential_scale(light(), head_color(light(), 0), 0, 1);
    return input;
}

Point middle_of(const Box& box, const ImageInput& input, Index patch) {
    const auto columns = static_cast<float>(input.patch_columns);
    const auto rows = static_cast<float>(input.patch_rows);
    return {box.x + box.width * (static_cast<float>(patch % input.patch_columns) + 0.5f) / columns,
            box.y + box.height * (static_cast<float>(patch / input.patch_columns) + 0.5f) / rows};
}

std::vector<RectMark> rects_of(const Figure& figure) {
    std::vector<RectMark> rects;
    for (const Mark& mark : figure.marks)
        if (const auto* rect = std::get_if<RectMark>(&mark)) rects.push_back(*rect);
    return rects;
}

const HeatmapMark* heatmap_of(const Figure& figure) {
    for (const Mark& mark : figure.marks)
        if (const auto* heatmap = std::get_if<HeatmapMark>(&mark)) return heatmap;
    return nullptr;
}

}  // namespace

TEST_CASE("image: two pictures are apart and inside, and each patch is found in both") {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {5, 10}, {40, 4}, {4, 40}})
        for (const auto& [width, height] :
             {std::pair{700.f, 400.f}, {300.f, 600.f}, {130.f, 120.f}}) {
            ImageInput input = make_input(rows, columns, 3, 1);
            input.width = width;
            input.height = height;
            const ImageFigure picture = image_figure(input, light(), fake_measure);
            INFO(rows << " × " << columns << " in " << width << " × " << height);
            CHECK(!picture.image.contains(picture.attention.center()));
            for (const Box& box : {picture.image, picture.attention}) {
                CHECK(box.x >= 0);
                CHECK(box.y >= 0);
                CHECK(box.right() <= width);
                CHECK(box.bottom() <= height);
                for (Index patch = 0; patch < rows * columns; ++patch)
                    CHECK(picture.patch_at(middle_of(box, input, patch)) == patch);
            }
            CHECK(!picture.patch_at({-1, -1}));
        }
}

TEST_CASE("image: a pixel has its colour; a single channel is grey") {
    ImageInput input = make_input(1, 2, 3, 1);
    input.pixels = {1, 0, 0, 0, 0.5f, 2};
    const auto rects = rects_of(image_figure(input, light(), fake_measure).figure);
    CHECK(rects[0].fill == Color{255, 0, 0});
    CHECK(rects[1].fill == Color{0, 128, 255});  // values above 1 count as 1
    ImageInput grey = make_input(1, 1, 1, 1);
    grey.pixels = {0.2f};
    CHECK(rects_of(image_figure(grey, light(), fake_measure).figure)[0].fill == Color{51, 51, 51});
}

TEST_CASE("image: a large picture is one mark, and shows through what is read of it") {
    ImageInput input = make_input(120, 160, 3, 40);
    input.pixels[4] = 1;
    input.weights.assign(12, Scalar(0.1));
    const Figure figure = image_figure(input, light(), fake_measure).figure;
    std::vector<const PictureMark*> pictures;
    for (const Mark& mark : figure.marks)
        if (const auto* picture = std::get_if<PictureMark>(&mark)) pictures.push_back(picture);
    REQUIRE(pictures.size() == 2);
    CHECK(pictures[0]->pixels->width == 160);
    CHECK(pictures[0]->pixels->at(1, 0)[1] == 255);
    const std::uint8_t* pale = pictures[1]->pixels->at(1, 0);
    CHECK(pale[0] == pale[1]);
    CHECK(pictures[1]->box.x == heatmap_of(figure)->box.x);
    const std::vector<Color>& colors = heatmap_of(figure)->scale.colors;
    CHECK(colors.front().a == 0);
    CHECK(colors.back().a > 200);
    CHECK(rects_of(figure).size() < 20);
}

TEST_CASE("image: weights lie on the grid of patches, and the query patch is framed in both") {
    ImageInput input = make_input(4, 6, 3, 2);
    input.queries = {4};
    input.weights_name = "What patch 1,1 reads";
    input.weights = {0, 0, 0, 0, 0, 1};
    const ImageFigure picture = image_figure(input, light(), fake_measure);
    const HeatmapMark* heatmap = heatmap_of(picture.figure);
    REQUIRE(heatmap);
    CHECK(heatmap->values->rows() == 2);
    CHECK((*heatmap->values)(1, 2) == 1);
    int n_frames = 0;
    for (const RectMark& rect : rects_of(picture.figure))
        if (rect.stroke == light().selection) {
            ++n_frames;
            CHECK(picture.patch_at(rect.box.center()) == Index{4});
        }
    CHECK(n_frames == 2);
}

TEST_CASE("image: without a query patch it says what to do") {
    ImageInput input = make_input(2, 2, 3, 1);
    input.width = 800;
    input.weights.clear();
    const ImageFigure picture = image_figure(input, light(), fake_measure);
    CHECK(has_text(picture.figure, "Point at a patch to see what it reads"));
    CHECK(heatmap_of(picture.figure)->values->isZero());
    input.queries = {1};
    input.weights_name = "What patch 0,1 reads";
    input.weights = {0, 0, 0, 1};
    input.scale.high = Scalar(0.05);
    bool says_scale = false;
    for (const TextMark& text : texts_of(image_figure(input, light(), fake_measure).figure))
        says_scale |= text.text.find("0,1") != std::string::npos &&
                      text.text.find("0.05") != std::string::npos;
    CHECK(says_scale);
}

TEST_CASE("image: titles end before the frame and the other picture") {
    ImageInput input = make_input(6, 6, 3, 1);
    input.name = "Image · a class with a long name 0.98";
    input.weights_name = "What the class token reads";
    input.weights.assign(36, 0.5f);
    for (const auto& [width, height] : {std::pair{350.f, 222.f}, {700.f, 200.f}, {120.f, 400.f}}) {
        input.width = width;
        input.height = height;
        const ImageFigure picture = image_figure(input, light(), fake_measure);
        INFO(width << " × " << height);
        for (const TextMark& text : texts_of(picture.figure)) {
            const float right = text.at.x + fake_measure(text.text, text.size, text.font);
            CHECK(right <= width);
            const bool is_first = text.text.starts_with("Image");
            if (!is_first) CHECK(text.text.ends_with("0 to 1.00"));
            if (is_first && picture.attention.x > picture.image.x)
                CHECK(right <= picture.attention.x);
        }
    }
}

}  // namespace headlight::image_figure_test
