#include "bench_cases.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <sstream>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "core/error.h"
#include "core/gradient.h"
#include "core/mechanisms/graph_attention.h"
#include "core/numeric/row_functions.h"
#include "core/operations/operations.h"
#include "learn/random.h"
#include "learn/sequence_task.h"
#include "model/evaluate.h"

namespace headlight {
namespace {

struct Numbers {
    std::vector<Index> of;

    Index operator[](std::size_t i) const { return of.at(i); }
    int as_int(std::size_t i) const { return static_cast<int>(of.at(i)); }
};

std::string words(Index n) {
    std::string text;
    for (Index i = 0; i < n; ++i) text += "w" + std::to_string(i) + " ";
    return text;
}

/// The attention layer of torch.nn: projections with biases, heads and W_O, nothing else.
Document attention_layer(const Numbers& size) {
    SentenceStudy study{.text = words(size[0]), .layer = {}};
    study.layer.d_model = size.as_int(1);
    study.layer.positions = Positions::None;
    study.layer.block.residual = Switch::Off;
    study.layer.attention.n_heads = size.as_int(2);
    study.layer.attention.d_k.values = {size.as_int(1) / size.as_int(2)};
    study.layer.attention.d_v = study.layer.attention.d_k;
    study.layer.attention.bias = Switch::On;
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

/// One layer of GAT over random edges and a self-edge for each node.
Plan plan_graph_layer(const Numbers& size) {
    GraphNodes nodes;
    std::vector<EdgeEnds> edges;
    for (Index i = 0; i < size[0]; ++i) {
        nodes.names.push_back(std::to_string(i));
        edges.push_back({i, i});
    }
    nodes.keys = nodes.names;
    std::mt19937_64 random(1);
    std::uniform_int_distribution<Index> node(0, size[0] - 1);
    for (Index e = 0; e < size[1]; ++e) edges.push_back({node(random), node(random)});
    const GraphSettings layer{
        .n_heads = {{8}}, .d_in = 64, .d_out = {{8}}, .activation = Activation::None};
    return plan_graph_attention(std::move(nodes), make_edges(size[0], std::move(edges)), layer, 1);
}

using SharedPlan = std::shared_ptr<const Plan>;

/// A study that is evaluated again and again, after a change of one cell of a leaf.
class Edited {
  public:
    Edited(SharedPlan plan, std::string path, Watched watched)
        : plan_(std::move(plan)), path_(std::move(path)), watched_(std::move(watched)) {
        trace_ = evaluator_.evaluate(plan_, {}, watched_, nullptr);
    }

    const Trace& trace() const { return *trace_; }

    void run(const ForEach& for_each) {
        Intervention intervention;
        intervention.set(0, 0, value_ += Scalar(0.001));
        trace_ =
            evaluator_.evaluate(plan_, {{path_, intervention}}, watched_, trace_.get(), for_each);
    }

  private:
    SharedPlan plan_;
    std::string path_;
    Watched watched_;
    Evaluator evaluator_;
    std::shared_ptr<const Trace> trace_;
    Scalar value_ = 0;
};

BenchCase edited(SharedPlan plan, const std::string& path, Watched watched) {
    auto study = std::make_shared<Edited>(std::move(plan), path, std::move(watched));
    return [study](const ForEach& for_each) { study->run(for_each); };
}

const Watched kPatterns = {.globs = {"*.scores", "*.pattern"}};

BenchCase attention_case(const Numbers& size) {
    return edited(plan(attention_layer(size)), "embed", kPatterns);
}

BenchCase causal_case(const Numbers& size) {
    Document document = attention_layer(size);
    document.sentence()->layer.mask.causal = Switch::On;
    return edited(plan(document), "embed", kPatterns);
}

/// GPT-2 small without its table of words: 12 layers of 12 heads, width 768, all patterns kept.
BenchCase gpt2_case(const Numbers& size) {
    SentenceStudy study{.text = words(size[0]), .layer = {}};
    study.layer.n_layers = 12;
    study.layer.d_model = 768;
    study.layer.positions = Positions::Learned;
    study.layer.attention.n_heads = 12;
    study.layer.attention.bias = Switch::On;
    study.layer.mask.causal = Switch::On;
    study.layer.block = {.norm = Norm::Pre, .mlp = Mlp::GeluTanh, .d_ff = 3072};
    study.layer.final_norm = Switch::On;
    return edited(plan({.study = std::move(study), .seed = 1, .interventions = {}}), "embed",
                  {.globs = {"blocks.*.pattern"}});
}

/// MiniLM-L6 without its table of words: 6 layers of 12 heads, width 384, all patterns kept.
BenchCase minilm_case(const Numbers& size) {
    SentenceStudy study{.text = words(size[0]), .layer = {}};
    study.layer.n_layers = 6;
    study.layer.d_model = 384;
    study.layer.positions = Positions::Learned;
    study.layer.token_types = 2;
    study.layer.embedding_norm = Switch::On;
    study.layer.attention.n_heads = 12;
    study.layer.attention.bias = Switch::On;
    study.layer.block = {.norm = Norm::Post, .mlp = Mlp::Gelu, .d_ff = 1536};
    return edited(plan({.study = std::move(study), .seed = 1, .interventions = {}}), "embed",
                  {.globs = {"blocks.*.pattern"}});
}

BenchCase edit_case(const Numbers& size) {
    return edited(plan(attention_layer(size)), "blocks.0.attn.heads.0.W_Q", kPatterns);
}

/// The whole layer with one head watched, computed from the weights alone.
BenchCase memory_case(const Numbers& size) {
    const Document document = attention_layer(size);
    auto trace = std::make_shared<Trace>();
    return [=](const ForEach& for_each) {
        *trace = evaluate(document, nullptr, {.globs = {"*.heads.0.pattern"}}, for_each);
    };
}

BenchCase watch_case(const Numbers& size) {
    const Document document = attention_layer(size);
    auto trace = std::make_shared<Trace>(evaluate(document, nullptr, {}));
    return [=](const ForEach& for_each) {
        evaluate(document, trace.get(), {.globs = {"*.heads.1.pattern"}}, for_each);
    };
}

BenchCase gat_case(const Numbers& size) {
    return edited(std::make_shared<const Plan>(plan_graph_layer(size)), "embed", kPatterns);
}

/// A step of training: two blocks of width 64 with four heads, 32 sentences of 16 words, the next
/// word among 256, Adam. A thread computes its share of the sentences.
BenchCase training_case(const Numbers& size) {
    const auto n_shards = static_cast<std::size_t>(size[0]);
    StackSettings settings{.n_layers = 2, .d_model = 64, .positions = Positions::Learned};
    settings.attention.bias = Switch::On;
    settings.mask.causal = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 256};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    const auto vocabulary = std::make_shared<std::vector<std::string>>();
    for (int k = 0; k < 256; ++k) vocabulary->push_back("w" + std::to_string(k));
    const auto n_sentences = static_cast<Index>(32 / n_shards);
    const SequenceBatch batch(settings, vocabulary, n_sentences, 16, 1);
    const auto trainer = std::make_shared<Trainer>(batch.plan(), OptimizerSettings{}, n_shards);
    Random random(1);
    std::vector<Shard> shards;
    for (std::size_t s = 0; s < n_shards; ++s) {
        std::vector<SequenceExample> examples(static_cast<std::size_t>(n_sentences));
        for (SequenceExample& example : examples)
            for (Index i = 0; i < 16; ++i) {
                example.words.push_back(random.below(256));
                example.targets.push_back({i, random.below(256)});
            }
        shards.push_back(batch.shard(examples));
    }
    return [=](const ForEach& for_each) { trainer->step(shards, 1e-3, for_each); };
}

BenchCase block_case(const Numbers&) {
    std::string text;
    for (int i = 0; i < 32; ++i) text += words(16) + "\n";
    SentenceStudy study{.text = text, .layer = {}};
    study.layer.n_layers = 2;
    study.layer.d_model = 64;
    study.layer.attention.bias = Switch::On;
    study.layer.attention.d_k.values = study.layer.attention.d_v.values = {16};
    study.layer.block = {.norm = Norm::Post, .mlp = Mlp::Relu, .d_ff = 256};
    SharedPlan layers = plan({.study = std::move(study), .seed = 1, .interventions = {}});
    const TensorId output = layers->id_at("blocks.1.resid_post");
    std::vector<TensorId> learned{layers->id_at("embed")};
    for (TensorId id = 0; id < layers->tensors().size(); ++id)
        if (const PlannedTensor& tensor = (*layers)[id];
            tensor.is_leaf() && tensor.stage == Stage::Weight)
            learned.push_back(id);
    auto backward = std::make_shared<Backward>(*layers, output, std::move(learned));
    auto edited = std::make_shared<Edited>(std::move(layers), "embed", Watched{});
    auto seed = std::make_shared<const Matrix>(Matrix::Ones(32 * 16, 64));
    return [=](const ForEach& for_each) {
        edited->run(for_each);
        backward->read(edited->trace());
        backward->pull(*seed);
    };
}

BenchCase softmax_case(const Numbers&) {
    auto scores = std::make_shared<const Matrix>(4 * Matrix::Random(2048, 2048));
    return [=](const ForEach&) {
        const ConstView in[] = {view(*scores)};
        Matrix pattern(2048, 2048);
        operations::softmax_rows.forward({in, {}, 2048, 2048}, view(pattern));
    };
}

BenchCase additive_case(const Numbers&) {
    auto a = std::make_shared<const Matrix>(Matrix::Random(512, 128));
    auto b = std::make_shared<const Matrix>(Matrix::Random(512, 128));
    auto v = std::make_shared<const Matrix>(Matrix::Random(128, 1));
    return [=](const ForEach&) {
        Matrix S(512, 512);
        additive_scores({a->data(), b->data(), v->data(), 512, 512, 128}, S.data());
    };
}

BenchCase copy_case(const Numbers&) {
    auto from = std::make_shared<const Matrix>(Matrix::Random(2048, 2048));
    auto to = std::make_shared<Matrix>(2048, 2048);
    return [=](const ForEach&) {
        std::memcpy(to->data(), from->data(), std::size_t(from->size()) * sizeof(Scalar));
    };
}

/// Enough chains of multiply-adds to hide their latency, and few enough for the registers.
template <typename Vector>
[[gnu::always_inline]] inline float chains_of_multiply_adds() {
    constexpr int kChains = 12, kLanes = sizeof(Vector) / sizeof(float);
    constexpr int kRounds = static_cast<int>(kFmaCount / (kChains * kLanes));
    Vector sums[kChains];
    for (int k = 0; k < kChains; ++k) sums[k] = float(k) - Vector{};
    const Vector factor = 0.999F - Vector{}, summand = 0.001F - Vector{};
    for (int i = 0; i < kRounds; ++i)
#pragma GCC unroll 12
        for (int k = 0; k < kChains; ++k) sums[k] = sums[k] * factor + summand;
    for (int k = 1; k < kChains; ++k) sums[0] += sums[k];
    return sums[0][0];
}

#ifdef __x86_64__
using Sixteen = float __attribute__((vector_size(64)));
[[gnu::target("avx512f")]] float multiply_adds_avx512() {
    return chains_of_multiply_adds<Sixteen>();
}
using Eight = float __attribute__((vector_size(32)));
[[gnu::target("avx2,fma")]] float multiply_adds_avx2() {
    return chains_of_multiply_adds<Eight>();
}
#endif

float multiply_add_in_registers() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) return multiply_adds_avx512();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return multiply_adds_avx2();
#endif
    using Four = float __attribute__((vector_size(16)));
    return chains_of_multiply_adds<Four>();
}

