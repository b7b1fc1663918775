// headlight logits, sweep, composition and heads, as functions of their options, and the word and
// the place that a command about logits asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/analyses/readout.h"
#include "core/trace.h"
#include "model/sweep/sweep.h"

namespace headlight {

/// The metrics of all heads over a corpus, of which each line is a text. An own metric counts the
/// texts that have a number for it. CSV: a row for each head and metric, with the mean over the
/// texts, their deviation, and the lowest and highest. With an output, the count is kept beside it
/// (FILE.part) until it has all texts, and the next call goes on from there.
struct TallyHeads {
    std::string study;
    std::optional<std::string> corpus;  // absent: each sentence of the study is a text
    std::vector<std::string> metrics;  // own ones, beside the others; see expression/head_measure.h
    std::optional<std::string> output;
    long n_texts = 0;  // no more than so many; 0: all
    bool without_first = false;
    bool joins_pieces = false;  // the metrics are of words, not of their pieces
    bool json = false;
    Changes changes;
};
void tally_heads(const TallyHeads& options, const Streams& streams);

/// The logit of a word after a token, or how much larger it is than that of another word.
struct LogitTarget {
    std::string study;
    std::optional<std::string> row;        // a token or its index; absent: the last one
    std::optional<std::string> of, minus;  // words of the vocabulary
    Changes changes;                       // of the study
};

/// The likeliest words, a line each: place, word, logit, probability. With a word its own line
/// comes first.
struct PrintLogits {
    LogitTarget target;
    std::optional<Index> sentence;  // one of several, from 1; absent: the last one
    std::optional<int> top;         // absent: 10 words, all parts
    bool lens = false;              // after every layer instead
    bool parts = false;             // the terms that add up to the logit instead
    bool json = false;
};
void print_logits(const PrintLogits& options, const Streams& streams);

/// A sweep: the change of a quantity when the output of one head after another is replaced. CSV: a
/// row a layer, a column a head; over prompts a row for each of them, with mean and deviation.
struct SweepStudy {
    LogitTarget target;
    SweepSettings settings;  // without the path
    std::vector<std::string>
        from;  // of Patch one text, of Resample any number; each of as many tokens
    std::optional<std::string> prompts;  // a file: the mean over its prompts; absent: its own text
    long n_texts = 0;                    // no more prompts than so many; 0: all
    std::optional<std::string> to;       // the receiver: "1.2" or "logits"; absent: every path
    HeadInput through = HeadInput::All;  // of that head
    std::optional<std::string> output;   // numbers, or a picture by its extension
    FigureLook look;                     // of a picture
    std::optional<std::uint64_t> seed;   // of Resample
    std::optional<int> n_draws;
    bool json = false;

    /// Returns the settings with the given options of resampling.
    SweepSettings all_settings() const {
        SweepSettings all = settings;
        all.resampling.seed = seed.value_or(all.resampling.seed);
        all.resampling.n_draws = n_draws.value_or(all.resampling.n_draws);
        return all;
    }
};
void sweep_study(const SweepStudy& options, const Streams& streams);

/// The composition of heads. CSV: a row for each pair, with its scores by Q, K and V; see
/// core/analyses/composition.h.
struct PrintComposition {
    std::string study;
    Changes changes;
    std::optional<std::string> head;  // only pairs whose later one is "1.2"
    std::optional<int> top;           // only so many, highest first
    std::optional<std::string> output;
    bool json = false;
};
void print_composition(const PrintComposition& options, const Streams& streams);

struct HeadCommands {
    PrintLogits logits;
    SweepStudy sweep;
    PrintComposition composition;
    TallyHeads heads;
};

/// Makes a command of that name, with a sentence about it.
using AddCommand = std::function<Options(const char*, const char*, std::function<void()>)>;

/// Adds the commands about heads. They read `commands` and the streams when they run.
void add_head_commands(const AddCommand& add, HeadCommands& commands, const Streams& streams);

Trace trace_with_logits(const Document& document, const Streams& streams);

/// Returns the logits. Throws Error, naming the study, if its network names no words.
const Tensor& logits_in(const Trace& trace, const std::string& study);

/// Returns the question; without a word, that of the likeliest one. Throws Error if there is no
/// such word or row.
LogitQuestion question_for(const Document& document, const Trace& trace, const LogitTarget& target,
                           const Streams& streams);

/// Returns the quantity of a sweep in words: "the logit of ␣Mary after ␣to". `asked` is the word or
/// the place; `whose` names the text of a loss: "the text's".
std::string quantity_words(SweepQuantity quantity, const std::string& asked, const char* whose);

/// Returns the fewest digits that give the same float back.
std::string digits(double number);

}  // namespace headlight
