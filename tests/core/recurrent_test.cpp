#include "core/mechanisms/recurrent.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/explain.h"
#include "core/studies.h"

namespace headlight::recurrent_test {
namespace {

constexpr Scalar kRounding = Scalar(2e-6);

const std::string kSource = "the agreement on the area was signed";
const std::string kTarget = "l'accord sur la zone a été signé";
const RecurrentSettings kGru{.d_model = 5, .d_state = 4, .d_hidden = 3};
const std::vector<RecurrentCellType> kCells = {RecurrentCellType::Rnn, RecurrentCellType::Gru,
                                               RecurrentCellType::Lstm};

RecurrentSettings with(RecurrentCellType cell) {
    RecurrentSettings settings = kGru;
    settings.cell_type = cell;
    return settings;
}

RecurrentSettings without_attention(RecurrentCellType cell) {
    RecurrentSettings settings = with(cell);
    settings.attention = Switch::Off;
    return settings;
}

RecurrentSettings free_running(RecurrentCellType cell) {
    RecurrentSettings settings = with(cell);
    settings.feeding = Feeding::Free;
    return settings;
}

const Matrix& pattern(const Trace& trace) {
    return value(trace, "decoder.attn.heads.0.pattern");
}

Matrix row(const Trace& trace, const std::string& path, Index i) {
    return value(trace, path).row(i);
}

std::string step(Index i, const std::string& name) {
    return "decoder.steps." + std::to_string(i) + "." + name;
}

/// The embedding of word k of the vocabulary, from decoder.embed.
Matrix embedding(const Trace& trace, Index k) {
    return value(trace, "decoder.embed").row(1 + k);
}

Index word_written(const Trace& trace, Index i) {
    Index word = 0;
    value(trace, "logits").row(i).maxCoeff(&word);
    return word;
}

/// The first row that does not sum to 1, or the first cell outside 0 … 1; "" if there is none.
std::string broken_row(const Matrix& A) {
    for (Index i = 0; i < A.rows(); ++i) {
        if (!(std::abs(A.row(i).sum() - 1) < 1e-5)) return "row " + std::to_string(i);
        if (!((A.row(i).array() >= 0).all() && (A.row(i).array() <= 1).all()))
            return "a cell of row " + std::to_string(i);
    }
    return "";
}

/// Sets the leaves of each direction to the values of the other one.
Interventions directions_swapped(const Trace& trace) {
    Interventions interventions;
    const std::string forward = "encoder.forward.", backward = "encoder.backward.";
    for (const Tensor& tensor : trace.tensors()) {
        if (!tensor.is_leaf() || !tensor.path().starts_with(forward)) continue;
        const std::string last = tensor.path().substr(forward.size());
        interventions[backward + last] = intervene_on_all(*tensor.value);
        interventions[forward + last] = intervene_on_all(value(trace, backward + last));
    }
    return interventions;
}

std::string reversed(const std::string& text) {
    std::string result;
    for (const std::string& word : words_of(text)) result = word + " " + result;
    return result;
}

}  // namespace

TEST_CASE("recurrent: the alignment has one row for each written word, which sums to 1") {
    for (const RecurrentCellType cell : kCells) {
        const Trace trace = translation(kSource, kTarget, with(cell));
        CHECK(pattern(trace).rows() == 8);
        CHECK(pattern(trace).cols() == 7);
        CHECK(broken_row(pattern(trace)) == "");
        CHECK(broken_row(value(trace, "probs")) == "");
        CHECK(trace.items(1).back() == "<end>");
    }
    CHECK(broken_row(Matrix{{0.5, 0.5}, {0.5, 0.4}}) == "row 1");
    CHECK(broken_row(Matrix{{-0.5, 1.5}}) == "a cell of row 0");
}

TEST_CASE("recurrent: the steps follow the equations of Bahdanau 2015") {
    const Trace trace = translation(kSource, kTarget, kGru);
    const Matrix &h = value(trace, "encoder.h"), &W_query = value(trace, "decoder.W_query"),
                 &W_key = value(trace, "decoder.W_key"), &v = value(trace, "decoder.v_score");
    const Matrix s_before = row(trace, "decoder.s", 2);
    const Matrix hidden = (h * W_key).rowwise() + (s_before * W_query).row(0);
    const Matrix e = (hidden.array().tanh().matrix() * v).transpose();
    CHECK(distance(row(trace, "decoder.attn.heads.0.scores", 3), e) < kRounding);
    const Matrix exp_e = e.array().exp();
    CHECK(distance(pattern(trace).row(3), exp_e / exp_e.sum()) < kRounding);
    CHECK(distance(row(trace, "decoder.context", 3), pattern(trace).row(3) * h) < kRounding);
    const Matrix s_init =
        (value(trace, "encoder.backward.h").row(0) * value(trace, "decoder.W_init") +
         value(trace, "decoder.b_init"))
            .array()
            .tanh();
    CHECK(distance(value(trace, "decoder.s_init"), s_init) < kRounding);
}

TEST_CASE("recurrent: a teacher-forced step does not depend on later target words") {
    for (const RecurrentCellType cell : kCells) {
        const Trace one = translation(kSource, "la zone a été", with(cell));
        const Trace other = translation(kSource, "la zone est grande", with(cell));
        CHECK(is_same(value(one, "decoder.s").topRows(3), value(other, "decoder.s").topRows(3)));
        CHECK(is_same(pattern(one).topRows(3), pattern(other).topRows(3)));
        CHECK(distance(row(one, "decoder.s", 3), row(other, "decoder.s", 3)) > 1e-3);
    }
}

TEST_CASE("recurrent: the backward direction reads the reversed sentence") {
    for (const RecurrentCellType cell : kCells) {
        const Trace trace = translation(kSource, kTarget, with(cell));
        const Trace mirror =
            translation(reversed(kSource), kTarget, with(cell), directions_swapped(trace));
        const Matrix expected = value(trace, "encoder.backward.h").colwise().reverse();
        CHECK(is_same(value(mirror, "encoder.forward.h"), expected));
        CHECK(is_same(value(mirror, "encoder.backward.h"),
                      value(trace, "encoder.forward.h").colwise().reverse()));
        CHECK(distance(value(trace, "encoder.forward.h"), expected) > 1e-2);
    }
}

TEST_CASE("recurrent: without attention every step has the same context") {
    for (const RecurrentCellType cell : kCells) {
        const Trace trace = translation(kSource, kTarget, without_attention(cell));
        CHECK_FALSE(trace.find("decoder.attn.heads.0.pattern"));
        CHECK_FALSE(trace.find("cross_mask"));
        const Matrix& c = value(trace, "decoder.context");
        for (Index i = 0; i < c.rows(); ++i) CHECK(is_same(c.row(i), c.row(0)));
        Matrix ends(1, 8);
        ends << row(trace, "encoder.forward.h", 6), row(trace, "encoder.backward.h", 0);
        CHECK(is_same(c.row(0), ends));
        const Matrix attended = value(translation(kSource, kTarget, with(cell)), "decoder.context");
        CHECK(distance(attended.row(0), attended.row(1)) > 1e-5);
    }
}

TEST_CASE("recurrent: with one direction, states and contexts are half as wide") {
    RecurrentSettings settings = kGru;
    settings.bidirectional = Switch::Off;
    const Trace trace = translation(kSource, kTarget, settings);
    CHECK_FALSE(trace.find("encoder.backward.h"));
    CHECK(is_same(value(trace, "encoder.h"), value(trace, "encoder.forward.h")));
    CHECK(value(trace, "decoder.context").cols() == 4);
    settings.attention = Switch::Off;
    const Trace last = translation(kSource, kTarget, settings);
    CHECK(is_same(row(last, "decoder.context", 2), row(last, "encoder.h", 6)));
}

TEST_CASE("recurrent: free running equals teacher forcing with the words that it wrote") {
    for (const RecurrentCellType cell : kCells) {
        const Trace free = translation(kSource, kTarget, free_running(cell));
        Interventions own_words;
        for (Index i = 1; i < 8; ++i) {
            const Matrix y = embedding(free, word_written(free, i - 1));
            CHECK(is_same(value(free, step(i, "y")), y));
            own_words[step(i, "y")] = intervene_on_all(y);
        }
        const Trace fed = translation(kSource, kTarget, with(cell), own_words);
        CHECK(is_same(value(fed, "logits"), value(free, "logits")));
        CHECK(is_same(pattern(fed), pattern(free)));
        const Trace forced = translation(kSource, kTarget, with(cell));
        CHECK(distance(value(forced, "logits"), value(free, "logits")) > 1e-3);
        CHECK(free.items(1) == std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8"});
    }
}

TEST_CASE("recurrent: a masked source word is not read; a fully masked row reads nothing") {
    Interventions interventions;
    interventions["cross_mask"].set(2, 4, kMasked);
    for (Index j = 0; j < 7; ++j) interventions["cross_mask"].set(5, j, kMasked);
    const Trace trace = translation(kSource, kTarget, kGru, interventions);
    CHECK(pattern(trace)(2, 4) == 0);
    CHECK(std::abs(pattern(trace).row(2).sum() - 1) < 1e-5);
    CHECK(pattern(trace).row(5).isZero(0));
    CHECK(row(trace, "decoder.context", 5).isZero(0));
    CHECK(row(trace, "decoder.s", 7).allFinite());
}

TEST_CASE("recurrent: a pin on a step shows in the stacked matrix and in later steps") {
    const Trace before = translation(kSource, kTarget, kGru);
    Interventions interventions;
    interventions[step(3, "alpha")].set(0, 1, 1);
    const Trace after = translation(kSource, kTarget, kGru, interventions);
    CHECK(pattern(after)(3, 1) == 1);
    CHECK(is_same(value(before, "decoder.s").topRows(3), value(after, "decoder.s").topRows(3)));
    for (Index i = 3; i < 8; ++i)
        CHECK(distance(row(before, "decoder.s", i), row(after, "decoder.s", i)) > 1e-5);
}

TEST_CASE("recurrent: a pin in a stacked matrix applies to its step, unless the step has its own") {
    Interventions stacked, stepwise;
    stacked["decoder.attn.heads.0.pattern"] = {.cells = {{3, 1, Scalar(0.75)}},
                                               .rows = RowRule::Renormalise};
    stepwise[step(3, "alpha")] = {.cells = {{0, 1, Scalar(0.75)}}, .rows = RowRule::Renormalise};
    const Trace one = translation(kSource, kTarget, kGru, stacked);
    const Trace other = translation(kSource, kTarget, kGru, stepwise);
    CHECK(is_same(value(one, "logits"), value(other, "logits")));
    CHECK(distance(pattern(one), pattern(other)) < kRounding);

    const Trace plan(plan_recurrent({"a"}, {"b"}, kGru, 1));
    Interventions both{{"decoder.s", {.cells = {{0, 1, 5}, {9, 9, 7}}}}};
    both[step(0, "s")].set(0, 1, 2);
    const Interventions given = passed_to_steps(plan, both);
    CHECK(given.at(step(0, "s")).find(0, 1)->value == 2);
    CHECK(given.size() == 2);
    CHECK(passed_to_steps(plan, {}).empty());
}

TEST_CASE("recurrent: the hard normalizer is the limit of a low temperature") {
    RecurrentSettings cold = kGru, hard = kGru;
    cold.temperature = 1e-4f;
    hard.temperature = 1e-4f;
    hard.normalizer = Normalizer::Hard;
    CHECK(distance(pattern(translation(kSource, kTarget, cold)),
                   pattern(translation(kSource, kTarget, hard))) < 1e-3);
}

TEST_CASE("recurrent: a gate set to 1 or 0 makes the state follow or stay") {
    const Trace start = translation(kSource, kTarget, kGru);
    Interventions interventions;
    interventions["encoder.forward.steps.2.z"] = intervene_on_all(Matrix::Ones(1, 4));
    interventions["encoder.forward.steps.4.z"] = intervene_on_all(Matrix::Zero(1, 4));
    const Trace trace = translation(kSource, kTarget, kGru, interventions);
    CHECK(is_same(row(trace, "encoder.forward.h", 2), row(trace, "encoder.forward.h", 1)));
    CHECK(is_same(row(trace, "encoder.forward.h", 4), row(trace, "encoder.forward.n", 4)));
    CHECK(distance(row(start, "encoder.forward.h", 2), row(start, "encoder.forward.h", 1)) > 1e-3);
}

TEST_CASE("recurrent: the smallest study works, and so do words with a special meaning elsewhere") {
    for (const RecurrentCellType cell : kCells) {
        RecurrentSettings one = with(cell);
        one.d_model = one.d_state = one.d_hidden = 1;
        const Trace trace = translation("it", "", one);
        CHECK(pattern(trace).size() == 1);
        CHECK(pattern(trace)(0, 0) == 1);
        CHECK(value(trace, "probs")(0, 0) == 1);
    }
    const Trace odd =
        translation("a_b {", "<end> <start> a_b <end>", free_running(RecurrentCellType::Gru));
    CHECK(odd.items(2) == std::vector<std::string>{"<end>", "<start>", "a_b"});
    CHECK(value(odd, "decoder.embed").rows() == 4);
}

TEST_CASE("recurrent: the arithmetic of every cell gives its value") {
    for (const RecurrentCellType cell : kCells)
        for (const RecurrentSettings& settings : {free_running(cell), without_attention(cell)}) {
            Interventions interventions;
            interventions[step(1, "s")].set(0, 2, Scalar(0.5));
            const Trace trace = translation("the area was", "la zone", settings, interventions);
            for (TensorId id = 0; id < trace.tensors().size(); ++id) {
                const Matrix& values = *trace[id].value;
                for (Index i = 0; i < values.rows(); ++i)
                    for (Index j = 0; j < values.cols(); ++j)
                        CHECK_MESSAGE(
                            std::abs(explain(trace, id, i, j).result() - values(i, j)) < 1e-5,
                            trace[id].path());
            }
        }
}

TEST_CASE("recurrent: every value has the shape of its axes; named axes have names") {
    for (const RecurrentCellType cell : kCells)
        for (const RecurrentSettings& settings : {with(cell), without_attention(cell)}) {
            const Trace trace = translation(kSource, kTarget, settings);
            for (const Tensor& tensor : trace.tensors()) {
                CHECK_MESSAGE(tensor.value->rows() == tensor.rows().size, tensor.path());
                CHECK_MESSAGE(tensor.value->cols() == tensor.columns().size, tensor.path());
                for (const Axis& axis : {tensor.rows(), tensor.columns()})
                    if (axis.kind == AxisKind::Named || axis.kind == AxisKind::Item)
                        CHECK_MESSAGE(
                            trace.items(axis.list).size() == static_cast<std::size_t>(axis.size),
                            tensor.path());
            }
        }
}

TEST_CASE("recurrent: an empty source, or sizes and temperatures out of range, are errors") {
    CHECK(error_of([] { plan_recurrent({}, {"a"}, kGru, 1); }) ==
          "[recurrent] the source has no word; type a sentence");
    const std::string size_error = "[recurrent] widths and top_k must be at least 1";
    CHECK(error_of([] { plan_recurrent({"a"}, {}, {.d_model = 0}, 1); }) == size_error);
    CHECK(error_of([] { plan_recurrent({"a"}, {}, {.d_state = 0}, 1); }) == size_error);
    CHECK(error_of([] { plan_recurrent({"a"}, {}, {.d_hidden = -1}, 1); }) == size_error);
    CHECK(error_of([] { plan_recurrent({"a"}, {}, {.top_k = 0}, 1); }) == size_error);
    CHECK(error_of([] { plan_recurrent({"a"}, {}, {.temperature = 0}, 1); }) ==
          "[recurrent] the temperature must be above 0");
}

}  // namespace headlight::recurrent_test
