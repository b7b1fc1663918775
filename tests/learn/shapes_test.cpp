// What the card of shapes says, on the weights that come with the program.
#include <algorithm>
#include <array>
#include <doctest/doctest.h>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "learn/tasks/shapes_source.h"
#include "learn/training.h"
#include "model/evaluate.h"

namespace headlight::shapes_test {

constexpr int kHeads = 4, kPictures = 200;
constexpr int kPatch = 4, kGrid = kShapeSide / kPatch;

std::string class_head(int head, const char* tensor) {
    return "blocks.2.class_attn.heads." + std::to_string(head) + "." + tensor;
}

/// The task with the weights that come with the program.
Training trained() {
    Training training(task_named("shapes").recipe(), 1);
    training.begin_at(*trained_weights(task_named("shapes")));
    return training;
}

double accuracy(Training& training, const Interventions& interventions = {}) {
    Loss loss;
    for (const Shard& shard : training.task().held_out())
        loss += training.trainer().test(shard, interventions);
    return loss.accuracy();
}

Interventions without(const char* globs_of_layer, int n_heads) {
    Interventions zero;
    for (int h = 0; h < n_heads; ++h)
        zero[globs_of_layer + std::to_string(h) + ".z"] = {.cells = {}, .ablation = Ablation::Zero};
    return zero;
}

/// By patch: whether the object covers any of its pixels.
std::vector<bool> object_patches(const ShapePicture& picture) {
    std::vector<bool> is_object(kGrid * kGrid);
    for (int row = 0; row < kShapeSide; ++row)
        for (int column = 0; column < kShapeSide; ++column)
            if (picture.is_object[static_cast<std::size_t>(row * kShapeSide + column)])
                is_object[static_cast<std::size_t>(row / kPatch * kGrid + column / kPatch)] = true;
    return is_object;
}

Trace look_at(const ShapePicture& picture) {
    Document document = trained_study(task_named("shapes"));
    document.image()->pixels = picture.example.pixels;
    return evaluate(document, nullptr, {});
}

TEST_CASE("shapes: the same pictures every time, each class as often, one object each") {
    const std::vector<ShapePicture> pictures = held_out_shapes(400), again = held_out_shapes(400);
    std::array<int, 4> counts{};
    for (std::size_t k = 0; k < pictures.size(); ++k) {
        const ShapePicture& picture = pictures[k];
        CHECK(picture.example.pixels == again[k].example.pixels);
        ++counts[static_cast<std::size_t>(picture.example.shown)];
        const auto n_object = std::ranges::count(picture.is_object, true);
        CHECK(n_object > 20);
        CHECK(n_object < kShapeSide * kShapeSide / 3);
    }
    for (const int count : counts) CHECK(count > 70);
}

TEST_CASE("shapes: pictures that were never drawn are told apart") {
    Training training = trained();
    const double right = accuracy(training);
    MESSAGE("right: " << right);
    CHECK(right > 0.98);
    Index n_numbers = 0;
    for (const MatrixPtr& parameter : training.trainer().parameters())
        n_numbers += parameter->size();
    MESSAGE("numbers: " << n_numbers);
    CHECK(n_numbers == 43250);
}

TEST_CASE("shapes: the class token's heads look at the object") {
    std::array<double, kHeads> on_object{}, most_on_object{};
    double area = 0;
    for (const ShapePicture& picture : held_out_shapes(kPictures)) {
        const std::vector<bool> is_object = object_patches(picture);
        area += static_cast<double>(std::ranges::count(is_object, true)) /
                static_cast<double>(is_object.size()) / kPictures;
        const Trace trace = look_at(picture);
        for (int h = 0; h < kHeads; ++h) {
            const Matrix& pattern = *trace.at(class_head(h, "pattern")).value;
            REQUIRE(pattern.cols() == std::ssize(is_object));
            const auto head = static_cast<std::size_t>(h);
            for (std::size_t j = 0; j < is_object.size(); ++j)
                if (is_object[j])
                    on_object[head] += static_cast<double>(pattern(0, Index(j))) / kPictures;
            Index most = 0;
            pattern.row(0).maxCoeff(&most);
            if (is_object[static_cast<std::size_t>(most)]) most_on_object[head] += 1.0 / kPictures;
        }
    }
    MESSAGE("area of the object: " << area);
    CHECK(area < 0.3);
    for (std::size_t h = 0; h < kHeads; ++h) {
        MESSAGE("head " << h << ": weight on the object " << on_object[h]
                        << ", largest weight on it " << most_on_object[h]);
        CHECK(on_object[h] > (h == 2 ? 0.65 : 0.85));
        CHECK(most_on_object[h] > (h == 2 ? 0.7 : 0.9));
    }
}

TEST_CASE("shapes: without the class token's heads nothing is told") {
    Training training = trained();
    const double none = accuracy(training, without("blocks.2.class_attn.heads.", kHeads));
    MESSAGE("without all: " << none);
    CHECK(none < 0.3);
    for (int h = 0; h < kHeads; ++h) {
        const Interventions zero{{class_head(h, "z"), {.cells = {}, .ablation = Ablation::Zero}}};
        const double right = accuracy(training, zero);
        MESSAGE("without head " << h << ": " << right);
        CHECK(right > 0.9);
        CHECK(right < 0.989);
    }
    for (int l = 0; l < 2; ++l) {
        const std::string layer = "blocks." + std::to_string(l) + ".attn.heads.";
        const double right = accuracy(training, without(layer.c_str(), kHeads));
        MESSAGE("without layer " << l << ": " << right);
        CHECK(right < 0.5);
    }
}

TEST_CASE("shapes: the study says what it shows, and the names of the classes") {
    const Document document = trained_study(task_named("shapes"));
    const Trace trace = evaluate(document, nullptr, {});
    const Tensor& probs = trace.at("probs");
    Index most = 0;
    CHECK(probs.value->row(0).maxCoeff(&most) > 0.9f);
    CHECK(axis_label(trace, probs.columns(), most) == "cross");
    CHECK(axis_label(trace, probs.columns(), 0) == "disc");
}

TEST_CASE("shapes: a network without classes is no task") {
    Recipe recipe = task_named("shapes").recipe();
    recipe.study.image()->layer.n_classes = 0;
    CHECK_THROWS_AS(Training(recipe, 1), Error);
    recipe.study = built_in_sentence();
    CHECK_THROWS_AS(Training(recipe, 1), Error);
}

TEST_CASE("shapes: a batch of pictures teaches, and what is left of it does not") {
    Training training(task_named("shapes").recipe(), 1);
    CHECK(training.test().accuracy() < 0.35);
    for (int k = 0; k < 250; ++k) training.step();
    CHECK(training.test().accuracy() > 0.4);
    const auto& task = dynamic_cast<const ImageTask&>(training.task());
    const std::vector<ShapePicture> pictures = held_out_shapes(3);
    std::vector<ImageExample> examples;
    for (const ShapePicture& picture : pictures) examples.push_back(picture.example);
    CHECK(task.batch().shard(examples).n_targets() == 3);
    examples[0].pixels.pop_back();
    CHECK_THROWS_AS(task.batch().shard(examples), Error);
}

}  // namespace headlight::shapes_test
