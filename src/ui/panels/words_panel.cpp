// The words, shaded by how much the chosen one reads them.
#include <imgui.h>

#include "paint/figures/words_figure.h"
#include "scene/held_rows.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"

namespace headlight {
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
                         .hovered = context.selection.hovered().focus.key,
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
                context.regions.add("word " + std::to_string(i), place);
        }
        widgets::point_at_word(context, words.word_at(widgets::pointer_in(origin)), list);
    }
};

}  // namespace

std::unique_ptr<Panel> make_words_panel() {
    return std::make_unique<WordsPanel>();
}

}  // namespace headlight
