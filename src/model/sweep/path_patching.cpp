#include "model/sweep/path_patching.h"

#include "core/error.h"
#include "core/heads/head_inputs.h"
#include "text/printable.h"

namespace headlight {
namespace {

bool is_head_output(const PlannedTensor& tensor, Network network) {
    const Identity& identity = tensor.identity;
    return identity.role == Role::HeadOutput && identity.network == network &&
           is_swept_attention(identity.component);
}

/// Between the encoder and the decoder there are paths that are not followed here.
void check_is_one_stack(const Plan& plan, const std::vector<TensorId>& heads) {
    for (const TensorId id : heads)
        if (plan[id].identity.component != ComponentKind::Attention)
            throw Error("sweep",
                        "paths are followed in a stack of self-attention; this network reads a "
                        "source by cross-attention. Sweep it without a receiver");
}

std::string head_name(const SweepPath& path) {
    return std::to_string(path.layer) + "." + std::to_string(path.head);
}

TensorId output_of(const Plan& plan, const SweepPath& path) {
    const std::vector<TensorId> heads = list_head_outputs(plan);
    check_is_one_stack(plan, heads);
    for (const TensorId id : heads)
        if (plan[id].identity.layer == path.layer && plan[id].identity.head == path.head) return id;
    throw Error("sweep", "there is no head " + head_name(path) + " to receive anything");
}

/// Q, K or V of a head; heads of a group share K and V.
TensorId input_of(const Trace& base, const SweepPath& path, Role role) {
    const Location attention{.component = ComponentKind::Attention, .layer = path.layer};
    const auto id = find_head_input(base, attention, path.head, role);
    if (!id) throw Error("sweep", "head " + head_name(path) + " has no such input");
    return *id;
}

}  // namespace

std::vector<TensorId> list_head_outputs(const Plan& plan) {
    std::vector<TensorId> outputs;
    const std::vector<TensorId> streams = list_streams(plan);
    if (streams.empty()) return outputs;
    const Network network = plan[streams.back()].identity.network;
    for (TensorId id = 0; id < plan.tensors().size(); ++id)
        if (is_head_output(plan[id], network)) outputs.push_back(id);
    return outputs;
}

bool is_swept_attention(ComponentKind component) {
    return component == ComponentKind::Attention || component == ComponentKind::CrossAttention;
}

SweepPath path_to(const Plan& plan, const std::string& receiver) {
    if (receiver == "logits") return {};
    const std::size_t dot = receiver.find('.');
    const auto is_number = [](const std::string& text) {
        return !text.empty() && text.size() < 6 &&
               text.find_first_not_of("0123456789") == std::string::npos;
    };
    const std::string layer = receiver.substr(0, dot),
                      head = dot == std::string::npos ? "" : receiver.substr(dot + 1);
    if (!is_number(layer) || !is_number(head))
        throw Error("sweep", in_quotes(receiver) +
                                 " names no receiver: write 1.2 for head 2 of layer 1, or logits");
    const SweepPath path{std::stoi(layer), std::stoi(head)};
    output_of(plan, path);
    return path;
}

PathPatching::PathPatching(const Trace& base, std::shared_ptr<const Plan> plan, Interventions own,
                           const SweepPath& path, const ForEach& for_each)
    : base_(base), plan_(std::move(plan)), own_(std::move(own)), frozen_(own_), path_(path) {
    const std::vector<TensorId> heads = list_head_outputs(base);
    check_is_one_stack(base, heads);
    if (!path.ends_in_logits()) {
        receiver_ = output_of(base, path);
        if (base[heads.front()].identity().layer == path.layer)
            throw Error("sweep", "head " + head_name(path) +
                                     " is in the first layer: no component comes before it");
    }
    for (const TensorId id : heads)
        frozen_[base[id].path()] = intervene_on_all(*compute_value(base, id));
    // The senders' evaluations share what none of them changes.
    frozen_trace_ = compute(base.shared_plan(), frozen_, {}, &base, for_each);
}

bool PathPatching::is_before(const Identity& component) const {
    return path_.ends_in_logits() || component.layer < path_.layer;
}

std::vector<TensorId> PathPatching::received() const {
    std::vector<TensorId> inputs;
    const auto add = [&](HeadInput input, Role role) {
        if (path_.through == input || path_.through == HeadInput::All)
            inputs.push_back(input_of(base_, path_, role));
    };
    add(HeadInput::Query, Role::Query);
    add(HeadInput::Key, Role::Key);
    add(HeadInput::Value, Role::Value);
    return inputs;
}

Trace PathPatching::run(Interventions changed, const std::vector<TensorId>& wanted,
                        const Trace& before, const ForEach& for_each) const {
    Watched watched;
    for (const TensorId id : wanted) watched.globs.push_back(base_[id].path());
    return compute(plan_, changed, watched, &before, for_each);
}

Matrix PathPatching::last_stream_with(TensorId component, const Intervention& replacement,
                                      const ForEach& for_each) const {
    const TensorId stream = last_stream(base_);
    Interventions changed = frozen_;
    changed[base_[component].path()] = replacement;
    const std::vector<TensorId> wanted = receiver_ ? received() : std::vector{stream};
    const Trace sent = run(std::move(changed), wanted, *frozen_trace_, for_each);
    if (!receiver_) return *sent[stream].value;
    // What the receiver then gives out: alone, since other heads may share its keys and values.
    changed = own_;
    for (const TensorId input : wanted)
        changed[base_[input].path()] = intervene_on_all(*sent[input].value);
    const Trace heard = run(std::move(changed), {*receiver_}, base_, for_each);
    changed = own_;
    changed[base_[*receiver_].path()] = intervene_on_all(*heard[*receiver_].value);
    const Trace after = run(std::move(changed), {stream}, base_, for_each);
    return *after[stream].value;
}

}  // namespace headlight
