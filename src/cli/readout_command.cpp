#include "cli/readout_command.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "cli/open_study.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "io/files/file.h"
#include "io/text/csv.h"
#include "io/text/json_text.h"
#include "text/words.h"
#include "views/answer.h"
#include "views/export/look_names.h"
#include "views/readout_words.h"
#include "views/view_table.h"

namespace headlight {

void print_logits(const PrintLogits& options, const Streams& streams) {
    if (options.lens && options.parts)
        throw Error("logits", "--lens and --parts are two tables: ask for one of them");
    const Document document =
        open_for_numbers(options.target.study, options.target.changes, streams);
    const Trace trace = sentence_page(trace_with_logits(document, streams), options.sentence);
    AskedLogits asked{document, trace, question_for(document, trace, options.target, streams)};
    if (options.top) asked.n_words = static_cast<std::size_t>(*options.top);
    if (options.top) asked.n_parts = asked.n_words;
    if (options.target.of) asked.is_named = true;
    const Table table = options.lens    ? lens_table(asked)
                        : options.parts ? attribution_table(asked)
                                        : next_words_table(asked);
    streams.out << (options.json ? write_table_json(table) : write_tsv(table, ReadBy::Shell));
}

namespace {

void add_target(Options& command, LogitTarget& target) {
    command.argument("STUDY", target.study, "A *.headlight file, or a pretrained model's folder");
    command.optional_text("--row", target.row,
                          "The token after which a word is asked for; without it, the last one");
    command.optional_text(
        "--of", target.of,
        "The word or class whose logit is asked for; without it, the likeliest one");
    command.optional_text("--minus", target.minus, "A word or class whose logit is subtracted");
}

void add_logits_options(Options command, PrintLogits& logits) {
    add_target(command, logits.target);
    command.optional_number("--sentence", logits.sentence, Index{1}, static_cast<Index>(kMaxWords),
                            "One of several sentences, counted from 1; without it the last one");
    command.optional_number("--top", logits.top, 1, 1000,
                            "How many words or classes; without it 10. Of --parts: those that add "
                            "or take most, largest first; without it all");
    command.flag("--lens", logits.lens, "After every layer: the logit lens");
    command.flag("--parts", logits.parts,
                 "What each head, MLP and embedding adds to the logit: its direct attribution");
    add_json_flag(command, logits.json);
    add_change_options(command, logits.target.changes);
    command.example("  headlight logits gpt2.headlight --of ' Mary' --minus ' John' --parts");
}

void add_sweep_options(Options command, SweepStudy& sweep) {
    add_target(command, sweep.target);
    command.choice("--do", sweep.settings.kind, kSweepWords,
                   "What replaces the output of each head in turn: its mean, 0, its rows at other "
                   "tokens, or what it is for another text");
    command.list("--from", sweep.from, "TEXT",
                 "Another text, of as many tokens: one for --do patch, any number for --do "
                 "resample, which draws among them");
    command.optional_text("--prompts", sweep.prompts,
                          "A file: the mean over its prompts, one a line; or a .csv or .tsv with "
                          "the columns text, of, minus, from");
    command.number("--texts", sweep.n_texts, 0L, 1'000'000'000L,
                   "Of --prompts: no more than these, and more with the next call; 0: all");
    command.choice(
        "--over", sweep.settings.over, kSweepOverWords,
        "What is replaced: heads, whole attentions and MLPs, or the residual stream of one "
        "token before and after each layer");
    command.choice(
        "--quantity", sweep.settings.quantity, kSweepQuantityWords,
        "Whose change is measured: a logit's, a word's probability, the divergence of all "
        "words' probabilities, or the loss of the text's own next tokens");
    command.optional_text("--to", sweep.to,
                          "Path patching: the change goes to this receiver alone, 1.2 for head 2 "
                          "of layer 1, or logits");
    command.choice("--through", sweep.through, kHeadInputWords,
                   "Of the head of --to: which of its inputs receives the change");
    command.optional_number("--seed", sweep.seed, std::uint64_t{0}, std::uint64_t{1} << 53,
                            "Of --do resample; without it 1");
    command.optional_number("--draws", sweep.n_draws, 1, 1000,
                            "Of --do resample: the change is the mean of so many draws; without "
                            "it of one");
    command.optional_output(sweep.output);
    add_json_flag(command, sweep.json);
    add_look_options(command, sweep.look);
    add_change_options(command, sweep.target.changes, {.patches = true});
    command.example(
        "  headlight sweep gpt2.headlight --of ' Mary' --minus ' John' --do mean -o heads.csv\n"
        "  headlight sweep gpt2.headlight --over layers --quantity loss -o loss.pdf --width 85mm\n"
        "  headlight sweep gpt2.headlight --do patch --from 'another text' --to 9.9 --through q");
}

void add_composition_options(Options command, PrintComposition& composition) {
    command.argument("STUDY", composition.study,
                     "A *.headlight file, or a pretrained model's folder");
    command.optional_text("--head", composition.head,
                          "Only pairs whose later head is this one: 1.2 is head 2 of layer 1");
    command.optional_number("--top", composition.top, 1, 1'000'000,
                            "Only the pairs with the highest scores, highest first");
    command.optional_output(composition.output);
    add_json_flag(command, composition.json);
    add_change_options(command, composition.changes);
    command.example("  headlight composition gpt2.headlight --head 9.6 --top 10 -o pairs.csv");
}

void add_heads_options(Options command, TallyHeads& heads) {
    command.argument("STUDY", heads.study, "A *.headlight file, or a pretrained model's folder");
    command.optional_argument(
        "CORPUS", heads.corpus,
        "A file of texts, one a line; without it, each line of the study's own");
    command.list("--metric", heads.metrics, "METRIC",
                 "An own metric beside the others: an expression of a head's matrices, with or "
                 "without a name before a colon, or one of special, punctuation, same word");
    command.optional_output(heads.output);
    add_json_flag(command, heads.json);
    add_change_options(command, heads.changes);
    command.number("--texts", heads.n_texts, 0L, 1'000'000'000L,
                   "No more texts than these, and more with the next call; 0: all");
    command.flag("--without-first", heads.without_first,
                 "The metrics without the first token, which many heads read when they have "
                 "nothing to say");
    command.flag("--join-pieces", heads.joins_pieces,
                 "The metrics of patterns between words, whose pieces are joined: the sum over a "
                 "key's pieces, the mean over a query's");
    command.example(
        "  headlight heads gpt2.headlight wikitext.txt -o heads.csv\n"
        "  headlight heads gpt2.headlight --metric 'sink: mean(on_first(pattern))' --metric "
        "special");
}

}  // namespace

void add_head_commands(const AddCommand& add, HeadCommands& commands, const Streams& streams) {
    add_logits_options(add("logits", "Print the likeliest words, and where logits come from",
                           [&] { print_logits(commands.logits, streams); }),
                       commands.logits);
    add_sweep_options(add("sweep", "Replace each head's output in turn, print the change",
                          [&] { sweep_study(commands.sweep, streams); }),
                      commands.sweep);
    add_composition_options(
        add("composition", "Print how strongly heads read what earlier ones write",
            [&] { print_composition(commands.composition, streams); }),
        commands.composition);
    add_heads_options(add("heads", "Count what every head does over the texts of a file",
                          [&] { tally_heads(commands.heads, streams); }),
                      commands.heads);
}

namespace {

/// Returns the highest of the scores of a pair.
double highest_score(const Table& table, std::size_t row) {
    double highest = 0;
    for (std::size_t k = table.n_labels; k < table.columns.size(); ++k)
        highest = std::max(highest, static_cast<double>(number_in(table, row, k).value_or(0)));
    return highest;
}

/// Returns only the rows of a later head, or those with the highest scores.
std::vector<std::size_t> chosen_rows(const Table& table, const PrintComposition& options) {
    constexpr std::size_t kLater = 1;
    std::vector<std::size_t> rows(table.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (options.head)
        std::erase_if(
            rows, [&](std::size_t row) { return text_in(table, row, kLater) != *options.head; });
    if (rows.empty())
        throw Error("composition",
                    "there is no head {} after the first layer; write 1.2 for head 2 of layer 1",
                    *options.head);
    if (!options.top) return rows;
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        return highest_score(table, a) > highest_score(table, b);
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(*options.top)));
    return rows;
}

}  // namespace

