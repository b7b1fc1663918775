#include "scene/figures/compared_sides.h"

#include <algorithm>
#include <cmath>

#include "core/axis_names.h"
#include "text/counted.h"
#include "text/quoted_word.h"

namespace headlight {
namespace {

Selection selection_in_b(const Scene& scene) {
    const Comparison& comparison = *scene.comparison;
    Selection selection = scene.selection;
    selection.chosen = comparison.path_in_b(selection.chosen);
    if (const OtherHead* head = comparison.other<OtherHead>()) {
        selection.component = head->attention;
        selection.head = head->head;
    }
    const bool has_same_edges =
        !scene.trace.edges() ||
        (comparison.trace()->edges() &&
         scene.trace.edges()->row == comparison.trace()->edges()->row &&
         scene.trace.edges()->neighbour == comparison.trace()->edges()->neighbour);
    if (!has_same_edges) {
        selection.release();
        selection.advance();
    }
    return selection;
}

}  // namespace

const char* side_text(ComparedSide side) {
    return side == ComparedSide::A ? "A" : side == ComparedSide::B ? "B" : "A − B";
}

std::string side_title(const Comparison& comparison, ComparedSide side) {
    // Where A − B stands alone, nothing else says what A and B are.
    const bool is_alone = comparison.show == Comparison::Show::Difference;
    const std::string name = side == ComparedSide::A   ? comparison.name_a()
                             : side == ComparedSide::B ? comparison.name_b()
                             : is_alone ? comparison.name_a() + " − " + comparison.name_b()
                                        : "";
    return std::string(side_text(side)) + (name.empty() ? "" : "  ·  " + name);
}

std::vector<ComparedSide> shown_sides(Comparison::Show show) {
    switch (show) {
        case Comparison::Show::Both:
            return {ComparedSide::A, ComparedSide::B};
        case Comparison::Show::All:
            return {ComparedSide::A, ComparedSide::B, ComparedSide::Difference};
        case Comparison::Show::Difference:
            break;
    }
    return {ComparedSide::Difference};
}

std::vector<ComparedSide> sides_of(const Scene& scene, HasHeads heads) {
    const Comparison* comparison = scene.comparison;
    const bool has_b = comparison && comparison->is_on() && comparison->trace();
    const bool is_head = has_b && comparison->other<OtherHead>();
    if (!has_b || (is_head && heads == HasHeads::All)) return {ComparedSide::A};
    return shown_sides(comparison->show);
}

std::vector<ComparedSide> sides_without_difference(const Scene& scene, HasHeads heads) {
    const bool is_alone = sides_of(scene, heads) == std::vector{ComparedSide::A};
    return is_alone ? std::vector{ComparedSide::A} : shown_sides(Comparison::Show::Both);
}

SceneOfB::SceneOfB(const Scene& a)
    : selection_(selection_in_b(a)),
      scene_{.document = *a.comparison->document(),
             .trace = *a.comparison->trace(),
             .components = a.comparison->components(),
             .selection = selection_,
             .theme = a.theme,
             .kept = a.comparison->shared_trace()} {}

std::string other_words_text(const TensorIn& a, const TensorIn& b) {
    const Axis &of_a = a.tensor.rows(), &of_b = b.tensor.rows();
    if (!is_of_items(of_a) || !is_of_items(of_b)) return "";
    if (of_a.size != of_b.size)
        return counted(of_b.size, "token") + " in place of " + std::to_string(of_a.size);
    std::string first;
    Index n = 0;
    for (Index k = 0; k < of_a.size; ++k) {
        const std::string word_a = shown_label(a.trace, of_a, k),
                          word_b = shown_label(b.trace, of_b, k);
        if (word_a != word_b && n++ == 0)
            first = quoted_word(word_b) + " in place of " + quoted_word(word_a);
    }
    return n > 1 ? first + ", and " + std::to_string(n - 1) + " more" : first;
}

void name_both(HeatmapInput& of_difference, const TensorIn& a, const TensorIn& b) {
    const auto name = [&](std::vector<std::string>& labels, const Axis& of_a, const Axis& of_b) {
        if (!is_of_items(of_a) || !is_of_items(of_b)) return;
        const auto n = std::min<Index>(std::ssize(labels), of_b.size);
        for (Index k = 0; k < n; ++k) {
            std::string& label = labels[static_cast<std::size_t>(k)];
            label = name_of_both(label, shown_label(b.trace, of_b, k));
        }
    };
    name(of_difference.row_labels, a.tensor.rows(), b.tensor.rows());
    name(of_difference.column_labels, a.tensor.columns(), b.tensor.columns());
}

HeadDifference head_difference(const TensorIn& a, const TensorIn& b) {
    HeadDifference made;
    made.a = a.tensor.value;
    made.b = b.tensor.value;
    made.problem = why_not_subtracted(a, b);
    if (!made.problem.empty()) return made;
    const MatchedValues matched = match_by_name(a, b);
    const Difference d = difference(a, matched);
    made.tensor = difference_tensor(a.tensor, d.values);
    made.largest = std::abs(d.largest);
    made.signed_largest = d.largest;
    made.mean_magnitude = d.mean_magnitude;
    if (a.tensor.quantity() == Quantity::Probability && matched.has_all())
        made.rows = row_distances(a, *matched.values);
    return made;
}

const HeadDifference* HeadDifferences::of(const Scene& scene, const Tensor& tensor) {
    const Tensor* b = scene.comparison->find(tensor.path());
    if (!b || !tensor.value) return nullptr;
    HeadDifference& kept = kept_[tensor.path()];
    if (kept.a != tensor.value || kept.b != b->value)
        kept = head_difference({scene.trace, tensor}, {*scene.comparison->trace(), *b});
    return &kept;
}

}  // namespace headlight
