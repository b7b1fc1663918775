// The two sentences of an alignment.
#include "model/beam_search.h"
#include "model/changes.h"
#include "scene/answer.h"
#include "ui/panels/panels.h"
#include "ui/panels/weights_view.h"
#include "ui/widgets/problem_text.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrapped_field.h"

namespace headlight {
namespace {

class AlignmentInputPanel final : public Panel {
  public:
    const char* title() const override { return "Source"; }
    const char* help() const override {
        return "The source is read: its words are the keys and values, the columns of the "
               "alignment. The target reads: its words are the queries, the rows.";
    }

    void draw(PanelContext& context) override {
        const AlignmentStudy* study = context.document.alignment();
        if (!study) return;
        draw_side(context, source_, Side::Source, "Source", study->source);
        widgets::heading(context, "Target", nullptr);
        draw_side(context, target_, Side::Target, "Target", study->target);
        if (context.document.weights && context.document.weights->is_model)
            widgets::hint(context, "Each is one line: pasted line ends become blanks");
        if (can_translate(context.document) &&
            widgets::button(context, "Translate",
                            "The trained weights write the target anew, word by word."))
            context.requests.run("translate");
        if (context.trace && can_translate(context.document)) draw_check(context);
        if (context.error) widgets::hint(context, text_for_user(*context.error));
        draw_weights(context);
    }

  private:
    /// A target of another hand may be aligned with anything.
    static void draw_check(PanelContext& context) {
        const std::optional<TargetCheck> check = check_target(*context.trace);
        if (!check || check->n_others == 0) return;
        widgets::hint(context, "The network would write " + std::to_string(check->n_others) +
                                   " of these " + std::to_string(check->n_words) +
                                   " words otherwise; first “" + check->likelier + "” for “" +
                                   check->said + "”");
    }

    static void draw_side(PanelContext& context, WrappedField& field, Side side, const char* name,
                          const std::string& text) {
        const auto changed = field.draw(context, name, text);
        if (!changed) return;
        const std::string label = side == Side::Source ? "Change the source" : "Change the target";
        context.edits.push(
            label, [side, text = *changed](Document& document) { set_text(document, side, text); },
            name);
    }

    WrappedField source_, target_;
};

}  // namespace

std::unique_ptr<Panel> make_alignment_input_panel() {
    return std::make_unique<AlignmentInputPanel>();
}

}  // namespace headlight
