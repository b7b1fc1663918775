#include "core/compute.h"

#include <doctest/doctest.h>

#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::compute_test {
namespace {

const StackSettings kTwoHeads = stack_of({.n_heads = 2, .d_model = 6, .d_k = 3, .d_v = 3});

/// A plan too large to keep: 2 heads × 3 matrices of 2000².
Plan plan_large() {
    std::vector<std::string> words(2000);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::to_string(i);
    return plan_sentences({words}, stack_of({.n_heads = 2, .d_model = 2, .d_k = 1, .d_v = 1}), 1);
}

int count_shared(const Trace& a, const Trace& b) {
    int n_shared = 0;
    for (const Tensor& tensor : a.tensors()) n_shared += b.at(tensor.path()).value == tensor.value;
    return n_shared;
}

/// Checks that exactly the tensors that depend on no change are shared.
void check_sharing(const Trace& before, const Trace& after) {
    std::vector<bool> is_behind;
    for (TensorId id = 0; id < before.tensors().size(); ++id) {
        const Tensor &a = before[id], &b = after[id];
        is_behind.push_back(!(a.settings() == b.settings()) || a.intervention != b.intervention);
        for (const TensorId input : a.inputs())
            if (is_behind[input]) is_behind[id] = true;
        CHECK_MESSAGE((a.value == b.value) == !is_behind[id], a.path());
    }
}

}  // namespace

TEST_CASE("compute: without a change everything is shared") {
    const Trace first = sentence("it was too tired", kTwoHeads);
    const Trace second = compute(without_values(first), {}, kWatchAll, &first);
    CHECK(count_shared(first, second) == static_cast<int>(first.tensors().size()));
    CHECK(count_shared(first, sentence("it was too tired", kTwoHeads)) == 0);
}

TEST_CASE("compute: an edit of W_V in head 1 keeps head 0 and its own pattern shared") {
    const Trace before = sentence("it was too tired", kTwoHeads);
    const Interventions interventions{{"blocks.0.attn.heads.1.W_V", {.cells = {{0, 0, 2}}}}};
    const Trace after = compute(without_values(before), interventions, kWatchAll, &before);
    check_sharing(before, after);
    for (const char* path : {"blocks.0.attn.heads.0.z", "blocks.0.attn.heads.1.pattern"})
        CHECK_MESSAGE(after.at(path).value == before.at(path).value, path);
    CHECK(after.at("blocks.0.attn.heads.1.z").value != before.at("blocks.0.attn.heads.1.z").value);
    CHECK(after.at("blocks.0.attn.heads.1.W_V").computed ==
          before.at("blocks.0.attn.heads.1.W_V").computed);
}

TEST_CASE("compute: a pin changes the value, but not the computed matrix") {
    const Trace before = sentence("it was too tired", kTwoHeads);
    const std::string path = "blocks.0.attn.heads.0.pattern";
    const Trace after =
        compute(without_values(before), {{path, {.cells = {{1, 2, 1}}}}}, kWatchAll, &before);
    CHECK(after.at(path).computed == before.at(path).computed);
    CHECK(value(after, path)(1, 2) == 1);
    CHECK(after.at("blocks.0.attn.heads.0.scores").value ==
          before.at("blocks.0.attn.heads.0.scores").value);
    CHECK(distance(value(after, "blocks.0.attn.out"), value(before, "blocks.0.attn.out")) > 1e-3);
}

TEST_CASE("compute: the equation of an input counts the cells set by hand") {
    const Trace plain = sentence("it was too tired", kTwoHeads);
    const std::string equation = plain.at("mask").equation();
    const auto told = [&](std::vector<CellValue> cells, bool is_on) {
        const Interventions interventions{{"mask", {.cells = std::move(cells), .is_on = is_on}}};
        return compute(without_values(plain), interventions, kWatchAll, nullptr)
            .at("mask")
            .equation();
    };
    CHECK(equation == "M = 0");
    CHECK(told({{0, 1, kMasked}}, true) == "M = 0, 1 cell set by hand");
    CHECK(told({{0, 1, kMasked}, {2, 1, -2}}, true) == "M = 0, 2 cells set by hand");
    CHECK(told({{0, 1, kMasked}, {2, 9, -2}}, true) ==
          "M = 0, 1 cell set by hand");  // one cell is dormant
    CHECK(told({{0, 1, kMasked}}, false) == "M = 0");
}