BenchCase fma_case(const Numbers&) {
    return [](const ForEach&) {
        volatile float result = multiply_add_in_registers();
        static_cast<void>(result);
    };
}

void write_past_caches(float* to, Index n) {
#ifdef __SSE2__
    for (Index i = 0; i < n; i += 4) _mm_stream_ps(to + i, _mm_set1_ps(float(i)));
#else
    std::fill(to, to + n, 1.0F);
#endif
}

/// Writes 16 bytes at a time, without reading them first.
BenchCase write_case(const Numbers&) {
    auto to = std::make_shared<Matrix>(2048, 2048);
    return [=](const ForEach&) { write_past_caches(to->data(), to->size()); };
}

struct Entry {
    const char* name;
    std::size_t n_numbers;
    BenchCase (*make)(const Numbers&);
};

constexpr Entry kEntries[] = {
    {"attention", 3, attention_case}, {"causal", 3, causal_case},   {"gpt2", 1, gpt2_case},
    {"minilm", 1, minilm_case},       {"edit", 3, edit_case},       {"memory", 3, memory_case},
    {"watch", 3, watch_case},         {"gat", 2, gat_case},         {"block", 0, block_case},
    {"training", 1, training_case},   {"softmax", 0, softmax_case}, {"additive", 0, additive_case},
    {"copy", 0, copy_case},           {"write", 0, write_case},     {"fma", 0, fma_case},
};

}  // namespace

BenchCase make_bench_case(const std::string& name) {
    std::istringstream parts(name);
    std::string word, number;
    std::getline(parts, word, ':');
    Numbers numbers;
    while (std::getline(parts, number, ':')) numbers.of.push_back(std::stol(number));
    for (const Entry& entry : kEntries)
        if (entry.name == word && entry.n_numbers == numbers.of.size()) return entry.make(numbers);
    throw Error("bench", "there is no case " + name);
}

}  // namespace headlight
