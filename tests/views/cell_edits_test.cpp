#include "views/cell_edits.h"

#include <doctest/doctest.h>

#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::cell_edits_test {
namespace {

/// The path of the mask for the scores of a study's first head.
std::string mask_of(const Document& document) {
    const Trace trace = evaluate(document, nullptr, {});
    const Components components = make_components(trace);
    Selection selection;
    selection.fit(trace, components);
    const Tensor* mask = shown_mask(trace, components, selection);
    return mask ? mask->path() : "";
}

}  // namespace

TEST_CASE("shown_mask: a sentence has its own mask, a decoder the one that all steps read") {
    CHECK(mask_of(built_in_sentence()) == "mask");
    CHECK(mask_of(built_in_alignment()) == "cross_mask");
    CHECK(mask_of(built_in_graph()).empty());
    Document recurrent = find_preset("bahdanau")->make();
    CHECK(mask_of(recurrent) == "cross_mask");
    recurrent.alignment()->target = "wide";  // two steps, the second one ends it
    CHECK(mask_of(recurrent) == "cross_mask");
}

}  // namespace headlight::cell_edits_test