TEST_CASE("compute: after a new seed, width or word only independent tensors are shared") {
    const Trace before = sentence("it was too tired", kTwoHeads);
    const Trace seed = compute(plan_sentences({words_of("it was too tired")}, kTwoHeads, 2), {},
                               kWatchAll, &before);
    check_sharing(before, seed);
    for (const char* path : {"pos_embed", "mask"})
        CHECK_MESSAGE(seed.at(path).value == before.at(path).value, path);
    const Trace word = compute(plan_sentences({words_of("it was too wide")}, kTwoHeads, 1), {},
                               kWatchAll, &before);
    check_sharing(before, word);
    CHECK(word.at("blocks.0.attn.W_O").value == before.at("blocks.0.attn.W_O").value);
    CHECK(distance(value(word, "blocks.0.resid_post"),
                   value(sentence("it was too wide", kTwoHeads), "blocks.0.resid_post")) == 0);
}

TEST_CASE("compute: head outputs are kept only while watched") {
    const Trace bare = compute(without_values(sentence("it was", kTwoHeads)), {}, {}, nullptr);
    CHECK_FALSE(bare.at("blocks.0.attn.heads.0.result").value);
    CHECK(bare.at("blocks.0.attn.heads.0.pattern").value);
    const Watched watched{.everything = false, .globs = {"*.heads.1.result"}};
    const Trace seen = compute(without_values(bare), {}, watched, &bare);
    CHECK_FALSE(seen.at("blocks.0.attn.heads.0.result").value);
    CHECK(seen.at("blocks.0.attn.heads.1.result").value);
}

TEST_CASE(
    "compute: unwatched n × n matrices of a large study are dropped, and computed again on "
    "demand") {
    const Trace first = compute(plan_large(), {}, {}, nullptr);
    for (const Tensor& tensor : first.tensors())
        CHECK_MESSAGE((tensor.value != nullptr) == (tensor.keep() == Keep::Always), tensor.path());

    const std::string path = "blocks.0.attn.heads.1.pattern";
    const Watched watched{.everything = false, .globs = {path}};
    const Trace second = compute(plan_large(), {}, watched, &first);
    REQUIRE(second.at(path).value);
    CHECK_FALSE(second.at("blocks.0.attn.heads.1.scores").value);
    CHECK_FALSE(second.at("blocks.0.attn.heads.0.pattern").value);
    CHECK(second.at("blocks.0.resid_post").value == first.at("blocks.0.resid_post").value);
    CHECK(is_same(*compute_value(first, first.id_at(path)), *second.at(path).value));

    const Trace third = compute(plan_large(), {}, {}, &second);
    CHECK_FALSE(third.at(path).value);
}

TEST_CASE("compute: a pin of a matrix that is not kept still works") {
    const std::string path = "blocks.0.attn.heads.1.pattern";
    const Interventions interventions{{path, {.cells = {{0, 1999, 1}}}}};
    const Trace before = compute(plan_large(), {}, {}, nullptr);
    const Trace after = compute(plan_large(), interventions, {}, &before);
    CHECK_FALSE(after.at(path).value);
    CHECK((*compute_value(after, after.id_at(path)))(0, 1999) == 1);
    CHECK(is_same(value(after, "blocks.0.resid_post"),
                  value(compute(plan_large(), interventions, {}, nullptr), "blocks.0.resid_post")));
    CHECK(distance(value(after, "blocks.0.resid_post"), value(before, "blocks.0.resid_post")) > 0);
}

TEST_CASE("compute_value: a value that was not kept is recomputed bit for bit") {
    const Interventions interventions{{"blocks.0.attn.heads.0.result", {.cells = {{0, 0, 3}}}},
                                      {"blocks.0.attn.heads.0.z", {.cells = {{1, 1, 3}}}}};
    const Trace full = sentence("it was too tired", kTwoHeads, interventions);
    Trace bare = full;
    for (Tensor& tensor : bare.tensors()) {
        tensor.computed.reset();
        tensor.value.reset();
    }
    for (TensorId id = 0; id < full.tensors().size(); ++id)
        CHECK_MESSAGE(is_same(*compute_value(bare, id), *full[id].value), full[id].path());
}

