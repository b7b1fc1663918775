#include "cli/readout/asked_question.h"

#include <fmt/format.h>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "scene/answer.h"
#include "scene/options/item_names.h"
#include "scene/readout/readout_words.h"

namespace headlight {

Trace trace_with_logits(const Document& document, const Streams& streams) {
    return evaluate_study(document, {.everything = false, .globs = {logits_path()}}, streams);
}

const Tensor& logits_in(const Trace& trace, const std::string& study) {
    const Tensor* logits = trace.find(logits_path());
    if (!logits && attention_of_questions(make_components(trace.plan())))
        throw Error(path_text(study), "has no logits: its heads point at words of the text");
    if (!logits) throw Error(path_text(study), "has no logits: its network names no words");
    return *logits;
}

namespace {

Index row_asked(const Trace& trace, const AskedWord& asked, const Streams& streams) {
    const Tensor& logits = logits_in(trace, asked.study);
    if (!asked.row) return usual_place(trace);
    return index_named(trace, {logits, logits.rows(), "row", "logits"}, *asked.row,
                       notes_to(streams));
}

}  // namespace

LogitQuestion question_for(const Document& document, const Trace& trace, const AskedWord& asked,
                           const Streams& streams) {
    const Tensor& logits = logits_in(trace, asked.study);
    LogitQuestion question{.row = row_asked(trace, asked, streams)};
    if (asked.of)
        question.word = vocabulary_word(document, trace, *asked.of);
    else if (why_unranked(document, trace, question.row).empty())
        logits.value->row(question.row).maxCoeff(&question.word);
    if (asked.minus) question.minus = vocabulary_word(document, trace, *asked.minus);
    return question;
}

std::string quantity_words(SweepQuantity quantity, const std::string& asked, const char* whose) {
    switch (quantity) {
        case SweepQuantity::Logit:
            return "the logit of " + asked;
        case SweepQuantity::Probability:
            return "the probability of " + asked;
        case SweepQuantity::Divergence:
            return fmt::format(
                "the divergence of all words' probabilities{} from the unedited ones in nats",
                asked);
        case SweepQuantity::Loss:
            break;
    }
    return fmt::format("the loss, the mean of {} own next tokens in nats", whose);
}

std::string digits(double number) {
    return number_text(static_cast<float>(number));
}

}  // namespace headlight
