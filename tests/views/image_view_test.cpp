// A picture's heads as the picture lies.
#include "views/image_view.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "figure/theme.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/head_thumbnail.h"
#include "views/listed_heads.h"

namespace headlight::image_view_test {
namespace {

/// A ready study, and what is chosen in it.
struct Looked {
    explicit Looked(const char* name)
        : document(find_ready_study(name)->make()),
          trace(evaluate(document, nullptr, {})),
          components(make_components(trace)) {}

    Scene scene() const {
        return {document, trace, components, selection, theme_named(ThemeName::Light)};
    }
    void choose(const char* component, int head) {
        selection.choose_component(trace, components, component);
        selection.choose_head(trace, components, head);
    }
    void hold(Index patch) { selection.keep_held(pick_item(patch)); }

    Document document;
    Trace trace;
    Components components;
    Selection selection;
};

}  // namespace

TEST_CASE("image view: the class token's weights lie over the picture, and nobody looks") {
    Looked shapes("shapes");
    shapes.choose("blocks.2.class_attn", 3);
    shapes.hold(7);
    const ImageInput input = image_input(shapes.scene());
    const Matrix& pattern = *shapes.trace.at("blocks.2.class_attn.heads.3.pattern").value;
    CHECK(input.weights == std::vector<Scalar>(pattern.data(), pattern.data() + 36));
    CHECK(input.weights_name == "What the class token reads");
    CHECK(input.queries.empty());
    CHECK(input.hovered == 7);  // the held patch is marked
    CHECK(input.name.starts_with("Image · cross "));
    CHECK(input.patch_columns == 6);
}

TEST_CASE("image view: a thumbnail shows what the held patch reads, else the one in the middle") {
    Looked shapes("shapes");
    shapes.choose("blocks.0.attn", 1);
    const Tensor& pattern = shapes.trace.at("blocks.0.attn.heads.1.pattern");
    CHECK(looking_row(shapes.trace, pattern, shapes.selection) == 21);
    CHECK(image_input(shapes.scene()).queries == std::vector<Index>{21});
    shapes.hold(7);
    CHECK(looking_row(shapes.trace, pattern, shapes.selection) == 7);
    HeadThumbnail thumbnail;
    update_thumbnail(thumbnail, shapes.trace, pattern, thumbnail_look(shapes.scene(), pattern));
    REQUIRE(thumbnail.picture->rows() == 6);
    REQUIRE(thumbnail.picture->cols() == 6);
    for (Index j = 0; j < 36; ++j)
        CHECK((*thumbnail.picture)(j / 6, j % 6) == (*pattern.value)(7, j));
    CHECK(thumbnail.looking_patch() == 7);
    CHECK(thumbnail.colors.scale.high >= pattern.value->row(7).maxCoeff());
    shapes.hold(8);
    update_thumbnail(thumbnail, shapes.trace, pattern, thumbnail_look(shapes.scene(), pattern));
    CHECK((*thumbnail.picture)(0, 0) == (*pattern.value)(8, 0));
}

TEST_CASE("image view: a class token before the patches is no patch, and looks by itself") {
    Looked image("image");
    image.document.image()->layer.class_token = ClassToken::First;
    image.document.image()->layer.stack.positions = Positions::Learned;
    image.document.image()->layer.patch = 2;  // 3 × 5 patches
    image.trace = evaluate(image.document, nullptr, {});
    image.components = make_components(image.trace);
    image.choose("blocks.0.attn", 1);
    const Tensor& pattern = image.trace.at("blocks.0.attn.heads.1.pattern");
    CHECK(looking_row(image.trace, pattern, image.selection) == 0);
    ImageInput input = image_input(image.scene());
    CHECK(input.weights_name == "What the class token reads");
    CHECK(input.queries.empty());
    REQUIRE(input.weights.size() == 15);
    for (Index j = 0; j < 15; ++j)
        CHECK(input.weights[static_cast<std::size_t>(j)] == (*pattern.value)(0, j + 1));
    image.hold(8);
    input = image_input(image.scene());
    CHECK(input.weights_name == "What patch 1,2 reads");
    CHECK(input.queries == std::vector<Index>{7});
    CHECK(input.weights[14] == (*pattern.value)(8, 15));
    HeadThumbnail thumbnail;
    update_thumbnail(thumbnail, image.trace, pattern, thumbnail_look(image.scene(), pattern));
    CHECK(thumbnail.looking_patch() == 7);
    CHECK((*thumbnail.picture)(2, 4) == (*pattern.value)(8, 15));
    CHECK(patch_of_item(image.trace, 0) == std::nullopt);
    CHECK(patch_of_item(image.trace, 15) == 14);
}

TEST_CASE("image view: pictures keep their shape, sentences fill a square") {
    Looked shifts("shifts");
    std::vector<HeadThumbnail> thumbnails;
    const std::vector<ListedHead> heads = list_heads(shifts.scene(), thumbnails);
    REQUIRE(heads.size() == 9);
    CHECK(heads[0].picture(theme_named(ThemeName::Light)).aspect == 2);
    CHECK(heads[0].short_label() == "0 to 1.0");
    CHECK(attention_rows(shifts.components) == std::vector<std::string>{"Layer 0"});
    Looked words("who-is-it");
    const std::vector<ListedHead> of_words = list_heads(words.scene(), thumbnails);
    CHECK(of_words[0].picture(theme_named(ThemeName::Light)).aspect == 1);
    CHECK(!of_words[0].thumbnail->row);
}

TEST_CASE("image view: the class attention is a layer before the output") {
    const Looked shapes("shapes");
    std::vector<std::string> paths;
    for (const Component& component : shapes.components) paths.push_back(component.path);
    const auto at = [&](const char* path) { return std::ranges::find(paths, path); };
    CHECK(at("blocks.1.mlp") < at("blocks.2.class_attn"));
    CHECK(at("blocks.2.class_attn") < at("output"));
    CHECK(at("output") != paths.end());
    CHECK(attention_rows(shapes.components).back() == "Layer 2 · class");
}

}  // namespace headlight::image_view_test
