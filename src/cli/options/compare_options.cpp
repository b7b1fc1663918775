#include "cli/options/compare_options.h"

#include "cli/options/look_options.h"
#include "cli/options/sentence_option.h"

namespace headlight {

void add_compare_options(Options& command, CompareTensors& compare) {
    command.argument("A", compare.study_a, "A *.headlight file");
    command.argument("B", compare.study_b, "Another study, or the same");
    command.path("--tensor", compare.tensor, "The matrix");
    command.flag("--heads", compare.heads,
                 "A table instead: how much each head differs, a row a head");
    command.optional_text("--sort", compare.sort,
                          "The column that orders that table, the largest magnitude first");
    command.optional_text("--with-text", compare.text_b,
                          "What B reads, instead of its own text: two prompts of one model");
    command.optional_text("--with", compare.tensor_b,
                          "The matrix of B, if it is different: that of another head, for example");
    command.optional_number("--with-sentence", compare.sentence_b, Index{1},
                            static_cast<Index>(kMaxWords), "The sentence of B, if it is different");
    command.optional_text("--output,-o", compare.output,
                          "The file for the difference A − B: .png, .svg, .pdf, .csv, .npy …; "
                          "of --heads .csv or .json");
    add_sentence(command, compare.sentence);
    add_look_options(command, compare.look);
    command.example(
        "  headlight compare tired.headlight wide.headlight "
        "--tensor blocks.0.attn.heads.0.pattern -o difference.png\n"
        "  headlight compare gpt2.headlight gpt2.headlight --with-text 'another prompt' --heads "
        "--sort 'total variation'");
}

}  // namespace headlight