void print_composition(const PrintComposition& options, const Streams& streams) {
    check_table_output(options.output, {.json = options.json});
    const Document document = open_for_numbers(options.study, options.changes, streams);
    const Trace trace =
        evaluate_study(document, {.everything = false, .globs = {"composition.*"}}, streams);
    Table table = composition_table(trace);
    keep_rows(table, chosen_rows(table, options));
    write_note(streams, table.caption);
    write_table(table, options.output, streams, {.json = options.json});
}

Trace trace_with_logits(const Document& document, const Streams& streams) {
    return evaluate_study(document, {.everything = false, .globs = {logits_path()}}, streams);
}

const Tensor& logits_in(const Trace& trace, const std::string& study) {
    const Tensor* logits = trace.find(logits_path());
    if (!logits && attention_of_questions(make_components(trace.plan())))
        throw Error(path_text(study), "has no logits: its heads point at words of the text");
    if (!logits) throw Error(path_text(study), "has no logits: its network names no words");
    return *logits;
}

LogitQuestion question_for(const Document& document, const Trace& trace, const LogitTarget& target,
                           const Streams& streams) {
    const Tensor& logits = logits_in(trace, target.study);
    LogitQuestion question{.row = target.row
                                      ? index_named(trace, {logits, logits.rows(), "row", "logits"},
                                                    *target.row, notes_to(streams))
                                      : usual_place(trace)};
    if (target.of)
        question.word = vocabulary_word(document, trace, *target.of);
    else if (why_unranked(document, trace, question.row).empty())
        logits.value->row(question.row).maxCoeff(&question.word);
    if (target.minus) question.minus = vocabulary_word(document, trace, *target.minus);
    return question;
}

std::string quantity_words(SweepQuantity quantity, const std::string& asked, const char* whose) {
    switch (quantity) {
        case SweepQuantity::Logit:
            return "the logit of " + asked;
        case SweepQuantity::Probability:
            return "the probability of " + asked;
        case SweepQuantity::Divergence:
            return fmt::format(
                "the divergence of all words' probabilities{} from the unedited ones in nats",
                asked);
        case SweepQuantity::Loss:
            break;
    }
    return fmt::format("the loss, the mean of {} own next tokens in nats", whose);
}

std::string digits(double number) {
    return number_text(static_cast<float>(number));
}

}  // namespace headlight
