
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
    ablate(document, path, Ablation::Zero);
    CHECK(z_of(document, 2).value->isZero(0));
    CHECK(find_ablation(z_of(document, 2)) == Ablation::Zero);
    // Of an ablated head the mean is still that of what it has read.
    ablate(document, path, Ablation::Mean);
    const Matrix mean = *z_of(document, 2).value;
    CHECK(mean.row(0).isApprox(z.colwise().mean(), 1e-5f));
    CHECK((mean.rowwise() - mean.row(0)).isZero(0));
    CHECK(find_ablation(z_of(document, 2)) == Ablation::Mean);
    ablate(document, path, std::nullopt);
    CHECK(document == built_in_sentence());
}

TEST_CASE("ablate: the mean leaves out padding") {
    Document document = built_in_sentence();
    document.sentence()->text = "a long sentence of six words\nshort";
    const Trace whole = trace_of(document);
    const std::string path = kAttention + ".heads.0.z";
    const Matrix& z = *whole.at(path).value;
    ablate(document, path, Ablation::Mean);
    const Matrix mean = (z.topRows(6).colwise().sum() + z.row(6)) / 7;
    CHECK(z_of(document, 0).value->row(3).isApprox(mean, 1e-5f));
    CHECK(!z.colwise().mean().isApprox(mean, 1e-3f));
}

TEST_CASE("ablate: it holds for every row while the text and the settings change") {
    const std::string path = kAttention + ".heads.2.z";
    for (const Ablation ablation : {Ablation::Zero, Ablation::Mean}) {
        Document document = built_in_sentence(), other = built_in_sentence();
        ablate(document, path, ablation);
        for (Document* changed : {&document, &other}) {
            set_text(*changed, "the cat saw the dog now and then");
            Study study = changed->study;
            std::get<SentenceStudy>(study).layer.attention.d_v = {{5}};
            set_settings(*changed, study);
        }
        const Matrix z = *trace_of(other).at(path).value, ablated = *z_of(document, 2).value;
        CHECK(find_ablation(z_of(document, 2)) == ablation);
        REQUIRE(ablated.rows() == 8);
        REQUIRE(ablated.cols() == 5);
        Matrix row = Matrix::Zero(1, 5);
        if (ablation == Ablation::Mean) row = z.colwise().mean();
        CHECK((ablated.rowwise() - row.row(0)).isZero(1e-5f));
    }
}

TEST_CASE("ablate: a cell set in an ablated head stands, the others stay ablated") {
    Document document = built_in_sentence();
    const std::string path = kAttention + ".heads.0.z";
    ablate(document, path, Ablation::Zero);
    set_cell(document, path, 1, 2, 3);
    Matrix expected = Matrix::Zero(z_of(document, 0).rows().size, z_of(document, 0).columns().size);
    expected(1, 2) = 3;
    CHECK(*z_of(document, 0).value == expected);
    reset_cell(document, path, 1, 2);
    CHECK(find_ablation(z_of(document, 0)) == Ablation::Zero);
}

TEST_CASE("find_ablation: a pin of one cell, or of different rows, is not an ablation") {
    Document document = built_in_sentence();
    const Trace whole = trace_of(document);
    const Tensor& z = whole.at(kAttention + ".heads.0.z");
    set_cell(document, z.path(), 0, 0, 0);
    CHECK(!find_ablation(z_of(document, 0)));
    set_tensor(document, z, *z.value);
    CHECK(!find_ablation(z_of(document, 0)));
    ablate(document, z.path(), Ablation::Zero);
    document.interventions.at(z.path()).is_on = false;
    CHECK(!find_ablation(z_of(document, 0)));
}

TEST_CASE(
    "keep_one_head: all other heads are ablated, this one is restored; restore_heads reverts it") {
    Document document = built_in_sentence();
    const Trace whole = trace_of(document);
    ablate(document, kAttention + ".heads.1.z", Ablation::Zero);
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
    ablate(document, out->path(), Ablation::Zero);
    CHECK(trace_of(document).at(out->path()).value->isZero(0));
}

}  // namespace headlight::ablation_test
