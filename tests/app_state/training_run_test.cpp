#include "app_state/training_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <thread>

#include "tiny_task.h"

namespace headlight::training_run_test {

using Phase = TrainingSnapshot::Phase;

void make_steps(TrainingWorker& worker, long count) {
    for (long step = 0; step < count && worker.can_step(); ++step) worker.step();
}

const Matrix& matrix(const SharedWeights& weights, const std::string& path) {
    return *weights->matrices.at(path).values;
}

TEST_CASE("training worker: its weights have the bits of the training itself") {
    Training alone(tiny::kTask, tiny::recipe(), 2);
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 2);
    worker.measure_without("blocks.0.attn.heads.0.z");
    for (int step = 0; step < 120; ++step) {
        alone.step();
        worker.step();
        worker.measure_next();
    }
    const TrainingSnapshot now = worker.snapshot();
    CHECK(now.step == 120);
    CHECK(are_same(now.checkpoints.back().weights, alone.weights()));
    CHECK(now.by_hand.empty());
    CHECK(now.curve.size() == alone.curve().size());
}

TEST_CASE("training worker: what was interrupted goes on with its bits, its rate and its curve") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 2);
    make_steps(worker, 30);
    CHECK_FALSE(worker.snapshot().kept);
    worker.set_learning_rate(0.002);
    worker.keep_state();
    const auto kept = worker.snapshot().kept;
    REQUIRE(kept);
    CHECK(kept->state.step == 30);
    make_steps(worker, 25);
    TrainingWorker next(tiny::kTask, kept->recipe, kept->n_threads);
    next.resume(kept->state);
    CHECK(next.snapshot().step == 30);
    CHECK(next.snapshot().learning_rate == 0.002);
    CHECK(next.snapshot().curve.size() == kept->state.curve.size());
    CHECK(next.snapshot().tests.size() == 1);
    make_steps(next, 25);
    CHECK(are_same(next.snapshot().checkpoints.back().weights,
                   worker.snapshot().checkpoints.back().weights));
    CHECK(next.snapshot().by_hand == std::vector<std::string>{"it was interrupted at step 30"});
    const std::string path = kept->state.parameters.begin()->first;
    next.set_cells({{path, Intervention{.cells = {{0, 0, 0.75f}}}}});
    const auto by_hand = next.snapshot().kept;
    CHECK((*by_hand->state.parameters.at(path).values)(0, 0) == 0.75f);
}

TEST_CASE("training worker: it learns, tests on what is held out, and knows the best") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 300);
    const TrainingSnapshot now = worker.snapshot();
    CHECK(now.phase == Phase::Done);
    CHECK(now.n_held_out == 200);
    CHECK(now.tests.back().accuracy > 0.9);
    CHECK(now.tests.front().accuracy < 0.9);
    CHECK(now.commonest > 0.2);
    CHECK(now.commonest < 0.4);
    double best = 0;
    long best_step = -1;
    for (const HeldOutPoint& point : now.tests)
        if (point.accuracy > best) best = point.accuracy, best_step = point.step;
    CHECK(now.best_step == best_step);
    CHECK(now.find_checkpoint(now.best_step)->step == best_step);
}

TEST_CASE("training worker: an early checkpoint is as it was, and the training goes on from it") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 40);
    const SharedWeights then = worker.snapshot().checkpoints.back().weights;
    make_steps(worker, 60);
    CHECK(are_same(worker.snapshot().find_checkpoint(40)->weights, then));
    worker.go_on_from(47);
    TrainingSnapshot now = worker.snapshot();
    CHECK(now.step == 40);
    CHECK(are_same(now.checkpoints.back().weights, then));
    CHECK(now.curve.back().step == 40);
    REQUIRE(now.by_hand.size() == 1);
    CHECK(now.by_hand[0] == "it went on from step 40 again");
    make_steps(worker, 10);
    now = worker.snapshot();
    CHECK(now.step == 50);
    CHECK_FALSE(are_same(now.checkpoints.back().weights, then));
}

