// Schedules of the learning rate, and a task that is learned with the margin loss.
#include <algorithm>
#include <doctest/doctest.h>

#include "learn/training.h"

namespace headlight::schedule_test {

TEST_CASE("percent_text: to the nearest, and all or none only where it is so") {
    CHECK(percent_text(30.0 / 32) == "93.8 %");
    CHECK(percent_text(2.0 / 3) == "66.7 %");
    CHECK(percent_text(1) == "100.0 %");
    CHECK(percent_text(0.9999) == "99.9 %");
    CHECK(percent_text(0.0001) == "0.1 %");
    CHECK(percent_text(0) == "0.0 %");
}

TEST_CASE("rate_share: from the highest rate to 0, along a line or a cosine, or never") {
    for (const RateSchedule schedule :
         {RateSchedule::Linear, RateSchedule::Cosine, RateSchedule::Constant})
        CHECK(rate_share(schedule, 0) == 1);
    CHECK(rate_share(RateSchedule::Linear, 0.25) == 0.75);
    CHECK(rate_share(RateSchedule::Linear, 1) == 0);
    CHECK(rate_share(RateSchedule::Cosine, 0.5) == doctest::Approx(0.5));
    CHECK(rate_share(RateSchedule::Cosine, 0.25) == doctest::Approx(0.8535534));
    CHECK(rate_share(RateSchedule::Cosine, 1) == doctest::Approx(0));
    CHECK(rate_share(RateSchedule::Constant, 1) == 1);
}

TEST_CASE("training: the margin loss learns previous-word, too") {
    Recipe recipe = task_named("previous-word").recipe();
    recipe.loss = LossKind::Margin;
    recipe.schedule = RateSchedule::Cosine;
    recipe.steps = 800;
    Training training(recipe, 1);
    double least = 1;
    while (!training.is_done()) {
        training.step();
        if (training.n_steps() % 100 == 0) least = std::min(least, training.test().mean());
    }
    MESSAGE("best " << training.best_accuracy() << ", loss " << least);
    CHECK(training.best_accuracy() > 0.9);
    CHECK(least < 0.1);
}

}  // namespace headlight::schedule_test
