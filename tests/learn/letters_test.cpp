// What the cards of letters say: previous-word, copy, reverse and sort, on the weights that come
// with the program.
#include <algorithm>
#include <doctest/doctest.h>

#include "learn/tasks/symbol_sources.h"
#include "learn/trained_task.h"

namespace headlight::letters_test {

using trained_task::continued;
using trained_task::HeadPlace;
using trained_task::TrainedTask;

constexpr HeadPlace kFirstLayer{0, 0}, kSecondLayer{1, 0};
constexpr Index kSequences = 100;

std::vector<PromptedWords> held_out(const PromptSource& source) {
    Random random(77);
    std::vector<PromptedWords> sequences;
    for (Index k = 0; k < kSequences; ++k) sequences.push_back(source.draw_held_out(random));
    return sequences;
}

/// Where in the prompt the right word is.
Index find_answer(const PromptedWords& sequence, const AskedWord& asked) {
    return std::ranges::find(sequence.words, asked.right) - sequence.words.begin();
}

/// Mean weight of a head on the right word.
double weight_on_answer(const char* task, const PromptSource& source, HeadPlace head) {
    for (const auto& weight :
         trained_task::weights_on(task_named(task), held_out(source), find_answer))
        if (weight.head == head) return weight.mean;
    return -1;
}

void check_all_right(const char* name, Index n_numbers) {
    TrainedTask trained(name);
    const auto answers = trained.held_out();
    MESSAGE(std::string(name) << ": " << answers.loss.n_right << " of " << answers.loss.n_targets
                              << " words right, " << answers.n_whole << " of "
                              << answers.n_sequences << " whole answers");
    CHECK(trained.n_numbers() == n_numbers);
    CHECK(answers.n_sequences == 1000);
    CHECK(answers.whole() > 0.995);
}

TEST_CASE("previous-word: one head looks at the word before, and that is the answer") {
    check_all_right("previous-word", 19840);
    const TaskEntry& entry = task_named("previous-word");
    const Trace trace = trained_task::evaluate_text(entry, "k f q b z m a t");
    MESSAGE("previous: " << read_metric(trace, kFirstLayer, HeadMetric::Previous));
    CHECK(read_metric(trace, kFirstLayer, HeadMetric::Previous) > 0.99f);
    CHECK(trained_task::heads_named(entry, trace, HeadMetric::Previous) ==
          std::vector{kFirstLayer});
    CHECK(continued("previous-word", "k f q b", 1) == "k f q b q");
}

TEST_CASE("copy: the second layer looks at the letter that comes next") {
    check_all_right("copy", 37440);
    const double weight =
        weight_on_answer("copy", LettersTo<LettersSource::Answer::Copy>(), kSecondLayer);
    MESSAGE("weight on the right letter: " << weight);
    CHECK(weight > 0.9);
    CHECK(continued("copy", "c a d b =", 4) == "c a d b = c a d b");
}

TEST_CASE("reverse: the second layer looks along the anti-diagonal") {
    check_all_right("reverse", 37440);
    const double weight =
        weight_on_answer("reverse", LettersTo<LettersSource::Answer::Reverse>(), kSecondLayer);
    MESSAGE("weight on the right letter: " << weight);
    CHECK(weight > 0.9);
    CHECK(continued("reverse", "c a d b =", 4) == "c a d b = b d a c");
}

TEST_CASE("sort: one head looks at the next letter of the alphabet that is there") {
    check_all_right("sort", 20096);
    const double weight =
        weight_on_answer("sort", LettersTo<LettersSource::Answer::Sort>(), kFirstLayer);
    MESSAGE("weight on the right letter: " << weight);
    CHECK(weight > 0.85);
    CHECK(continued("sort", "c a d b =", 4) == "c a d b = a b c d");
}

}  // namespace headlight::letters_test
