#include "model/weights.h"

#include <doctest/doctest.h>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "core/explain.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/history.h"

namespace headlight::weights_test {
namespace {

const std::string kQuery = "blocks.0.attn.heads.0.W_Q", kOutput = "blocks.0.attn.out";

Document sentence(const std::string& text) {
    return {.study = SentenceStudy{.text = text, .layer = {}}, .seed = 1, .interventions = {}};
}

/// The document with one leaf replaced by a matrix.
Document with_weight(Document document, const std::string& path, const Matrix& values) {
    const Trace trace(plan(document));
    WeightMatrices matrices = document.weights ? document.weights->matrices : WeightMatrices();
    matrices[path] = make_weight(trace, trace.at(path), values);
    document.weights = make_weights(std::move(matrices), "imported from a.npz");
    return document;
}

Trace trace_of(const Document& document, const Trace* previous = nullptr) {
    return evaluate(document, previous, {.everything = true});
}

Matrix embed_of(const Document& document) {
    return *trace_of(document).at("embed").value;
}

Matrix counted(Index rows, Index columns) {
    Matrix values(rows, columns);
    for (Index k = 0; k < values.size(); ++k) values.data()[k] = static_cast<Scalar>(k);
    return values;
}

}  // namespace

TEST_CASE("weights: weights give the same bits as edits of every cell") {
    const Matrix values = Matrix::Random(32, 8);
    const Document weighted = with_weight(sentence("a b c"), kQuery, values);
    Document held = sentence("a b c");
    held.interventions[kQuery] = intervene_on_all(values);
    CHECK(*trace_of(weighted).at(kQuery).value == values);
    CHECK(*trace_of(weighted).at(kOutput).value == *trace_of(held).at(kOutput).value);
    CHECK(*trace_of(weighted).at(kOutput).value != *trace_of(sentence("a b c")).at(kOutput).value);
}

TEST_CASE("weights: traces and documents share the numbers") {
    const Document document = with_weight(sentence("a b c"), kQuery, Matrix::Random(32, 8));
    const MatrixPtr values = document.weights->matrices.at(kQuery).values;
    CHECK(trace_of(document).at(kQuery).value == values);
    Document longer = document;
    set_text(longer, "a b c d");
    const Trace first = trace_of(document);
    CHECK(trace_of(longer, &first).at(kQuery).value == values);
    CHECK(longer.weights == document.weights);
}

TEST_CASE("weights: an edit replaces a weight, and undo brings it back") {
    Document document = with_weight(sentence("a b c"), kQuery, counted(32, 8));
    set_cell(document, kQuery, 1, 2, Scalar(0.5));
    CHECK(document.interventions.at(kQuery).cells.size() == 1);
    const Trace held = trace_of(document);
    CHECK((*held.at(kQuery).value)(1, 2) == Scalar(0.5));
    CHECK((*held.at(kQuery).value)(1, 3) == 11);
    CHECK((*held.at(kQuery).computed)(1, 2) == 10);
    reset_cell(document, kQuery, 1, 2);
    CHECK((*trace_of(document).at(kQuery).value)(1, 2) == 10);
}

TEST_CASE("weights: weights that do not fit the study wait, and are reported") {
    Document document = with_weight(sentence("a b"), kQuery, Matrix::Ones(32, 8));
    document.sentence()->layer.attention.d_k = {{4}};
    CHECK(*trace_of(document).at(kQuery).value == *[] {
        Document drawn = sentence("a b");
        drawn.sentence()->layer.attention.d_k = {{4}};
        return trace_of(drawn).at(kQuery).value;
    }());
    CHECK(dormant_weights(*plan(document), *document.weights) == std::vector<std::string>{kQuery});
    const auto notes = weight_notes(*plan(document), document.weights, 1);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "the study has no place now for 1 of 1 matrix imported from a.npz: "
          "“blocks.0.attn.heads.0.W_Q”");
    document.sentence()->layer.attention.d_k = {{8}};
    CHECK(*trace_of(document).at(kQuery).value == Matrix::Ones(32, 8));
    CHECK(weight_notes(*plan(document), document.weights, 1).empty());
}

TEST_CASE("weights: rows follow their words") {
    const Document document = with_weight(sentence("the cat sat"), "embed", counted(3, 32));
    Document other = document;
    set_text(other, "sat the dog");
    const Matrix embed = embed_of(other);
    CHECK(embed.row(0) == counted(3, 32).row(2));
    CHECK(embed.row(1) == counted(3, 32).row(0));
    CHECK(embed.row(2) == embed_of(sentence("sat the dog")).row(2));  // random
    set_text(other, "the cat sat");
    CHECK(embed_of(other) == counted(3, 32));
}

TEST_CASE("weights: a word without a row is reported, also by its cell") {
    Document document = with_weight(sentence("the cat sat"), "embed", counted(3, 32));
    CHECK(names_without_weights(*plan(document)).empty());
    set_text(document, "the dog sat");
    const Trace trace = trace_of(document);
    CHECK(names_without_weights(trace) == std::vector<std::string>{"dog"});
    const auto notes = weight_notes(trace, document.weights, 1);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] == "“dog” has no row among the weights imported from a.npz: drawn from seed 1");
    const auto said = [&](Index row) {
        return explain(trace, trace.id_at("embed"), row, 0).finish.back().what;
    };
    CHECK(said(0) == "imported from a.npz");
    CHECK(said(1) == "drawn for 'dog', seed 1, since it is not among what was imported");
}

