#include "learn/trained_task.h"

#include <algorithm>

#include "core/plan.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"

namespace headlight::trained_task {
namespace {

constexpr int kShardSize = 50;

std::string joined(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<HeadPlace> all_heads(const TaskEntry& entry) {
    const StackSettings layers = entry.recipe().study.sentence()->layer;
    std::vector<HeadPlace> heads;
    for (int l = 0; l < layers.n_layers; ++l)
        for (int h = 0; h < layers.attention.n_heads; ++h) heads.push_back({l, h});
    return heads;
}

}  // namespace

TrainedTask::TrainedTask(const char* name)
    : entry_(task_named(name)),
      task_(entry_.make(entry_.recipe(), kShardSize)),
      trainer_(task_->plan(), {}, 1) {
    const SharedWeights weights = trained_weights(entry_);
    REQUIRE(weights);
    std::vector<MatrixPtr> parameters;
    for (const TensorId id : task_->plan().parameters)
        parameters.push_back(weights->matrices.at((*task_->plan().plan)[id].path).values);
    trainer_.set_parameters(parameters);
}

Index TrainedTask::n_numbers() const {
    Index sum = 0;
    for (const MatrixPtr& parameter : trainer_.parameters()) sum += parameter->size();
    return sum;
}

Index TrainedTask::n_words() const {
    return task_->plan().plan->at("W_E").rows.size - 1;
}

Answers TrainedTask::score(const std::vector<Shard>& shards, const Interventions& interventions) {
    Answers score;
    for (const Shard& shard : shards) {
        score.loss += trainer_.test(shard, interventions);
        const Matrix& logits = trainer_.output();
        const Index n_words = logits.rows() / kShardSize;
        for (Index s = 0; s < kShardSize; ++s) {
            Index n_targets = 0, n_right = 0;
            for (Index row = s * n_words; row < (s + 1) * n_words; ++row) {
                const Index right = shard.classes[static_cast<std::size_t>(row)];
                if (right == kNoClass) continue;
                Index chosen = 0;
                logits.row(row).maxCoeff(&chosen);
                ++n_targets;
                if (chosen == right) ++n_right;
            }
            if (n_targets > 0) ++score.n_sequences;
            if (n_targets > 0 && n_right == n_targets) ++score.n_whole;
        }
    }
    return score;
}

Answers TrainedTask::score(std::span<const SequenceExample> examples) {
    std::vector<Shard> shards;
    for (std::size_t begin = 0; begin < examples.size(); begin += kShardSize)
        shards.push_back(task().batch().shard(examples.subspan(
            begin, std::min(static_cast<std::size_t>(kShardSize), examples.size() - begin))));
    return score(shards);
}

std::string HeadPlace::path(const char* tensor) const {
    return "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head) + "." + tensor;
}

Interventions without(std::span<const HeadPlace> heads) {
    Interventions interventions;
    for (const HeadPlace& head : heads)
        interventions[head.path("z")] = {.cells = {}, .ablation = Ablation::Zero};
    return interventions;
}

Trace evaluate_text(const TaskEntry& entry, const std::string& text) {
    Document document = trained_study(entry);
    document.sentence()->text = text;
    return evaluate(document, nullptr,
                    {.everything = true, .globs = {"blocks.*.metrics", kChancePath}});
}

std::vector<HeadPlace> heads_named(const TaskEntry& entry, const Trace& trace, HeadMetric metric) {
    std::vector<HeadPlace> named;
    for (const HeadPlace& head : all_heads(entry)) {
        const auto label =
            head_label(trace, "blocks." + std::to_string(head.layer) + ".attn", head.head);
        if (label && label->metric == metric) named.push_back(head);
    }
    return named;
}

Scalar read_metric(const Trace& trace, HeadPlace head, HeadMetric metric) {
    return (*trace.at(head.path("metrics")).value)(0, static_cast<Index>(metric));
}

NextWord next_word(const Trace& trace) {
    const Tensor& probabilities = trace.at("probs");
    const Matrix& P = *probabilities.value;
    Index word = 0;
    const Scalar probability = P.row(P.rows() - 1).maxCoeff(&word);
    return {axis_label(trace, probabilities.columns(), word), probability};
}

NextWord next_word(const char* task, const std::string& text) {
    Document document = trained_study(task_named(task));
    document.sentence()->text = text;
    return next_word(evaluate(document, nullptr, {}));
}

std::string continued(const char* task, std::string text, int n_words) {
    for (int k = 0; k < n_words; ++k) text += " " + next_word(task, text).word;
    return text;
}

std::vector<HeadWeight> weights_on(const TaskEntry& entry, std::span<const PromptedWords> sequences,
                                   const FindKey& find_key) {
    std::vector<HeadWeight> weights;
    for (const HeadPlace& head : all_heads(entry)) weights.push_back({head, 0});
    Document document = trained_study(entry);
    Index n_rows = 0;
    for (const PromptedWords& sequence : sequences) {
        document.sentence()->text = joined(sequence.words);
        const Trace trace = evaluate(document, nullptr, {});
        REQUIRE(trace.items() == sequence.words);
        for (const AskedWord& asked : sequence.asked) {
            const Index key = find_key(sequence, asked);
            if (key < 0) continue;
            ++n_rows;
            for (HeadWeight& weight : weights)
                weight.mean += static_cast<double>(
                    (*trace.at(weight.head.path("pattern")).value)(asked.place, key));
        }
    }
    for (HeadWeight& weight : weights) weight.mean /= static_cast<double>(n_rows);
    return weights;
}

}  // namespace headlight::trained_task
