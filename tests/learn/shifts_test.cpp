// What the card of shifts says, on the weights that come with the program and from other seeds.
#include <doctest/doctest.h>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "learn/tasks/shifts_task.h"
#include "learn/training.h"
#include "long_checks.h"
#include "model/evaluate.h"

namespace headlight::shifts_test {

constexpr int kHeads = 9;

std::string of_head(int head, const char* tensor) {
    return "blocks.0.attn.heads." + std::to_string(head) + "." + tensor;
}

/// How far the center of that head is from its neighbour, down or right, whichever is more.
Scalar off_by(const Trace& trace, int head) {
    const Matrix& center = *trace.at(of_head(head, "center")).value;
    Matrix cell(1, 2);
    cell << static_cast<Scalar>(head / 3 - 1), static_cast<Scalar>(head % 3 - 1);
    return (center - cell).cwiseAbs().maxCoeff();
}

Scalar furthest(const Document& document) {
    const Trace trace = evaluate(document, nullptr, {});
    Scalar most = 0;
    for (int h = 0; h < kHeads; ++h) most = std::max(most, off_by(trace, h));
    return most;
}

Training trained_from(std::uint64_t seed, const Recipe& own) {
    Recipe recipe = own;
    recipe.seed = seed;
    Training training(recipe, 1);
    while (!training.is_done()) training.step();
    return training;
}

TEST_CASE("shifts: the nine heads look at the nine neighbours of a pixel") {
    const TaskEntry& entry = task_named("shifts");
    const Document document = trained_study(entry);
    const Trace trace = evaluate(document, nullptr, {});
    const Index columns = trace.grid_columns(), middle = 2 * columns + 4;
    for (int h = 0; h < kHeads; ++h) {
        const Index neighbour = middle + (h / 3 - 1) * columns + h % 3 - 1;
        const Scalar weight = (*trace.at(of_head(h, "pattern")).value)(middle, neighbour);
        MESSAGE("head " << h << ": off by " << off_by(trace, h) << ", weight " << weight);
        CHECK(off_by(trace, h) < 0.05f);
        CHECK(weight > 0.95f);
    }
    const Scalar alpha = (*trace.at("blocks.0.attn.alpha").value)(0, 0);
    MESSAGE("alpha: " << alpha);
    CHECK(alpha > 4.5f);
    const Matrix& difference = *trace.at("difference").value;
    MESSAGE("largest difference: " << difference.cwiseAbs().maxCoeff());
    CHECK(difference.cwiseAbs().maxCoeff() < 0.02f);
}

TEST_CASE("shifts: before training the heads look somewhere else, and nothing is right") {
    const TaskEntry& entry = task_named("shifts");
    CHECK(furthest(entry.study(nullptr)) > 1);
    Training training(entry.recipe(), 1);
    CHECK(training.test().accuracy() < 0.01);
    training.begin_at(*trained_weights(entry));
    const Loss loss = training.test();
    MESSAGE("right: " << loss.n_right << " of " << loss.n_targets << ", squared error "
                      << loss.mean());
    CHECK(loss.accuracy() > 0.99);
    CHECK(loss.mean() < 3e-5);
    CHECK(training.trainer().parameters().size() == 10);  // nine centers and α
}

TEST_CASE("shifts: the same weights are the same convolution with any kernel and picture") {
    Document document = trained_study(task_named("shifts"));
    document.image()->layer.kernel = Kernel::Random;
    document.seed = 7;
    for (float& pixel : document.image()->pixels) pixel = 1 - pixel;
    const Trace trace = evaluate(document, nullptr, {});
    const Matrix& out = *trace.at("convolution").value;
    const Matrix& difference = *trace.at("difference").value;
    CHECK(difference.norm() < 0.02f * out.norm());
}

/// The seeds from 1 to 10, or two of them: with a random kernel one of the two finds all
/// neighbours, and the other is stuck.
std::vector<std::uint64_t> seeds() {
    if (!is_long_check()) return {3, 9};
    std::vector<std::uint64_t> all(10);
    std::iota(all.begin(), all.end(), std::uint64_t{1});
    return all;
}

/// From how many seeds each of the nine heads finds its neighbour.
std::size_t count_found(const Recipe& own) {
    std::size_t n_found = 0;
    for (const std::uint64_t seed : seeds())
        if (furthest(trained_from(seed, own).study()) < 0.1f) ++n_found;
    MESSAGE("all nine found: from " << n_found << " of " << seeds().size() << " seeds");
    return n_found;
}

TEST_CASE("shifts: from ten of ten seeds every head finds its neighbour") {
    CHECK(count_found(task_named("shifts").recipe()) == seeds().size());
}

TEST_CASE("shifts: with a random kernel heads are stuck beside their neighbours") {
    Recipe own = task_named("shifts").recipe();
    own.study.image()->layer.kernel = Kernel::Random;
    const std::size_t n_found = count_found(own);
    CHECK(n_found >= 1);
    CHECK(n_found <= seeds().size() / 2);
}

TEST_CASE("shifts: the study of a sentence, or of patches, is none of it") {
    Recipe recipe = task_named("shifts").recipe();
    recipe.study.image()->layer.mechanism = ImageMechanism::Attention;
    CHECK_THROWS_AS(Training(recipe, 1), Error);
    recipe.study = built_in_sentence();
    CHECK_THROWS_AS(Training(recipe, 1), Error);
}

}  // namespace headlight::shifts_test
