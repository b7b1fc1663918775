#include "scene/asked_word.h"

#include "scene/selection.h"
#include "text/quoted_word.h"

namespace headlight {

std::optional<Index> asked_row(const Trace& page) {
    const Location output{.component = ComponentKind::Output};
    const Tensor* asked = page.find(output.at("asked").path);
    if (!asked || !asked->value || asked->value->size() != 1 || asked->value->hasNaN())
        return std::nullopt;
    return static_cast<Index>((*asked->value)(0, 0));
}

std::string asked_row_note(const Trace& page, const Components& components, const Tensor& tensor) {
    const std::optional<Index> row = asked_row(page);
    const std::vector<const Component*> attentions = all_attentions(components);
    if (!row || attentions.empty() || tensor.rows().kind != AxisKind::Query) return "";
    if (!attentions.back()->has(tensor.identity())) return "";
    return "only row " + quoted_word(shown_label(page.plan(), tensor.rows(), *row)) +
           " reaches the answer";
}

}  // namespace headlight
