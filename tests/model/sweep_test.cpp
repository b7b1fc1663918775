// A sweep over the heads against one evaluation for each of them, and laws of path patching.
#include "model/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/analyses/readout.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::sweep_test {
namespace {

Document language_network() {
    StackSettings s;
    s.n_layers = 2;
    s.d_model = 12;
    s.attention.n_heads = 3;
    s.mask.causal = Switch::On;
    s.block.norm = Norm::Pre;
    s.block.mlp = Mlp::Gelu;
    s.block.d_ff = 16;
    s.final_norm = Switch::On;
    s.unembedding = Unembedding::Learned;
    return {.study = SentenceStudy{.text = "the cat saw a dog", .layer = s}, .interventions = {}};
}

Trace evaluated(const Document& document) {
    return evaluate(document, nullptr, {});
}

const LogitQuestion kQuestion{.row = 4, .word = 1, .minus = 3};
const SweepSettings kZero{.kind = SweepKind::Zero}, kPatch{.kind = SweepKind::Patch};

/// Patching along a path.
SweepSettings along(const SweepPath& path) {
    return {.kind = SweepKind::Patch, .path = path};
}

SweepSettings with_loss(SweepSettings settings) {
    settings.quantity = SweepQuantity::Loss;
    return settings;
}

std::string path_of(int layer, int head) {
    return "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head) + ".z";
}

}  // namespace

TEST_CASE("a sweep in pieces gives the same bits; between two of them it can be given up") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    const ForEach for_each = serial();
    for (const SweepSettings& settings : {kZero, along(SweepPath{})}) {
        const Sweep sweep{settings, kQuestion, {&base}};
        const SweepResult expected = run_sweep(document, base, sweep);
        Pieces<SweepResult> work = run_sweep_in_pieces(document, base, sweep, for_each);
        int n_pieces = 1;
        while (work.next()) ++n_pieces;
        CHECK(n_pieces > expected.change.size());
        const Matrix change = work.take().change;
        CHECK((change.array() == expected.change.array()).all());
        Pieces<SweepResult> given_up = run_sweep_in_pieces(document, base, sweep, for_each);
        for (int piece = 0; piece < 3; ++piece) CHECK(given_up.next());
    }
}

TEST_CASE("a sweep finds what one evaluation for each head finds") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    for (const auto& [kind, ablation] :
         {std::pair{SweepKind::Zero, Ablation::Zero}, std::pair{SweepKind::Mean, Ablation::Mean}}) {
        const SweepResult found = run_sweep(document, base, {{.kind = kind}, kQuestion});
        REQUIRE(found.rows == std::vector<SweepRow>{{0}, {1}});
        REQUIRE(found.change.cols() == 3);
        CHECK(found.before == doctest::Approx(logit_asked(base, kQuestion)));
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 3; ++head) {
                Document changed = document;
                ablate(changed, path_of(layer, head), ablation);
                const double expected = logit_asked(evaluated(changed), kQuestion) - found.before;
                CHECK(static_cast<double>(found.change(layer, head)) ==
                      doctest::Approx(expected).epsilon(1e-4));
                CHECK(expected != 0);
            }
    }
}

TEST_CASE("a sweep of an encoder–decoder replaces the heads of both attentions of its decoder") {
    Document document{.study = AlignmentStudy{.source = "the cat sat",
                                              .target = "le chat dort",
                                              .mechanism = AlignmentMechanism::Transformer,
                                              .layer = language_network().sentence()->layer,
                                              .recurrent = {}},
                      .interventions = {}};
    const LogitQuestion question{.row = 1, .word = 2, .minus = 0};
    const Trace base = evaluated(document);
    const SweepResult found = run_sweep(document, base, {kZero, question});
    CHECK(row_names(found) == std::vector<std::string>{"self 0", "cross 0", "self 1", "cross 1"});
    REQUIRE(found.change.cols() == 3);
    for (const Index row : {0, 3}) {
        const std::string path =
            row == 0 ? "decoder.blocks.0.attn.heads.2.z" : "decoder.blocks.1.cross.heads.2.z";
        Document changed = document;
        ablate(changed, path, Ablation::Zero);
        const double expected = logit_asked(evaluated(changed), question) - found.before;
        CHECK(expected != 0);
        CHECK(static_cast<double>(found.change(row, 2)) == doctest::Approx(expected).epsilon(1e-4));
    }
    const SweepResult layers = run_sweep(
        document, base, {{.kind = SweepKind::Zero, .over = SweepSites::Layers}, question});
    CHECK(layers.columns == std::vector<std::string>{"attention", "cross-attention", "MLP"});
    CHECK(layers.rows.size() == 2);
    CHECK_THROWS_WITH(run_sweep(document, base, {along(SweepPath{}), question, {&base}}),
                      doctest::Contains("reads a source by cross-attention"));
}

