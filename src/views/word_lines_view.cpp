#include "views/word_lines_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/word_lines.h"
#include "text/strings.h"
#include "text/words.h"
#include "views/panels_view.h"

namespace headlight {
namespace {

using Detail = WordLinesInput::Detail;
using LeaveOut = WordView::LeaveOut;
using Texts = WordLinesInput::Texts;

constexpr float kLinesTitle = 34, kLinesGap = 12, kLinesTitleSize = 13;
constexpr float kTitleStep = 17;     // from one line of a title to the next
constexpr float kLeastOfSide = 220;  // width of a side that stands beside another one
constexpr Index kMostInSmall = 200;
constexpr std::size_t kMostNamedHeads = 4;
constexpr Index kManyWeights = Index(1) << 20;  // of these a small picture shows picked words only

std::vector<std::string> axis_words(const Trace& trace, const Axis& axis) {
    std::vector<std::string> words;
    for (Index k = 0; k < axis.size; ++k) words.push_back(shown_label(trace, axis, k));
    return words;
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
PickedWords picked_words(const Tensor& pattern, const AxisIndices& indices) {
    PickedWords picked;
    const auto add = [](std::vector<Index>& words, Index word, const Axis& axis) {
        if (word < axis.size && !is_among(word, words)) words.push_back(word);
    };
    for (const Index query : indices.queries()) {
        if (indices.query_list == pattern.rows().list) add(picked.readers, query, pattern.rows());
        if (indices.query_list == pattern.columns().list && !indices.key)
            add(picked.read, query, pattern.columns());
    }
    if (indices.key_list == pattern.columns().list)
        for (const Index key : indices.keys()) add(picked.read, key, pattern.columns());
    return picked;
}

void fill_heads(WordLinesInput& input, const Scene& scene, const Component& attention) {
    for (const int head : scene.selection.shown_heads()) {
        const Tensor* pattern = find_of_head(scene.trace, attention, head, Role::Pattern);
        if (pattern && pattern->value)
            input.heads.push_back(
                {pattern->value, head_color(scene.theme, head), head_title(attention, head)});
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

/// Sets the weights that the faintest and the strongest line stand for. In a difference both signs
/// have the same.
void set_range(WordLinesInput& input, const PictureSettings& settings) {
    using Range = PictureSettings::Range;
    if (settings.range == Range::Standard) return;
    Scalar low = 0, high = 0;
    for (const LinesOfHead& head : input.heads)
        high = std::max(high, head.pattern ? largest_magnitude(*head.pattern) : Scalar(0));
    if (settings.range == Range::Fixed)
        low = std::max(Scalar(0), settings.low), high = settings.high;
    if (!(low < high)) return;
    input.lines.low = static_cast<float>(low);
    input.lines.high = static_cast<float>(high);
}

Index most_lines(const WordLinesInput& input) {
    if (input.detail == Detail::Full) return LineChoice{}.most;
    Index n_weights = 0;
    for (const LinesOfHead& head : input.heads) n_weights += head.pattern->size();
    return n_weights > kManyWeights ? 0 : kMostInSmall;
}

void choose_shown_lines(WordLinesInput& input, const Selection& selection,
                        WordLinesMemory& memory) {
    const LineChoice choice{
        .strongest_percent = selection.looks.words.strongest_percent,
        .most = most_lines(input),
        .most_picked = input.detail == Detail::Full ? LineChoice{}.most_picked : kMostInSmall,
        .picked = input.picked};
    if (memory.choice != choice) {
        memory.lines = choose_lines(input.heads, choice);
        memory.choice = choice;
    }
    input.lines = memory.lines;
}

/// Fills in the parts of A − B above and below 0, for each head that both have.
void fill_differences(WordLinesInput& input, const Theme& theme, const WordLinesInput& a,
                      const WordLinesInput& b, WordLinesMemory& memory) {
    std::vector<MatrixPtr> patterns;
    for (std::size_t h = 0; h < a.heads.size(); ++h) {
        patterns.push_back(a.heads[h].pattern);
        patterns.push_back(b.heads[h].pattern);
    }
    if (patterns != memory.patterns) {
        memory = {patterns, {}, {}, LeftOutWeight::Missing, std::nullopt, {}};
        for (std::size_t k = 0; k < patterns.size(); k += 2) {
            const Matrix D = *patterns[k] - *patterns[k + 1];
            memory.shown.push_back(std::make_shared<const Matrix>(D.cwiseMax(Scalar(0))));
            memory.shown.push_back(std::make_shared<const Matrix>((-D).cwiseMax(Scalar(0))));
        }
    }
    for (std::size_t h = 0; h < a.heads.size(); ++h) {
        const LinesOfHead& head = a.heads[h];
        input.heads.push_back({memory.shown[2 * h], theme.positive, head.name, false, head.dot});
        input.heads.push_back({memory.shown[2 * h + 1], theme.negative, head.name, true, head.dot});
    }
}

std::string why_no_difference(const WordLinesInput& a, const WordLinesInput& b) {
    const auto size = [](const WordLinesInput& side) {
        return fmt::format("{} × {}", side.readers.size(), side.read.size());
    };
    if (size(a) != size(b)) return fmt::format("{} and {} cannot be subtracted", size(a), size(b));
    if (a.heads.size() != b.heads.size()) return "B has not as many heads";
    return a.heads.empty() ? "computing …" : "";
}

WordLinesSide difference_side(const Scene& scene, const WordLinesSide& a, const WordLinesSide& b,
                              WordLinesMemory& memory) {
    WordLinesSide side{ComparedSide::Difference,
                       side_title(*scene.comparison, ComparedSide::Difference), a.input, b.problem};
    if (side.problem.empty()) side.problem = why_no_difference(a.input, b.input);
    side.input.heads.clear();
    side.input.lines = {};
    if (!side.problem.empty()) return side;
    const auto name = [](std::vector<std::string>& words, const std::vector<std::string>& of_b) {
        for (std::size_t k = 0; k < words.size(); ++k) words[k] = name_of_both(words[k], of_b[k]);
    };
    name(side.input.readers, b.input.readers);
    name(side.input.read, b.input.read);
    side.input.number = "difference of the weights";
    fill_differences(side.input, scene.theme, a.input, b.input, memory);
    choose_shown_lines(side.input, scene.selection, memory);
    set_range(side.input, scene.selection.scales.of_difference());
    return side;
}

/// Writes the meaning of the colours in A − B, and its heads where there are several; else "".
std::string difference_note(const WordLinesInput& input) {
    if (std::ranges::none_of(input.heads, &LinesOfHead::is_below_zero)) return "";
    const std::vector<std::size_t> places = head_places(input);
    const std::string colors = "blue: A reads more, brown: B reads more";
    if (places.size() == 1) return colors;
    return colors + ", in " + joined_few(places, kMostNamedHeads, [&](std::size_t place) {
               return input.heads[place].name;
           });
}

/// True if the weights of picked words are those of each head, and not only the largest.
bool shows_numbers_of_each_head(const Scene& scene, const WordLinesInput& input) {
    return scene.selection.looks.words.layout == WordView::Layout::Columns
               ? has_numbers_of_each_head(input)
               : head_places(input).size() == 1;
}

/// Draws one side with its title and notes.
Figure lines_of_side(const Scene& scene, const WordLinesSide& side, const PictureRoom& room,
                     CutTexts& titles, const MeasureText& measure) {
    const TextMark whole{{}, side.title, kLinesTitleSize, {}, Font::Bold};
    const float title_room = room.size.x - 2 * kFigurePad;
    std::vector<std::string> title_lines;
    if (!whole.text.empty() && measure(whole.text, whole.size, whole.font) <= title_room)
        title_lines = {whole.text};
    else
        title_lines = wrapped_lines(whole, title_room, measure);
    const float title = title_lines.empty()
                            ? 0
                            : kLinesTitle + static_cast<float>(title_lines.size() - 1) * kTitleStep;
    WordLinesInput input = side.input;
    input.width = room.size.x;
    input.label_size = room.label_size;
    const Figure notes = notes_figure(word_lines_notes(scene, input), room.size.x - 2 * kFigurePad,
                                      scene.theme, measure);
    // The lines of a difference have other colours than the heads, whose numbers have theirs.
    const bool has_legend =
        side.problem.empty() &&
        (side.side != ComparedSide::Difference ||
         (!input.picked.is_empty() && shows_numbers_of_each_head(scene, input)));
    const Figure legend =
        has_legend ? heads_legend(input, room.size.x - 2 * kFigurePad, scene.theme, measure)
                   : Figure{};
    const float around = notes.height + legend.height + kFigurePad + title;
    input.height = room.size.y - around;
    input.tallest -= around;
    Figure figure{room.size.x, title, {}, {}};
    const auto add_line = [&](const std::string& text, float baseline, Font font) {
        TextMark mark{{kFigurePad, baseline}, text, kLinesTitleSize, scene.theme.text, font};
        titles.shorten(mark, figure.width - 2 * kFigurePad, measure);
        figure.add(std::move(mark));
    };
    float baseline = kFigurePad + kLinesTitleSize;
    for (const std::string& line : title_lines) {
        add_line(line, baseline, Font::Bold);
        baseline += kTitleStep;
    }
    if (!side.problem.empty()) {
        add_line(side.problem, title + kFigurePad + kLinesTitleSize, Font::Regular);
        figure.height += kLinesTitle;
        return figure;
    }
    WordLinesFigure drawn = word_lines_figure(scene, input, measure);
    if (side.side == ComparedSide::A) add_words(drawn, scene);
    const Figure& lines = drawn.figure;
    add_part(figure, lines, {0, title});
    add_part(figure, legend, {kFigurePad, title + lines.height});
    add_part(figure, notes, {kFigurePad, title + lines.height + legend.height});
    figure.height = title + lines.height + legend.height + notes.height + kFigurePad;
    return figure;
}

}  // namespace

void add_words(WordLinesFigure& lines, const Scene& scene, const std::string& name) {
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, scene.selection);
    if (!pattern) return;
    const auto add = [&](Target::Of of, const char* role, const std::vector<Box>& places) {
        for (std::size_t k = 0; k < places.size(); ++k)
            lines.figure.targets.push_back(
                {.of = of,
                 .path = pattern->path(),
                 .index = static_cast<Index>(k),
                 .grid = {places[k], 1, 1},
                 .name = name.empty() ? "" : fmt::format("{} {} {}", name, role, k)});
    };
    add(Target::Of::Row, "reader", lines.readers);
    add(Target::Of::Column, "read", lines.read);
}

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
    const bool is_one_text = pattern->rows().list == pattern->columns().list &&
                             pattern->rows().size == pattern->columns().size;
    input.texts = is_one_text ? Texts::One : Texts::Two;
    input.rows_as = selection.looks.rows_as;
    input.picked = picked_words(*pattern, selection.current().indices);
    input.left_out = left_out_words(input, selection.looks.words.leave_out);
    fill_heads(input, scene, *attention);
    if (all_attentions(scene.components).size() > 1) input.attention = attention_name(*attention);
    leave_out(input, selection.looks.words.left_out_weight, memory);
    choose_shown_lines(input, selection, memory);
    set_range(input, selection.scales.of(pattern->quantity()));
    return input;
}

WordLinesFigure word_lines_figure(const Scene& scene, const WordLinesInput& input,
                                  const MeasureText& measure) {
    const bool is_small = input.detail == Detail::Small;
    if (!is_small && scene.selection.looks.words.layout == WordView::Layout::Columns)
        return columns_figure(input, scene.theme, measure);
    return line_figure(input, scene.theme, measure);
}

std::vector<std::string> word_lines_notes(const Scene& scene, const WordLinesInput& input) {
    if (input.heads.empty()) return {};
    const WordView& view = scene.selection.looks.words;
    std::vector<std::string> notes{difference_note(input),
                                   left_out_note(input, view.left_out_weight)};
    if (input.detail == Detail::Small) return notes;
    if (input.left_out.empty() && view.leave_out == LeaveOut::SpecialTokens)
        notes.push_back("the text has no special tokens");
    const bool has_arcs = view.layout == WordView::Layout::Line && input.texts == Texts::One &&
                          !input.lines.lines.empty();
    if (has_arcs) notes.push_back("above: reads back, below: reads ahead");
    const std::vector<std::string> more = line_notes(input);
    notes.insert(notes.end(), more.begin(), more.end());
    if (!input.picked.is_empty() && !shows_numbers_of_each_head(scene, input))
        notes.push_back("of several heads the largest");
    return notes;
}

std::vector<WordLinesSide> word_lines_sides(const Scene& scene, Detail detail,
                                            WordLinesSidesMemory& memory) {
    const std::vector<ComparedSide> shown = sides_of(scene, HasHeads::One);
    WordLinesSide a{ComparedSide::A, "", word_lines_input(scene, detail, memory.a), ""};
    if (shown == std::vector{ComparedSide::A}) return {std::move(a)};
    a.title = side_title(*scene.comparison, ComparedSide::A);
    const SceneOfB scene_b(scene);
    WordLinesSide b{ComparedSide::B, side_title(*scene.comparison, ComparedSide::B),
                    word_lines_input(scene_b.scene(), detail, memory.b), ""};
    if (b.input.readers.empty() || !has_word_lines(scene_b.scene().trace))
        b.problem = "No words read each other in B.";
    std::vector<WordLinesSide> sides;
    for (const ComparedSide side : shown)
        sides.push_back(side == ComparedSide::A ? a
                        : side == ComparedSide::B
                            ? b
                            : difference_side(scene, a, b, memory.difference));
    return sides;
}

namespace {

/// Returns how many of the sides stand beside each other in that width; the others are below.
int word_lines_across(int n_sides, float width) {
    const auto fitting = static_cast<int>((width + kLinesGap) / (kLeastOfSide + kLinesGap));
    return std::clamp(fitting, 1, n_sides);
}

}  // namespace

Figure word_lines_picture(const Scene& scene, const WordLinesRoom& given,
                          const MeasureText& measure) {
    const PictureRoom& room = given.room;
    WordLinesSidesMemory memory;
    std::vector<WordLinesSide> sides = word_lines_sides(scene, Detail::Full, memory);
    const auto n = static_cast<int>(sides.size());
    const int across = word_lines_across(n, room.size.x), down = (n + across - 1) / across;
    const auto share = [](float all, int count) {
        return (all - static_cast<float>(count - 1) * kLinesGap) / static_cast<float>(count);
    };
    const Point each{share(room.size.x, across), share(room.size.y, down)};
    for (WordLinesSide& side : sides) {
        side.input.has_close_rows = given.has_close_rows;
        side.input.tallest = share(given.tallest, down);
    }
    Figure figure{room.size.x, 0, {}, {}};
    CutTexts titles("titles");
    float top = 0;
    for (int k = 0; k < n; ++k) {
        const int column = k % across;
        if (k > 0 && column == 0) top = figure.height + kLinesGap;
        const Figure one = lines_of_side(scene, sides[static_cast<std::size_t>(k)],
                                         {each, room.label_size}, titles, measure);
        add_part(figure, one, {static_cast<float>(column) * (each.x + kLinesGap), top});
        figure.height = std::max(figure.height, top + one.height);
    }
    titles.tell(figure);
    return figure;
}

namespace {

/// Returns the height of a page; without a width, the greatest height that formats of files can
/// hold.
float tallest_words(const FigureLook& look) {
    constexpr float kTallestFile = 14000, kLeastTimes = 0.8f;
    if (look.is_far && look.room) return look.room->y / kLeastTimes;
    return std::min(kTallestFile, tallest_on_page(look));
}

}  // namespace

Figure words_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const auto n_sides = static_cast<int>(sides_of(scene, HasHeads::One).size());
    const Point standard{static_cast<float>(n_sides) * kUsualRoom.x, kUsualRoom.y};
    const PictureRoom room = picture_room(look, standard, [&](float width) {
        const bool is_line = scene.selection.looks.words.layout == WordView::Layout::Line;
        const int across = word_lines_across(n_sides, width);
        const float each = width / static_cast<float>(across);
        const auto down = static_cast<float>((n_sides + across - 1) / across);
        return down * (is_line ? std::max(0.5f * each, std::min(320.0f, 1.5f * each))
                               : in_proportion(kUsualRoom, each));
    });
    return word_lines_picture(
        scene, {.room = room, .tallest = tallest_words(look), .has_close_rows = look.is_far},
        measure);
}

}  // namespace headlight
