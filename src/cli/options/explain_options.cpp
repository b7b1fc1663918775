#include "cli/options/explain_options.h"

#include "cli/options/sentence_option.h"

namespace headlight {

void add_explain_options(Options& command, ExplainCell& explain, bool& json) {
    command.argument("STUDY", explain.study, "A *.headlight file");
    command.argument("PATH", explain.tensor, "The matrix");
    command.argument("ROW", explain.row, "An index from 0, a word, a node, or an edge: '9<-33'");
    command.optional_argument("COLUMN", explain.column,
                              "Likewise; may be omitted if there is only one column");
    command.flag("--json", json, "For programs");
    add_sentence(command, explain.sentence);
    command.example("  headlight explain tired.headlight blocks.0.attn.heads.0.pattern tired cat");
}

}  // namespace headlight
