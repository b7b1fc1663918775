#include "cli/options/readout_options.h"

#include "model/settings/setting_words.h"

namespace headlight {
namespace {

constexpr ChoiceWords<SweepKind, 3> kSweepWords = {
    {{"mean", SweepKind::Mean}, {"zero", SweepKind::Zero}, {"patch", SweepKind::Patch}}};

void add_asked(Options& command, AskedWord& asked) {
    command.argument("STUDY", asked.study, "A *.headlight file, or a pretrained model's folder");
    command.optional_text("--row", asked.row,
                          "The token behind which a word is asked for; without it, the last one");
    command.optional_text(
        "--of", asked.of,
        "The word or class whose logit is asked for; without it, the likeliest one");
    command.optional_text("--minus", asked.minus, "A word or class whose logit is subtracted");
}

}  // namespace

void add_logits_options(Options command, PrintLogits& logits) {
    add_asked(command, logits.asked);
    command.number("--top", logits.top, 1, 1000, "How many words or classes");
    command.flag("--lens", logits.lens, "After every layer: the logit lens");
    command.flag("--parts", logits.parts,
                 "What each head, MLP and embedding adds to the logit: its direct attribution");
    command.example("  headlight logits gpt2.headlight --of ' Mary' --minus ' John' --parts");
}

void add_sweep_options(Options command, SweepStudy& sweep) {
    add_asked(command, sweep.asked);
    command.choice("--do", sweep.kind, kSweepWords,
                   "What replaces the output of each head in turn: its mean, 0, or what it is "
                   "for another text");
    command.optional_text("--from", sweep.from, "Of --do patch: another text, of as many tokens");
    command.optional_output(sweep.output);
    command.example(
        "  headlight sweep gpt2.headlight --of ' Mary' --minus ' John' --do mean -o heads.csv");
}

void add_heads_options(Options command, TallyHeads& heads) {
    command.argument("STUDY", heads.study, "A *.headlight file, or a pretrained model's folder");
    command.argument("CORPUS", heads.corpus, "A file of texts, one a line");
    command.optional_output(heads.output);
    command.number("--texts", heads.n_texts, 0L, 1'000'000'000L,
                   "No more texts than these, and more with the next call; 0: all");
    command.flag("--without-first", heads.without_first,
                 "The metrics without the first token, which many heads read when they have "
                 "nothing to say");
    command.example("  headlight heads gpt2.headlight wikitext.txt -o heads.csv");
}

}  // namespace headlight
