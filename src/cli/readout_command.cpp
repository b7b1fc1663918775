#include "cli/readout_command.h"

#include <algorithm>
#include <span>

#include "cli/open_study.h"
#include "cli/output/csv_cell.h"
#include "cli/output/progress_line.h"
#include "cli/output/write_picture.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/workers.h"
#include "scene/figures/sweep_figure.h"
#include "scene/options/item_names.h"
#include "scene/readout/readout_words.h"

namespace headlight {
namespace {

Trace trace_with_logits(const Document& document, const Streams& streams) {
    return evaluate_study(document, {.everything = false, .globs = {logits_path()}}, streams);
}

const Tensor& logits_in(const Trace& trace, const std::string& study) {
    const Tensor* logits = trace.find(logits_path());
    if (!logits) throw Error(path_text(study), "has no logits: its network names no words");
    return *logits;
}

Index row_asked(const Trace& trace, const AskedWord& asked, const Streams& streams) {
    const Tensor& logits = logits_in(trace, asked.study);
    if (!asked.row) return usual_place(trace);
    return index_named(trace, {logits, logits.rows(), "row", "logits"}, *asked.row,
                       notes_to(streams));
}

/// The question; without a word, that of the likeliest one.
LogitQuestion question_for(const Document& document, const Trace& trace, const AskedWord& asked,
                           const Streams& streams) {
    const Tensor& logits = logits_in(trace, asked.study);
    LogitQuestion question{.row = row_asked(trace, asked, streams)};
    if (asked.of)
        question.word = vocabulary_word(document, trace, *asked.of);
    else
        logits.value->row(question.row).maxCoeff(&question.word);
    if (asked.minus) question.minus = vocabulary_word(document, trace, *asked.minus);
    return question;
}

std::string digits(double number) {
    return number_text(static_cast<float>(number));
}

std::string word_shown(const Trace& trace, Index word) {
    return shown_label(trace, trace.at(logits_path()).columns(), word);
}

std::string question_text(const Document& document, const Trace& trace,
                          const LogitQuestion& question) {
    const Tensor& logits = trace.at(logits_path());
    std::string text = word_shown(trace, question.word);
    if (question.minus) text += " − " + word_shown(trace, *question.minus);
    return text + asked_place(named_by_logits(document, trace),
                              shown_label(trace, logits.rows(), question.row));
}

std::span<const Scalar> row_span(const Matrix& matrix, Index row) {
    return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
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
    for (const LargestNumber& largest : largest_numbers(row, static_cast<std::size_t>(options.top)))
        line(largest.place);
}

void print_lens(const Trace& trace, const PrintLogits& options, const LogitQuestion& question,
                const std::string& asked, const Streams& streams) {
    const Matrix logits = lens_logits(trace, question.row);
    streams.out << "after\t" << (options.asked.of ? asked + "\t" : "");
    for (int k = 1; k <= options.top; ++k)
        streams.out << "word " << k << "\tprobability" << (k < options.top ? "\t" : "\n");
    for (Index l = 0; l < logits.rows(); ++l) {
        const auto row = row_span(logits, l);
        const std::vector<double> shares = row_probabilities(row);
        streams.out << (l == 0 ? std::string("input") : "layer " + std::to_string(l - 1));
        if (options.asked.of) {
            const double of = static_cast<double>(logits(l, question.word));
            streams.out << '\t' << digits(question.minus ? of - logits(l, *question.minus) : of);
        }
        for (const LargestNumber& largest :
             largest_numbers(row, static_cast<std::size_t>(options.top)))
            streams.out << '\t' << word_shown(trace, largest.place) << '\t'
                        << digits(shares[static_cast<std::size_t>(largest.place)]);
        streams.out << '\n';
    }
}

void print_parts(const Trace& trace, const LogitQuestion& question, const std::string& asked,
                 const Streams& streams) {
    const auto found = attribute_logit(trace, question);
    if (!found)
        throw Error("logits",
                    "the logit is no sum of parts: a norm follows each layer, or a nonlinear head "
                    "the last one");
    streams.out << "part\t" << asked << '\n';
    for (const LogitPart& part : found->parts)
        streams.out << part_name(part.what) << '\t' << digits(part.value) << '\n';
    streams.out << "sum\t" << digits(found->logit) << '\n';
}

void check_sweep_options(const SweepStudy& options) {
    const SweepKind kind = options.settings.kind;
    const bool is_patch = kind == SweepKind::Patch;
    if (is_patch ? options.from.size() != 1 : kind != SweepKind::Resample && !options.from.empty())
        throw Error("sweep",
                    "--do patch needs one --from \"another text\", and --do resample can have "
                    "several; nothing else does");
    const AskedWord& asked = options.asked;
    if (options.settings.quantity == SweepQuantity::Loss && (asked.of || asked.minus || asked.row))
        throw Error("sweep",
                    "--of, --minus and --row are of a logit, and --quantity loss has none");
    if (kind != SweepKind::Resample && (options.seed || options.n_draws))
        throw Error("sweep", std::string(options.seed ? "--seed" : "--draws") +
                                 " is of --do resample, which draws; nothing else does");
    const bool ends_in_head = options.to && *options.to != "logits";
    if (options.through != HeadInput::All && !ends_in_head)
        throw Error("sweep", "--through is an input of the head that --to names");
    if (options.output && !is_picture_name(*options.output))
        check_is_csv_name(*options.output, ", or a picture's: .png, .svg, .pdf");
}

std::string sweep_csv(const SweepResult& result) {
    std::string csv = "layer";
    for (const std::string& column : result.columns) csv += "," + column;
    csv += '\n';
    const std::vector<std::string> names = row_names(result);
    for (std::size_t l = 0; l < result.rows.size(); ++l) {
        csv += has_two_attentions(result) ? names[l] : std::to_string(result.rows[l].layer);
        for (Index k = 0; k < result.change.cols(); ++k)
            csv += "," + number_text(result.change(static_cast<Index>(l), k));
        csv += '\n';
    }
    return csv;
}

void write_sweep_picture(const SweepStudy& options, const SweepSettings& settings,
                         const SweepResult& result, const SweepWords& words,
                         const Streams& streams) {
    const Theme& theme = theme_named(options.look.theme);
    const HeatmapInput input = sweep_heatmap(result, settings, words, theme);
    const auto draw = [&](const FigureLook& look) {
        return sweep_figure(input, theme, look, pango_measure());
    };
    write_picture(*options.output, options.look, draw, streams);
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
    if (options.parts) return print_parts(trace, question, asked, streams);
    print_top(trace, options, question, streams);
}

void sweep_study(const SweepStudy& options, const Streams& streams) {
    check_sweep_options(options);
    const Document document = open_for_numbers(options.asked.study, streams);
    const Trace base = trace_with_logits(document, streams);
    std::vector<Trace> others;
    for (const std::string& text : options.from) {
        Document other = document;
        set_text(other, text);
        others.push_back(evaluate_study(other, {}, streams));
    }
    Sweep sweep{options.settings};
    sweep.settings.resampling.seed = options.seed.value_or(sweep.settings.resampling.seed);
    sweep.settings.resampling.n_draws = options.n_draws.value_or(sweep.settings.resampling.n_draws);
    const bool is_of_logit = options.settings.quantity == SweepQuantity::Logit;
    if (is_of_logit) sweep.question = question_for(document, base, options.asked, streams);
    for (const Trace& other : others) sweep.from.push_back(&other);
    if (options.to) {
        sweep.settings.path = path_to(base, *options.to);
        sweep.settings.path->through = options.through;
    }
    Workers workers(count_spare_threads());
    ProgressLine line(streams.terminal);
    const SweepResult result =
        run_sweep(document, base, sweep, workers.for_each().followed_by(line.progress()));
    const std::string asked =
        is_of_logit ? question_text(document, base, sweep.question) : std::string();
    const std::string sentence = sweep_sentence(sweep.settings, sweep.from.size());
    const std::string quantity = is_of_logit
                                     ? "the logit of " + asked
                                     : "the loss, the mean of the text's own next tokens in nats";
    write_note(streams,
               "change of " + quantity + ", which is " + digits(result.before) + "; " + sentence);
    if (!options.output)
        streams.out << sweep_csv(result);
    else if (is_picture_name(*options.output))
        write_sweep_picture(options, sweep.settings, result, {asked, sentence}, streams);
    else
        write_file(*options.output, sweep_csv(result));
}

}  // namespace headlight
