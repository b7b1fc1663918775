#include <doctest/doctest.h>

#include "core/error.h"
#include "learn/random.h"
#include "learn/sequence_task.h"
#include "learn/training.h"

namespace headlight::trainer_test {

StackSettings small_stack() {
    StackSettings settings{.n_layers = 1, .d_model = 8, .positions = Positions::Learned};
    settings.attention.n_heads = 2;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

SharedNames digits() {
    return std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"0", "1", "2", "3", "4"});
}

/// Each word is to be answered with the word before it.
SequenceExample previous_words(Random& random, Index n) {
    SequenceExample example;
    for (Index i = 0; i < n; ++i) {
        example.words.push_back(random.below(5));
        if (i > 0) example.targets.push_back({i, example.words[static_cast<std::size_t>(i - 1)]});
    }
    return example;
}

std::vector<Shard> draw_shards(const SequenceBatch& batch, Random& random, std::size_t count) {
    std::vector<Shard> shards;
    for (std::size_t s = 0; s < count; ++s) {
        std::vector<SequenceExample> examples;
        for (Index k = 0; k < batch.size(); ++k)
            examples.push_back(previous_words(random, 3 + random.below(4)));
        shards.push_back(batch.shard(examples));
    }
    return shards;
}

TEST_CASE("trainer: the previous word is learned") {
    const SequenceBatch batch(small_stack(), digits(), 16, 6, 1);
    Trainer trainer(batch.plan(), {}, 1);
    Random random(1);
    Trainer::Step last;
    for (int step = 0; step < 400; ++step) last = trainer.step(draw_shards(batch, random, 1), 1e-2);
    CHECK(last.loss.accuracy() > 0.95);
    CHECK(last.loss.mean() < 0.2);
}

TEST_CASE("trainer: the same seed and shards give the same bits; a test changes nothing") {
    const SequenceBatch batch(small_stack(), digits(), 4, 6, 1);
    std::vector<Matrix> first;
    for (int run = 0; run < 2; ++run) {
        Trainer trainer(batch.plan(), {}, 2);
        Random random(7);
        for (int step = 0; step < 20; ++step) {
            trainer.step(draw_shards(batch, random, 2), 1e-2);
            Random other(3);
            if (run == 1) trainer.test(draw_shards(batch, other, 1)[0]);
        }
        for (std::size_t k = 0; k < trainer.parameters().size(); ++k)
            if (run == 0)
                first.push_back(*trainer.parameters()[k]);
            else
                CHECK(*trainer.parameters()[k] == first[k]);
    }
}

TEST_CASE("trainer: parameters that somebody has copied go on as if nothing had been between") {
    const SequenceBatch batch(small_stack(), digits(), 4, 6, 1);
    Trainer whole(batch.plan(), {}, 1), second(batch.plan(), {}, 1);
    Random random(5);
    std::vector<std::vector<Shard>> steps;
    for (int step = 0; step < 10; ++step) steps.push_back(draw_shards(batch, random, 1));
    for (int step = 0; step < 10; ++step) {
        if (step == 5) {
            second.set_parameters(whole.parameters());
            second.set_optimizer_state(whole.optimizer().state());
        }
        whole.step(steps[static_cast<std::size_t>(step)], 1e-2);
        if (step >= 5) second.step(steps[static_cast<std::size_t>(step)], 1e-2);
    }
    for (std::size_t k = 0; k < whole.parameters().size(); ++k)
        CHECK(*whole.parameters()[k] == *second.parameters()[k]);
}

TEST_CASE("sequence batch: padding changes no answer, and what is too long is refused") {
    const SequenceBatch small(small_stack(), digits(), 1, 4, 1),
        large(small_stack(), digits(), 3, 6, 1);
    Trainer of_small(small.plan(), {}, 1), of_large(large.plan(), {}, 1);
    const SequenceExample example{{1, 4, 2, 0}, {{1, 1}, {3, 2}}};
    const auto take_parameters = [](const Trainer& from, Trainer& to) {
        std::vector<MatrixPtr> parameters = from.parameters();
        for (std::size_t k = 0; k < parameters.size(); ++k)
            if (parameters[k]->rows() > to.parameters()[k]->rows())  // W_pos
                parameters[k] = std::make_shared<const Matrix>(
                    parameters[k]->topRows(to.parameters()[k]->rows()));
        to.set_parameters(parameters);
    };
    REQUIRE(of_small.parameters().size() == of_large.parameters().size());
    take_parameters(of_large, of_small);
    const Loss a = of_small.test(small.shard(std::vector{example}));
    const Loss b = of_large.test(large.shard(std::vector{example}));
    CHECK(a.n_targets == 2);
    CHECK(b.n_targets == 2);
    CHECK(of_large.output().topRows(4).isApprox(of_small.output(), 1e-5f));
    CHECK(a.sum == doctest::Approx(b.sum).epsilon(1e-5));
    CHECK_THROWS_AS(small.shard(std::vector{SequenceExample{{1, 1, 1, 1, 1}, {}}}), Error);
    CHECK_THROWS_AS(small.shard(std::vector{example, example}), Error);
}

TEST_CASE("sequence tasks: a recipe by which the accuracy would mean nothing is refused") {
    const auto says = [](const Recipe& recipe, const char* what) {
        INFO(recipe.task);
        CHECK_THROWS_WITH_AS(Training(recipe, 1), doctest::Contains(what), Error);
    };
    for (const char* name :
         {"reverse", "copy", "sort", "brackets", "addition", "induction", "language-model"}) {
        Recipe recipe = task_named(name).recipe();
        recipe.study.sentence()->layer.mask.causal = Switch::Off;
        says(recipe, "would read them there");
        recipe = task_named(name).recipe();
        recipe.study.sentence()->layer.readout = Readout::Pronoun;
        says(recipe, "asks for the next word");
    }
    Recipe recipe = task_named("who-is-it").recipe();
    recipe.study.sentence()->layer.readout = Readout::NextWord;
    says(recipe, "its readout is \"pronoun\"");
}

}  // namespace headlight::trainer_test