TEST_CASE("training worker: nothing flows through an ablated head while it is ablated") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 20);
    const std::string W_V = "blocks.0.attn.heads.1.W_V", z = "blocks.0.attn.heads.1.z";
    const SharedWeights before = worker.snapshot().checkpoints.back().weights;
    Recipe momentless = tiny::recipe();
    momentless.optimizer.rule = Rule::Sgd;
    TrainingWorker sgd(tiny::kTask, momentless, 1);
    const SharedWeights drawn = sgd.snapshot().checkpoints.back().weights;
    sgd.set_interventions({{z, {.cells = {}, .ablation = Ablation::Zero}}});
    make_steps(sgd, 5);
    const TrainingSnapshot now = sgd.snapshot();
    const SharedWeights after = now.checkpoints.back().weights;
    CHECK(matrix(after, W_V) == matrix(drawn, W_V));
    CHECK(matrix(after, "blocks.0.attn.heads.0.W_V") != matrix(drawn, "blocks.0.attn.heads.0.W_V"));
    CHECK(now.by_hand.size() == 1);
}

TEST_CASE("training worker: what a head is worth is measured") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 300);
    double least = 1;
    for (const char* z : {"blocks.0.attn.heads.0.z", "blocks.0.attn.heads.1.z"}) {
        worker.measure_without(z);
        const TrainingSnapshot now = worker.snapshot();
        REQUIRE(now.without);
        CHECK(now.without->path == z);
        CHECK(now.without->step == 300);
        CHECK(now.without->with_it == now.tests.back().accuracy);
        CHECK(now.without->without_it <= now.without->with_it);
        least = std::min(least, now.without->without_it);
    }
    CHECK(least < 0.9);
}

TEST_CASE("training worker: a weight set by hand is set once, and heals") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 50);
    const std::string path = "blocks.0.attn.heads.0.W_Q";
    Intervention set;
    set.set(1, 2, 5);
    worker.set_cells({{path, set}});
    CHECK(matrix(worker.snapshot().checkpoints.back().weights, path)(1, 2) == 5);
    make_steps(worker, 30);
    const Scalar later = matrix(worker.snapshot().checkpoints.back().weights, path)(1, 2);
    CHECK(later != 5);
    CHECK(later < 5.5);
}

TEST_CASE("training worker: checkpoints are thinned out, the first and the newest stay") {
    Recipe recipe = tiny::recipe();
    recipe.steps = 5000;
    recipe.batch = 2;
    TrainingWorker worker(tiny::kTask, recipe, 1);
    make_steps(worker, 4500);
    const TrainingSnapshot now = worker.snapshot();
    CHECK(now.checkpoints.size() <= 201);
    CHECK(now.checkpoints.size() > 100);
    CHECK(now.checkpoints.front().step == 0);
    CHECK(now.checkpoints.back().step == 4500);
}

TEST_CASE("training worker: with an ablated head, too, the last test is of all examples") {
    const TaskEntry& task = task_named("previous-word");
    Recipe recipe = task.recipe();
    recipe.steps = 3;
    TrainingWorker worker(task, recipe, 1);
    worker.measure_without("blocks.0.attn.heads.0.z");
    CHECK(worker.snapshot().n_tested < worker.snapshot().n_held_out);
    worker.set_interventions(
        {{"blocks.0.attn.heads.0.z", Intervention{.cells = {}, .ablation = Ablation::Zero}}});
    make_steps(worker, 3);
    const TrainingSnapshot now = worker.snapshot();
    CHECK(now.n_tested == now.n_held_out);
    CHECK(now.without->without_it == now.tests.back().accuracy);
    worker.go_on_from(0);
    worker.test();
    CHECK(worker.snapshot().n_tested < worker.snapshot().n_held_out);
}

TEST_CASE("training worker: heads are measured with what is set by hand in the study") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    CHECK(worker.measure_next());
    const HeadStates before = worker.snapshot().checkpoints.back().heads;
    worker.set_interventions(
        {{"blocks.0.attn.heads.0.pattern", intervene_on_all(Matrix::Zero(6, 6))}});
    CHECK_FALSE(worker.snapshot().checkpoints.back().heads);
    CHECK(worker.measure_next());
    const HeadStates after = worker.snapshot().checkpoints.back().heads;
    CHECK((*before)[0].metrics != (*after)[0].metrics);
    CHECK((*before)[1].metrics == (*after)[1].metrics);
}

