// headlight sweep: one text, or the mean over the prompts of a file.
#include "cli/open_study.h"
#include "cli/output/progress_line.h"
#include "cli/output/write_picture.h"
#include "cli/output/write_table.h"
#include "cli/readout/asked_question.h"
#include "cli/readout/prompt_sweep.h"
#include "cli/readout/swept_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/pictures/figure_text.h"
#include "model/evaluate.h"
#include "model/workers.h"
#include "scene/figures/view_figure.h"
#include "scene/tables/sweep_table.h"

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
    check_is_table_name(options.output, MayBePicture::Yes);
}

/// The same figure as the window's.
void write_sweep_picture(const SweepStudy& options, const Document& document,
                         const DoneSweep& sweep, const Streams& streams) {
    const Trace trace(plan(document));
    const Components components = make_components(trace);
    Selection selection;
    selection.fit(trace, components);
    Scene scene{document, trace, components, selection, theme_named(options.look.theme)};
    scene.sweep = &sweep;
    const ViewFigure view = view_figure(scene, FigureOf::Sweep, options.look, pango_measure());
    write_picture(*options.output, view);
    if (!view.note.empty()) write_note(streams, *options.output + ": " + view.note);
}

void sweep_prompts(const SweepStudy& options, const Streams& streams) {
    PromptSweep sweep(options, streams);
    sweep.run();
    if (options.output && is_picture_name(*options.output))
        write_sweep_picture(options, sweep.document(), sweep.mean(), streams);
    else
        write_table(sweep.table(), options.output, streams);
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
    const DoneSweep done = study.done(result);
    if (options.output && is_picture_name(*options.output))
        return write_sweep_picture(options, study.document(), done, streams);
    write_table(sweep_table(done), options.output, streams);
}

}  // namespace headlight
