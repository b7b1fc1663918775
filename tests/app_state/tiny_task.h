// A task that is learned in a moment: each word is to be answered with the word before it.
#pragma once

#include <memory>

#include "learn/sequence_task.h"

namespace headlight::tiny {

class Source final : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override {
        static const std::vector<std::string> words = {"?", "a", "b", "c", "d"};
        return words;
    }
    Index most_words() const override { return 6; }
    SequenceExample draw(Random& random) const override {
        SequenceExample example;
        for (Index i = 0; i < 6; ++i) {
            example.words.push_back(1 + random.below(4));
            if (i > 0)
                example.targets.push_back({i, example.words[static_cast<std::size_t>(i - 1)]});
        }
        return example;
    }
    std::vector<SequenceExample> held_out() const override {
        Random random(99);
        std::vector<SequenceExample> examples;
        while (examples.size() < 40) examples.push_back(draw(random));
        return examples;
    }
};

inline Recipe recipe() {
    StackSettings layer{.n_layers = 1, .d_model = 16, .positions = Positions::Learned};
    layer.attention.n_heads = 2;
    layer.unembedding = Unembedding::Learned;
    Document study;
    study.study = SentenceStudy{.text = "a b c d a b", .layer = layer};
    return {.task = "tiny",
            .study = study,
            .steps = 300,
            .batch = 16,
            .learning_rate = 1e-2,
            .warm_up = 0,
            .seed = 1,
            .optimizer = {}};
}

inline std::unique_ptr<Task> make(const Recipe& recipe, int shard_size) {
    return std::make_unique<SequenceTask>(std::make_unique<Source>(), recipe, shard_size);
}

inline const TaskEntry kTask{"tiny", "Tiny", "The word before.", recipe, make};

}  // namespace headlight::tiny
