// What the card of brackets says, on the weights that come with the program.
#include <algorithm>
#include <array>
#include <doctest/doctest.h>

#include "learn/tasks/symbol_sources.h"
#include "learn/trained_task.h"

namespace headlight::brackets_test {

using trained_task::HeadPlace;
using trained_task::next_word;
using trained_task::TrainedTask;

constexpr HeadPlace kCounting{0, 0}, kFinding{1, 0};

Index depth_after(const std::string& bracket) {
    return bracket == "(" ? 1 : -1;
}

/// Means over texts that were never trained.
struct Reading {
    double evenness = 0;  // of a row of the first layer: its smallest weight by its largest
    double below = 0;     // weight of "=" in the second layer on places where too much is closed
    double n_below = 0;   // share of such places
};

Reading read_heads(int n_texts) {
    const BracketsSource source;
    Random random(3);
    Reading reading;
    double n_rows = 0, n_unbalanced = 0;
    for (int k = 0; k < n_texts; ++k) {
        const PromptedWords sequence = source.draw_held_out(random);
        std::string text;
        for (const std::string& word : sequence.words) text += word + " ";
        const Trace trace = trained_task::evaluate_text(task_named("brackets"), text);
        const Matrix& counting = *trace.at(kCounting.path("pattern")).value;
        const Matrix& finding = *trace.at(kFinding.path("pattern")).value;
        const Index equals = sequence.n_prompt;
        Index depth = 0, n_below = 0;
        double weight = 0;
        for (Index i = 0; i < equals; ++i) {
            const auto row = counting.row(i).head(i + 1);
            reading.evenness += static_cast<double>(row.minCoeff() / row.maxCoeff());
            ++n_rows;
            depth += depth_after(sequence.words[static_cast<std::size_t>(i)]);
            if (depth >= 0) continue;
            ++n_below;
            weight += static_cast<double>(finding(equals, i));
        }
        if (n_below == 0) continue;
        ++n_unbalanced;
        reading.below += weight;
        reading.n_below += static_cast<double>(n_below) / static_cast<double>(equals + 1);
    }
    reading.evenness /= n_rows;
    reading.below /= n_unbalanced;
    reading.n_below /= n_unbalanced;
    return reading;
}

TEST_CASE("brackets: a row is balanced if nothing is closed before it is opened, or left open") {
    const auto is_right = [](std::vector<std::string> row) { return is_balanced(row); };
    CHECK(is_right({"(", ")", "(", "(", ")", ")"}));
    CHECK(!is_right({"(", ")", ")", "("}));
    CHECK(!is_right({"(", "(", ")"}));
}

TEST_CASE("brackets: rows that were never trained are told apart; both heads are needed") {
    TrainedTask trained("brackets");
    const auto answers = trained.held_out();
    CHECK(trained.n_numbers() == 50816);
    CHECK(answers.n_sequences == 1000);
    CHECK(answers.whole() > 0.995);
    const std::vector<SequenceExample> held_out = BracketsSource().held_out();
    const auto n_balanced = std::ranges::count_if(held_out, [](const SequenceExample& example) {
        return example.targets[0].word == BracketsSource().example({{"balanced"}, 0, {}}).words[0];
    });
    CHECK(n_balanced == 349);
    for (const HeadPlace head : {kCounting, kFinding}) {
        const double right = trained.held_out(trained_task::without(std::array{head})).whole();
        MESSAGE("without " << head.path("z") << ": " << right);
        CHECK(right == doctest::Approx(0.64).epsilon(0.05));
    }
}

TEST_CASE("brackets: the first layer counts, the second one finds where too much is closed") {
    const Reading reading = read_heads(40);
    MESSAGE("evenness " << reading.evenness << ", weight below zero " << reading.below
                        << ", share of places " << reading.n_below);
    CHECK(reading.evenness > 0.9);
    CHECK(reading.below > 0.95);
    CHECK(reading.n_below < 0.4);
}

TEST_CASE("brackets: rows of a user's own") {
    const auto answer = [](const char* text) {
        const auto next = next_word("brackets", text);
        CHECK(next.probability > 0.99f);
        return next.word;
    };
    CHECK(answer("( ( ) ( ( ) ) ) =") == "balanced");
    CHECK(answer("((()))=") == "balanced");
    CHECK(answer("( ) ) ( =") == "unbalanced");
    CHECK(answer("( ( ) =") == "unbalanced");
}

}  // namespace headlight::brackets_test