TEST_CASE("training worker: heads are measured on the study that is shown") {
    TrainingWorker worker(tiny::kTask, tiny::recipe(), 1);
    make_steps(worker, 200);
    while (worker.measure_next()) {
    }
    const TrainingSnapshot first = worker.snapshot();
    REQUIRE(first.checkpoints.back().heads);
    CHECK(first.checkpoints.back().heads->size() == 2);
    bool is_named = false;
    for (const HeadState& head : *first.checkpoints.back().heads)
        is_named = is_named || (head.label && head.label->metric == HeadMetric::Previous);
    CHECK(is_named);
    for (const HeadState& head : *first.checkpoints.front().heads) CHECK_FALSE(head.label);
    Document other = tiny::recipe().study;
    other.sentence()->text = "d d a";
    worker.measure_on(other);
    CHECK_FALSE(worker.snapshot().checkpoints.back().heads);
    CHECK(worker.measure_next());
    CHECK(worker.snapshot().checkpoints.back().heads);
}

TEST_CASE("training worker: NaN is said, and the last good weights go on") {
    Recipe recipe = tiny::recipe();
    recipe.optimizer.rule = Rule::Sgd;
    TrainingWorker worker(tiny::kTask, recipe, 1);
    make_steps(worker, 130);
    worker.set_learning_rate(1e30);
    make_steps(worker, 3);
    const TrainingSnapshot now = worker.snapshot();
    CHECK(now.message.find("The loss left the numbers at step 13") == 0);
    CHECK(now.message.find("back to step 100, with half of the learning rate") !=
          std::string::npos);
    CHECK(now.checkpoints.back().step <= 102);
    CHECK_FALSE(matrix(now.find_checkpoint(100)->weights, "W_E").hasNaN());
    make_steps(worker, 100);
    CHECK(worker.snapshot().phase == Phase::Failed);
    CHECK(worker.snapshot().message.find("use a lower learning rate") != std::string::npos);
    worker.go_on_from(100);
    CHECK(worker.can_step());
}

TEST_CASE("training run: orders are carried out between steps, and counted steps end") {
    int woken = 0;
    TrainingRun run(tiny::kTask, tiny::recipe(), 1, [&] { ++woken; });
    run.make_steps(25);
    run.wait();
    CHECK(run.snapshot()->step == 25);
    CHECK(run.snapshot()->phase == Phase::Paused);
    CHECK(run.snapshot()->checkpoints.back().heads);
    const long order = run.set_learning_rate(0.5);
    run.wait();
    CHECK(run.snapshot()->n_orders >= order);
    CHECK(run.snapshot()->learning_rate == 0.5);
    CHECK(woken > 0);
}

TEST_CASE("training run: it plays to its end, whoever looks") {
    TrainingRun run(tiny::kTask, tiny::recipe(), 1, {});
    run.play();
    const auto start = std::chrono::steady_clock::now();
    while (run.snapshot()->phase != Phase::Done &&
           std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(run.snapshot()->step == 300);
    CHECK(run.snapshot()->tests.back().accuracy > 0.9);
}

TEST_CASE("training run: what cannot be trained says why, and ends nothing") {
    Recipe recipe = tiny::recipe();
    recipe.study.sentence()->layer.unembedding = Unembedding::None;
    TrainingRun run(tiny::kTask, recipe, 1, {});
    run.play();
    run.wait();
    const auto start = std::chrono::steady_clock::now();
    while (run.snapshot()->phase != Phase::Failed &&
           std::chrono::steady_clock::now() - start < std::chrono::seconds(10))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(run.snapshot()->phase == Phase::Failed);
    CHECK(run.snapshot()->message.find("W_U") != std::string::npos);
}

}  // namespace headlight::training_run_test
