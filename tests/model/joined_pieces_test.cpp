#include "model/joined_pieces.h"

#include <doctest/doctest.h>

#include "core/batch.h"
#include "core/error.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::joined_pieces_test {
namespace {

const Watched kEverything{.everything = true, .globs = {}};

/// Of a recording the cell (i, j) of matrix m is 1 + 10 m + i + 0.1 j, scaled so that rows sum
/// to 1.
void fill(Index matrix, Index first_row, View rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index j = 0; j < rows.cols(); ++j)
            rows(i, j) = static_cast<Scalar>(1 + 10 * matrix + first_row + i) +
                         Scalar(0.1) * static_cast<Scalar>(j);
        rows.row(i) /= rows.row(i).sum();
    }
}

Document recorded(std::vector<RecordedText> texts, RecordedAttentions attentions) {
    RecordedStudy study;
    study.file = "/pieces.npz";
    study.text = texts.front();
    study.attentions = std::move(attentions);
    study.source = std::make_shared<const MatrixSource>(MatrixSource{fill});
    if (texts.size() > 1)
        study.texts = std::make_shared<const std::vector<RecordedText>>(std::move(texts));
    Document document;
    document.study = std::move(study);
    return document;
}

Document one_text() {
    return recorded({{.tokens = {"[CLS]", "un", "##able", "cat"}}},
                    {{.kind = RecordedKind::Self, .n_layers = 2, .n_heads = 2}});
}

const std::string kPattern = "blocks.1.attn.heads.1.pattern";

Matrix pattern_of(const Document& document, const std::string& path = kPattern) {
    return *evaluate(document, nullptr, kEverything).at(path).value;
}

}  // namespace

TEST_CASE("join_pieces: the sum over the pieces that are read, the mean over those that read") {
    const Document pieces = one_text(), words = join_pieces(pieces);
    const Trace trace = evaluate(words, nullptr, kEverything);
    CHECK(trace.items() == std::vector<std::string>{"[CLS]", "unable", "cat"});
    const Matrix A = pattern_of(pieces), B = *trace.at(kPattern).value;
    REQUIRE(B.rows() == 3);
    CHECK(B(0, 0) == doctest::Approx(A(0, 0)));
    CHECK(B(0, 1) == doctest::Approx(A(0, 1) + A(0, 2)));
    CHECK(B(1, 2) == doctest::Approx((A(1, 3) + A(2, 3)) / 2));
    CHECK(B(1, 1) == doctest::Approx((A(1, 1) + A(1, 2) + A(2, 1) + A(2, 2)) / 2));
    for (Index i = 0; i < 3; ++i) CHECK(B.row(i).sum() == doctest::Approx(1));
    // Metrics are those of the words.
    CHECK((*trace.at("metrics.first").value)(1, 1) == doctest::Approx((B(1, 0) + B(2, 0)) / 2));
}

TEST_CASE("join_pieces: what is set by hand in the study holds") {
    Document pieces = one_text();
    set_cell(pieces, kPattern, 3, 0, Scalar(0.75));
    CHECK(pattern_of(join_pieces(pieces))(2, 0) == Scalar(0.75));
}

TEST_CASE("join_pieces: every text has its words, and its patterns") {
    const Document pieces =
        recorded({{.tokens = {"a", "##b", "c"}}, {.tokens = {"d", "e", "##f", "##g"}}},
                 {{.kind = RecordedKind::Self, .n_layers = 2, .n_heads = 2}});
    Document words = join_pieces(pieces), second = pieces;
    CHECK(words.recorded()->text.tokens == std::vector<std::string>{"ab", "c"});
    choose_recorded_text(words, 1);
    choose_recorded_text(second, 1);
    CHECK(words.recorded()->text.tokens == std::vector<std::string>{"d", "efg"});
    const Matrix A = pattern_of(second), B = pattern_of(words);
    CHECK(B(0, 1) == doctest::Approx(A(0, 1) + A(0, 2) + A(0, 3)));
    CHECK(B(1, 0) == doctest::Approx((A(1, 0) + A(2, 0) + A(3, 0)) / 3));
}

