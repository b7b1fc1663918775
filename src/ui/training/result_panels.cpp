// The results of a training: the sentence now, the answer, heads over time, the weights.
#include <fmt/format.h>
#include <imgui.h>

#include "app_state/training_view.h"
#include "figure/number_format.h"
#include "model/changes.h"
#include "text/strings.h"
#include "ui/panels/panels.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/pictures/image_canvas.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

class NowPanel final : public Panel {
  public:
    const char* title() const override { return "This sentence, now"; }
    bool has_own_heading() const override { return true; }
    const char* help() const override {
        return "What the heads are shown on, with the weights of the shown step. Type: the "
               "pictures follow, and the heads are measured on it. In a picture, point at a patch "
               "to see what it reads.";
    }

    void draw(PanelContext& context) override {
        if (context.document.image()) return draw_picture(context);
        const bool is_graph = context.document.graph() != nullptr;
        widgets::heading(context, is_graph ? "This graph, now" : title(), help());
        if (is_graph && context.trace) draw_graph(context);
        (is_graph ? graph_ : context.document.alignment() ? source_ : sentence_)->draw(context);
    }

  private:
    /// Draws the graph, whose nodes have the colours of the current predictions.
    void draw_graph(PanelContext& context) {
        const float width = ImGui::GetContentRegionAvail().x;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        canvas_.draw(context, {0, 0, width, width}, {at.x, at.y});
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({width, width});
    }

    void draw_picture(PanelContext& context) {
        widgets::heading(context, "This picture, now", help());
        image_->draw(context);
        if (context.trace) place_small_image(context);
    }

    GraphCanvas canvas_;
    std::unique_ptr<Panel> image_ = make_image_input_panel();
    std::unique_ptr<Panel> sentence_ = make_sentence_panel();
    std::unique_ptr<Panel> source_ = make_alignment_input_panel();
    std::unique_ptr<Panel> graph_ = make_graph_input_panel();
};

class HeadsOverTimePanel final : public Panel {
  public:
    const char* title() const override { return "Heads over time"; }
    const char* help() const override {
        return "How the heads have come to do what they do. Where the sentence asks about a word: "
               "how much each head of the last layer lets that word read the one that it reads "
               "most now; in a picture, the patch that the class token reads most. Else, of each "
               "head with a name, the number that it is named after. "
               "Measured on the sentence above, at every checkpoint.";
    }

    void draw(PanelContext& context) override {
        const TrainingSnapshot& now = context.training.snapshot();
        const TrainingCheckpoint* shown = context.training.shown();
        const HeadHistories histories = head_histories(now, 4);
        if (histories.heads.empty() || !shown)
            return widgets::hint(
                context,
                context.document.image()
                    ? "In pictures only the heads of a class token are followed; this network has "
                      "none."
                    : "No head does above chance what one of the metrics measures. What a head is "
                      "worth stands under “Ablate while it trains”.");
        if (histories.read && context.trace) draw_reading(context, *histories.read);
        CurvesInput input = head_curves(histories, now, shown->step, context.theme);
        input.width = ImGui::GetContentRegionAvail().x;
        input.height = 190;
        widgets::place_figure(
            context, curves_figure(input, context.theme, context.painter.measure()).figure);
    }

  private:
    static void draw_reading(PanelContext& context, Index key) {
        const auto& words = context.trace->shown_items();
        if (key >= std::ssize(words)) return;
        const std::string& read = words[static_cast<std::size_t>(key)];
        widgets::hint(context,
                      (context.document.image() ? "how much the class token reads patch " + read
                                                : fmt::format("how much “it” reads “{}”", read)) +
                          ", which it reads most now, head by head");
    }
};

class TrainedWeightsPanel final : public Panel {
  public:
    const char* title() const override { return "Weights"; }
    const char* help() const override {
        return "Where the weights that are shown come from, and the command that makes the same "
               "ones, bit by bit, on this machine. What a hand has done meanwhile no command "
               "repeats: save the weights then.";
    }

