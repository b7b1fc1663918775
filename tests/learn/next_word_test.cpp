#include "model/next_word.h"

#include <doctest/doctest.h>
#include <map>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"

namespace headlight::next_word_test {

Document story(const std::string& text) {
    Document document = trained_study(task_named("language-model"));
    document.sentence()->text = text;
    return document;
}

TEST_CASE("next word: it is drawn by its probability; at temperature 0 it is the likeliest") {
    const Document document = story("once upon a time there was a");
    const Trace trace = evaluate(document, nullptr, {});
    const Matrix& p = *trace.at("probs").value;
    const auto& words = trace.items(trace.at("probs").columns().list);
    constexpr int kDraws = 4000;
    std::map<std::string, int> drawn;
    for (int k = 0; k < kDraws; ++k)
        ++drawn[*draw_next_word(document, trace, {1, static_cast<std::uint64_t>(k)})];
    for (std::size_t j = 0; j < words.size(); ++j)
        CHECK(drawn[words[j]] / double(kDraws) ==
              doctest::Approx(p(p.rows() - 1, static_cast<Index>(j))).epsilon(0.2).scale(0.1));
    Index likeliest = 0;
    p.row(p.rows() - 1).maxCoeff(&likeliest);
    for (const std::uint64_t draw : {0, 1, 2})
        CHECK(draw_next_word(document, trace, {0, draw}) ==
              words[static_cast<std::size_t>(likeliest)]);
    // A high temperature makes all words alike.
    drawn.clear();
    for (int k = 0; k < kDraws; ++k)
        ++drawn[*draw_next_word(document, trace, {100, static_cast<std::uint64_t>(k)})];
    CHECK(drawn.size() > 150);
    CHECK(drawn.count("<unknown>") == 0);
}

TEST_CASE("next words: the text grows word by word; what has no next word is refused") {
    const Document written = with_next_words(story("once upon a time there was a "), 5, {0, 0});
    CHECK(written.sentence()->text.starts_with("once upon a time there was a "));
    CHECK(evaluate(written, nullptr, {}).items().size() == 12);
    CHECK(with_next_words(story("once upon a time there was a"), 5, {0, 0}) == written);
    CHECK_THROWS_AS(with_next_words(trained_study(task_named("who-is-it")), 1, {}), Error);
    CHECK_THROWS_AS(with_next_words(trained_study(task_named("karate")), 1, {}), Error);
    CHECK_THROWS_AS(with_next_words(story("two\nsentences"), 1, {}), Error);
}

}  // namespace headlight::next_word_test
