// The word and the place that a command about logits asks for.
#pragma once

#include <string>

#include "cli/output/streams.h"
#include "cli/readout/readout_command.h"
#include "core/analyses/readout.h"
#include "core/trace.h"

namespace headlight {

Trace trace_with_logits(const Document& document, const Streams& streams);

/// Throws Error, naming the study, if its network names no words.
const Tensor& logits_in(const Trace& trace, const std::string& study);

/// The question; without a word, that of the likeliest one. Throws Error if there is no such word
/// or row.
LogitQuestion question_for(const Document& document, const Trace& trace, const AskedWord& asked,
                           const Streams& streams);

/// What a sweep is of: "the logit of ␣Mary after ␣to". `asked` is the word or the place; `whose`
/// text a loss is of: "the text's".
std::string quantity_words(SweepQuantity quantity, const std::string& asked, const char* whose);

/// As few as say the number as a float.
std::string digits(double number);

}  // namespace headlight
