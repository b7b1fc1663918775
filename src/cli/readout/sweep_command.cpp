// headlight sweep: one text, or the mean over the prompts of a file.
#include "cli/open_study.h"
#include "cli/output/csv_cell.h"
#include "cli/output/progress_line.h"
#include "cli/output/write_picture.h"
#include "cli/readout/asked_question.h"
#include "cli/readout/prompt_sweep.h"
#include "cli/readout/swept_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/text/json_text.h"
#include "model/workers.h"
#include "scene/figures/sweep_figure.h"

namespace headlight {
namespace {

void check_words(const SweepStudy& options) {
    const AskedWord& asked = options.asked;
    const SweepQuantity quantity = options.settings.quantity;
    if (!asks_of_place(quantity) && (asked.of || asked.minus || asked.row))
        throw Error("sweep",
                    "--of, --minus and --row are of a logit, and --quantity loss has none");
    if (!asks_of_word(quantity) && (asked.of || asked.minus))
        throw Error("sweep",
                    "--of and --minus name a word, and --quantity divergence is of all words");
}

void check_sweep_options(const SweepStudy& options) {
    const SweepKind kind = options.settings.kind;
    const bool is_patch = kind == SweepKind::Patch;
    const bool has_one = options.from.size() == 1 || (options.prompts && options.from.empty());
    if (is_patch ? !has_one : kind != SweepKind::Resample && !options.from.empty())
        throw Error("sweep",
                    "--do patch needs one --from \"another text\", and --do resample can have "
                    "several; nothing else does");
    if (options.n_texts > 0 && !options.prompts)
        throw Error("sweep", "--texts counts the prompts of a file: --prompts");
    check_words(options);
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
    for (const std::string& column : result.columns) csv += "," + csv_cell(column);
    csv += '\n';
    const bool has_names = has_two_attentions(result) || result.over == SweepOver::Tokens;
    const std::vector<std::string> names = row_names(result);
    for (std::size_t l = 0; l < result.rows.size(); ++l) {
        csv += has_names ? names[l] : std::to_string(result.rows[l].layer);
        for (Index k = 0; k < result.change.cols(); ++k)
            csv += "," + number_text(result.change(static_cast<Index>(l), k));
        csv += '\n';
    }
    return csv;
}

void write_sweep_picture(const SweepStudy& options, const SweepResult& result,
                         const SweepWords& words, const Streams& streams) {
    const Theme& theme = theme_named(options.look.theme);
    const HeatmapInput input = sweep_heatmap(result, options.settings, words, theme);
    const auto draw = [&](const FigureLook& look) {
        return sweep_figure(input, theme, look, pango_measure());
    };
    write_picture(*options.output, options.look, draw, streams);
}

void sweep_prompts(const SweepStudy& options, const Streams& streams) {
    PromptSweep sweep(options, streams);
    sweep.run();
    if (!options.output)
        streams.out << sweep.csv();
    else if (is_picture_name(*options.output))
        write_sweep_picture(options, sweep.mean(), {sweep.asked(), sweep.sentence()}, streams);
    else
        write_file(*options.output, sweep.csv());
    sweep.forget();
}

}  // namespace

void sweep_study(const SweepStudy& options, const Streams& streams) {
    check_sweep_options(options);
    if (options.prompts) return sweep_prompts(options, streams);
    const SweptStudy study(open_for_numbers(options.asked.study, streams), options, streams);
    Workers workers(count_spare_threads());
    ProgressLine line(streams.terminal);
    const SweepResult result = study.run(workers.for_each().followed_by(line.progress()));
    write_note(streams, "change of " + study.quantity() + ", which is " + digits(result.before) +
                            "; " + study.sentence());
    if (!options.output)
        streams.out << sweep_csv(result);
    else if (is_picture_name(*options.output))
        write_sweep_picture(options, result, {study.asked(), study.sentence()}, streams);
    else
        write_file(*options.output, sweep_csv(result));
}

}  // namespace headlight
