#include "cli/options/shown_options.h"

#include "cli/options/picture_options.h"
#include "scene/export/look_words.h"

namespace headlight {
namespace {

/// "1,0,3"
bool read_heads(std::vector<int>& heads, std::string_view text) {
    heads.clear();
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto head = number_between(text.substr(at, comma - at), 0, 9999);
        if (!head) return false;
        heads.push_back(*head);
        at = comma + 1;
    }
    return true;
}

void add_held(Options& command, ShownOptions& options) {
    command.list("--row", options.rows, "ROW",
                 "Held as if clicked: an index from 0, a word, a node; may be repeated");
    command.list(
        "--column", options.columns, "COLUMN",
        "With --row: the cell in this column; alone: a word that is read; may be repeated");
    command.optional_text("--held", options.held,
                          "The matrix of the held row, if it is not the one shown");
}

void add_words(Options& command, ShownOptions& options) {
    command.add(
        {"--heads",
         "Heads whose lines between words are drawn together; the first one is the chosen one",
         "HEAD,…", "is not a list of heads such as 1,0,3",
         [&options](const std::string& text) { return read_heads(options.heads, text); }});
    command.choice("--words-in", options.words.layout, kWordLayoutWords, "Lines between words");
    command.number("--strongest", options.words.strongest_percent, kLeastStrongestPercent, 100.0f,
                   "Share of the lines between words that is drawn, in per cent");
    command.choice("--leave-out", options.words.leave_out, kLeaveOutWords,
                   "Keys that lines between words leave out");
    command.choice("--left-out", options.words.left_out_weight, kLeftOutWords,
                   "The weight of what is left out: lost, or redistributed to the others");
    command.choice("--rows-as", options.rows_as, kRowsAsWords,
                   "How several held words are combined");
}

void add_comparison(Options& command, ShownOptions& options) {
    command.optional_text("--with", options.with,
                          "Of compared: B, a study's file, a matrix of another head, or the number "
                          "of another sentence");
    command.optional_text("--names", options.names, "What A and B are called: 'now|before'");
    command.choice("--sides", options.sides, kSideWords,
                   "The view of a comparison: A and B, or A − B");
}

}  // namespace

void add_shown_options(Options& command, ShownOptions& options) {
    command.optional_text("--part", options.component,
                          "The part that the flow and layer views show (blocks.1.mlp)");
    add_held(command, options);
    add_words(command, options);
    add_comparison(command, options);
    add_picture_options(command, options);
}

}  // namespace headlight
