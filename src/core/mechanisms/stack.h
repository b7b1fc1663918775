// Stack: Transformer blocks one after another, over the items of one list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/block.h"
#include "core/operations/mask_operations.h"

namespace headlight {

/// Names the tensors of one stack, part by part; nothing is computed. n items, all sentences'.
class Stack {
  public:
    struct Over {
        Network network = Network::Main;  // of what it computes
        int list = 0;                     // its items
        Index groups = 1;                 // sentences stacked
        Network weights = network;        // whose weights it uses
    };

    Stack(Plan& plan, const StackSettings& settings, const Over& over, std::uint64_t seed);

    /// embed and pos_embed of words, n × d_model each: what the first layer's X is the sum of.
    std::vector<TensorId> add_words();
    /// The sum of one or two inputs, n × d_model.
    TensorId add_sum(Named named, const std::vector<TensorId>& parts);

    /// What the items may read of those of `key`.
    TensorId add_mask(Named named, const MaskRule& rule, Axis key);
    TensorId add_self_mask(const MaskSettings& settings);  // "mask"

    /// blocks.l; the place says what all of them share. Returns the last one's output.
    TensorId add_layers(std::vector<TensorId> input, BlockPlace place);
    /// ln_final, by the settings; x where there is none.
    TensorId add_final_norm(TensorId x);
    /// W_U, logits and probs of the next word, by the settings. Returns the logits; x where there
    /// are none.
    TensorId add_unembedding(TensorId x, std::vector<std::string> vocabulary);

    const Axis& item() const { return item_; }
    const Axis& model() const { return model_; }
    /// What stands before its first layer.
    Location input() const { return {.network = network_}; }

  private:
    TensorName name(Named named, const char* symbol, Stage stage) const;
    TensorId add_learned_positions(const TensorName& name, Index group_rows);

    Plan& plan_;
    const StackSettings& settings_;
    Network network_, weights_;
    std::uint64_t seed_;
    Axis item_, model_;
};

}  // namespace headlight
