#include "scene/answer.h"

#include <doctest/doctest.h>

#include "io/studies/ready_studies.h"
#include "model/evaluate.h"

namespace headlight::answer_test {
namespace {

Trace trace_of(const char* task, const std::string& text) {
    Document document = trained_study(task_named(task));
    document.sentence()->text = text;
    return evaluate(document, nullptr, {.everything = true, .globs = {}});
}

double sum(const Answer& answer) {
    double all = 0;
    for (const AnswerRow& row : answer.rows) all += static_cast<double>(row.probability);
    return all;
}

/// The likeliest row.
AnswerRow first(const Answer& answer) {
    return *std::ranges::max_element(answer.rows, {}, &AnswerRow::probability);
}

}  // namespace

TEST_CASE("answer: what “it” stands for, of the words of the sentence") {
    const auto answer = find_answer(
        trace_of("who-is-it", "The cat didn't cross the street because it was too wide"), {}, 1);
    REQUIRE(answer);
    CHECK(answer->kind == Answer::Kind::Asked);
    CHECK(answer->after == "it");
    CHECK(answer->rows.size() == 11);
    CHECK(first(*answer).label == "street");
    const auto none = find_answer(trace_of("who-is-it", "The cat slept"), {}, 1);
    REQUIRE(none);
    CHECK(none->rows.empty());
}

TEST_CASE("answer: a prompt's words, each given those before; nothing after the last one") {
    const auto right = find_answer(trace_of("reverse", "c a d b = b d a c"), {}, 1);
    REQUIRE(right);
    CHECK(right->kind == Answer::Kind::Prompt);
    REQUIRE(right->rows.size() == 4);
    for (const AnswerRow& row : right->rows) {
        CHECK(row.likelier == "");
        CHECK(row.probability > 0.99f);
    }
    const auto wrong = find_answer(trace_of("brackets", "( ( ) = balanced"), {}, 1);
    REQUIRE(wrong->rows.size() == 1);
    CHECK(wrong->rows[0].label == "balanced");
    CHECK(wrong->rows[0].likelier == "unbalanced");
    CHECK(wrong->rows[0].probability < 0.01f);
    const auto open = find_answer(trace_of("reverse", "c a d b ="), {}, 1);
    CHECK(open->kind == Answer::Kind::Next);
    CHECK(open->after == "=");
    CHECK(first(*open).label == "b");
}

TEST_CASE("answer: the next word, after any word, and as it is drawn at a temperature") {
    const Trace trace = trace_of("language-model", "once upon a time there was a");
    const auto at_1 = find_answer(trace, {}, 1), at_02 = find_answer(trace, {}, 0.2),
               at_0 = find_answer(trace, {}, 0);
    CHECK(at_1->after == "a");
    CHECK(at_1->is_last);
    CHECK(sum(*at_02) == doctest::Approx(1));
    CHECK(first(*at_02).label == first(*at_1).label);
    CHECK(first(*at_02).probability > 1.2f * first(*at_1).probability);
    CHECK(first(*at_0).probability == 1);
    const auto earlier = find_answer(trace, 0, 0.2);
    CHECK(earlier->after == "once");
    CHECK_FALSE(earlier->is_last);
    CHECK(first(*earlier).label == "upon");
}

TEST_CASE("answer: a target is checked word by word, whichever network reads it") {
    for (const char* task : {"translation", "translation-transformer"}) {
        INFO(task);
        Document document = trained_study(task_named(task));
        const auto check = [&] {
            return check_target(evaluate(document, nullptr, {.everything = true, .globs = {}}));
        };
        REQUIRE(check());
        CHECK(check()->n_words == 15);
        CHECK(check()->n_others == 0);
        std::string& target = document.alignment()->target;
        const std::size_t at = target.find("zone");
        REQUIRE(at != std::string::npos);
        target.replace(at, 4, "lettre");
        CHECK(check()->n_others >= 1);
        CHECK(check()->said == "lettre");
        CHECK(check()->likelier == "zone");
    }
    const Document blind = trained_study(task_named("translation-without-attention"));
    CHECK(check_target(evaluate(blind, nullptr, {.everything = true, .globs = {}}))->n_others > 0);
}

}  // namespace headlight::answer_test
