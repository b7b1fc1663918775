// How good the network is on what it has never seen, and what it is without one of its heads.
#include <imgui.h>

#include "model/ablation.h"
#include "paint/number_format.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/chip.h"
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
        int row = 0;
        for (const Component* attention : all_attentions(context.components)) {
            for (int h = 0; h < attention->n_heads; ++h) draw_head(context, *attention, row, h);
            ++row;
        }
        draw_worth(context);
    }

  private:
    static void draw_head(PanelContext& context, const Component& attention, int row, int head) {
        const Tensor* z = ablated_tensor(*context.trace, attention, head);
        if (!z) return;
        const bool is_ablated = find_ablation(*z).has_value();
        const std::string name = std::to_string(row) + "." + std::to_string(head);
        if (head > 0) widgets::same_line_if_fits(name.c_str());
        const std::string what = (is_ablated ? "Restore" : "Ablate");
        const std::string whom =
            "head " + std::to_string(head) + " of layer " + std::to_string(row);
        const std::string tooltip =
            what + " " + whom + (is_ablated ? "" : ": 0 takes the place of its z from now on");
        if (!draw_chip(context, name.c_str(), tooltip.c_str(),
                       is_ablated ? Chosen::Yes : Chosen::No))
            return;
        const auto wanted = is_ablated ? std::nullopt : std::optional(Ablation::Zero);
        context.edits.push(what + " " + whom, [path = z->path(), wanted](Document& document) {
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
