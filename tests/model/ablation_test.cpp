#include "model/ablation.h"

#include <doctest/doctest.h>

#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::ablation_test {
namespace {

Trace trace_of(const Document& document) {
    return evaluate(document, nullptr, {.everything = true, .globs = {}});
}

Component attention_of(const Trace& trace, const std::string& path) {
    return *find_component(make_components(trace), path);
}

const std::string kAttention = "blocks.0.attn";

Tensor z_of(const Document& document, int head) {
    const Trace trace = trace_of(document);
    return *ablated_tensor(trace, attention_of(trace, kAttention), head);
}

}  // namespace

TEST_CASE(
    "ablate: zero or the mean replaces the output at every position, and the two are "
    "distinguished") {
    Document document = built_in_sentence();
    const Trace whole = trace_of(document);
    const std::string path = kAttention + ".heads.2.z";
    const Matrix z = *whole.at(path).value;
    CHECK(!find_ablation(whole.at(path)));
    ablate(document, whole, path, Ablation::Zero);
    CHECK(z_of(document, 2).value->isZero(0));
    CHECK(find_ablation(z_of(document, 2)) == Ablation::Zero);
    // The mean of an ablated head is still that of its computed output.
    ablate(document, trace_of(document), path, Ablation::Mean);
    const Matrix mean = *z_of(document, 2).value;
    CHECK(mean.row(0).isApprox(z.colwise().mean(), 1e-5f));
    CHECK((mean.rowwise() - mean.row(0)).isZero(0));
    CHECK(find_ablation(z_of(document, 2)) == Ablation::Mean);
    ablate(document, whole, path, std::nullopt);
    CHECK(document == built_in_sentence());
}

TEST_CASE("ablate: the mean leaves out padding") {
    Document document = built_in_sentence();
    document.sentence()->text = "a long sentence of six words\nshort";
    const Trace whole = trace_of(document);
    const std::string path = kAttention + ".heads.0.z";
    const Matrix& z = *whole.at(path).value;
    ablate(document, whole, path, Ablation::Mean);
    const Matrix mean = (z.topRows(6).colwise().sum() + z.row(6)) / 7;
    CHECK(z_of(document, 0).value->row(3).isApprox(mean, 1e-5f));
    CHECK(!z.colwise().mean().isApprox(mean, 1e-3f));
}

TEST_CASE("find_ablation: a pin of one cell, or of different rows, is not an ablation") {
    Document document = built_in_sentence();
    const Trace whole = trace_of(document);
    const Tensor& z = whole.at(kAttention + ".heads.0.z");
    set_cell(document, z.path(), 0, 0, 0);
    CHECK(!find_ablation(z_of(document, 0)));
    set_tensor(document, z, *z.value);
    CHECK(!find_ablation(z_of(document, 0)));
    ablate(document, whole, z.path(), Ablation::Zero);
    document.interventions.at(z.path()).is_on = false;
    CHECK(!find_ablation(z_of(document, 0)));
}

TEST_CASE(
    "keep_one_head: all other heads are ablated, this one is restored; restore_heads reverts it") {
    Document document = built_in_sentence();
    const Trace whole = trace_of(document);
    ablate(document, whole, kAttention + ".heads.1.z", Ablation::Zero);
    const Trace ablated = trace_of(document);
    keep_one_head(document, ablated, attention_of(ablated, kAttention), 1, Ablation::Mean);
    for (int head = 0; head < 4; ++head) {
        INFO(head);
        CHECK(find_ablation(z_of(document, head)).has_value() == (head != 1));
    }
    set_cell(document, kAttention + ".heads.1.z", 0, 0, 3);
    const Trace kept = trace_of(document);
    restore_heads(document, kept, attention_of(kept, kAttention));
    CHECK(document.interventions.size() == 1);  // the pin that is not an ablation
}

TEST_CASE("ablate: for a graph, the head's output is set") {
    Document document = built_in_graph();
    const Trace whole = trace_of(document);
    const Component attention = attention_of(whole, "gat.0");
    const Tensor* out = ablated_tensor(whole, attention, 0);
    REQUIRE(out);
    CHECK(out->path() == "gat.0.heads.0.out");
    ablate(document, whole, out->path(), Ablation::Zero);
    CHECK(trace_of(document).at(out->path()).value->isZero(0));
}

}  // namespace headlight::ablation_test