TEST_CASE("a patched head gives what it gives for another text") {
    const Document document = language_network();
    Document other = document;
    set_text(other, "the dog saw a cat");
    const Trace base = evaluated(document), from = evaluated(other);
    const SweepResult found = run_sweep(document, base, {kPatch, kQuestion, {&from}});
    Document changed = document;
    changed.interventions[path_of(1, 2)] = intervene_on_all(*from.at(path_of(1, 2)).value);
    const double expected = logit_asked(evaluated(changed), kQuestion) - found.before;
    CHECK(static_cast<double>(found.change(1, 2)) == doctest::Approx(expected).epsilon(1e-4));
    set_text(other, "the dog");
    const Trace shorter = evaluated(other);
    CHECK_THROWS_WITH(run_sweep(document, base, {kPatch, kQuestion, {&shorter}}),
                      doctest::Contains("the other text must have as many tokens"));
}

TEST_CASE("what the document has set by hand stays during a sweep") {
    Document document = language_network();
    ablate(document, path_of(0, 0), Ablation::Zero);
    const Trace base = evaluated(document);
    const SweepResult found = run_sweep(document, base, {kZero, kQuestion});
    CHECK(found.change(0, 0) == 0);
    Document both = document;
    ablate(both, path_of(1, 1), Ablation::Zero);
    CHECK(static_cast<double>(found.change(1, 1)) ==
          doctest::Approx(logit_asked(evaluated(both), kQuestion) - found.before).epsilon(1e-4));
}

TEST_CASE("a head that the document switches off stays off, whatever replaces its rows") {
    Document document = language_network();
    ablate(document, path_of(1, 2), Ablation::Zero);
    const Trace base = evaluated(document);
    for (const SweepKind kind : {SweepKind::Zero, SweepKind::Mean, SweepKind::Resample}) {
        const SweepResult found = run_sweep(document, base, {{.kind = kind}, kQuestion});
        CHECK(found.change(1, 2) == 0);
        CHECK(found.change(1, 1) != 0);
    }
}

TEST_CASE("a sweep says why it cannot be done, and can be cancelled") {
    Document document = language_network();
    document.interventions["logits"].set(4, 1, 3);
    const Trace pinned = evaluated(document);
    CHECK_THROWS_WITH(run_sweep(document, pinned, {kZero, kQuestion}),
                      doctest::Contains("logits is set by hand after the last layer"));
    document = language_network();
    document.sentence()->layer.unembedding = Unembedding::None;
    const Trace silent = evaluated(document);
    CHECK_FALSE(can_sweep(silent));
    CHECK_THROWS_WITH(run_sweep(document, silent, {kZero, kQuestion}),
                      doctest::Contains("no heads in layers that the logits are read from"));
    document = language_network();
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(run_sweep(document, evaluated(document), {kZero, kQuestion},
                              serial().followed_by(progress)),
                    Cancelled);
}

TEST_CASE("a resampled head gives its rows at other tokens, none its own") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    const TensorId id = base.id_at(path_of(0, 2));
    const std::vector<Index> rows = shuffled_rows(base, id, {.seed = 3}, 0);
    std::vector<Index> sorted = rows;
    std::ranges::sort(sorted);
    CHECK(sorted == std::vector<Index>{0, 1, 2, 3, 4});
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] != static_cast<Index>(i));
    CHECK(shuffled_rows(base, id, {.seed = 3}, 0) == rows);
    CHECK(shuffled_rows(base, base.id_at(path_of(1, 0)), {.seed = 3}, 0) != rows);

    const auto change_of = [&](int n_draws) {
        return run_sweep(document, base,
                         {{.kind = SweepKind::Resample, .resampling = {3, n_draws}}, kQuestion});
    };
    const auto expected = [&](int draw) {
        const std::vector<Index> drawn = shuffled_rows(base, id, {.seed = 3}, draw);
        const Matrix& own = *base[id].value;
        Matrix shuffled = own;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            shuffled.row(static_cast<Index>(i)) = own.row(drawn[i]);
        Document changed = document;
        changed.interventions[path_of(0, 2)] = intervene_on_all(shuffled);
        return logit_asked(evaluated(changed), kQuestion) - logit_asked(base, kQuestion);
    };
    CHECK(expected(0) != doctest::Approx(expected(1)));
    CHECK(static_cast<double>(change_of(1).change(0, 2)) ==
          doctest::Approx(expected(0)).epsilon(1e-4));
    CHECK(static_cast<double>(change_of(2).change(0, 2)) ==
          doctest::Approx((expected(0) + expected(1)) / 2).epsilon(1e-4));
}

