#include "model/motion.h"

#include <doctest/doctest.h>
#include <initializer_list>
#include <utility>

namespace headlight::motion_test {

TEST_CASE("Motion: \"once\" goes from one end to the other and stays there") {
    const Motion motion{.from = 1, .to = 3, .secs = 2, .repeat = Repeat::Once};
    CHECK(motion.value_at(motion.share_after(0)) == 1);
    CHECK(motion.value_at(motion.share_after(1)) == 2);
    CHECK(motion.value_at(motion.share_after(2)) == 3);
    CHECK(motion.value_at(motion.share_after(9)) == 3);
    CHECK(!motion.is_over(1.9));
    CHECK(motion.is_over(2));
}

TEST_CASE("Motion: a loop starts over, a bounce turns around") {
    const Motion loop{.from = 0, .to = 4, .secs = 2, .repeat = Repeat::Loop};
    CHECK(loop.share_after(2.5) == doctest::Approx(0.25));
    CHECK(!loop.is_over(1000));
    const Motion bounce{.from = 0, .to = 4, .secs = 2, .repeat = Repeat::Bounce};
    CHECK(bounce.share_after(1) == doctest::Approx(0.5));
    CHECK(bounce.share_after(2) == doctest::Approx(1));
    CHECK(bounce.share_after(3) == doctest::Approx(0.5));
    CHECK(bounce.share_after(4) == doctest::Approx(0));
}

TEST_CASE("numbers between two others: share and number are inverse") {
    for (const auto& [from, to] : {std::pair{0.01, 100.0},
                                   {100.0, 0.01},
                                   {0.0, 1000.0},
                                   {1000.0, 0.0},
                                   {-2.0, 3.0},
                                   {0.0, 1.0},
                                   {-1.0, -50.0},
                                   {0.0, -90.0}})
        for (const Spacing spacing : {Spacing::Steps, spacing_between(from, to)})
            for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0})
                CHECK(share_at(from, to, number_at(from, to, share, spacing), spacing) ==
                      doctest::Approx(share));
}

TEST_CASE("numbers between two others: distant ones are spaced by factors") {
    CHECK(spacing_between(0.01, 100) == Spacing::Factors);
    CHECK(spacing_between(0, 1) == Spacing::Steps);
    CHECK(spacing_between(-100, 100) == Spacing::Steps);
    CHECK(number_at(0.01, 100, 0.5, Spacing::Factors) == doctest::Approx(1));
    CHECK(number_at(-4, 4, 0.5, Spacing::Steps) == 0);
    CHECK(share_at(1, 1, 5, Spacing::Steps) == 0);
    CHECK(share_at(0, 1, 7, Spacing::Steps) == 1);
    CHECK(share_at(0, 1, -7, Spacing::Steps) == 0);
}

}  // namespace headlight::motion_test
