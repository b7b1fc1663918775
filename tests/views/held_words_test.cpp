#include <doctest/doctest.h>

#include "core/batch.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/held.h"

namespace headlight::held_words_test {
namespace {

constexpr const char* kSentence = "The cat didn't cross the street because it was too tired";
const std::string kPattern = "blocks.1.attn.heads.1.pattern";

Trace trace_of(const std::string& text) {
    Document document = trained_study(task_named("who-is-it"));
    document.sentence()->text = text;
    return evaluate(document, nullptr, {});
}

struct Held {
    Trace trace = trace_of(kSentence);
    Selection selection;

    void hold(Index row, Index column) {
        choose(trace);
        selection.keep_held(pick_at(trace, trace.at(kPattern), row, column));
    }
    void choose(const Trace& of) {
        selection.choose_tensor(of, make_components(of.plan()), kPattern);
    }
    void type(const std::string& text) {
        Trace next = trace_of(text);
        const Components components = make_components(next.plan());
        follow_words(selection, trace, next, components);
        selection.fit(next, components);
        trace = std::move(next);
    }
    /// "it → cat" of the held cell; "" without one.
    std::string words() const {
        if (!selection.held().cell) return "";
        const auto item = [&](Index k) { return trace.items()[static_cast<std::size_t>(k)]; };
        return item(selection.held().cell->row) + " → " + item(selection.held().cell->column);
    }
};

}  // namespace

TEST_CASE("follow_words: what is held stays with its words") {
    Held held;
    held.hold(7, 1);
    held.type("Yesterday the cat didn't cross the street because it was too tired");
    CHECK(held.words() == "it → cat");
    held.type("Yesterday the cat didn't cross the street because it was too wide");
    CHECK(held.words() == "it → cat");
    held.selection.keep_held(pick_item(9));
    held.type("the cat didn't cross the street because it was too wide");
    CHECK(held.selection.held() == pick_item(8));
}

TEST_CASE("follow_words: in another sentence the asked word is held, with what it reads most") {
    Held held;
    held.hold(7, 1);
    held.type("The old trophy didn't fit in the suitcase because it was too small.");
    CHECK(held.words() == "it → suitcase");
    held.type("The dog slept");
    CHECK(held.words() == "");
    held.type("The dog didn't enter the lake because it was too cold");
    CHECK(held.words() == "it → lake");
}

TEST_CASE("turn_words: the asked word stays held in another sentence, and padding is let go") {
    const Trace whole =
        trace_of(std::string(kSentence) + "\nThe dog slept because it was tired\nThe cat slept");
    const auto turned = [&](Index row, Index column, Index sentence) {
        const Trace from = trace_of_sentence(whole, 0), to = trace_of_sentence(whole, sentence);
        const Components components = make_components(to.plan());
        Selection selection;
        selection.choose_tensor(from, make_components(from.plan()), kPattern);
        selection.keep_held(pick_at(from, from.at(kPattern), row, column));
        turn_words(selection, from, to, components);
        return selection.held().cell ? selection.held().cell->row : kNoRow;
    };
    CHECK(turned(7, 1, 1) == 4);
    CHECK(turned(2, 1, 1) == 2);
    CHECK(turned(9, 1, 1) == 4);
    CHECK(turned(2, 9, 1) == 4);
    CHECK(turned(7, 1, 2) == kNoRow);
    CHECK(turned(2, 1, 2) == 2);
}

TEST_CASE("follow_words: without an asked word, what is gone is let go") {
    Held held;
    held.hold(10, 5);
    held.type("The trophy was big");
    CHECK(held.words() == "");
    CHECK(held.selection.held().is_empty());
}

}  // namespace headlight::held_words_test
