// How good the network is on what it has never seen, and what it is without one of its heads.
#include <imgui.h>

#include "model/ablation.h"
#include "paint/number_format.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
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
        widgets::hint(context, "step " + format_count(last.step) + " · tested on " +
                                   (is_all ? "all " : format_count(now.n_tested) + " of ") +
                                   format_count(now.n_held_out));
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
        const std::string label = std::string(is_ablated ? "Restore" : "Ablate") + " head " +
                                  std::to_string(head.head) + " of layer " +
                                  std::to_string(head.row);
        context.edits.push(label, [path = z->path(), wanted](Document& document) {
            ablate(document, path, wanted);
        });
    }

    /// What the chosen head is worth, as it was measured last.
    static void draw_worth(PanelContext& context) {
        const auto& without = context.training.snapshot().without;
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention || !without) return;
        const int head = context.selection.head;
        const Tensor* z = ablated_tensor(*context.trace, *attention, head);
        if (!z || z->path() != without->path) return;
        const bool falls = without->without_it < without->with_it;
        const bool rises = without->without_it > without->with_it;
        widgets::hint(context,
                      attention->group + " head " + std::to_string(head) + ": the accuracy " +
                          (falls   ? "falls from "
                           : rises ? "rises from "
                                   : "stays at ") +
                          share_text(without->with_it) +
                          (falls || rises ? " to " + share_text(without->without_it) : "") +
                          " without it (step " + format_count(without->step) + ")");
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
