// Head measure: an own metric of heads, as an expression that is one number for each head.
//
//     sink: mean(on_first(pattern))
//
// Goals: names are those of the head that is measured: pattern, q, z, result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "expression/expression.h"

namespace headlight {

struct HeadMeasure {
    std::string name;
    Expression expression;
};

/// Returns measures that have a name already: attention to special tokens, punctuation, the same
/// word.
std::span<const char* const> ready_measures();

/// Reads "special", "NAME: EXPRESSION" or an expression, which is its own name. Throws Error naming
/// `where` and the column.
HeadMeasure read_head_measure(std::string_view text, const ErrorPlace& where);

/// A head of a trace of one sentence.
struct MeasuredHead {
    const Trace& trace;
    const Components& components;
    std::string attention;  // its path
    int head = 0;
    const Document* document = nullptr;  // for settings
};

/// Says what the expression gives in place of one number for each head, whatever the text; "" if it
/// is one. Throws Error if this text has no value for it.
std::string why_no_metric(const HeadMeasure& measure, const MeasuredHead& of);

/// Throws Error if a name means nothing in the plan, or if no matrix of a head is read, whatever
/// the text.
void check_names(const HeadMeasure& measure, const Plan& plan, const Components& components);

/// Returns its number; a condition is 0 or 1. Throws Error if the expression is no single finite
/// number for this head, or a name means nothing in it.
double measure_head(const HeadMeasure& measure, const MeasuredHead& of);

/// Returns what the measure reads of every head, as paths of tensors to be watched.
std::vector<std::string> measured_paths(const HeadMeasure& measure, const Plan& plan,
                                        const Components& components);

}  // namespace headlight
