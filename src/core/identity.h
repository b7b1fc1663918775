// Identifies a tensor by its stack, layer, component, head, step and role.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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
    UncappedScores,
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

/// Returns the last segment of the path, such as "pattern"; "" if the role does not determine it.
std::string_view role_name(Role role);

// Identity describes a tensor as data. The tensor's path is made from it.
//
// Goals: a mechanism states its location once; its tensors get their paths and identities from it.
// No code parses a path.
// Not goals: a tensor's symbol in formulas; the operation that makes it.

/// The network that a tensor is in. A plan can have several side by side.
enum class Network : std::uint8_t {
    Main,
    Source,    // the side that a cross-attention reads: keys and values
    Target,    // the side that reads: queries
    Encoder,   // of a Transformer; of a recurrent network, what both directions share
    Forward,   // direction of a recurrent encoder
    Backward,  // direction of a recurrent encoder
    Decoder,
    Decoding,  // a copy of the main network, run one word at a time with a KV cache
    Probe,     // a copy of the main network, run on made-up words
};

/// The kind of component that a tensor belongs to.
enum class ComponentKind : std::uint8_t {
    Input,  // everything before the first layer
    Attention,
    CrossAttention,
    ClassAttention,  // a class token reads what the layers have made
    GraphAttention,
    Mlp,
    Recurrence,  // shared by the steps of a recurrent layer
    Step,        // one step of a recurrence; for a decoded word, what its layers share
    Output,      // everything after the last layer
    Analyses,    // analyses of the whole network
};

struct Named;

/// The place of a tensor in the network; −1 means that it is in no layer, step, head or group.
struct Location {
    Network network = Network::Main;
    ComponentKind component = ComponentKind::Input;
    int layer = -1, step = -1;
    int head = -1, kv_group = -1;  // the heads of a group share keys and values

    bool operator==(const Location&) const = default;

    // These return the same location with one field changed.
    Location with(ComponentKind other) const;
    Location of_step(int number) const;
    Location of_layer(int number) const;
    Location of_head(int number) const;
    Location of_kv_group(int number) const;

    /// Names a tensor of the component, or of its head or group: "blocks.0.attn.heads.2.q".
    Named at(Role role) const;
    Named at(std::string_view name, Role role = Role::Other) const;
    /// Names a tensor beside its component: "blocks.0.resid_mid", "decoder.W_query".
    Named beside(Role role) const;
    Named beside(std::string_view name, Role role = Role::Other) const;

    /// Returns the beginning of the paths made by `at`: "blocks.0.attn.heads.2".
    std::string path() const;
};

/// The output of the network of the study.
inline constexpr Location kNetworkOutput{.component = ComponentKind::Output};

struct Identity : Location {
    Role role = Role::Other;

    bool operator==(const Identity&) const = default;
    bool is_probe() const { return network == Network::Probe; }
};

/// A tensor's path and identity.
struct Named {
    std::string path;
    Identity identity = {};

    /// Names a tensor outside any network, or before the first layer.
    Named(const char* where) : path(where) {}
    Named(std::string where, Identity what) : path(std::move(where)), identity(what) {}
};

/// Returns the end of a path: "pattern"; of two segments "2.pattern".
std::string_view last_segments(std::string_view path, int count = 1);

}  // namespace headlight
