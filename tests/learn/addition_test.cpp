// What the card of addition says, on the weights that come with the program.
#include <algorithm>
#include <doctest/doctest.h>

#include "learn/tasks/symbol_sources.h"
#include "learn/trained_task.h"

namespace headlight::addition_test {

using trained_task::continued;
using trained_task::HeadPlace;
using trained_task::TrainedTask;

std::string joined_words(const PromptedWords& sequence) {
    std::string text;
    for (const std::string& word : sequence.words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// The digit of the second number that is as high as the asked one; −1 if it has none.
Index find_digit_to_add(const PromptedWords& sequence, const AskedWord& asked) {
    const Index plus = std::ranges::find(sequence.words, "+") - sequence.words.begin();
    const Index place = sequence.n_prompt - 1 - (asked.place - sequence.n_prompt);
    return place > plus ? place : -1;
}

TEST_CASE("addition: digits of the sum are written from the ones on") {
    CHECK(joined_words(AdditionSource::sum(47, 38)) == "4 7 + 3 8 = 5 8 .");
    CHECK(joined_words(AdditionSource::sum(5, 996)) == "5 + 9 9 6 = 1 0 0 1 .");
}

TEST_CASE("addition: sums that were never trained are right") {
    TrainedTask trained("addition");
    const auto answers = trained.held_out();
    CHECK(trained.n_numbers() == 102400);
    CHECK(answers.n_sequences == 1000);
    CHECK(answers.whole() > 0.995);
    const AdditionSource source;
    std::vector<SequenceExample> examples;
    for (Index a = 0; a < 1000; a += 7)
        for (Index b = 0; b < 1000; b += 9)
            if (const PromptedWords sum = AdditionSource::sum(a, b); PromptSource::is_held_out(sum))
                examples.push_back(source.example(sum));
    const auto grid = trained.score(examples);
    MESSAGE(grid.n_whole << " of " << grid.n_sequences << " sums of a grid right");
    CHECK(grid.n_sequences == 3149);
    CHECK(grid.whole() > 0.99);
}

TEST_CASE("addition: one head of the first layer looks at the digit to be added") {
    const AdditionSource source;
    Random random(4);
    std::vector<PromptedWords> sequences;
    for (int k = 0; k < 100; ++k) sequences.push_back(source.draw_held_out(random));
    const auto weights =
        trained_task::weights_on(task_named("addition"), sequences, find_digit_to_add);
    CHECK(weights.front().head == HeadPlace{0, 0});
    for (const auto& weight : weights) {
        MESSAGE(weight.head.path("pattern") << ": " << weight.mean);
        CHECK((weight.mean > 0.5) == (weight.head == HeadPlace{0, 0}));
    }
}

TEST_CASE("addition: sums of a user's own") {
    CHECK(continued("addition", "4 7 + 3 8 =", 3) == "4 7 + 3 8 = 5 8 .");
    CHECK(continued("addition", "9 9 9 + 1 =", 5) == "9 9 9 + 1 = 0 0 0 1 .");
    CHECK(continued("addition", "5 + 6 =", 3) == "5 + 6 = 1 1 .");
}

}  // namespace headlight::addition_test
