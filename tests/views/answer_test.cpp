#include "views/answer.h"

#include <doctest/doctest.h>
#include <limits>

#include "core/analyses/readout.h"
#include "core/batch.h"
#include "core/compute.h"
#include "core/gradient.h"
#include "core/mechanisms/transformer.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/readout_words.h"

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

constexpr const char *kLong = "The cat didn't cross the street because it was too wide",
                     *kOther = "The dog didn't cross the garden because it was too tired",
                     *kShort = "The dog slept because it was tired";

/// The same answer, of the same words.
void check_same(const Answer& found, const Answer& expected) {
    CHECK(found.after == expected.after);
    CHECK(found.is_last == expected.is_last);
    REQUIRE(found.rows.size() == expected.rows.size());
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
        CHECK(found.rows[k].label == expected.rows[k].label);
        CHECK(found.rows[k].probability == doctest::Approx(expected.rows[k].probability));
        CHECK(found.rows[k].likelier == expected.rows[k].likelier);
    }
}

}  // namespace

TEST_CASE("answer: each of several sentences has the answer of the sentence alone") {
    const std::vector<std::string> texts{kLong, kOther, kShort, "The cat slept"};
    const Trace whole =
        trace_of("who-is-it", texts[0] + "\n" + texts[1] + "\n" + texts[2] + "\n" + texts[3]);
    for (Index k = 0; k < 4; ++k) {
        const std::string& text = texts[static_cast<std::size_t>(k)];
        INFO(text);
        const Trace paged = trace_of_sentence(whole, k), alone = trace_of("who-is-it", text);
        CHECK(asked_row(paged) == asked_row(alone));
        check_same(*find_answer(paged, {}, 1), *find_answer(alone, {}, 1));
        for (const char* path :
             {"asked", "asked_out", "logits", "probs", "answer_logits", "answer"})
            CHECK_MESSAGE(paged.at(path).rows().size == 1, path);
        if (!asked_row(alone)) continue;
        const Matrix slope = gradient_of_cell(paged, "answer", 0, 1, "embed");
        const Matrix expected = gradient_of_cell(alone, "answer", 0, 1, "embed");
        CHECK((slope.topRows(expected.rows()) - expected).cwiseAbs().maxCoeff() < 1e-4);
    }
}

TEST_CASE("answer: the lens of each of several sentences is that of the sentence alone") {
    const std::vector<Words> texts{{"the", "cat", "saw", "it"}, {"it", "slept"}};
    StackSettings settings;
    settings.n_layers = 2;
    settings.unembedding = Unembedding::Learned;
    settings.readout = Readout::Pronoun;
    const WordTable table{
        std::make_shared<const Words>(Words{"the", "cat", "saw", "it", "slept"}),
        [](const std::string& word) { return word == "it" ? Index(3) : Index(word.size() % 2); }};
    const auto computed = [&](const std::vector<Words>& sentences) {
        return compute(plan_sentences(sentences, settings, 7, table), {}, {.everything = true},
                       nullptr);
    };
    const Trace whole = computed(texts);
    for (Index k = 0; k < 2; ++k) {
        const Trace alone = computed({texts[static_cast<std::size_t>(k)]});
        const Matrix lens = lens_logits(alone, 0);
        CHECK((lens_logits(whole, k) - lens).cwiseAbs().maxCoeff() < 1e-5);
        CHECK((lens_logits(trace_of_sentence(whole, k), 0) - lens).cwiseAbs().maxCoeff() < 1e-5);
    }
    CHECK(list_streams(trace_of("who-is-it", kShort)).empty());
}

TEST_CASE("answer: the next word is that after the last word of a padded sentence") {
    const std::string longer = "once upon a time there was a little boy",
                      text = "the cat sat on the";
    const Trace whole = trace_of("language-model", longer + "\n" + text);
    const Trace paged = trace_of_sentence(whole, 1), alone = trace_of("language-model", text);
    CHECK(paged.items().back() == "<pad>");
    for (const double temperature : {1.0, 0.5})
        check_same(*find_answer(paged, {}, temperature), *find_answer(alone, {}, temperature));
    check_same(*find_answer(paged, 8, 1), *find_answer(alone, {}, 1));
    check_same(*find_answer(paged, 1, 1), *find_answer(alone, 1, 1));
    CHECK(usual_place(paged) == 4);
    CHECK(usual_place(whole) == 9 + 4);
    CHECK((lens_logits(paged, 4) - lens_logits(alone, 4)).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("answer: padding is no word of a prompt") {
    const Trace whole = trace_of("reverse", "c a d b = b d a c\nc a d = d\nc a =");
    const std::vector<std::string> texts{"c a d b = b d a c", "c a d = d", "c a ="};
    for (Index k = 0; k < 3; ++k)
        check_same(*find_answer(trace_of_sentence(whole, k), {}, 1),
                   *find_answer(trace_of("reverse", texts[static_cast<std::size_t>(k)]), {}, 1));
}

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

TEST_CASE("answer: probabilities that are NaN rank no word") {
    Document document = trained_study(task_named("language-model"));
    document.sentence()->text = "once upon";
    document.interventions["logits"].set(1, 0, std::numeric_limits<Scalar>::infinity());
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    const auto answer = find_answer(trace, {}, 1);
    REQUIRE(answer);
    CHECK(answer->has_nan);
    CHECK(answer->rows.empty());
    CHECK_FALSE(find_answer(trace, 0, 1)->has_nan);
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