    void draw(PanelContext& context) override {
        const TrainingView& training = context.training;
        const TrainingCheckpoint* shown = training.shown();
        if (!shown) return;
        widgets::hint(context,
                      fmt::format("trained here: {}, seed {}, step {}", training.task().name,
                                  training.recipe().seed, format_count(shown->step)));
        const TrainingView::Reproduction made = training.reproduction();
        if (made.command.empty())
            widgets::hint(context, fmt::format("No command repeats this run: {}.",
                                               joined(made.reasons, "; ")));
        else
            draw_command(context, made);
        const bool is_alignment = context.document.alignment() != nullptr;
        const char* use = is_alignment               ? "Use in Alignment"
                          : context.document.image() ? "Use in Image"
                          : context.document.graph() ? "Use in Graph"
                                                     : "Use in Sentence";
        if (widgets::button(context, use,
                            "Opens this study with these weights in its workspace, as a step that "
                            "can be undone there"))
            context.requests.run("use-weights");
        widgets::same_line_if_fits("Save weights…");
        if (widgets::button(context, "Save weights…",
                            "The weights of the shown step, .safetensors"))
            context.requests.run("save-weights");
    }

  private:
    static void draw_command(PanelContext& context, const TrainingView::Reproduction& made) {
        const std::string& command = made.command;
        widgets::hint(context, made.is_of_saved
                                   ? "Reproduce, by the recipe that the saved weights name:"
                                   : "Reproduce:");
        context.painter.push_font(Font::Mono, 11);
        // Each option of the command has a line of its own.
        const std::string lines = replaced_all(command, " -", "\n  -");
        const float wrap = ImGui::GetContentRegionAvail().x - 20;
        const ImVec2 size = ImGui::CalcTextSize(lines.c_str(), nullptr, false, wrap);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Box box{at.x, at.y, wrap + 20, size.y + 16};
        ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y}, {box.right(), box.bottom()},
                                                  im_color(context.theme.field), 6);
        ImGui::GetWindowDrawList()->AddRect({box.x, box.y}, {box.right(), box.bottom()},
                                            im_color(context.theme.border), 6);
        const bool is_clicked = ImGui::InvisibleButton("command", {box.width, box.height});
        widgets::name_item(context, "text Reproduce");
        ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                            {box.x + 10, box.y + 8}, im_color(context.theme.text),
                                            lines.c_str(), nullptr, wrap);
        context.painter.pop_font();
        widgets::tooltip("A click copies it");
        if (is_clicked) ImGui::SetClipboardText(command.c_str());
    }
};

}  // namespace

std::unique_ptr<Panel> make_now_panel() {
    return std::make_unique<NowPanel>();
}

std::unique_ptr<Panel> make_heads_over_time_panel() {
    return std::make_unique<HeadsOverTimePanel>();
}

std::unique_ptr<Panel> make_trained_weights_panel() {
    return std::make_unique<TrainedWeightsPanel>();
}

namespace {

std::string share_text(double share) {
    return format_cell(static_cast<Scalar>(share), 3);
}

void muted_fact(PanelContext& context, const char* name, const std::string& value) {
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.muted));
    widgets::fact(context, name, value);
    ImGui::PopStyleColor();
}

class HeldOutPanel final : public Panel {
  public:
    const char* title() const override { return "Held-out"; }
    const char* help() const override {
        return "The network on examples that are never drawn for a batch. While it trains a part "
               "of them is tested every 50 steps; after the last step all of them are.";
    }

