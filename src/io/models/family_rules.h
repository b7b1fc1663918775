// Parts of the tables of families.
#pragma once

#include <span>

#include "io/models/families.h"

namespace headlight {

inline constexpr Turn kLinear = Turn::Transposed;  // nn.Linear computes x Wᵀ

std::span<const Family> decoder_families();
std::span<const Family> gemma_families();
/// With those of encoders and decoders, and of models that read images.
std::span<const Family> encoder_families();

/// Throws Error, naming the layer, if layer_types says something else than these settings.
void check_layer_types(const StackSettings& s, const ModelConfig& config);

/// Returns a sentence that a stack with these settings reads.
template <StackSettings (*settings)(const ModelConfig& config)>
Study sentence_study(const ModelConfig& config) {
    SentenceStudy study{.text = {}, .layer = settings(config)};
    check_layer_types(study.layer, config);
    return study;
}

}  // namespace headlight