TEST_CASE("dormant_interventions: those that fit no tensor, or have a cell outside it") {
    const Trace trace = sentence("it was", kTwoHeads);
    const Interventions interventions{{"embed", {.cells = {{0, 0, 1}}}},
                                      {"pos_embed", {.cells = {{0, 0, 1}, {2, 0, 1}}}},
                                      {"mask", {.cells = {{0, 2, 1}}}},
                                      {"blocks.3.attn.W_O", {.cells = {{0, 0, 1}}}}};
    CHECK(dormant_interventions(trace, interventions) ==
          std::vector<std::string>{"blocks.3.attn.W_O", "mask", "pos_embed"});
    CHECK(value(compute(without_values(trace), interventions, kWatchAll, nullptr), "embed")(0, 0) ==
          1);
}

TEST_CASE("Watched: everything, a glob, or nothing") {
    CHECK(kWatchAll.contains("embed"));
    const Watched one{.everything = false, .globs = {"*.heads.1.*", "mask"}};
    CHECK(one.contains("blocks.0.attn.heads.1.pattern"));
    CHECK(one.contains("mask"));
    CHECK_FALSE(one.contains("embed"));
    CHECK_FALSE(Watched{}.contains("embed"));
}

TEST_CASE("compute: progress reaches all of the work, and names the current tensor") {
    for (const std::shared_ptr<const Plan>& plan :
         {without_values(sentence("it was too tired", kTwoHeads)),
          std::make_shared<const Plan>(plan_large())}) {
        Progress progress;
        CHECK(progress.share() == 0);
        compute(plan, {}, {}, nullptr, serial().followed_by(progress));
        CHECK(progress.share() == doctest::Approx(1));
        CHECK(plan->find(progress.at()));
    }
}

namespace {

/// The paths of the computed tensors in order, for tensors with a spy as operation.
std::vector<std::string> spied;
Index most_at_once = 0, n_at_once = 0;

void pattern_forward(const Call& call, View result) {
    spied.push_back(call.settings.key);
    most_at_once = std::max(most_at_once, ++n_at_once);
    result = call[0].replicate(1, result.cols());
}

void reader_forward(const Call& call, View result) {
    spied.push_back(call.settings.key);
    --n_at_once;
    result.setConstant(call[0].sum());
}

void last_forward(const Call& call, View result) {
    spied.push_back(call.settings.key);
    result = call[0].leftCols(1);
}

const Operation kPattern{"pattern", {}, kWhole, pattern_forward, nullptr, nullptr};
const Operation kReader{"reader", {}, kWhole, reader_forward, nullptr, nullptr};
const Operation kLast{"last", {}, kWhole, last_forward, nullptr, nullptr};

/// Layers that each have a pattern and an output; readers of the patterns end the plan.
Plan plan_read_layers(int n) {
    Plan plan;
    const Axis rows{AxisKind::Query, 4};
    const auto add = [&](const std::string& path, const Operation& operation,
                         std::vector<TensorId> in, Axis columns, Keep keep) {
        PlannedTensor tensor = planned(path, operation, std::move(in));
        tensor.rows = rows;
        tensor.columns = columns;
        tensor.keep = keep;
        return plan.add(std::move(tensor));
    };
    const Axis wide{AxisKind::Key, 4};
    TensorId x = add("x", operations::ones, {}, {}, Keep::Always);
    std::vector<TensorId> patterns, read;
    for (int l = 0; l < n; ++l) {
        patterns.push_back(add("pattern" + std::to_string(l), kPattern, {x}, wide, Keep::OnDemand));
        x = add("out" + std::to_string(l), kLast, {patterns.back()}, {}, Keep::Always);
    }
    for (int l = 0; l < n; ++l)
        read.push_back(add("read" + std::to_string(l), kReader,
                           {patterns[static_cast<std::size_t>(l)]}, {}, Keep::OnDemand));
    add("all", operations::add, {read[0], read[1]}, {}, Keep::OnDemand);
    return plan;
}

}  // namespace

