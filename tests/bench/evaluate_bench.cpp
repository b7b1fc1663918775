// How long an edit takes until its new trace exists, and what its parts cost.
#include <benchmark/benchmark.h>

#include "core/operations/operations.h"
#include "model/changes.h"
#include "model/evaluate.h"

using namespace headlight;

namespace {

Document large_sentence() {
    std::string text;
    for (int i = 0; i < 512; ++i) text += "w" + std::to_string(i) + " ";
    SentenceStudy study{.text = text, .layer = {}};
    study.layer.d_model = 512;
    study.layer.attention.n_heads = 8;
    study.layer.attention.d_k = study.layer.attention.d_v = {{64}};
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

void evaluate_from_nothing(benchmark::State& state, const Document& document) {
    for (auto _ : state) benchmark::DoNotOptimize(evaluate(document, nullptr, {}));
}

/// A drag: the cell gets another value each time, and the last trace is reused.
void edit_one_cell(benchmark::State& state, Document document, const std::string& path) {
    Trace trace = evaluate(document, nullptr, {});
    Scalar value = 0;
    for (auto _ : state) {
        set_cell(document, path, 0, 0, value += Scalar(0.001));
        trace = evaluate(document, &trace, {});
    }
}

/// Recomputes everything except the weights, as after a change of the first word.
void edit_embedding(benchmark::State& state, Document document) {
    edit_one_cell(state, std::move(document), "embed");
}

void softmax_2048(benchmark::State& state) {
    Matrix scores(2048, 2048);
    for (Index i = 0; i < scores.size(); ++i)
        scores.data()[i] = static_cast<Scalar>(i * 7919 % 1000) / 100;
    const ConstView in[] = {view(std::as_const(scores))};
    const OperationSettings settings;
    Matrix pattern(2048, 2048);
    for (auto _ : state) {
        operations::softmax_rows.forward({in, settings, 2048, 2048}, view(pattern));
        benchmark::ClobberMemory();
    }
}

const std::string kWeight = "blocks.0.attn.heads.0.W_Q";

BENCHMARK_CAPTURE(edit_one_cell, sentence, built_in_sentence(), kWeight)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(edit_one_cell, karate, built_in_graph(), std::string("gat.0.heads.0.W"))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(edit_embedding, sentence, built_in_sentence())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate_from_nothing, sentence, built_in_sentence())
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate_from_nothing, karate, built_in_graph())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(edit_one_cell, n512_d512_8_heads, large_sentence(), kWeight)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(edit_embedding, n512_d512_8_heads, large_sentence())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_from_nothing, n512_d512_8_heads, large_sentence())
    ->Unit(benchmark::kMillisecond);
BENCHMARK(softmax_2048)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
