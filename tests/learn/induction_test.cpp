// What the cards of induction say, on the weights that come with the program.
#include <doctest/doctest.h>
#include <set>

#include "learn/tasks/symbol_sources.h"
#include "learn/trained_task.h"

namespace headlight::induction_test {

using trained_task::continued;
using trained_task::HeadPlace;
using trained_task::next_word;
using trained_task::TrainedTask;

constexpr const char* kTwice = "k f q b z m a t k f q b z m a t";
constexpr HeadPlace kPrevious{0, 1}, kOther{0, 0}, kFirst{1, 0}, kSecond{1, 1};

/// Mean chance of a guess among the words that were said so far.
double guess_among_words() {
    const InductionSource source;
    double sum = 0;
    Index count = 0;
    for (const SequenceExample& example : source.held_out())
        for (const PlaceTarget& target : example.targets) {
            const auto begin = example.words.begin();
            const std::set<Index> said(begin, begin + target.place + 1);
            sum += 1.0 / static_cast<double>(said.size());
            ++count;
        }
    return sum / static_cast<double>(count);
}

TEST_CASE("induction: two layers are always right, one layer hardly ever") {
    TrainedTask two("induction"), one("induction-one-layer");
    const auto answers = two.held_out(), alone = one.held_out();
    CHECK(two.n_numbers() == 44704);
    CHECK(two.n_words() == 92);
    CHECK(answers.n_sequences == 973);
    CHECK(answers.loss.n_targets == 5724);
    CHECK(answers.loss.accuracy() > 0.999);
    CHECK(answers.whole() > 0.99);
    const double guess = guess_among_words();
    MESSAGE("two layers: " << answers.loss.accuracy() << ", one: " << alone.loss.accuracy()
                           << ", a guess among the words so far: " << guess);
    CHECK(guess == doctest::Approx(0.10).epsilon(0.1));
    CHECK(alone.loss.accuracy() < 0.15);
    CHECK(alone.n_whole < 10);
}

TEST_CASE("induction: the program names the head of the previous word and those of induction") {
    const TaskEntry& entry = task_named("induction");
    const Trace trace = trained_task::evaluate_text(entry, kTwice);
    CHECK(induction_place(trace.plan()) == "where the text repeats itself");
    CHECK(trained_task::heads_named(entry, trace, HeadMetric::Previous) == std::vector{kPrevious});
    CHECK(trained_task::heads_named(entry, trace, HeadMetric::Induction) ==
          std::vector{kFirst, kSecond});
    for (const HeadPlace head : {kOther, kPrevious, kFirst, kSecond})
        MESSAGE(head.path("pattern")
                << ": previous " << read_metric(trace, head, HeadMetric::Previous) << ", induction "
                << read_metric(trace, head, HeadMetric::Induction));
    CHECK(read_metric(trace, kPrevious, HeadMetric::Previous) > 0.7f);
    CHECK(read_metric(trace, kOther, HeadMetric::Previous) < 0.1f);
    CHECK(read_metric(trace, kFirst, HeadMetric::Induction) > 0.97f);
    CHECK(read_metric(trace, kSecond, HeadMetric::Induction) > 0.97f);
    const TaskEntry& twin = task_named("induction-one-layer");
    const Trace alone = trained_task::evaluate_text(twin, kTwice);
    CHECK(trained_task::heads_named(twin, alone, HeadMetric::Previous).empty());
    CHECK(trained_task::heads_named(twin, alone, HeadMetric::Induction).empty());
}

TEST_CASE("induction: on words of the probe, too, its heads are named") {
    const TaskEntry& entry = task_named("induction");
    const Trace trace = trained_task::evaluate_text(entry, "k f q b z k f q");
    CHECK(induction_place(trace.plan()) == "on 8 of the weights' words said twice");
    CHECK(trained_task::heads_named(entry, trace, HeadMetric::Induction) ==
          std::vector{kFirst, kSecond});
}

TEST_CASE("induction: without its heads, or the head of the previous word, the answer is lost") {
    TrainedTask two("induction");
    const auto right_without = [&](std::vector<HeadPlace> heads) {
        const double right = two.held_out(trained_task::without(heads)).loss.accuracy();
        MESSAGE("without " << heads.size() << " from " << heads[0].path("z") << ": " << right);
        return right;
    };
    CHECK(right_without({kFirst, kSecond}) < 0.05);
    CHECK(right_without({kPrevious}) < 0.2);
    CHECK(right_without({kOther}) > 0.95);
    CHECK(right_without({kFirst}) > 0.95);
    CHECK(right_without({kSecond}) > 0.95);
}

TEST_CASE("induction: sentences of a user's own") {
    const auto is_followed = [](const char* text, const char* word) {
        const auto next = next_word("induction", text);
        INFO(text, " ", next.word, " ", next.probability);
        CHECK(next.word == word);
        CHECK(next.probability > 0.99f);
    };
    is_followed("k f q b z k f q", "b");
    is_followed("k f q b z m a t k", "f");
    is_followed("the cat sat on the", "cat");
    is_followed("The red fish ran to the old tree. The red", "fish");
    CHECK(continued("induction", "k f q b z m a t k", 7) == kTwice);
}

TEST_CASE("induction: for a hundred steps and more little is learned, then nearly all at once") {
    const TaskEntry& entry = task_named("induction");
    Training training(entry, entry.recipe(), 1);
    long last_low = 0, first_high = 0;
    while (first_high == 0 && training.n_steps() < 400) {
        training.step();
        if (training.n_steps() % 10 != 0) continue;
        const CurvePoint& point = training.curve().back();
        if (point.accuracy <= 0.2) last_low = point.step;
        if (point.accuracy >= 0.9) first_high = point.step;
    }
    MESSAGE("0.2 up to step " << last_low << ", 0.9 from step " << first_high);
    CHECK(last_low >= 100);
    CHECK(first_high > last_low);
    CHECK(first_high - last_low <= 100);
}

}  // namespace headlight::induction_test
