// The lines between the words: small, on one line or two; and large, every word with the lines to
// the words that it reads, heads over each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/words_figure.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/canvas.h"
#include "ui/pictures/content_sum.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/held.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

/// Takes the curves that a figure begins with; the figure keeps the other marks.
Figure take_arcs(Figure& figure) {
    const auto begin = figure.marks.begin();
    const auto end = std::ranges::find_if_not(
        figure.marks, [](const Mark& mark) { return std::holds_alternative<CurveMark>(mark); });
    Figure arcs{figure.width, figure.height};
    arcs.marks.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
    figure.marks.erase(begin, end);
    return arcs;
}

/// Many arcs are drawn once while they stay the same: one over another, they have more pixels than
/// the whole window.
class KeptArcs {
  public:
    void draw(PanelContext& context, Figure arcs) {
        constexpr std::size_t kMany = 100;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (arcs.marks.size() < kMany) return context.painter.draw(arcs, {at.x, at.y});
        ContentSum sum;
        for (const Mark& mark : arcs.marks)
            sum.add(std::span<const CurveMark>(&std::get<CurveMark>(mark), 1));
        const Box place = whole_pixels({at.x, at.y, arcs.width, arcs.height});
        if (!figure_ || sum.value() != sum_)
            figure_ = std::make_shared<const Figure>(std::move(arcs));
        sum_ = sum.value();
        const Box part{place.x - at.x, place.y - at.y, place.width, place.height};
        context.painter.draw_kept({figure_, part, context.theme.panel}, place);
    }

  private:
    /// Returns a box from the beginning of a pixel of the window to the end of one.
    static Box whole_pixels(const Box& box) {
        const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
        const float left = std::floor(box.x * scale.x), top = std::floor(box.y * scale.y);
        return {left / scale.x, top / scale.y, (std::ceil(box.right() * scale.x) - left) / scale.x,
                (std::ceil(box.bottom() * scale.y) - top) / scale.y};
    }

    std::shared_ptr<const Figure> figure_;
    std::uint64_t sum_ = 0;
};

class ArcsPanel final : public Panel {
  public:
    const char* title() const override { return "Arcs"; }
    const char* help() const override {
        return "The patterns of the shown heads as arcs between the words, or as curves from the "
               "target to the source, as wide as the weights. Wide ones show what the chosen words "
               "read, thinner ones which words read them. “Words” above the matrices shows them "
               "large.";
    }

    void draw(PanelContext& context) override {
        const Scene& scene = context.scene;
        WordLinesInput input = word_lines_input(scene, WordLinesInput::Detail::Small, memory_);
        const ImVec2 size = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
        input.width = size.x;
        input.height = size.y;
        const MeasureText& measure = context.painter.measure();
        WordLinesFigure lines = word_lines_figure(scene, input, measure);
        arcs_.draw(context, take_arcs(lines.figure));
        const Point origin = widgets::place_figure(context, lines.figure);
        add_words(lines, scene, "arc");
        point_at_targets(context, lines.figure, origin);
        context.painter.draw(
            notes_figure(word_lines_notes(scene, input), size.x, context.theme, measure),
            {at.x, at.y - 4});
    }

  private:
    WordLinesMemory memory_;
    KeptArcs arcs_;
};

}  // namespace

std::unique_ptr<Panel> make_arcs_panel() {
    return std::make_unique<ArcsPanel>();
}

