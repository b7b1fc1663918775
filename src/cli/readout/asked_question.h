// The word and the place that a command about logits asks for.
#pragma once

#include <string>

#include "cli/output/streams.h"
#include "cli/readout/readout_command.h"
#include "core/analyses/readout.h"
#include "core/trace.h"

namespace headlight {

Trace trace_with_logits(const Document& document, const Streams& streams);

/// Returns the logits. Throws Error, naming the study, if its network names no words.
const Tensor& logits_in(const Trace& trace, const std::string& study);

/// Returns the question; without a word, that of the likeliest one. Throws Error if there is no
/// such word or row.
LogitQuestion question_for(const Document& document, const Trace& trace, const AskedWord& asked,
                           const Streams& streams);

/// Returns the quantity of a sweep in words: "the logit of ␣Mary after ␣to". `asked` is the word or
/// the place; `whose` names the text of a loss: "the text's".
std::string quantity_words(SweepQuantity quantity, const std::string& asked, const char* whose);

/// Returns the fewest digits that give the same float back.
std::string digits(double number);

}  // namespace headlight