TEST_CASE("compute: an on-demand reader of a pattern runs before the next pattern is made") {
    spied.clear();
    most_at_once = n_at_once = 0;
    const Trace trace = compute(plan_read_layers(3), {}, {.globs = {"read*", "all"}}, nullptr);
    CHECK(most_at_once == 1);
    CHECK(spied == std::vector<std::string>{"pattern0", "read0", "out0", "pattern1", "read1",
                                            "out1", "pattern2", "read2", "out2"});
    CHECK(value(trace, "all")(0, 0) == value(trace, "read0")(0, 0) + value(trace, "read1")(0, 0));
    CHECK_FALSE(trace.at("pattern0").value);
    CHECK(compute(plan_read_layers(3), {}, {.globs = {"pattern1"}}, nullptr).at("pattern1").value);
}

namespace {

Interventions held(Scalar number, const std::string& path = "embed") {
    Intervention intervention;
    intervention.set(1, 2, number);
    return {{path, intervention}};
}

}  // namespace

TEST_CASE("Evaluator: a drag gives the same bits as computing from scratch") {
    const auto plan = without_values(sentence("it was too tired", kTwoHeads));
    Evaluator evaluator;
    std::shared_ptr<const Trace> trace = evaluator.evaluate(plan, {}, kWatchAll, nullptr);
    const std::vector<std::string> dragged{"embed",
                                           "embed",
                                           "embed",
                                           "blocks.0.attn.heads.1.pattern",
                                           "embed",
                                           "mask",
                                           "mask",
                                           "blocks.0.attn.heads.0.masked_scores",
                                           "blocks.0.attn.heads.0.scores",
                                           "embed",
                                           "embed"};
    Scalar number = 0;
    for (const std::string& path : dragged) {
        const Interventions interventions = held(number += Scalar(0.25), path);
        const std::shared_ptr<const Trace> before = trace;
        const Trace kept = *before;  // a copy of its values
        std::vector<Matrix> numbers;
        for (const Tensor& tensor : before->tensors()) numbers.push_back(*tensor.value);
        trace = evaluator.evaluate(plan, interventions, kWatchAll, before.get());
        const Trace anew = compute(plan, interventions, kWatchAll, nullptr);
        for (TensorId id = 0; id < anew.tensors().size(); ++id) {
            CHECK_MESSAGE(is_same(*(*trace)[id].value, *anew[id].value), path, anew[id].path());
            CHECK_MESSAGE(is_same(*(*trace)[id].computed, *anew[id].computed), anew[id].path());
            CHECK_MESSAGE(is_same(*(*before)[id].value, numbers[id]), path, anew[id].path());
        }
    }
}

TEST_CASE("Evaluator: memory is reused if nothing else uses it, and only then; never a matrix") {
    const auto plan = without_values(sentence("it was too tired", kTwoHeads));
    Evaluator evaluator;
    std::shared_ptr<const Trace> trace = evaluator.evaluate(plan, held(1), kWatchAll, nullptr);
    const Scalar* const first = trace->at("blocks.0.attn.out").value->data();
    const std::weak_ptr<const Matrix> first_matrix = trace->at("blocks.0.attn.out").value;
    const MatrixPtr looked_at = trace->at("blocks.0.attn.heads.0.pattern").value;
    const Matrix as_it_was = *looked_at;
    trace = evaluator.evaluate(plan, held(2), kWatchAll, trace.get());
    CHECK(trace->at("blocks.0.attn.out").value->data() != first);
    CHECK(!first_matrix.expired());
    trace = evaluator.evaluate(plan, held(3), kWatchAll, trace.get());
    CHECK(trace->at("blocks.0.attn.out").value->data() == first);
    CHECK(first_matrix.expired());  // who kept something of it must look again
    CHECK(trace->at("blocks.0.attn.heads.0.pattern").value != looked_at);
    CHECK(is_same(*looked_at, as_it_was));
}

TEST_CASE("compute: a cancelled evaluation gives no trace") {
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(compute(plan_large(), {}, {}, nullptr, serial().followed_by(progress)),
                    Cancelled);
}

TEST_CASE("compute: reused tensors are no work") {
    const Trace first = sentence("it was too tired", kTwoHeads);
    Progress progress;
    compute(without_values(first), {}, kWatchAll, &first, serial().followed_by(progress));
    CHECK(progress.at().empty());
}

}  // namespace headlight::compute_test