namespace {

constexpr float kLinesMargin = 16, kBetween = 14, kSlider = 110;
constexpr float kSideHeading = 32, kHeadingSize = 13, kUnderCard = 10;

class WordLinesPanel final : public Panel {
  public:
    const char* title() const override { return "Head view"; }
    const char* help() const override {
        return "A line from each word that reads to each that it reads, in the colour of its head. "
               "Width and opacity show the weight itself, 0 to 1. Point at a word, or click it "
               "(with Shift, several): lines to the words that it reads are wide, lines from words "
               "that read it are thin, and the weights are beside the words. Dots choose the "
               "heads; so does a Ctrl-click on the small pictures below. In a comparison A and B "
               "stand "
               "beside each other; of A − B, blue lines are what A reads more, brown what B does.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        const Scene& scene = context.scene;
        std::vector<WordLinesSide> sides =
            word_lines_sides(scene, WordLinesInput::Detail::Full, memory_);
        const WordLinesInput& first = sides.front().input;
        if (first.readers.empty() || !has_word_lines(*context.trace)) {
            ImGui::SetCursorPosX(kLinesMargin);
            return widgets::hint(context, "No words read each other here.");
        }
        draw_controls(context, first);
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const std::vector<Box> boxes =
            place_pictures({at.x + kLinesMargin, at.y, room.x - 2 * kLinesMargin, room.y},
                           static_cast<int>(sides.size()), kBetween);
        float notes = 0;  // the cards are equally high
        for (WordLinesSide& side : sides) {
            side.input.width = boxes[0].width - ImGui::GetStyle().ScrollbarSize;
            notes = std::max(notes, side_notes(context, side, boxes[0].width).height);
        }
        for (std::size_t k = 0; k < sides.size(); ++k)
            draw_side(context, sides[k], boxes[k], notes + kUnderCard);
    }

  private:
    // ---- what is shown ----

    void draw_controls(PanelContext& context, const WordLinesInput& input) {
        right_ = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x - kLinesMargin;
        ImGui::SetCursorPosX(kLinesMargin);
        ImGui::BeginGroup();
        draw_layout(context, input);
        draw_head_choice(context);
        draw_heads(context);
        draw_strongest(context);
        draw_left_out(context);
        ImGui::EndGroup();
    }

    /// Puts the next control beside the last one if it has room there.
    void make_room(float width) const {
        if (ImGui::GetItemRectMax().x + kBetween + width <= right_) ImGui::SameLine(0, kBetween);
    }

    template <class Enum>
    static void choice(PanelContext& context, const char* name, Enum& value,
                       std::span<const char* const> choices, float width) {
        int picked = static_cast<int>(value);
        if (widgets::row_choice(context, name, picked, choices, width))
            value = static_cast<Enum>(picked);
    }

    static void draw_layout(PanelContext& context, const WordLinesInput& input) {
        static constexpr std::array kOne = {"two columns", "one line"};
        static constexpr std::array kTwo = {"two columns", "two lines"};
        const bool is_one = input.texts == WordLinesInput::Texts::One;
        choice(context, "Words in", context.selection.looks.words.layout, is_one ? kOne : kTwo,
               124);
    }

    void draw_strongest(PanelContext& context) const {
        float& percent = context.selection.looks.words.strongest_percent;
        make_room(widgets::labelled_width("Strongest", kSlider));
        widgets::row_label("Strongest");
        ImGui::SetNextItemWidth(kSlider);
        ImGui::SliderFloat("##Strongest", &percent, kLeastStrongestPercent, 100,
                           percent < 10 ? "%.1f %%" : "%.0f %%",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
        widgets::name_item(context, "field Strongest");
        widgets::tooltip(
            "The share of lines that are drawn: the strongest ones of all heads together");
    }

    void draw_left_out(PanelContext& context) const {
        static constexpr std::array kWhat = {"nothing", "the first token", "special tokens"};
        static constexpr std::array kRows = {"keep their weights", "sum to 1 again"};
        WordView& view = context.selection.looks.words;
        make_room(widgets::labelled_width("Leave out", 140));
        choice(context, "Leave out", view.leave_out, kWhat, 140);
        if (view.leave_out == WordView::LeaveOut::Nothing) return;
        make_room(widgets::labelled_width("Rows", 164));
        choice(context, "Rows", view.left_out_weight, kRows, 164);
    }

    // ---- heads ----

    /// Draws the choice of one head of any layer, where there are several; with Ctrl or Shift
    /// beside the others.
    void draw_head_choice(PanelContext& context) const {
        const Component* shown = shown_attention(context.components, context.selection);
        if (!shown || all_attentions(context.components).size() < 2) return;
        Selection& selection = context.selection;
        const std::string text = attention_name(*shown);
        make_room(ImGui::CalcTextSize(text.c_str()).x + 2 * kBetween);
        const HeadChooser chooser{
            .mark =
                [&](const GridHead& head) {
                    const std::vector<int> heads = selection.shown_heads();
                    const bool is_shown =
                        head.attention == shown &&
                        std::find(heads.begin(), heads.end(), head.head) != heads.end();
                    return is_shown ? HeadMark::Chosen : HeadMark::None;
                },
            .name = [](const GridHead& head) { return "choice head " + head.place(); }};
        const auto head = head_chooser_button(context, "Layer and head", text, chooser);
        if (!head) return;
        const bool is_added = ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift;
        if (is_added && head->attention == shown)
            return selection.toggle_head(*context.trace, context.components, head->head);
        selection.choose_component(*context.trace, context.components, head->attention->path);
        selection.choose_head(*context.trace, context.components, head->head);
        selection.view = ViewId::Words;
    }

    void draw_heads(PanelContext& context) const {
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention || attention->n_heads < 2) return;
        Selection& selection = context.selection;
        const std::vector<int> shown = selection.shown_heads();
        for (int head = 0; head < attention->n_heads; ++head) draw_head(context, head, shown);
        const bool has_all = static_cast<int>(shown.size()) == attention->n_heads;
        const char* text = has_all ? "One head" : "All of them";
        make_room(widgets::labelled_width(text, 12));
        if (!widgets::button(context, text, nullptr)) return;
        selection.also_heads.clear();
        for (int head = 0; !has_all && head < attention->n_heads; ++head)
            if (head != selection.head) selection.also_heads.push_back(head);
    }

