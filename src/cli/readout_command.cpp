#include "cli/readout_command.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/open_study.h"
#include "cli/readout/asked_question.h"
#include "core/error.h"
#include "io/text/json_text.h"
#include "scene/readout/readout_words.h"

namespace headlight {
namespace {

std::span<const Scalar> row_span(const Matrix& matrix, Index row) {
    return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
}

std::size_t n_words(const PrintLogits& options) {
    constexpr int kWords = 10;
    return static_cast<std::size_t>(options.top.value_or(kWords));
}

void print_top(const Trace& trace, const PrintLogits& options, const LogitQuestion& question,
               const Streams& streams) {
    const auto row = row_span(*trace.at(logits_path()).value, question.row);
    const std::vector<double> shares = row_probabilities(row);
    const bool are_classes = trace.at(logits_path()).identity().role == Role::ClassLogits;
    streams.out << "place\t" << (are_classes ? "class" : "word") << "\tlogit\tprobability\n";
    const auto line = [&](Index word) {
        const auto at = static_cast<std::size_t>(word);
        const auto place = std::ranges::count_if(row, [&](Scalar x) { return x > row[at]; }) + 1;
        streams.out << place << '\t' << word_shown(trace, word) << '\t' << number_text(row[at])
                    << '\t' << digits(shares[at]) << '\n';
    };
    if (question.minus)
        streams.out << '\t' << word_shown(trace, question.word) << " − "
                    << word_shown(trace, *question.minus) << '\t'
                    << digits(logit_asked(trace, question)) << "\t\n";
    if (options.asked.of) line(question.word);
    if (question.minus) line(*question.minus);
    for (const LargestNumber& largest : largest_numbers(row, n_words(options))) line(largest.place);
}

void print_lens(const Trace& trace, const PrintLogits& options, const LogitQuestion& question,
                const std::string& asked, const Streams& streams) {
    const Matrix logits = lens_logits(trace, question.row);
    streams.out << "after\t" << (options.asked.of ? asked + "\t" : "");
    for (std::size_t k = 1; k <= n_words(options); ++k)
        streams.out << "word " << k << "\tprobability" << (k < n_words(options) ? "\t" : "\n");
    for (Index l = 0; l < logits.rows(); ++l) {
        const auto row = row_span(logits, l);
        const std::vector<double> shares = row_probabilities(row);
        streams.out << (l == 0 ? std::string("input") : "layer " + std::to_string(l - 1));
        if (options.asked.of) {
            const double of = static_cast<double>(logits(l, question.word));
            streams.out << '\t' << digits(question.minus ? of - logits(l, *question.minus) : of);
        }
        for (const LargestNumber& largest : largest_numbers(row, n_words(options)))
            streams.out << '\t' << word_shown(trace, largest.place) << '\t'
                        << digits(shares[static_cast<std::size_t>(largest.place)]);
        streams.out << '\n';
    }
}

void print_parts(const Trace& trace, const PrintLogits& options, const LogitQuestion& question,
                 const std::string& asked, const Streams& streams) {
    const auto found = attribute_logit(trace, question);
    if (!found)
        throw Error("logits",
                    "the logit is no sum of parts: a norm follows each layer, or a nonlinear head "
                    "the last one");
    streams.out << "part\t" << asked << '\n';
    std::vector<LogitPart> parts = found->parts;
    std::size_t n_shown = parts.size();
    if (options.top) {
        std::ranges::stable_sort(parts, std::ranges::greater{},
                                 [](const LogitPart& part) { return std::abs(part.value); });
        n_shown = std::min(n_shown, static_cast<std::size_t>(*options.top));
    }
    for (const LogitPart& part : std::span(parts).first(n_shown))
        streams.out << part_name(part.what) << '\t' << digits(part.value) << '\n';
    double others = 0;
    for (const LogitPart& part : std::span(parts).subspan(n_shown)) others += part.value;
    if (n_shown < parts.size()) streams.out << "the others\t" << digits(others) << '\n';
    streams.out << "sum\t" << digits(found->logit) << '\n';
}

}  // namespace

void print_logits(const PrintLogits& options, const Streams& streams) {
    if (options.lens && options.parts)
        throw Error("logits", "--lens and --parts are two tables: ask for one of them");
    const Document document = open_for_numbers(options.asked.study, streams);
    const Trace trace = trace_with_logits(document, streams);
    const LogitQuestion question = question_for(document, trace, options.asked, streams);
    const std::string asked = question_text(document, trace, question);
    if (options.lens) return print_lens(trace, options, question, asked, streams);
    if (options.parts) return print_parts(trace, options, question, asked, streams);
    print_top(trace, options, question, streams);
}

}  // namespace headlight
