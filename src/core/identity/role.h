// Role: what a tensor is for. Most roles determine the last segment of the tensor's path.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight {

enum class Role : std::uint8_t {
    Other,
    // before the first layer
    Image,
    Patches,
    EdgeFeatures,
    Tokens,
    Embedding,
    Positions,
    Mask,
    // the residual stream, and the norms of its parts
    ResidPre,
    ResidAttn,
    ResidMid,
    ResidPost,
    NormInput,
    NormOutput,
    Gain,
    Bias,
    // a head, or heads that share keys and values
    Query,
    Key,
    Value,
    NewKey,
    NewValue,
    NormedQuery,
    NormedKey,
    RotatedQuery,
    RotatedKey,
    QueryHidden,
    KeyHidden,
    NodeFeatures,
    SourceScores,
    TargetScores,
    EdgeScores,
    RawScores,
    ContentScores,
    PositionScores,
    Scores,
    MaskedScores,
    Pattern,
    ContentMix,
    PositionMix,
    HeadOutput,
    HeadResult,
    NormWeighted,
    QueryKeyCircuit,
    ValueOutputCircuit,
    Metrics,
    Overview,
    // an attention, an MLP
    AttentionOutput,
    MlpGate,
    MlpPre,
    MlpOutput,
    // after the last layer
    Logits,
    Probabilities,
    Answer,
    ClassLogits,
    ClassProbabilities,
    // a recurrent network
    Annotations,
    States,
    FirstState,
    FirstMemory,
    GateInput,
    ResetGate,
    UpdateGate,
    InputGate,
    ForgetGate,
    OutputGate,
    WordBefore,
    Context,
    StepInput,
    BeforeLogits,
};

/// The last segment of the path, such as "pattern"; "" if the role does not determine it.
std::string_view role_name(Role role);

}  // namespace headlight
