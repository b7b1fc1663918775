// Schedules of the learning rate, and a task that is learned with the margin loss.
#include <doctest/doctest.h>

#include "learn/training.h"

namespace headlight::schedule_test {

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

TEST_CASE("training: the margin loss learns previous-word, too; at a margin of 1 nothing is left") {
    Recipe recipe = task_named("previous-word").recipe();
    recipe.loss = LossKind::Margin;
    recipe.schedule = RateSchedule::Cosine;
    recipe.steps = 800;
    Training training(recipe, 1);
    while (!training.is_done()) training.step();
    const Loss loss = training.test();
    MESSAGE(loss.accuracy() << ", loss " << loss.mean());
    CHECK(loss.accuracy() > 0.99);
    CHECK(loss.mean() < 0.1);
}

}  // namespace headlight::schedule_test
