#include "scene/options/first_look.h"

#include <algorithm>
#include <optional>

#include "core/analyses/head_metrics.h"
#include "core/analyses/readout.h"
#include "core/page.h"
#include "model/beam_search.h"
#include "scene/asked_word.h"
#include "scene/figures/image_view.h"
#include "scene/workspace.h"

namespace headlight {
namespace {

/// A study that asks about a word, or writes words, begins where they are found: at the last
/// attention.
void begin_at_answer(Workspace& space, Index row) {
    const std::vector<const Component*> attentions = all_attentions(space.components);
    if (attentions.empty()) return;
    const Trace& trace = *space.page;
    Index best = 0;
    Scalar largest = 0;
    for (Index h = 0; h < attentions.back()->n_heads; ++h) {
        const Tensor* pattern =
            find_of_head(trace, *attentions.back(), static_cast<int>(h), Role::Pattern);
        if (!pattern || !pattern->value || pattern->value->rows() <= row) continue;
        const Scalar strongest = pattern->value->row(row).maxCoeff();
        if (strongest > largest) largest = strongest, best = h;
    }
    space.selection.choose_component(trace, space.components, attentions.back()->path);
    space.selection.choose_head(trace, space.components, static_cast<int>(best));
}

/// Of a pretrained model that names words, the place that Logits and the next word are of.
bool begins_at_logits(const Workspace& space) {
    const SharedWeights& weights = space.session.document().weights;
    return weights && weights->is_model && space.page->find(logits_path());
}

}  // namespace

bool hold_something(Workspace& space) {
    const Trace& trace = *space.page;
    const std::optional<Index> asked = asked_row(trace);
    if (asked) begin_at_answer(space, *asked);
    if (can_translate(space.session.document()))
        begin_at_answer(space, static_cast<Index>(trace.items(1).size()) * 7 / 12);
    const Tensor& pattern = trace.at(space.selection.chosen);
    if (!pattern.value) return false;
    const Index n_rows = last_word(trace, pattern.rows()) + 1;
    const Index middle = looking_row(trace, pattern, space.selection).value_or(n_rows * 7 / 12);
    Index row = asked.value_or(begins_at_logits(space) ? usual_place(trace) : middle), column = 0;
    row = std::min<Index>(row, pattern.value->rows() - 1);
    if (pattern.value->size() == 0) return true;
    if (trace.edges())
        pattern.value->col(0).maxCoeff(&row);
    else
        pattern.value->row(row).maxCoeff(&column);
    space.selection.keep_held(point_at(trace, pattern, row, column));
    return true;
}

}  // namespace headlight
