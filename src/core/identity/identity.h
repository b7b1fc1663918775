// Identity: what a tensor is, for whoever reads a plan. Its path is made from it.
//
// Goals: a mechanism says once where it stands, and its tensors get path and identity from that;
// nobody takes a path apart.
// Not goals: what a tensor is called in a formula (its symbol), how it is made (its operation).
#pragma once

#include <string>
#include <utility>

#include "core/identity/role.h"

namespace headlight {

/// Of the networks that stand side by side in a plan, the one that a tensor is in.
enum class Network : std::uint8_t {
    Main,
    Source,    // of a cross-attention, what is read …
    Target,    // … and what reads
    Encoder,   // of a Transformer; of a recurrent network what its directions share
    Forward,   // direction of a recurrent encoder
    Backward,  // direction of a recurrent encoder
    Decoder,
    Decoding,  // the main one once more, word by word
    Probe,     // the main one once more, over made-up words
};

/// What a tensor is a piece of.
enum class ComponentKind : std::uint8_t {
    Input,  // what there is before the first layer
    Attention,
    CrossAttention,
    GraphAttention,
    Mlp,
    Recurrence,  // what the steps of a recurrent layer share
    Step,        // one of them; of a decoded word what its layers share
    Output,      // what comes after the last layer
    Analyses,    // what is read off the whole network
};

struct Named;

/// Where a tensor stands; −1: in no layer, step, head or group.
struct Location {
    Network network = Network::Main;
    ComponentKind component = ComponentKind::Input;
    int layer = -1, step = -1;
    int head = -1, kv_group = -1;  // heads of one group share keys and values

    bool operator==(const Location&) const = default;

    // The same place but for that.
    Location with(ComponentKind other) const;
    Location of_step(int number) const;
    Location of_layer(int number) const;
    Location of_head(int number) const;
    Location of_kv_group(int number) const;

    /// A tensor of the component, or of the head or the group in it: "blocks.0.attn.heads.2.q".
    Named at(Role role) const;
    Named at(std::string_view name, Role role = Role::Other) const;
    /// One beside the component that it belongs to: "blocks.0.resid_mid", "decoder.W_query".
    Named beside(Role role) const;
    Named beside(std::string_view name, Role role = Role::Other) const;

    /// What the paths of `at` begin with: "blocks.0.attn.heads.2".
    std::string path() const;
};

struct Identity : Location {
    Role role = Role::Other;

    bool operator==(const Identity&) const = default;
    bool is_probe() const { return network == Network::Probe; }
};

/// A tensor's path, and what it is.
struct Named {
    std::string path;
    Identity identity = {};

    /// A leaf or a result of no network, or of what there is before the first layer.
    Named(const char* where) : path(where) {}
    Named(std::string where, Identity what) : path(std::move(where)), identity(what) {}
};

/// The end of a path: "pattern"; of two segments "2.pattern".
std::string_view last_segments(std::string_view path, int count = 1);

}  // namespace headlight