    /// Draws a dot in the head's colour, filled if its lines are drawn.
    void draw_head(PanelContext& context, int head, const std::vector<int>& shown) const {
        const bool is_shown = std::find(shown.begin(), shown.end(), head) != shown.end();
        const Component* attention = shown_attention(context.components, context.selection);
        const std::string number = std::to_string(head),
                          word = attention ? head_word(*attention, head) : number;
        const float height = ImGui::GetFrameHeight(), text = ImGui::CalcTextSize(word.c_str()).x;
        const float width = text + 22;
        if (head == 0 || ImGui::GetItemRectMax().x + 2 + width > right_)
            make_room(width);
        else
            ImGui::SameLine(0, 2);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool is_clicked =
            ImGui::InvisibleButton(("head dot " + number).c_str(), {width, height});
        widgets::name_item(context, "dot " + number);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImU32 color = im_color(head_color(context.theme, head));
        const ImVec2 center{at.x + 8, at.y + height / 2};
        if (ImGui::IsItemHovered())
            list.AddRectFilled(at, {at.x + width, at.y + height},
                               im_color(context.theme.accent_soft), 6);
        if (is_shown)
            list.AddCircleFilled(center, 5, color);
        else
            list.AddCircle(center, 4.5f, color, 0, 1.5f);
        list.AddText({at.x + 17, at.y + (height - ImGui::GetTextLineHeight()) / 2},
                     im_color(is_shown ? context.theme.text : context.theme.muted), word.c_str());
        if (is_clicked) context.selection.toggle_head(*context.trace, context.components, head);
    }

    // ---- the pictures ----

    static Figure side_notes(const PanelContext& context, const WordLinesSide& side, float width) {
        return notes_figure(word_lines_notes(context.scene, side.input), width, context.theme,
                            context.painter.measure());
    }

    static void draw_side(PanelContext& context, const WordLinesSide& side, Box box, float below) {
        const Theme& theme = context.theme;
        const Box card{box.x, box.y, box.width, box.height - below};
        Figure background{card.width, card.height, {}};
        const bool is_a = side.side == ComparedSide::A && !side.title.empty();
        background.add(RectMark{{0, 0, card.width, card.height},
                                theme.card,
                                is_a ? theme.accent : theme.border,
                                is_a ? 2.0f : 1.0f,
                                8});
        const float top = side.title.empty() ? 1 : kSideHeading;
        if (!side.title.empty()) add_heading(background, side, theme, context.painter.measure());
        context.painter.draw(background, {card.x, card.y});
        context.painter.draw(side_notes(context, side, box.width), {card.x, card.bottom() + 4});
        const std::string suffix =
            side.side == ComparedSide::A ? "" : std::string(" ") + side_text(side.side);
        context.regions.add("canvas Words" + suffix, card);
        if (!side.problem.empty()) return;
        ImGui::SetCursorScreenPos({card.x, card.y + top});
        compat::begin_child(("word lines" + suffix).c_str(), {card.width, card.height - top - 1},
                            compat::Border::No);
        draw_lines(context, side.input, {card.width, card.height - top - 1}, "words" + suffix);
        ImGui::EndChild();
    }

