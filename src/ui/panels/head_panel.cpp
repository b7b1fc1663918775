// What the chosen head adds to the output: as it is, nothing, or always its mean.
#include <imgui.h>

#include "core/analyses/composition.h"
#include "model/ablation.h"
#include "paint/number_format.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr std::size_t kMostComposed = 6;
constexpr const char* kOutputs[] = {"as computed", "zero", "mean"};

std::optional<Ablation> ablation_at(int choice) {
    if (choice == 0) return std::nullopt;
    return choice == 1 ? Ablation::Zero : Ablation::Mean;
}

int ablation_choice(std::optional<Ablation> ablation) {
    return !ablation ? 0 : *ablation == Ablation::Zero ? 1 : 2;
}

class HeadPanel final : public Panel {
  public:
    const char* title() const override { return "Head"; }
    const char* help() const override {
        return "An ablated head adds nothing of its own to the output: its z is 0, or the mean of "
               "its rows. What changes shows how much the network needs the head. Composition "
               "lists the earlier heads whose output it reads most by its queries, keys or values; "
               "random directions reach about 1/√d_model.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention) return;
        const int head = context.selection.head;
        const Tensor* z = ablated_tensor(*context.trace, *attention, head);
        if (!z)
            return widgets::hint(context,
                                 context.document.recorded()
                                     ? "Recorded: there is nothing to ablate."
                                     : "The decoder's one attention is no head: its output "
                                       "is the context of each step, which can be pinned.");
        const auto ablation = find_ablation(*z);
        draw_choice(context, z->path(), ablation);
        if (ablation)
            widgets::hint(context, "Head " + std::to_string(head) + " is ablated to " +
                                       (*ablation == Ablation::Zero ? "zero." : "its mean."));
        if (attention->n_heads > 1) draw_others(context, *attention);
        draw_composition(context, *attention);
    }

  private:
    void draw_choice(PanelContext& context, const std::string& path,
                     std::optional<Ablation> ablation) {
        int choice = ablation_choice(ablation);
        const std::string label = "Head " + std::to_string(context.selection.head);
        if (!widgets::choice_setting(context,
                                     {label.c_str(), "The replacement of z, the head's output"},
                                     choice, kOutputs))
            return;
        const auto wanted = ablation_at(choice);
        context.edits.push(ablation_name(context.selection.head, wanted),
                           [path, wanted](Document& document) { ablate(document, path, wanted); });
        if (wanted) last_ = *wanted;
    }

    /// The buttons for all other heads of the layer.
    void draw_others(PanelContext& context, const Component& attention) {
        const Trace& trace = *context.trace;
        const int head = context.selection.head;
        int n_ablated = 0;
        for (int h = 0; h < attention.n_heads; ++h)
            if (const Tensor* z = ablated_tensor(trace, attention, h); z && find_ablation(*z))
                ++n_ablated;
        const std::string tooltip = "Ablates every other head of this attention to " +
                                    std::string(last_ == Ablation::Zero ? "zero" : "its mean");
        if (widgets::button(context, "Keep only this head", tooltip.c_str()))
            context.edits.push(
                "Keep only head " + std::to_string(head),
                [&whole = *context.whole, attention, head, how = last_](Document& document) {
                    keep_one_head(document, whole, attention, head, how);
                });
        if (n_ablated == 0) return;
        widgets::same_line_if_fits("Restore all heads");
        if (widgets::button(context, "Restore all heads", "Removes every ablation"))
            context.edits.push("Restore all heads",
                               [&whole = *context.whole, attention](Document& document) {
                                   restore_heads(document, whole, attention);
                               });
    }

    /// The earlier heads whose output this one reads most, by its queries, keys or values.
    static void draw_composition(PanelContext& context, const Component& attention) {
        const Trace& trace = *context.trace;
        const double chance = chance_of_composition(trace);
        const bool can_compose = attention.place.component == ComponentKind::Attention &&
                                 attention.place.network == Network::Main;
        if (chance == 0 || !can_compose) return;
        bool& is_open = context.selection.has_composition_open;
        widgets::fold(context, "Composition",
                      "by chance " + format_value(static_cast<Scalar>(chance), 2), is_open);
        if (!is_open) return;
        const std::vector<ComposedHead> strongest =
            strongest_compositions(trace, attention.place, context.selection.head, kMostComposed);
        static constexpr const char* kInputs[] = {"Q", "K", "V"};
        for (const ComposedHead& head : strongest) {
            const std::string name = "with " + std::to_string(head.layer) + "." +
                                     std::to_string(head.head) + " (" +
                                     kInputs[static_cast<std::size_t>(head.by)] + ")";
            widgets::fact(context, name.c_str(), format_value(head.score, 2));
        }
        if (!strongest.empty())
            return widgets::hint(context,
                                 "How much of what that head writes this one reads by its queries, "
                                 "keys or values: ‖product‖ / norms [Elhage 2021]. All pairs: "
                                 "composition.Q, K, V among the analyses.");
        const Tensor* scores = trace.find(composition_path(Composition::Value));
        widgets::hint(context, scores->value ? "The first layer's heads read no other head."
                                             : "It is being computed.");
    }

    Ablation last_ = Ablation::Zero;
};

}  // namespace

std::unique_ptr<Panel> make_head_panel() {
    return std::make_unique<HeadPanel>();
}

}  // namespace headlight
