#include "model/imports/rotary_source.h"

#include <algorithm>
#include <array>

#include "model/settings/setting_words.h"

namespace headlight {
namespace {

struct KnownSource {
    std::string_view part;  // of a name
    RotarySource source;
};

constexpr std::array kSources = {
    KnownSource{"self_attn.q_proj.weight", {"Hugging Face's LLaMA", RotaryPairs::Halves}},
    KnownSource{"attention.wq.weight", {"Meta's LLaMA", RotaryPairs::Interleaved}},
    KnownSource{"roformer.encoder.layer", {"RoFormer", RotaryPairs::Interleaved}},
};

/// Returns the rotary pairs of the study's stack; null if it has no stack or no rotary positions.
template <typename AnyDocument>
auto* rotating_attention(AnyDocument& document) {
    decltype(&document.sentence()->layer.attention) attention = nullptr;
    if (auto* sentence = document.sentence()) attention = &sentence->layer.attention;
    auto* alignment = document.alignment();
    if (alignment && alignment->mechanism == AlignmentMechanism::Transformer)
        attention = &alignment->layer.attention;
    auto* image = document.image();
    if (image && image->layer.mechanism == ImageMechanism::Attention)
        attention = &image->layer.stack.attention;
    const bool turns = attention && attention->relative == RelativePositions::Rotary;
    return turns ? attention : nullptr;
}

}  // namespace

const RotarySource* rotary_source(const std::vector<ArrayShape>& arrays) {
    for (const KnownSource& known : kSources)
        for (const ArrayShape& array : arrays)
            if (array.name.find(known.part) != std::string::npos) return &known.source;
    return nullptr;
}

std::optional<RotaryPairs> rotary_pairs(const Document& document) {
    const auto* attention = rotating_attention(document);
    if (!attention) return std::nullopt;
    return attention->rotary_pairs;
}

void set_rotary_pairs(Document& document, RotaryPairs pairs) {
    if (auto* attention = rotating_attention(document)) attention->rotary_pairs = pairs;
}

std::optional<RotaryPairs> rotary_pairs_for(const Document& document,
                                            const std::vector<ArrayShape>& arrays,
                                            std::optional<RotaryPairs> asked) {
    const std::optional<RotaryPairs> own = rotary_pairs(document);
    if (!own || asked) return own ? asked : own;
    const RotarySource* source = rotary_source(arrays);
    return source ? source->pairs : own;
}

std::string rotary_reason(RotaryPairs pairs, const std::vector<ArrayShape>& arrays) {
    const RotarySource* source = rotary_source(arrays);
    const std::string text = "rotary pairs: " + std::string(word_for(kRotaryPairsWords, pairs));
    if (!source) return text + "; the names in the file do not say which its model uses";
    return text + (source->pairs == pairs ? ", as " : ", other than ") + source->model +
           " has them; angles of base 10000";
}

}  // namespace headlight