TEST_CASE("weights: a repeated word keeps both rows, and has the first one elsewhere") {
    Document document = with_weight(sentence("a b a"), "embed", counted(3, 32));
    CHECK(embed_of(document) == counted(3, 32));
    set_text(document, "a a a b");
    const Matrix embed = embed_of(document);
    const std::vector<Index> rows = {0, 2, 0, 1};
    for (Index i = 0; i < 4; ++i)
        CHECK(embed.row(i) == counted(3, 32).row(rows[static_cast<std::size_t>(i)]));
}

TEST_CASE("weights: rows follow their words in stacked sentences too") {
    Document document = with_weight(sentence("a b c"), "embed", counted(3, 32));
    set_text(document, "c a\nb");
    const Matrix embed = embed_of(document);
    CHECK(embed.row(0) == counted(3, 32).row(2));
    CHECK(embed.row(1) == counted(3, 32).row(0));
    CHECK(embed.row(2) == counted(3, 32).row(1));
}

TEST_CASE("weights: learned positions keep their rows, and a longer text gets random ones") {
    Document document = sentence("a b");
    document.sentence()->layer.positions = Positions::Learned;
    document = with_weight(document, "pos_embed", counted(2, 32));
    set_text(document, "x a b");
    const Matrix positions = *trace_of(document).at("pos_embed").value;
    CHECK(positions.topRows(2) == counted(2, 32));
    document.weights.reset();
    CHECK(positions.row(2) == trace_of(document).at("pos_embed").value->row(2));
}

TEST_CASE("weights: induction is measured with known words and positions") {
    const auto known = [](const std::string& words) {
        Document document = sentence(words);
        std::get<SentenceStudy>(document.study).layer.positions = Positions::Learned;
        const Trace drawn(plan(document));
        const Index n = drawn.at("embed").rows().size;
        document = with_weight(document, "embed", counted(n, 32));
        document = with_weight(document, "pos_embed", Matrix::Random(n, 32));
        set_text(document, "a b");
        return trace_of(document);
    };
    const Trace all = known("a b c d e f g h i j k l m n o p");
    CHECK(induction_place(all) == "on 8 of the weights' words said twice");
    const Matrix &E = *all.at("probe.embed").value, &P = *all.at("probe.pos_embed").value;
    const Matrix words = counted(16, 32);
    for (Index i = 0; i < 16; ++i) CHECK(E.row(i) == words.row(i % 8 * 2));
    CHECK(axis_label(all, all.at("probe.embed").rows(), 1) == "c");
    CHECK(P.topRows(2) == *all.at("pos_embed").value);
    CHECK(all.at("probe.pos_embed").settings().stored != nullptr);
    CHECK(names_without_weights(all).empty());

    const Trace few = known("a b c");
    CHECK(induction_place(few) == "on 3 of the weights' words and 5 random ones said twice");
    CHECK(few.at("probe.embed").value->row(8) == words.row(0));
    CHECK(names_without_weights(few).empty());
    CHECK(induction_place(trace_of(sentence("a b"))) == "on 8 random words said twice");
}

TEST_CASE("weights: columns of a vocabulary follow their words") {
    Document document = sentence("a b c");
    document.sentence()->layer.unembedding = Unembedding::Learned;
    document = with_weight(document, "W_U", counted(32, 3));
    CHECK(*trace_of(document).at("W_U").value == counted(32, 3));
    set_text(document, "c x a");
    const Matrix W_U = *trace_of(document).at("W_U").value;
    CHECK(W_U.col(0) == counted(32, 3).col(2));
    CHECK(W_U.col(2) == counted(32, 3).col(0));
    CHECK(names_without_weights(*plan(document)) == std::vector<std::string>{"x"});
}

TEST_CASE("weights: a tied unembedding has the embeddings of its words") {
    Document document = sentence("a b a");
    document.sentence()->layer.unembedding = Unembedding::Tied;
    Matrix rows = counted(3, 32);
    rows.row(2) = rows.row(0);
    document = with_weight(document, "embed", rows);
    CHECK(*trace_of(document).at("W_U").value == rows.topRows(2));
}

TEST_CASE("weights: a history counts them once, and keeps all steps even with large ones") {
    const Document document = with_weight(sentence("a b c"), kQuery, Matrix::Random(32, 8));
    Document next = document;
    set_text(next, "a b c d");
    CHECK(count_bytes(document, nullptr) > 32 * 8 * sizeof(Scalar));
    CHECK(count_bytes(next, &document) < 32 * 8 * sizeof(Scalar));

    Document large = document;
    large.weights = make_weights({{"W", {std::make_shared<const Matrix>(500, 500)}}}, "large");
    History history(document, 100'000);
    history.apply({"Import", [&](Document& d) { d = large; }});
    for (int k = 0; k < 20; ++k)
        history.apply({"Type", [k](Document& d) { set_text(d, "a " + std::to_string(k)); }});
    CHECK(history.steps().size() == 22);
    while (history.can_undo()) history.undo();
    CHECK(history.state() == document);
}

TEST_CASE("weights: equal numbers with the same origin are equal") {
    const auto made = [](Scalar value, const char* origin) {
        return make_weights(
            {{"W", {std::make_shared<const Matrix>(Matrix::Constant(2, 2, value))}}}, origin);
    };
    CHECK(are_same(made(1, "a"), made(1, "a")));
    CHECK(!are_same(made(1, "a"), made(2, "a")));
    CHECK(!are_same(made(1, "a"), made(1, "b")));
    CHECK(!are_same(made(1, "a"), nullptr));
}

}  // namespace headlight::weights_test
