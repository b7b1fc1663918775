#include "app_state/training_view.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app_state/studies.h"
#include "app_state/training_run.h"
#include "core/error.h"
#include "tiny_task.h"
#include "views/training_film.h"

namespace headlight::training_view_test {

/// The view of the tiny task, with a run at step 0.
struct Shown {
    Shown() : space(tiny::recipe().study, {}), view({}) {
        view.choose_task(space, tiny::kTask);
        look();
    }

    /// As the window does: until nothing goes on.
    void look() {
        do {
            view.wait();
            view.follow(space);
            prepare(space);
        } while (view.is_busy());
        view.follow(space);
        prepare(space);
    }
    void make_steps(long count) {
        view.make_steps(count);
        look();
    }
    const Document& document() const { return space.session.document(); }

    Workspace space;
    TrainingView view;
};

TEST_CASE("training view: the study has the weights of the shown step") {
    Shown shown;
    REQUIRE(shown.document().weights);
    CHECK_FALSE(has_changes(shown.space));
    const SharedWeights drawn = shown.document().weights;
    shown.make_steps(40);
    CHECK(shown.view.snapshot().step == 40);
    CHECK_FALSE(are_same(shown.document().weights, drawn));
    CHECK(has_changes(shown.space));
    CHECK_FALSE(shown.space.session.history().can_undo());
    shown.view.show_step(0);
    shown.look();
    CHECK(are_same(shown.document().weights, drawn));
    shown.view.show_step({});
    shown.look();
    CHECK(shown.view.shown()->step == 40);
}

TEST_CASE("training view: the command repeats the weights, as long as no hand has interfered") {
    Shown shown;
    shown.make_steps(20);
    CHECK(shown.view.reproduction().command == "headlight train tiny --stop-at 20 --threads " +
                                                   std::to_string(training_threads(16)) +
                                                   " -o tiny.safetensors");
    shown.view.set_learning_rate(0.5);
    shown.look();
    CHECK(shown.view.reproduction().command.empty());
    CHECK(shown.view.reproduction().reasons.front() == "the learning rate was changed at step 20");
}

TEST_CASE("training view: a recipe changes before the first step, and not after it") {
    Shown shown;
    shown.view.change_recipe([](Recipe& recipe) { recipe.seed = 9; });
    shown.look();
    CHECK(shown.view.reproduction().reasons.front() == "no step has been made yet");
    shown.make_steps(1);
    CHECK(shown.view.reproduction().command.find("--seed 9") != std::string::npos);
    shown.view.change_recipe([](Recipe& recipe) { recipe.seed = 10; });
    CHECK(shown.view.recipe().seed == 9);
    shown.view.begin_anew(shown.space);
    shown.look();
    CHECK(shown.view.snapshot().step == 0);
    CHECK(shown.space.session.history().undo_label() == "Begin the training anew");
}

TEST_CASE("training view: another network in the middle stops the run, and undo lets it go on") {
    Shown shown;
    shown.make_steps(10);
    shown.space.session.apply({.label = "Set heads to 4", .change = [](Document& document) {
                                   document.sentence()->layer.attention.n_heads = 4;
                               }});
    shown.look();
    CHECK_FALSE(shown.view.fits());
    shown.space.session.undo();
    shown.look();
    CHECK(shown.view.fits());
    shown.make_steps(5);
    CHECK(shown.view.snapshot().step == 15);
}

TEST_CASE("training view: before the first step another network is simply trained") {
    Shown shown;
    shown.space.session.apply({.label = "Set heads to 4", .change = [](Document& document) {
                                   document.sentence()->layer.attention.n_heads = 4;
                               }});
    shown.look();
    CHECK(shown.view.fits());
    shown.make_steps(3);
    CHECK(shown.document().weights->matrices.contains("blocks.0.attn.heads.3.W_Q"));
    // Weights that are saved name the recipe.
    CHECK(shown.view.reproduction().is_of_saved);
    CHECK(shown.view.reproduction().command ==
          "headlight train tiny.safetensors --stop-at 3 --threads " +
              std::to_string(training_threads(16)) + " -o tiny-again.safetensors");
}

TEST_CASE("training view: earlier runs keep their curves, the latest ones") {
    Shown shown;
    shown.view.begin_anew(shown.space);
    shown.look();
    CHECK(shown.view.earlier().empty());  // no step was made
    for (int run = 0; run < 4; ++run) {
        shown.make_steps(60);
        shown.view.begin_anew(shown.space);
        shown.look();
    }
    const std::vector<EarlierRun>& earlier = shown.view.earlier();
    REQUIRE(earlier.size() == TrainingView::kMostEarlier);
    CHECK(earlier.front().name == std::string("run 2: ") + tiny::kTask.title);
    CHECK(earlier.back().tests.back().step == 50);
    const CurvesInput curves =
        training_curves(shown.view.snapshot(), 0, theme_named(ThemeName::Light), earlier);
    CHECK(std::ranges::count_if(curves.lines, [](const CurveLine& line) {
              return line.name.starts_with("run ") && line.points.size() >= 2;
          }) == 3);
    shown.view.forget_earlier();
    CHECK(shown.view.earlier().empty());
}

TEST_CASE("training view: the way that is given up by going back stays as a curve") {
    Shown shown;
    shown.make_steps(100);
    const std::vector<HeldOutPoint> before = shown.view.snapshot().tests;
    shown.view.show_step(60);
    shown.look();
    const long from = shown.view.shown()->step;
    shown.view.go_on_from_shown();
    shown.view.set_learning_rate(0.05);
    shown.make_steps(100 - from);
    REQUIRE(shown.view.earlier().size() == 1);
    const EarlierRun& branch = shown.view.earlier().front();
    CHECK(branch.name == fmt::format("before: steps {} to {}", from, before.back().step));
    CHECK(branch.tests.front().step <= from);
    CHECK(branch.tests.back().step == before.back().step);
    CHECK(branch.tests.back().loss == before.back().loss);
    CHECK(shown.view.snapshot().tests.back().loss != before.back().loss);
    shown.view.show_step(shown.view.snapshot().step);
    shown.view.go_on_from_shown();  // nothing is given up
    CHECK(shown.view.earlier().size() == 1);
}

TEST_CASE("training view: text that is typed is undone, and the weights stay") {
    Shown shown;
    shown.make_steps(20);
    const SharedWeights weights = shown.document().weights;
    shown.space.session.apply({.label = "Change the sentence", .change = [](Document& document) {
                                   document.sentence()->text = "d c b";
                               }});
    shown.look();
    CHECK(are_same(shown.document().weights, weights));
    CHECK(shown.view.shown()->heads);
    shown.space.session.undo();
    shown.look();
    CHECK(shown.document().sentence()->text == "a b c d a b");
    CHECK(are_same(shown.document().weights, weights));
}

TEST_CASE("training pictures: heads over time are those with a name, by the number of it") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    while (worker.can_step()) worker.step();
    while (worker.measure_next()) {
    }
    const TrainingSnapshot now = worker.snapshot();
    const HeadHistories histories = head_histories(now, 4);
    REQUIRE_FALSE(histories.heads.empty());
    CHECK_FALSE(histories.read);
    CHECK(histories.heads[0].name.find("previous") != std::string::npos);
    CHECK(histories.heads[0].values.front().first == 0);
    CHECK(histories.heads[0].values.front().second < histories.heads[0].values.back().second);
    const CurvesInput curves = training_curves(now, 300, theme_named(ThemeName::Light));
    CHECK(curves.lines.size() == 5);
    CHECK(curves.lines[0].points.size() == now.tests.size());
}

TEST_CASE("training film: more frames of the first steps, the last step is in it") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    TrainingFilm film("Tiny", 40, 6);
    CHECK(film.is_due(0));
    int n = 0;
    for (long step = 0; step <= 40; ++step, worker.step())
        if (film.is_due(step)) film.add(step, worker.snapshot().checkpoints.back().weights), ++n;
    CHECK(n == 6);
    CHECK_FALSE(film.is_due(40));
    const std::string gif = film.bytes("f.gif", tiny::recipe().study, worker.snapshot());
    CHECK(gif.starts_with("GIF89a"));
    CHECK_THROWS_AS(static_cast<void>(film.bytes("f.csv", tiny::recipe().study, {})), Error);
    CHECK_THROWS_AS(
        static_cast<void>(TrainingFilm("Empty", 1).bytes("f.gif", tiny::recipe().study, {})),
        Error);
}

}  // namespace headlight::training_view_test
