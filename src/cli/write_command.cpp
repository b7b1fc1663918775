// headlight write: a text that a network goes on with, with changes and without.
#include <string>
#include <utility>

#include "cli/changes.h"
#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/text/csv.h"
#include "io/text/table.h"
#include "model/next_word.h"

namespace headlight {
namespace {

std::string text_after(Document document, const WriteWords& options) {
    if (!document.sentence())
        throw Error(path_text(options.study), "is no sentence, which words could come after");
    return with_next_words(std::move(document), options.n_words, options.sampling).sentence()->text;
}

}  // namespace

void write_words(const WriteWords& options, const Streams& streams) {
    Document document = open_for_numbers(options.study, streams);
    Changes further = options.changes;
    Changes of_text;
    of_text.text = std::exchange(further.text, std::nullopt);
    make_changes(document, of_text, streams);
    const bool has_changes = !further.are_none();
    Document changed = document;
    make_changes(changed, further, streams);
    for (const auto& [path, intervention] : changed.interventions)
        if (intervention.is_on && !intervention.cells.empty() &&
            is_of_items(plan(document)->at(path).rows))
            write_note(streams, path +
                                    ": cells hold for the rows of the text itself, not for the "
                                    "words that are written");
    Table table{.name = "write", .caption = "What is written"};
    std::vector<std::string>& changes = table.add_texts("changes");
    changes = has_changes
                  ? std::vector<std::string>{"without", "with"}
                  : std::vector<std::string>{document.interventions.empty() ? "none" : "as saved"};
    std::vector<std::string>& texts = table.add_texts("text");
    if (has_changes) texts.push_back(text_after(document, options));
    texts.push_back(text_after(std::move(changed), options));
    streams.out << (options.json ? write_table_json(table) : write_tsv(table, ReadBy::Shell));
}

void add_write_options(Options command, WriteWords& write) {
    command.argument("STUDY", write.study, "A *.headlight file, or a pretrained model's folder");
    command.number("--words", write.n_words, 1, 1000, "How many words are written after the text");
    add_sampling_options(command, write.sampling, "How they are drawn");
    add_json_flag(command, write.json);
    add_change_options(command, write.changes);
    command.example(
        "  headlight write gpt2.headlight --words 20 --add 4*love.npy@blocks.6.resid_post");
}

}  // namespace headlight
