// What is changed by hand while a page follows from the one before it.
#include <doctest/doctest.h>

#include "present/open_lecture.h"

using namespace headlight;

namespace {

const std::string kTwoPages =
    "# T\n\n## One\n\n```headlight\nstudy: attention\nset: layer.attention.temperature = 1\n```\n\n"
    "## Two\n\n```headlight\nset: layer.attention.temperature = 3\nanimate: 1\n```\n";

/// The second page, a part of a second after one turned to it.
struct TurnedPage {
    TurnedPage() {
        lecture.open(read_lecture(kTwoPages, "t"), {});
        lecture.show(space);
        settle(space);
        lecture.animate_next();
        lecture.go_to(1);
        lecture.show(space);
        settle(space);
        lecture.advance(space, 10);
        lecture.advance(space, 10.25);
        settle(space);
    }

    double temperature() const {
        return space.session.document().sentence()->layer.attention.temperature;
    }
    void change_seed() {
        lecture.end_animation(space);
        space.session.apply({.label = "Set", .change = [](Document& d) { d.seed = 5; }});
        settle(space);
    }

    OpenLecture lecture;
    Workspace space{no_study(), {}};
};

}  // namespace

TEST_CASE("an animated page: its number runs between the two pages") {
    TurnedPage page;
    CHECK(page.lecture.is_animating());
    CHECK(page.temperature() == doctest::Approx(1.5));
    page.lecture.advance(page.space, 11);
    CHECK(page.temperature() == doctest::Approx(3));
    CHECK_FALSE(page.lecture.is_animating());
}

TEST_CASE("an animated page: what is changed by hand meanwhile begins at its end, and stays") {
    TurnedPage page;
    page.change_seed();
    CHECK_FALSE(page.lecture.is_animating());
    CHECK(page.temperature() == doctest::Approx(3));
    CHECK(page.space.session.document().seed == 5);
    for (const double now : {10.5, 10.9, 12.0}) {
        CHECK(page.lecture.advance(page.space, now) == 1);
        CHECK(page.temperature() == doctest::Approx(3));
        CHECK(page.space.session.document().seed == 5);
    }
    // One step, which leads back to the page as it is written.
    page.space.session.undo();
    CHECK_FALSE(page.space.session.history().can_undo());
    CHECK(page.temperature() == doctest::Approx(3));
}

TEST_CASE("an animated page: a change is kept with its page when one turns on") {
    TurnedPage page;
    page.change_seed();
    page.lecture.go_to(0);
    page.lecture.show(page.space);
    CHECK(page.temperature() == doctest::Approx(1));
    page.lecture.go_to(1);
    page.lecture.show(page.space);
    CHECK(page.space.session.document().seed == 5);
    CHECK(page.temperature() == doctest::Approx(3));
}
