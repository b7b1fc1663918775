#include "cli/readout_command.h"

#include "cli/open_study.h"
#include "cli/readout/asked_question.h"
#include "core/error.h"
#include "io/text/csv.h"
#include "scene/tables/readout_tables.h"

namespace headlight {

void print_logits(const PrintLogits& options, const Streams& streams) {
    if (options.lens && options.parts)
        throw Error("logits", "--lens and --parts are two tables: ask for one of them");
    const Document document = open_for_numbers(options.asked.study, streams);
    const Trace trace = sentence_page(trace_with_logits(document, streams), options.sentence);
    AskedLogits asked{document, trace, question_for(document, trace, options.asked, streams)};
    if (options.top) asked.n_words = static_cast<std::size_t>(*options.top);
    if (options.top) asked.n_parts = asked.n_words;
    if (options.asked.of) asked.word = AskedLogits::Word::Named;
    const Table table = options.lens    ? lens_table(asked)
                        : options.parts ? attribution_table(asked)
                                        : next_words_table(asked);
    streams.out << write_tsv(table, ReadBy::Shell);
}

}  // namespace headlight
