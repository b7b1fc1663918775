// The network's answer: the most likely words; the next one can be written.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/bars_figure.h"
#include "io/studies/ready_studies.h"
#include "model/next_word.h"
#include "model/settings/setting_text.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"
#include "views/answer.h"

namespace headlight {
namespace {

/// Returns the bars of one answer, for a prompt also the words that the network would rather say.
BarsInput make_bars(const Answer& answer, const Theme& theme) {
    const bool is_as_given = answer.kind == Answer::Kind::Prompt ||
                             answer.kind == Answer::Kind::Picture ||
                             answer.kind == Answer::Kind::Questions;
    BarsInput input{
        .labels = {},
        .values = {},
        .order = is_as_given ? BarsInput::Order::AsGiven : BarsInput::Order::StrongestFirst,
        .max_rows = is_as_given ? 16 : 5,
        .full_scale = 1,
        .color = theme.accent,
        .negative_color = theme.negative,
        .selected = {},
        .hovered = {},
        .width = 0};
    for (const AnswerRow& row : answer.rows) {
        input.labels.push_back(row.likelier.empty()
                                   ? row.label
                                   : fmt::format("{} (rather {})", row.label, row.likelier));
        input.values.push_back(row.probability);
        if (answer.kind == Answer::Kind::Questions)
            input.colors.push_back(head_color(theme, row.head));
    }
    input.n_more = answer.n_more;
    input.more_sum = answer.more_sum;
    return input;
}

/// True if a question has several likely answers.
bool is_shared(const Answer& answer) {
    constexpr Scalar kLikely = 0.1f;
    const std::vector<AnswerRow>& rows = answer.rows;
    return answer.kind == Answer::Kind::Questions &&
           std::ranges::adjacent_find(rows, [](const AnswerRow& a, const AnswerRow& b) {
               return a.head == b.head && b.probability >= kLikely;
           }) != rows.end();
}

class AnswerPanel final : public Panel {
  public:
    const char* title() const override { return "Answer"; }
    bool has_own_heading() const override { return true; }
    const char* help() const override {
        return "What the network answers: the most likely words and their probabilities.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace || context.document.graph()) return;
        const auto answer = find_answer(*context.trace, asked_word(context), sampling_.temperature);
        if (!answer) return;
        draw_heading(context, *answer);
        if (answer->has_nan)
            return widgets::hint(context, "Its probabilities are NaN: nothing ranks the words.");
        BarsInput input = make_bars(*answer, context.theme);
        input.width = ImGui::GetContentRegionAvail().x;
        if (answer->kind == Answer::Kind::Questions) input.label_share = 0.5f;  // "action: cross"
        if (!input.values.empty())
            widgets::place_figure(
                context, bars_figure(input, context.theme, context.painter.measure()).figure);
        if (is_shared(*answer))
            widgets::hint(context, "More than one word may answer: the weights are probabilities.");
        if (const auto word = draw_next_word(context.document, *context.trace, sampling_))
            draw_writing(context, *word);
    }

  private:
    /// Returns the word under the pointer; where each word has answers, else the one that is held.
    static std::optional<Index> asked_word(const PanelContext& context) {
        const AxisIndices& under = context.selection.hovered().indices;
        if (under.query && under.query_list == 0) return under.query;
        const AxisIndices& held = context.selection.held().indices;
        const bool asks = attention_of_questions(context.components);
        return asks && held.query_list == 0 ? held.query : std::nullopt;
    }

    void draw_heading(PanelContext& context, const Answer& answer) {
        switch (answer.kind) {
            case Answer::Kind::Questions:
                widgets::heading(context, "Its answers",
                                 "What the word asks, and the words that answer: the weights of "
                                 "its row in the three heads of the last layer, which were trained "
                                 "to point at the answers.");
                widgets::hint(context, fmt::format("of “{}”", answer.after));
                if (!training_notes(context.document).empty())
                    widgets::warning(context,
                                     "The training did not prepare it for this: do not trust "
                                     "these.");
                return;
            case Answer::Kind::Asked:
                widgets::heading(context, "What it stands for",
                                 "The probability that “it” stands for each word of the sentence: "
                                 "the softmax of these words' logits at “it”.");
                if (answer.rows.empty())
                    widgets::hint(context, "The sentence has no “it”, so nothing is asked.");
                return;
            case Answer::Kind::Prompt:
                widgets::heading(context, "Answer",
                                 "The probability of each word of the answer, given the words "
                                 "before it. Delete some to let the network write them.");
                return;
            case Answer::Kind::Picture:
                widgets::heading(context, "What the picture shows",
                                 "The probability of each kind of picture that was trained.");
                return;
            case Answer::Kind::Next:
                break;
        }
        const SentenceStudy* study = context.document.sentence();
        if (study && study->layer.readout == Readout::MaskedWord) {
            widgets::heading(context, "Word in its place",
                             "The likeliest words where the last one stands, or the one under the "
                             "pointer. A network that was trained to guess masked words is asked "
                             "by typing [MASK].");
            return widgets::hint(context, fmt::format("in place of “{}”", answer.after));
        }
        widgets::heading(
            context, "Next word",
            "The most likely words after the last one, or after the one under the pointer. Write "
            "draws the next word by them, at this temperature, and puts it after "
            "the text; at temperature 0 it is the likeliest.");
        std::string after = fmt::format("after “{}”", answer.after);
        if (answer.is_last && sampling_.temperature != 1)
            after += ", at temperature " + setting_text(static_cast<float>(sampling_.temperature));
        widgets::hint(context, after);
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
                             "Draws a word by its probabilities after the last one, and puts it "
                             "after the text"))
            return;
        ++sampling_.draws;
        context.edits.push(fmt::format("Write “{}”", word), [word](Document& document) {
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
