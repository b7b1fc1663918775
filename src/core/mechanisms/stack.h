// Stack: Transformer blocks one after another, over the items of one list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/block.h"
#include "core/mechanisms/word_table.h"
#include "core/operations/mask_operations.h"

namespace headlight {

/// Returns the last word of the path of a layer's mask: "mask", or where the layers' windows differ
/// "window4_mask" for one of 4.
std::string self_mask_word(const MaskSettings& settings, int layer);

/// Returns the settings with the angles that the layer has.
StackSettings settings_of_layer(const StackSettings& settings, int layer);

/// Names the tensors of one stack, part by part; nothing is computed. n items, all sentences'.
class Stack {
  public:
    struct Over {
        Network network = Network::Main;  // of its results
        int list = 0;                     // its items
        Index groups = 1;                 // sentences stacked
        Network weights = network;        // the owner of its weights
        WordTable table = {};             // of the words; empty: each has an embedding of its own
        std::optional<int> written = {};  // the words that its places write, if not its items
    };

    Stack(Plan& plan, const StackSettings& settings, const Over& over, std::uint64_t seed);

    /// Adds embed and pos_embed of words, n × d_model each, whose sum is the first layer's X. With
    /// a table also tokens (n × 1) and W_E (V × d_model), in which embed is looked up. By the
    /// settings embed_scaled, and type_embed (types n × 1, W_type). [Devlin 2019, BERT, fig. 2]
    std::vector<TensorId> add_words();
    /// Adds the sum of the inputs, n × d_model.
    TensorId add_sum(Named named, const std::vector<TensorId>& parts);
    /// Adds with embedding_norm their sum, embed_sum, and its norm, ln_embed.out; else returns the
    /// inputs.
    std::vector<TensorId> add_embedding_norm(std::vector<TensorId> parts);

    /// Adds the mask that says which items of `key` the items may read.
    TensorId add_mask(Named named, const MaskRule& rule, Axis key);
    /// Adds the masks that self_mask_word names. Returns that of each layer. Throws Error if
    /// windows are listed for another number of layers.
    std::vector<TensorId> add_self_masks(const MaskSettings& settings);

    /// Adds blocks.l, each with its mask; `place` holds everything that all of them share. Returns
    /// the last one's output.
    TensorId add_layers(std::vector<TensorId> input, BlockPlace place,
                        const std::vector<TensorId>& masks);
    /// Adds ln_final, by the settings; returns x where there is none.
    TensorId add_final_norm(TensorId x);
    /// Adds W_U, b_U, logits and probs of the next word, by the settings; of the words of the
    /// table, if there is one. Returns the logits; x where there are none. Before them, with
    /// logit_scale out_scaled; for a masked word head. W b pre post and ln_head. w b out, of BERT's
    /// masked-LM head. Large vocabularies have logits on demand.
    TensorId add_unembedding(TensorId x, std::vector<std::string> vocabulary);
    /// Adds the readout at one word of each sentence, which stands for another: asked, asked_out,
    /// logits, probs; answer: the probabilities of the sentence's words. `places` are rows of their
    /// sentences, or kNowhere, whose answer is NaN; `asked` are the words. Needs a table.
    TensorId add_answer(TensorId x, const std::vector<Index>& places,
                        std::vector<std::string> asked);
    static constexpr Index kNowhere = -1;

    const Axis& item() const { return item_; }
    const Axis& model() const { return model_; }
    /// Returns the location of tensors before its first layer.
    Location input() const { return {.network = network_}; }

  private:
    TensorName name(Named named, std::string symbol, Stage stage) const;
    TensorId add_embedding();
    TensorId add_types();
    TensorId add_masked_head(TensorId x);
    TensorId add_scaled(TensorId x);
    TensorId add_W_U(const Axis& words);
    Axis vocabulary_axis();
    TensorId add_logits(TensorId x, const Axis& words, const char* probability);
    TensorId add_learned_positions(const TensorName& name, Index group_rows);

    Plan& plan_;
    const StackSettings& settings_;
    Network network_, weights_;
    std::uint64_t seed_;
    Axis item_, model_;
    WordTable table_;
    std::optional<int> written_;
};

}  // namespace headlight
