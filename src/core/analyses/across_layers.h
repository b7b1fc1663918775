// Measures in four ways how much each word of the output takes from each word of the input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mechanisms/add_tensor.h"

namespace headlight {

/// The layers that the analyses run across.
struct LayerRange {
    std::vector<Location> attentions;  // "blocks.0.attn", … from the first layer to the last
    int n_heads = 1;
    bool has_residual = true;
    std::optional<TensorId> output;  // Y: logits, or the last layer's result; else no gradient
    bool has_flow = true;
    std::vector<Index> words;  // word_numbers of the rows
};

/// Adds, on demand and n × n for each sentence:
///     across.mean.l      Ā_l, the mean of the layer's heads: raw attention
///     across.rollout     Â_L−1 ⋯ Â_0, Â = Ā beside the residual      [Abnar & Zuidema 2020]
///     across.flow        the greatest flow through Â_0 … Â_L−1       [Abnar & Zuidema 2020]
///     across.gradient    R: R ← R + G_l + G_l R, G_l = mean_h max(0, A_h ⊙ ∂t/∂A_h)  [Chefer 2021]
void add_across_layers(Plan& plan, const LayerRange& layers);

/// Adds the same analyses in steps, for patterns that are added one layer at a time. Computed in
/// this order, only one layer's patterns are needed at once.
class AcrossLayers {
  public:
    /// The layers must not change until finished.
    AcrossLayers(Plan& plan, const LayerRange& layers) : plan_(plan), layers_(layers) {}

    /// Call it after adding the patterns of the next layer.
    void add_layer();
    /// Call it after the last layer.
    void finish();

  private:
    void add_gradient();
    std::string layer_number(std::size_t l) const;
    std::vector<TensorId> patterns(std::size_t l) const;
    TensorName name(const std::string& last, const char* symbol) const;
    TensorId add(const std::string& last, const char* symbol, const char* equation,
                 const Operation& operation, std::vector<TensorId> inputs);

    Plan& plan_;
    const LayerRange& layers_;
    std::vector<TensorId> mixed_;
    TensorId rollout_ = 0;
    Axis query_, key_;
    Index group_rows_ = 0;
};

}  // namespace headlight
