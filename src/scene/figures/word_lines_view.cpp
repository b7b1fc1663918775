#include "scene/figures/word_lines_view.h"

#include <algorithm>

#include "paint/figures/line_figure.h"
#include "text/words.h"

namespace headlight {
namespace {

using Detail = WordLinesInput::Detail;
using LeaveOut = WordView::LeaveOut;
using Texts = WordLinesInput::Texts;

constexpr Index kMostInSmall = 200;
constexpr Index kManyWeights = Index(1) << 20;  // of these a small picture shows picked words only

std::vector<std::string> axis_words(const Trace& trace, const Axis& axis) {
    std::vector<std::string> words;
    for (Index k = 0; k < axis.size; ++k) words.push_back(shown_label(trace, axis, k));
    return words;
}

bool is_one_text(const Tensor& pattern) {
    return pattern.rows().list == pattern.columns().list &&
           pattern.rows().size == pattern.columns().size;
}

std::vector<Index> left_out_words(const WordLinesInput& input, LeaveOut leave_out) {
    std::vector<Index> words;
    for (std::size_t k = 0; k < input.read.size(); ++k) {
        const bool is_out = leave_out == LeaveOut::FirstToken      ? k == 0
                            : leave_out == LeaveOut::SpecialTokens ? is_special_token(input.read[k])
                                                                   : false;
        if (is_out) words.push_back(static_cast<Index>(k));
    }
    return words;
}

/// A word of one text reads and is read; a cell stands for its query and its key.
PickedWords picked_words(const Tensor& pattern, const Focus& focus) {
    PickedWords picked;
    const auto add = [](std::vector<Index>& words, Index word, const Axis& axis) {
        if (word < axis.size && !is_picked(words, word)) words.push_back(word);
    };
    for (const Index query : focus.queries()) {
        if (focus.query_list == pattern.rows().list) add(picked.readers, query, pattern.rows());
        if (focus.query_list == pattern.columns().list && !focus.key)
            add(picked.read, query, pattern.columns());
    }
    if (focus.key_list == pattern.columns().list)
        for (const Index key : focus.keys()) add(picked.read, key, pattern.columns());
    return picked;
}

void fill_heads(WordLinesInput& input, const Scene& scene, const Component& attention) {
    for (const int head : scene.selection.shown_heads()) {
        const Tensor* pattern = find_of_head(scene.trace, attention, head, Role::Pattern);
        if (pattern && pattern->value)
            input.heads.push_back({pattern->value, head_color(scene.theme, head), head});
    }
}

/// Takes the left-out keys from the patterns, where they or the patterns are others than before.
void leave_out(WordLinesInput& input, LeftOutWeight weight, WordLinesMemory& memory) {
    std::vector<MatrixPtr> patterns;
    for (const LinesOfHead& head : input.heads) patterns.push_back(head.pattern);
    const bool is_same = patterns == memory.patterns && input.left_out == memory.left_out &&
                         weight == memory.left_out_weight;
    if (!is_same) {
        memory = {patterns, patterns, input.left_out, weight, std::nullopt, {}};
        if (!input.left_out.empty())
            for (MatrixPtr& shown : memory.shown)
                shown =
                    std::make_shared<const Matrix>(without_keys(*shown, input.left_out, weight));
    }
    for (std::size_t h = 0; h < input.heads.size(); ++h) input.heads[h].pattern = memory.shown[h];
}

void choose(WordLinesInput& input, const LineChoice& choice, WordLinesMemory& memory) {
    if (memory.choice != choice) {
        memory.lines = choose_lines(input.heads, choice);
        memory.choice = choice;
    }
    input.lines = memory.lines;
}

Index most_lines(const WordLinesInput& input) {
    if (input.detail == Detail::Full) return LineChoice{}.most;
    Index n_weights = 0;
    for (const LinesOfHead& head : input.heads) n_weights += head.pattern->size();
    return n_weights > kManyWeights ? 0 : kMostInSmall;
}

}  // namespace

bool has_word_lines(const Trace& trace) {
    return !trace.edges() && trace.grid_columns() == 0;
}

WordLinesInput word_lines_input(const Scene& scene, Detail detail, WordLinesMemory& memory) {
    WordLinesInput input;
    input.detail = detail;
    const Selection& selection = scene.selection;
    const Component* attention = shown_attention(scene.components, selection);
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, selection);
    if (!attention || !pattern) return input;
    input.readers = axis_words(scene.trace, pattern->rows());
    input.read = axis_words(scene.trace, pattern->columns());
    input.texts = is_one_text(*pattern) ? Texts::One : Texts::Two;
    input.rows_as = selection.rows_as;
    input.picked = picked_words(*pattern, selection.current().focus);
    input.left_out = left_out_words(input, selection.words.leave_out);
    fill_heads(input, scene, *attention);
    leave_out(input, selection.words.left_out_weight, memory);
    choose(input,
           {.strongest_percent = selection.words.strongest_percent,
            .most = most_lines(input),
            .most_picked = detail == Detail::Full ? LineChoice{}.most_picked : kMostInSmall,
            .picked = input.picked},
           memory);
    return input;
}

WordLinesFigure word_lines_figure(const Scene& scene, const WordLinesInput& input,
                                  const MeasureText& measure) {
    const bool is_small = input.detail == Detail::Small;
    if (!is_small && scene.selection.words.layout == WordView::Layout::Columns)
        return columns_figure(input, scene.theme, measure);
    return line_figure(input, scene.theme, measure);
}

std::vector<std::string> word_lines_notes(const Scene& scene, const WordLinesInput& input) {
    const WordView& view = scene.selection.words;
    std::vector<std::string> notes{left_out_note(input, view.left_out_weight)};
    if (input.detail == Detail::Small) return notes;
    if (input.left_out.empty() && view.leave_out == LeaveOut::SpecialTokens)
        notes.push_back("the text has no special tokens");
    const bool has_arcs = view.layout == WordView::Layout::Line && input.texts == Texts::One &&
                          !input.lines.lines.empty();
    if (has_arcs) notes.push_back("above: reads back, below: reads ahead");
    const std::vector<std::string> more = line_notes(input);
    notes.insert(notes.end(), more.begin(), more.end());
    const bool is_of_each = view.layout == WordView::Layout::Columns
                                ? has_numbers_of_each_head(input)
                                : input.heads.size() == 1;
    if (!is_of_each && !input.picked.is_empty()) notes.push_back("of several heads the largest");
    return notes;
}

Figure word_lines_picture(const Scene& scene, const PictureRoom& room, WordLinesInput::Rows rows,
                          const MeasureText& measure) {
    const Point size = room.size;
    WordLinesMemory memory;
    WordLinesInput input = word_lines_input(scene, Detail::Full, memory);
    input.width = size.x;
    input.rows = rows;
    input.label_size = room.label_size;
    const Figure notes =
        notes_figure(word_lines_notes(scene, input), size.x - 2 * kFigurePad, scene.theme, measure);
    input.height = size.y - notes.height - kFigurePad;
    Figure figure = word_lines_figure(scene, input, measure).figure;
    for (const Mark& mark : notes.marks) {
        TextMark text = std::get<TextMark>(mark);
        text.at.x += kFigurePad;
        text.at.y += figure.height;
        figure.add(std::move(text));
    }
    figure.height += notes.height + kFigurePad;
    return figure;
}

}  // namespace headlight
