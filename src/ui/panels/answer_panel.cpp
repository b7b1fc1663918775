// What the network answers: the most likely words; the next one can be written.
#include <algorithm>
#include <imgui.h>

#include "model/next_word.h"
#include "paint/figures/bars_figure.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// A row of probabilities, and the names of its columns.
struct Answer {
    const Tensor* tensor = nullptr;
    Index row = 0;
    const char* title = "";
    BarsInput::Order order = BarsInput::Order::StrongestFirst;
};

/// The tensor is null if the network answers nothing.
Answer find_answer(const Document& document, const Trace& trace) {
    const Location output{.component = ComponentKind::Output};
    if (const Tensor* answer = trace.find(output.at(Role::Answer).path); answer && answer->value)
        return {answer, 0, "What it stands for"};
    const Tensor* probabilities = trace.find(output.at(Role::Probabilities).path);
    if (!probabilities || !probabilities->value || probabilities->value->rows() == 0) return {};
    if (document.image())
        return {probabilities, 0, "What the picture shows", BarsInput::Order::AsGiven};
    const auto n = std::min<Index>(std::ssize(trace.items()), probabilities->value->rows());
    return {probabilities, n - 1, "Next word"};
}

class AnswerPanel final : public Panel {
  public:
    const char* title() const override { return "Answer"; }
    bool has_own_heading() const override { return true; }
    const char* help() const override {
        return "What the network answers: the most likely words, or what a picture shows, and "
               "their probabilities. Write draws the next word by them, at this temperature, and "
               "puts it behind the text; at "
               "temperature 0 it is the likeliest.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace || context.document.graph()) return;
        const Answer answer = find_answer(context.document, *context.trace);
        if (!answer.tensor) return;
        const Matrix& p = *answer.tensor->value;
        if (answer.row >= p.rows() || p.row(answer.row).hasNaN()) return;
        widgets::heading(context, answer.title, help());
        draw_bars(context, answer);
        const Trace& trace = *context.trace;
        if (const auto word = draw_next_word(context.document, trace, sampling_))
            draw_writing(context, *word);
    }

  private:
    static void draw_bars(PanelContext& context, const Answer& answer) {
        BarsInput input{.labels = {},
                        .values = {},
                        .order = answer.order,
                        .max_rows = 5,
                        .full_scale = 1,
                        .color = context.theme.accent,
                        .negative_color = context.theme.negative,
                        .selected = {},
                        .hovered = {},
                        .width = ImGui::GetContentRegionAvail().x};
        const Tensor& tensor = *answer.tensor;
        for (Index j = 0; j < tensor.columns().size; ++j) {
            input.labels.push_back(shown_label(*context.trace, tensor.columns(), j));
            input.values.push_back((*tensor.value)(answer.row, j));
        }
        widgets::place_figure(context,
                              bars_figure(input, context.theme, context.painter.measure()).figure);
    }

    void draw_writing(PanelContext& context, const std::string& word) {
        auto temperature = static_cast<float>(sampling_.temperature);
        if (widgets::float_setting(
                context,
                {"Sampling temperature",
                 "The logits are divided by it before a word is drawn; 0: the likeliest word"},
                temperature, Range{0.0f, 10.0f}))
            sampling_.temperature = static_cast<double>(temperature);
        if (!widgets::button(context, "Write next word",
                             "Draws a word, at temperature 1 by these probabilities, and puts it "
                             "behind the text"))
            return;
        ++sampling_.draws;
        context.edits.push("Write “" + word + "”", [word](Document& document) {
            document = with_word(std::move(document), word);
        });
    }

    Sampling sampling_;
};

}  // namespace

std::unique_ptr<Panel> make_answer_panel() {
    return std::make_unique<AnswerPanel>();
}

}  // namespace headlight
