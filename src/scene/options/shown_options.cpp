#include "scene/options/shown_options.h"

#include "scene/export/graph_words.h"
#include "scene/export/look_words.h"
#include "scene/options/picture_options.h"

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

void add_held(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(list_option(
        "--row", options.rows, "ROW",
        "Held as if clicked: an index from 0, a word, a node, an edge ('9<-33': 9 reads "
        "33); may be repeated"));
    all.push_back(list_option(
        "--column", options.columns, "COLUMN",
        "With --row: the cell in this column, or the edge to this node; alone: a word that is "
        "read; may be repeated"));
    all.push_back(text_option("--held", options.held,
                              "The matrix of the held row, if it is not the one shown"));
}

void add_part(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(list_option(
        "--rows", options.part_rows, "ROW,…",
        "Of the matrix: the rows that alone are shown, as it,cat,3..5; may be repeated"));
    all.push_back(list_option("--columns", options.part_columns, "COLUMN,…",
                              "Of the matrix: the columns that alone are shown"));
    all.push_back(number_option("--top", options.n_bars, 1, kMostBars,
                                "Of row: how many of the largest numbers are shown"));
    all.push_back(text_option("--against", options.against,
                              "Of plane: a second matrix whose rows stand in the same plane"));
}

void add_panels(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(list_option("--panel", options.panels, "GLOB",
                              "Of panels: matrices beside each other; without it, the chosen "
                              "matrix of the chosen heads; may be repeated"));
    all.push_back(list_option("--panel-title", options.panel_titles, "TITLE",
                              "Of panels: the title of the first of --panel, then of the next; "
                              "empty: its layer and head; may be repeated"));
    all.push_back({"--across",
                   "Of panels: how many beside each other, 1 to " + std::to_string(kMostAcross) +
                       " [as many as have room]",
                   "NUMBER", "is not a number from 1 to " + std::to_string(kMostAcross),
                   [&options](const std::string& text) {
                       const auto across = number_between(text, 1, kMostAcross);
                       options.across = across.value_or(0);
                       return across.has_value();
                   }});
}

void add_words(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(
        {"--heads",
         "Heads whose lines between words are drawn together; the first one is the chosen one",
         "HEAD,…", "is not a list of heads such as 1,0,3",
         [&options](const std::string& text) { return read_heads(options.heads, text); }});
    all.push_back(
        choice_option("--words-in", options.words.layout, kWordLayoutWords, "Lines between words"));
    all.push_back(number_option("--strongest", options.words.strongest_percent,
                                kLeastStrongestPercent, 100.0f,
                                "Share of the lines between words that is drawn, in per cent"));
    all.push_back(choice_option("--leave-out", options.words.leave_out, kLeaveOutWords,
                                "Keys that lines between words leave out"));
    all.push_back(
        choice_option("--left-out", options.words.left_out_weight, kLeftOutWords,
                      "The weight of what is left out: lost, or redistributed to the others"));
    all.push_back(
        text_option("--word", options.asked_word,
                    "Of logits: the word whose logit is split; without it, the likeliest"));
    all.push_back(
        text_option("--minus", options.minus_word, "Of logits: a word whose logit is subtracted"));
    all.push_back(choice_option("--rows-as", options.rows_as, kRowsAsWords,
                                "How several held words are combined"));
}

void add_graph(std::vector<TextOption>& all, ShownOptions& options) {
    GraphLook& look = options.graph;
    all.push_back({"--edges", "Of a graph: those that are drawn [all]",
                   "all|strongest:N|weight:LEAST|chosen",
                   "is not all, strongest:3, weight:0.1 or chosen",
                   [&look](const std::string& text) { return read_edges_word(look, text); }});
    all.push_back({"--nodes", "Of a graph: what their colours show [class]",
                   "class|group|feature:COLUMN|output:COLUMN",
                   "is not class, group, feature:0 or output:0",
                   [&look](const std::string& text) { return read_nodes_word(look, text); }});
    all.push_back(
        {"--graph-zoom",
         "A part of a graph: 4:0.5:0.25 is 4 times larger around the middle, a quarter "
         "from the top",
         "ZOOM:X:Y", "is not a zoom and a place such as 4:0.5:0.25",
         [&look](const std::string& text) { return read_graph_zoom_word(look.zoom, text); }});
}

void add_comparison(std::vector<TextOption>& all, ShownOptions& options) {
    all.push_back(text_option(
        "--with", options.with,
        "B, for the views compared, heads, words and logits: a study's file, a matrix of another "
        "head, or the number of another sentence"));
    all.push_back(text_option("--names", options.names, "What A and B are called: 'now|before'"));
    all.push_back(choice_option("--sides", options.sides, kSideWords,
                                "The view of a comparison: A and B, or A − B"));
}

}  // namespace

std::vector<TextOption> shown_options(ShownOptions& options) {
    std::vector<TextOption> all;
    all.push_back(text_option("--part", options.component,
                              "The part that the flow and layer views show (blocks.1.mlp)"));
    add_held(all, options);
    add_part(all, options);
    add_panels(all, options);
    add_words(all, options);
    add_graph(all, options);
    add_comparison(all, options);
    for (TextOption& option : picture_options(options)) all.push_back(std::move(option));
    return all;
}

}  // namespace headlight