    void draw(PanelContext& context) override {
        const TrainingSnapshot& now = context.training.snapshot();
        if (now.tests.empty()) return widgets::hint(context, "Not tested yet.");
        const HeldOutPoint& last = now.tests.back();
        ImGui::TextUnformatted("Accuracy");
        context.painter.push_font(Font::Bold, 15);
        const std::string text = share_text(last.accuracy);
        ImGui::SameLine(widgets::right_edge() - ImGui::CalcTextSize(text.c_str()).x);
        ImGui::TextColored(im_vec(context.theme.accent), "%s", text.c_str());
        context.painter.pop_font();
        widgets::tooltip("The share of right answers in the last test");
        if (now.commonest > 0) {
            muted_fact(context, "Commonest answer", share_text(now.commonest));
            widgets::tooltip("The accuracy of a network that always gives the commonest answer");
        }
        if (now.best_step >= 0) {
            muted_fact(context, "Best at step", format_count(now.best_step));
            widgets::tooltip("The checkpoint with the best test is kept whatever comes later");
        }
        const bool is_all = now.n_tested == now.n_held_out;
        widgets::hint(context, fmt::format("step {} · tested on {}{}", format_count(last.step),
                                           is_all ? "all " : format_count(now.n_tested) + " of ",
                                           format_count(now.n_held_out)));
    }
};

class AblatePanel final : public Panel {
  public:
    const char* title() const override { return "Ablate while it trains"; }
    const char* help() const override {
        return "A head that is ablated adds nothing: its z is 0, in the pictures, in every test "
               "and in every step of the training, and no gradient flows through it. The others "
               "learn to do without it. Point at a head in the middle to choose the one that the "
               "sentence below speaks of.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const HeadChooser chooser{
            .mark =
                [&](const GridHead& head) {
                    const Tensor* z = z_of(context, head);
                    return !z                  ? HeadMark::Absent
                           : find_ablation(*z) ? HeadMark::Chosen
                                               : HeadMark::None;
                },
            .name = [](const GridHead& head) { return "button " + head.place(); },
            .note =
                [&](const GridHead& head) {
                    const bool is_ablated = find_ablation(*z_of(context, head)).has_value();
                    return std::string(is_ablated ? "\nA click restores it"
                                                  : "\nA click ablates it: 0 takes the place of "
                                                    "its z from now on");
                }};
        if (const auto head = draw_head_chooser(context, chooser)) toggle(context, *head);
        draw_worth(context);
    }

  private:
    static const Tensor* z_of(const PanelContext& context, const GridHead& head) {
        return ablated_tensor(*context.trace, *head.attention, head.head);
    }

    static void toggle(PanelContext& context, const GridHead& head) {
        const Tensor* z = z_of(context, head);
        const bool is_ablated = find_ablation(*z).has_value();
        const auto wanted = is_ablated ? std::nullopt : std::optional(Ablation::Zero);
        const std::string label =
            fmt::format("{} head {} of layer {}", is_ablated ? "Restore" : "Ablate",
                        head_word(*head.attention, head.head), head.row);
        context.edits.push(label, [path = z->path(), wanted](Document& document) {
            ablate(document, path, wanted);
        });
    }

    /// Says how the accuracy changes without the chosen head, as it was measured last.
    static void draw_worth(PanelContext& context) {
        const auto& without = context.training.snapshot().without;
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention || !without) return;
        const int head = context.selection.head;
        const Tensor* z = ablated_tensor(*context.trace, *attention, head);
        if (!z || z->path() != without->path) return;
        const std::string with_it = share_text(without->with_it);
        const std::string change =
            without->without_it == without->with_it
                ? fmt::format("stays at {}", with_it)
                : fmt::format("{} from {} to {}",
                              without->without_it < without->with_it ? "falls" : "rises", with_it,
                              share_text(without->without_it));
        widgets::hint(context, fmt::format("{} head {}: the accuracy {} without it (step {})",
                                           attention->group, head_word(*attention, head), change,
                                           format_count(without->step)));
    }
};

}  // namespace

std::unique_ptr<Panel> make_held_out_panel() {
    return std::make_unique<HeldOutPanel>();
}

std::unique_ptr<Panel> make_ablate_panel() {
    return std::make_unique<AblatePanel>();
}

}  // namespace headlight
