#include "core/analyses/across_layers.h"

#include <utility>

#include "core/operations/analysis_operations.h"
#include "core/operations/operations.h"

namespace headlight {
void AcrossLayers::add_layer() {
    const std::size_t l = mixed_.size(), n_layers = layers_.attentions.size();
    if (l == 0) {
        const PlannedTensor& pattern =
            plan_.at(layers_.attentions[0].of_head(0).at(Role::Pattern).path);
        query_ = pattern.rows, key_ = pattern.columns;
        group_rows_ = query_.groups > 1 ? query_.size / query_.groups : 0;
    }
    const std::string number = layer_number(l);
    const TensorId mean = add_result(
        plan_, name("mean." + number, "Ā"), "Ā = mean of the layer's heads", operations::scaled_sum,
        patterns(l), {.scale = 1 / static_cast<Scalar>(layers_.n_heads)});
    mixed_.push_back(layers_.has_residual ? add("mixed." + number, "Â", "Â = Ā + I, rows sum to 1",
                                                operations::with_residual, {mean})
                                          : mean);
    if (l == 0) {
        rollout_ = mixed_[0];
        return;
    }
    rollout_ = add(l + 1 == n_layers ? "rollout" : "rollout." + number, "rollout", "Â_l · rollout",
                   operations::multiply, {mixed_[l], rollout_});
}

void AcrossLayers::finish() {
    if (mixed_.size() == 1)
        add("rollout", "rollout", "Â of the one layer", operations::copy, {rollout_});
    if (layers_.has_flow)
        add("flow", "flow", "greatest flow through all Â, row divided by its sum",
            operations::attention_flow, mixed_);
    if (layers_.output) add_gradient();
}

void AcrossLayers::add_gradient() {
    const auto words = std::make_shared<const std::vector<Index>>(layers_.words);
    TensorId R = 0;
    const std::size_t n_layers = layers_.attentions.size();
    for (std::size_t l = 0; l < n_layers; ++l) {
        const std::string number = "." + layer_number(l);
        std::vector<TensorId> inputs{*layers_.output};
        for (const TensorId pattern : patterns(l)) inputs.push_back(pattern);
        const bool is_last = l + 1 == n_layers;
        TensorName G = name(n_layers == 1 ? "gradient" : "gradient_layer" + number, "G");
        const TensorId layer =
            add_result(plan_, std::move(G), "mean_h max(0, A ⊙ ∂t/∂A)",
                       operations::gradient_attention, std::move(inputs), {.indices = words});
        if (l == 0) {
            R = layer;
            continue;
        }
        const TensorId through =
            add("gradient_through" + number, "G R", "G_l R", operations::multiply, {layer, R});
        R = add(is_last ? "gradient" : "gradient" + number, "R", "R + G_l + G_l R",
                operations::scaled_sum, {R, layer, through});
    }
}

/// Returns the layer's number as its paths have it: if only the last layer counts, that is not 0.
std::string AcrossLayers::layer_number(std::size_t l) const {
    return std::to_string(layers_.attentions[l].layer);
}

std::vector<TensorId> AcrossLayers::patterns(std::size_t l) const {
    std::vector<TensorId> ids;
    for (int h = 0; h < layers_.n_heads; ++h)
        ids.push_back(plan_.id_at(layers_.attentions[l].of_head(h).at(Role::Pattern).path));
    return ids;
}

TensorName AcrossLayers::name(const std::string& last, const char* symbol) const {
    // The results of gradients do not sum to 1.
    const bool is_share = !last.starts_with("gradient");
    return {Location{.component = ComponentKind::Analyses}.at("across." + last),
            symbol,
            query_,
            key_,
            Stage::Output,
            is_share ? Quantity::Probability : Quantity::Amount,
            Keep::OnDemand};
}

TensorId AcrossLayers::add(const std::string& last, const char* symbol, const char* equation,
                           const Operation& operation, std::vector<TensorId> inputs) {
    return add_result(plan_, name(last, symbol), equation, operation, std::move(inputs),
                      {.group_rows = group_rows_});
}

void add_across_layers(Plan& plan, const LayerRange& layers) {
    AcrossLayers across(plan, layers);
    for (std::size_t l = 0; l < layers.attentions.size(); ++l) across.add_layer();
    across.finish();
}

}  // namespace headlight
