#include <doctest/doctest.h>

#include "core/batch.h"
#include "core/components.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/readout_words.h"

namespace headlight::asked_word_test {
namespace {

const std::string kPattern = "blocks.1.attn.heads.0.pattern";

std::string note_of(const Trace& trace, const std::string& path) {
    return asked_row_note(trace, make_components(trace.plan()), trace.at(path));
}

/// The answer with one row of the pattern spread over all keys.
Matrix answer_with_flat_row(Document document, Index row) {
    const Trace trace = evaluate(document, nullptr, {});
    const Index n = trace.at(kPattern).value->cols();
    for (Index key = 0; key < n; ++key)
        document.interventions[kPattern].set(row, key, Scalar(1) / static_cast<Scalar>(n));
    return *evaluate(document, nullptr, {}).at("answer").value;
}

}  // namespace

TEST_CASE("asked_row_note: of the last attention's rows only the asked one reaches the answer") {
    for (const char* task : {"who-is-it", "never-looks"}) {
        const Document document = trained_study(task_named(task));
        const Trace trace = evaluate(document, nullptr, {});
        const Index it = *asked_row(trace);
        CHECK(it == 7);
        CHECK(note_of(trace, kPattern) == "only row “it” reaches the answer");
        const Matrix& answer = *trace.at("answer").value;
        for (Index row = 0; row < answer.cols(); ++row)
            CHECK((answer_with_flat_row(document, row) == answer) == (row != it));
        CHECK(note_of(trace, "blocks.0.attn.heads.0.pattern") == "");
        CHECK(note_of(trace, "blocks.1.attn.heads.0.k") == "");
    }
}

TEST_CASE("asked_row_note: of each sentence the row of its own word") {
    Document document = trained_study(task_named("who-is-it"));
    document.sentence()->text =
        "The cat slept because it was tired\nThe dog didn't cross the "
        "garden because it was too tired\nThe cat slept";
    const Trace whole = evaluate(document, nullptr, {});
    CHECK(asked_row(trace_of_sentence(whole, 0)) == Index(4));
    CHECK(asked_row(trace_of_sentence(whole, 1)) == Index(7));
    CHECK_FALSE(asked_row(trace_of_sentence(whole, 2)));
    CHECK(note_of(trace_of_sentence(whole, 1), kPattern) == "only row “it” reaches the answer");
    CHECK(note_of(trace_of_sentence(whole, 2), kPattern) == "");
}

TEST_CASE("asked_row_note: nothing is said where no word is asked about") {
    CHECK(note_of(evaluate(built_in_sentence(), nullptr, {}), "blocks.0.attn.heads.0.pattern") ==
          "");
}

}  // namespace headlight::asked_word_test