TEST_CASE("join_pieces: a source is joined by its own pieces") {
    const Document pieces =
        recorded({{.tokens = {"▁da", "s", "▁Haus"}, .source = {"▁the", "▁ho", "use"}}},
                 {{.kind = RecordedKind::Source, .n_layers = 1, .n_heads = 1},
                  {.kind = RecordedKind::Self, .n_layers = 1, .n_heads = 1},
                  {.kind = RecordedKind::Cross, .n_layers = 1, .n_heads = 1}});
    const Document words = join_pieces(pieces);
    CHECK(words.recorded()->text.tokens == std::vector<std::string>{"das", "Haus"});
    CHECK(words.recorded()->text.source == std::vector<std::string>{"the", "house"});
    const std::string cross = "decoder.blocks.0.cross.heads.0.pattern",
                      encoder = "encoder.blocks.0.attn.heads.0.pattern";
    const Matrix A = pattern_of(pieces, cross), B = pattern_of(words, cross);
    CHECK(B(0, 1) == doctest::Approx((A(0, 1) + A(0, 2) + A(1, 1) + A(1, 2)) / 2));
    const Matrix E = pattern_of(pieces, encoder), F = pattern_of(words, encoder);
    CHECK(F(1, 0) == doctest::Approx((E(1, 0) + E(2, 0)) / 2));
}

TEST_CASE("join_pieces: without pieces the patterns stay as they are, where that is allowed") {
    Document document = built_in_sentence();
    document.sentence()->text = "The cat sat.\nIt was too tired.";
    CHECK_THROWS_WITH(
        static_cast<void>(join_pieces(document)),
        "[words] no token goes on another one: none has a mark of that, such as ##, ▁ or Ġ");
    const Document words = join_pieces(document, WithoutPieces::Allowed);
    CHECK(words.recorded()->count_texts() == 2);
    // The padding of the shorter sentence is no word of it.
    CHECK(words.recorded()->text.tokens == std::vector<std::string>{"The", "cat", "sat", "."});
    const Trace whole = evaluate(document, nullptr, kEverything);
    const std::string path = "blocks.0.attn.heads.2.pattern";
    CHECK(pattern_of(words, path)
              .isApprox(trace_of_sentence(whole, 0).at(path).value->topLeftCorner(4, 4)));
}

TEST_CASE("join_pieces: what has no words is refused") {
    CHECK_THROWS_WITH(static_cast<void>(join_pieces(built_in_graph())),
                      "[words] the study is not about words");
    CHECK_THROWS_WITH(static_cast<void>(join_pieces(built_in_image())),
                      "[words] the study is not about words");
    CHECK_THROWS_WITH(static_cast<void>(join_pieces(join_pieces(one_text()))),
                      "[words] its pieces are joined already");
    Document recurrent = built_in_alignment();
    recurrent.alignment()->mechanism = AlignmentMechanism::Recurrent;
    CHECK_THROWS_WITH(static_cast<void>(join_pieces(recurrent)),
                      "[words] the decoder of a recurrent network has no pattern of a head");
}

TEST_CASE("join_pieces: another text is read by the same study") {
    Document document = built_in_sentence();
    document.sentence()->text = "The cat sat.";
    Document words = join_pieces(document, WithoutPieces::Allowed);
    set_text(words, "It was too tired.");
    CHECK(words.recorded()->text.tokens ==
          std::vector<std::string>{"It", "was", "too", "tired", "."});
    CHECK(words.recorded()->joined->sentence()->text == "It was too tired.");
    CHECK_THROWS_AS(set_text(*std::make_unique<Document>(join_pieces(one_text())), "a"), Error);
}

TEST_CASE("join_pieces: two are equal where the studies are") {
    Document other = one_text();
    set_cell(other, kPattern, 0, 0, Scalar(0.5));
    CHECK(join_pieces(one_text()) == join_pieces(one_text()));
    CHECK(!(join_pieces(one_text()) == join_pieces(other)));
    CHECK(!(join_pieces(one_text()) == one_text()));
}

}  // namespace headlight::joined_pieces_test