TEST_CASE("a text of one token has no other rows to take: resampling refuses it") {
    Document document = language_network();
    document.sentence()->text = "cat";
    const LogitQuestion first{.row = 0, .word = 0};
    CHECK_THROWS_WITH(
        run_sweep(document, evaluated(document), {{.kind = SweepKind::Resample}, first}),
        doctest::Contains("the text needs two tokens or more"));
}

TEST_CASE("rows are shuffled within their sentence, and padding stays") {
    Document document = language_network();
    document.sentence()->text = "the cat saw a dog\na dog ran";
    const Trace base = evaluated(document);
    const std::vector<Index> rows = shuffled_rows(base, base.id_at(path_of(0, 0)), {}, 0);
    REQUIRE(rows.size() == 10);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(rows[i] != static_cast<Index>(i));
        CHECK((rows[i] < 5) == (i < 5));
        CHECK(rows[i] < 8);
    }
    CHECK(rows[8] == 8);
    CHECK(rows[9] == 9);
}

TEST_CASE("of several texts each draw takes one, and one alone is patching") {
    const Document document = language_network();
    Document other = document, third = document;
    set_text(other, "the dog saw a cat");
    set_text(third, "a dog saw the dog");
    const Trace base = evaluated(document), b = evaluated(other), c = evaluated(third);
    const auto change = [&](const SweepSettings& settings, std::vector<const Trace*> from) {
        return run_sweep(document, base, {settings, kQuestion, std::move(from)}).change;
    };
    const SweepSettings resample{.kind = SweepKind::Resample};
    CHECK(change(resample, {&b}) == change(kPatch, {&b}));
    const Matrix drawn = change(resample, {&b, &c}), of_b = change(kPatch, {&b}),
                 of_c = change(kPatch, {&c});
    Index n_of_b = 0;
    for (Index k = 0; k < drawn.size(); ++k) {
        const Scalar x = drawn.data()[k];
        CHECK((x == of_b.data()[k] || x == of_c.data()[k]));
        n_of_b += x == of_b.data()[k];
    }
    CHECK(n_of_b > 0);
    CHECK(n_of_b < drawn.size());
}

TEST_CASE("the loss is the mean cross-entropy of the text's own next tokens") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    const std::vector<std::string>&words = base.items(),
          &known = base.items(base.at("logits").columns().list);
    double sum = 0;
    for (Index i = 0; i < 4; ++i) {
        const auto next = std::ranges::find(known, words[static_cast<std::size_t>(i) + 1]);
        sum -= std::log(static_cast<double>((*base.at("probs").value)(i, next - known.begin())));
    }
    CHECK(next_token_loss(base) == doctest::Approx(sum / 4));
    const SweepResult found = run_sweep(document, base, {with_loss(kZero)});
    CHECK(found.before == doctest::Approx(sum / 4));
    Document changed = document;
    ablate(changed, path_of(0, 1), Ablation::Zero);
    CHECK(static_cast<double>(found.change(0, 1)) ==
          doctest::Approx(next_token_loss(evaluated(changed)) - found.before).epsilon(1e-4));
    Document short_text = document;
    set_text(short_text, "cat");
    CHECK_THROWS_WITH(next_token_loss(evaluated(short_text)),
                      doctest::Contains("the text has no next token"));
}

TEST_CASE("attentions and MLPs are swept as heads are") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    const SweepResult found = run_sweep(
        document, base, {{.kind = SweepKind::Zero, .over = SweepSites::Layers}, kQuestion});
    CHECK(found.columns == std::vector<std::string>{"attention", "MLP"});
    for (const char* path : {"blocks.1.attn.out", "blocks.1.mlp.out"}) {
        Document changed = document;
        changed.interventions[path].ablation = Ablation::Zero;
        const double expected = logit_asked(evaluated(changed), kQuestion) - found.before;
        const Index column = std::string(path).find("mlp") == std::string::npos ? 0 : 1;
        CHECK(static_cast<double>(found.change(1, column)) ==
              doctest::Approx(expected).epsilon(1e-4));
    }
}