    static void add_heading(Figure& figure, const WordLinesSide& side, const Theme& theme,
                            const MeasureText& measure) {
        const auto add = [&](const std::string& text, float baseline, Font font, Color color) {
            TextMark mark{{kFigurePad, baseline}, text, kHeadingSize, color, font};
            shorten(mark, figure.width - 2 * kFigurePad, measure);
            figure.add(std::move(mark));
        };
        add(side.title, 22, Font::Bold, theme.text);
        if (!side.problem.empty()) add(side.problem, 46, Font::Regular, theme.muted);
    }

    static void draw_lines(PanelContext& context, WordLinesInput input, Point room,
                           const std::string& name) {
        input.height = room.y;
        input.visible_top = ImGui::GetScrollY();
        input.visible_bottom = ImGui::GetScrollY() + room.y;
        WordLinesFigure lines = word_lines_figure(context.scene, input, context.painter.measure());
        add_words(lines, context.scene, name);
        const Point origin = widgets::place_figure(context, lines.figure);
        point_at_targets(context, lines.figure, origin);
    }

    WordLinesSidesMemory memory_;
    float right_ = 0;  // of the controls
};

}  // namespace

std::unique_ptr<Panel> make_word_lines_panel() {
    return std::make_unique<WordLinesPanel>();
}

namespace {

constexpr float kMostHeight = 132;

class WordsPanel final : public Panel {
  public:
    const char* title() const override { return "Words"; }
    const char* help() const override {
        return "The reading word (query) in red, and the words that it reads: the darker, the more "
               "weight the chosen head's pattern A gives them. Point at a word or click it; a "
               "Shift-click holds one more.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace || context.trace->edges()) return;
        const Trace& trace = *context.trace;
        const Tensor* pattern = shown_pattern(trace, context.components, context.selection);
        if (!pattern) return;
        const ReadWeights read = read_weights(trace, *pattern, context.selection);
        const bool is_one = pattern->rows().list == pattern->columns().list;
        WordsInput input{.words = trace.shown_items(pattern->columns().list),
                         .weights = read.weights,
                         .queries = is_one ? read.queries : std::vector<Index>{},
                         .hovered = context.selection.hovered().indices.key,
                         .scale = context.selection.scales.scale(*pattern, context.theme),
                         .width = ImGui::GetContentRegionAvail().x};
        input.scale.high = read.most;
        // A long text scrolls by itself, so that the settings stay in reach.
        const MeasureText& measure = context.painter.measure();
        const bool is_long = words_height(input, measure) > kMostHeight;
        if (is_long) {
            compat::begin_child("words", {0, kMostHeight}, compat::Border::No);
            input.seen_from = ImGui::GetScrollY();
            input.seen_to = input.seen_from + kMostHeight;
        }
        const WordsFigure words = words_figure(input, context.theme, measure);
        const Point origin = widgets::place_figure(context, words.figure);
        point(context, words, origin, pattern->columns().list);
        if (is_long) ImGui::EndChild();
    }

  private:
    void point(PanelContext& context, const WordsFigure& words, Point origin, int list) {
        for (std::size_t i = 0; i < words.places.size(); ++i) {
            Box place = words.places[i];
            place.x += origin.x, place.y += origin.y;
            if (ImGui::IsRectVisible({place.x, place.y}, {place.right(), place.bottom()}))
                context.regions.add(fmt::format("word {}", i), place);
        }
        widgets::point_at_word(context, words.word_at(widgets::pointer_in(origin)), list);
    }
};

}  // namespace

std::unique_ptr<Panel> make_words_panel() {
    return std::make_unique<WordsPanel>();
}

}  // namespace headlight