TEST_CASE("path patching from the same text changes nothing at all") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    for (const SweepPath& path : {SweepPath{}, SweepPath{1, 1}, SweepPath{1, 1, HeadInput::Key}}) {
        const SweepResult found = run_sweep(document, base, {along(path), kQuestion, {&base}});
        CHECK(found.change.cwiseAbs().maxCoeff() == 0);
        CHECK(found.rows.size() == (path.ends_in_logits() ? 2 : 1));
    }
}

TEST_CASE("after the last layer every path is the direct one") {
    const Document document = language_network();
    Document other = document;
    set_text(other, "the dog saw a cat");
    const Trace base = evaluated(document), from = evaluated(other);
    const Matrix by_all = run_sweep(document, base, {kPatch, kQuestion, {&from}}).change,
                 direct = run_sweep(document, base, {along({}), kQuestion, {&from}}).change;
    for (Index h = 0; h < 3; ++h) {
        CHECK(direct(1, h) == doctest::Approx(by_all(1, h)).epsilon(1e-4));
        CHECK(direct(0, h) != doctest::Approx(by_all(0, h)).epsilon(1e-4));
    }
}

TEST_CASE("a path through queries is closed where no weight reads them") {
    Document document = language_network();
    Document other = document;
    set_text(other, "the dog saw a cat");
    const auto largest = [&](HeadInput through) {
        const Trace base = evaluated(document);
        Document from = other;
        from.interventions = document.interventions;
        const Trace b = evaluated(from);
        return run_sweep(document, base, {along({1, 2, through}), kQuestion, {&b}})
            .change.cwiseAbs()
            .maxCoeff();
    };
    CHECK(largest(HeadInput::Query) > 0);
    document.interventions["blocks.1.attn.heads.2.W_Q"] = intervene_on_all(Matrix::Zero(12, 4));
    CHECK(largest(HeadInput::Query) == 0);
    CHECK(largest(HeadInput::Value) > 0);
    CHECK(largest(HeadInput::All) == doctest::Approx(largest(HeadInput::Value)).epsilon(1e-3));
}

TEST_CASE("a receiver that is none is refused by its name") {
    const Document document = language_network();
    const Trace base = evaluated(document);
    CHECK(path_to(base, "logits").ends_in_logits());
    CHECK(path_to(base, "1.2") == SweepPath{1, 2});
    CHECK_THROWS_WITH(path_to(base, "1.7"), doctest::Contains("there is no head 1.7"));
    for (const char* text : {"", "1", ".", "1.", "head 1.2", "1.-2", "99999999999.1"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(path_to(base, text), doctest::Contains("names no receiver"));
    }
    CHECK_THROWS_WITH(run_sweep(document, base, {along({0, 1}), kQuestion, {&base}}),
                      doctest::Contains("head 0.1 is in the first layer"));
    CHECK_THROWS_WITH(run_sweep(document, base, {kPatch, kQuestion}),
                      doctest::Contains("there is no text to patch from"));
    Document bert = document;
    bert.sentence()->layer.readout = Readout::MaskedWord;
    CHECK_THROWS_WITH(run_sweep(bert, evaluated(bert), {with_loss(kZero)}),
                      doctest::Contains("which this network does not say"));
}

TEST_CASE("a sweep says in words what it does") {
    CHECK(sweep_sentence(kZero) == "each head's output replaced by 0, one at a time");
    CHECK(sweep_sentence({.kind = SweepKind::Resample, .resampling = {7, 10}}) ==
          "each head's output replaced by its rows at other tokens (seed 7, mean of 10 draws), one "
          "at a time");
    CHECK(sweep_sentence({.kind = SweepKind::Resample}, 3) ==
          "each head's output replaced by what it is in one of 3 texts (seed 1), one at a time");
    CHECK(sweep_sentence({.over = SweepSites::Layers}) ==
          "the output of each attention and each MLP replaced by its mean, one at a time");
    CHECK(sweep_sentence(along({9, 9, HeadInput::Query})) ==
          "each head's output replaced by what it is in B, one at a time; only head 9.9's queries "
          "see it, other heads are frozen");
    CHECK(
        sweep_sentence(along({1, 2})).ends_with("; only head 1.2 sees it, other heads are frozen"));
    CHECK(sweep_sentence(along({})).ends_with("; only the logits see it, other heads are frozen"));
}

}  // namespace headlight::sweep_test
